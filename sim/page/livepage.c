// SPDX-License-Identifier: BSD-3-Clause
// livepage.c: the page around the app (app/), see livepage_layer.h. Large parts are packed: gzip,
// then base64, as browsers unpack them (DecompressionStream).
#include "livepage_layer.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/json.h"
#include "draw/plot_layer.h"
#include "export/export_layer.h"
#include "lpv/linear_layer.h"
#include "reduction/ncfile.h"
#include "view/rompicture_layer.h"

static mw_code no_memory(mw_error *err)
{
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
}

static void put_base64(const unsigned char *x, size_t n, FILE *f)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned long word = (unsigned long)x[i] << 16;
    if (i + 1 < n) word |= (unsigned long)x[i + 1] << 8;
    if (i + 2 < n) word |= x[i + 2];
    fputc(digit[word >> 18 & 63], f);
    fputc(digit[word >> 12 & 63], f);
    fputc(i + 1 < n ? digit[word >> 6 & 63] : '=', f);
    fputc(i + 2 < n ? digit[word & 63] : '=', f);
    if (i % 96 == 93) fputc('\n', f);
  }
}

static void open_block(const char *id, FILE *f)
{
  fprintf(f, "<script type=\"application/gzip\" id=\"%s\">\n", id);
}

static void close_block(FILE *f) { fputs("\n</script>\n", f); }

mw_code mw_page_block(const char *id, const char *bytes, size_t n, FILE *f, mw_error *err)
{
  z_stream z = { 0 };
  if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return no_memory(err);
  uLong most = deflateBound(&z, (uLong)n);
  unsigned char *out = malloc(most), *in = malloc(n);
  int status = Z_MEM_ERROR;
  if (out && in) {
    memcpy(in, bytes, n);
    z.next_in = in;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)most;
    status = deflate(&z, Z_FINISH);
  }
  if (status == Z_STREAM_END) {
    open_block(id, f);
    put_base64(out, z.total_out, f);
    close_block(f);
  }
  deflateEnd(&z);
  free(in);
  free(out);
  return status == Z_STREAM_END ? MW_OK : no_memory(err);
}

void mw_page_part(const char *name, mw_arena *mem, FILE *f)
{
  const mw_export_text *t = mw_export_text_find(name);
  char *text = t ? mw_export_text_join(t, mem) : NULL;
  if (text) fputs(text, f);
}

void mw_page_head(const char *title, mw_arena *mem, FILE *f)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>",
        f);
  mw_plot_text(f, title);
  fputs("</title>\n<style>\n", f);
  mw_page_part("page.css", mem, f);
  fputs("</style>\n</head>\n<body>\n<h1>", f);
  mw_plot_text(f, title);
  fputs("</h1>\n", f);
}

// What small motions on the page leave out; "": nothing.
static const char *left_out(const mw_rom *rom)
{
  bool stiff = mw_linear_drives_stiffen(rom, rom->n_u), mass = rom->n_G > 0;
  if (stiff && mass)
    return "Left out here: the stiffness of the forces that hold the coordinates, and in the "
           "frequencies how mass changes with deflection; modeway frf has both.";
  if (stiff)
    return "Left out here: the stiffness of the forces that hold the coordinates; modeway frf has "
           "it.";
  return mass ? "Left out of the frequencies here: how mass changes with deflection; modeway frf "
                "has it."
              : "";
}

// What holds for the whole page: laws that responses leave out, values of parameters, what its
// table leaves out of the model's.
static void put_stands(const mw_rom_file *r, const mw_page_kept *kept, const mw_page_table *table,
                       mw_json *j)
{
  char text[512];
  mw_json_array(j, "stands");
  if (r->rom.n_law > 0)
    mw_json_str(j, NULL,
                "Friction, stops and play are left out of frequencies and responses; the running "
                "model has them.");
  for (int k = 0; kept->n == 0 && k < r->n_parameter; k++) {
    const mw_rom_parameter *p = &r->parameter[k];
    snprintf(text, sizeof text, "Parameter %s is %g here (range %g to %g): %s.", p->name, p->value,
             p->lo, p->hi, kept->why);
    mw_json_str(j, NULL, text);
  }
  if (kept->n > 0)
    mw_json_str(j, NULL,
                "Scenarios start, and their controllers feed forward, as for the parameters that "
                "the page begins with.");
  if (table->tolerance > 0.0) {
    snprintf(text, sizeof text,
             "The tables are compressed in this page: at 500 places their coefficients are off by "
             "%.1e of their scales at most, %.1e was allowed (--table full keeps them whole).",
             table->error, table->tolerance);
    mw_json_str(j, NULL, text);
  }
  mw_json_end(j, ']');
}

// What the app has to know besides the table; "<" is escaped, for it stands within HTML.
static mw_code put_about(const mw_rom_file *r, const mw_page_kept *kept, const mw_page_table *table,
                         const char *why, FILE *f, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  mw_json j = { .f = open_memstream(&text, &n) };
  const mw_certificate *c = &r->certificate;
  if (!j.f) return no_memory(err);
  mw_json_object(&j, NULL);
  mw_json_str(&j, "title", r->model_name);
  mw_json_array(&j, "coordinates");
  for (int i = 0; i < r->rom.s; i++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "name", r->coordinate[i]);
    mw_json_str(&j, "unit", r->unit && r->unit[i] ? r->unit[i] : "");
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_array(&j, "units");
  for (int k = 0; k < r->rom.n_y; k++) mw_json_str(&j, NULL, mw_linear_unit(r, k));
  mw_json_end(&j, ']');
  mw_json_array(&j, "forces");
  for (int k = 0; k < r->rom.n_y; k++) mw_json_str(&j, NULL, mw_linear_force_unit(r, k));
  mw_json_end(&j, ']');
  mw_json_num(&j, "band", c->n_band > 0 ? c->band[c->n_band - 1] : 0.0);
  mw_json_str(&j, "left_out", left_out(&r->rom));
  mw_page_kept_about(r, kept, &j);
  mw_json_num(&j, "tolerance", table->tolerance);
  put_stands(r, kept, table, &j);
  if (why) mw_json_str(&j, "why", why);
  mw_json_end(&j, '}');
  if (fclose(j.f) != 0) return no_memory(err);
  fputs("<script type=\"application/json\" id=\"about\">", f);
  for (const char *p = text; *p; p++) *p == '<' ? fputs("\\u003c", f) : fputc(*p, f);
  fputs("</script>\n", f);
  free(text);
  return MW_OK;
}

// What a writer says of the model, as a block.
static mw_code put_written(const char *id,
                           mw_code (*writer)(const mw_rom_file *, const mw_case *, FILE *,
                                             mw_error *),
                           const mw_rom_file *r, const mw_case *model, FILE *f, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  FILE *g = open_memstream(&text, &n);
  if (!g) return no_memory(err);
  mw_code rc = writer(r, model, g, err);
  if (fclose(g) != 0 && rc == MW_OK) rc = no_memory(err);
  if (rc == MW_OK) rc = mw_page_block(id, text, n, f, err);
  free(text);
  return rc;
}

static mw_code put_shapes(const mw_rom_file *r, FILE *f, mw_error *err)
{
  char *bytes = NULL;
  size_t n = 0;
  FILE *g = open_memstream(&bytes, &n);
  if (!g) return no_memory(err);
  mw_code rc = mw_machine_shapes(&r->drawn, r->rom.m, g, err);
  if (fclose(g) != 0 && rc == MW_OK) rc = no_memory(err);
  if (rc == MW_OK) rc = mw_page_block("shapes", bytes, n, f, err);
  free(bytes);
  return rc;
}

static mw_code put_table(const mw_rom_file *r, const mw_rom *table, FILE *f, mw_error *err)
{
  char *block = NULL;
  size_t n = 0;
  mw_rom_file carried = *r;
  carried.rom = *table;
  mw_code rc = mw_export_block(&carried, &block, &n, err);
  char *planes = rc == MW_OK ? malloc(n) : NULL;
  if (planes) {
    mw_page_planes(block, n, planes);
    rc = mw_page_block("table", planes, n, f, err);
  } else if (rc == MW_OK) {
    rc = no_memory(err);
  }
  free(planes);
  free(block);
  return rc;
}

// The table, and what sets parameters in it where there are.
static mw_code put_tables(const mw_rom_file *r, mw_page_form form, mw_arena *mem,
                          mw_page_table *table, mw_page_kept *kept, FILE *f, mw_error *err)
{
  mw_code rc = mw_page_kept_build(r, form, mem, table, kept, err);
  if (rc == MW_OK && kept->n == 0) rc = mw_page_table_build(r, form, mem, table, err);
  if (rc == MW_OK) rc = put_table(r, &table->rom, f, err);
  if (rc == MW_OK && kept->n > 0) rc = mw_page_kept_write(kept, f, err);
  return rc;
}

static mw_code put_page(const mw_rom_file *r, const mw_case *model, const char *why,
                        mw_page_form form, FILE *f, mw_error *err)
{
  mw_page_table table = { 0 };
  mw_arena mem = { 0 };
  const char *wasm = mw_export_wasm_packed(&mem);
  mw_page_head(r->model_name, &mem, f);
  mw_page_part("page_body.html", &mem, f);
  mw_rom_page_certificate(f, r);
  fputs("<p>modeway ", f);
  mw_plot_text(f, r->version ? r->version : "");
  fputs(", model <code>", f);
  mw_plot_text(f, r->model_file ? r->model_file : "");
  fprintf(f, "</code>, <code>%s</code></p>\n", r->model_hash);
  open_block("wasm", f);
  if (wasm) fputs(wasm, f);
  close_block(f);
  mw_page_kept kept = { 0 };
  mw_code rc = put_tables(r, form, &mem, &table, &kept, f, err);
  if (rc == MW_OK && model) rc = put_written("machine", mw_machine_write, r, model, f, err);
  if (rc == MW_OK && model) rc = put_written("scenarios", mw_page_scenarios, r, model, f, err);
  if (rc == MW_OK && model && r->drawn.n > 0) rc = put_shapes(r, f, err);
  if (rc == MW_OK) rc = put_about(r, &kept, &table, why, f, err);
  fputs("<script type=\"module\">\n", f);
  static const char *const part[] = { "modeway_rom.mjs",    "page_block.mjs", "page_machine.mjs",
                                      "page_parameter.mjs", "page_view.mjs",  "page_scenario.mjs",
                                      "page_lobes.mjs",     "page_table.mjs", "page_app.mjs" };
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) mw_page_part(part[k], &mem, f);
  fputs("</script>\n</body>\n</html>\n", f);
  mw_page_kept_free(&kept);
  if (rc == MW_OK) rc = mw_arena_check(&mem, err);
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_rom_page_check(mw_error *err)
{
  return mw_export_text_find("modeway_rom.wasm.gz.base64") ? MW_OK : mw_export_wasm_absent(err);
}

mw_code mw_rom_page_write(const mw_rom_file *rom, const mw_case *model, const char *why,
                          mw_page_form form, const char *path, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  mw_code rc = mw_rom_page_check(err);
  if (rc != MW_OK) return rc;
  FILE *f = open_memstream(&text, &n);
  if (!f) return no_memory(err);
  rc = put_page(rom, model, why, form, f, err);
  if (fclose(f) != 0 && rc == MW_OK) rc = no_memory(err);
  if (rc == MW_OK) rc = mw_file_replace(path, text, n, false, err);
  free(text);
  return rc;
}
