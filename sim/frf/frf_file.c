// SPDX-License-Identifier: BSD-3-Clause
// frf_file.c: frequency responses as files.
//
//   .csv  coordinates, hz, then re and im of each response, and the largest in any direction   (1)
//   .nc   theta [place × coordinate], hz, real, imag [place × to × from × hz], worst [place × hz]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frf_layer.h"
#include "reduction/ncfile.h"

static void csv_head(const mw_frf_table *t, FILE *f)
{
  char unit[64];
  for (int i = 0; i < t->f->rom.s; i++) fprintf(f, "%s,", t->f->coordinate[i]);
  fputs("hz", f);
  for (int i = 0; i < t->in.n_to; i++)
    for (int j = 0; j < t->in.n_from; j++)
      for (int part = 0; part < 2; part++)
        fprintf(f, ",%s of %s / %s [%s]", part ? "im" : "re", t->in.to[i].name, t->in.from[j].name,
                mw_frf_unit(&t->in, i, j, unit));
  fputs(t->worst ? ",largest in any direction\n" : "\n", f);
}

static void csv_rows(const mw_frf_table *t, int place, FILE *f)
{
  int s = t->f->rom.s, n = t->in.n_to * t->in.n_from * 2, n_hz = t->in.n_hz;
  for (int k = 0; k < n_hz; k++) {
    for (int i = 0; i < s; i++) fprintf(f, "%.17g,", t->theta[place * s + i]);
    fprintf(f, "%.17g", t->in.hz[k]);
    for (int e = 0; e < n; e++)
      fprintf(f, ",%.17g",
              t->H[((size_t)place * (size_t)n + (size_t)e) * (size_t)n_hz + (size_t)k]);
    if (t->worst) fprintf(f, ",%.17g", t->worst[place * n_hz + k]);
    fputc('\n', f);
  }
}

static mw_code write_csv(const mw_frf_table *t, const char *path, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  csv_head(t, f);
  for (int p = 0; p < t->n_theta; p++) csv_rows(t, p, f);
  mw_code rc = fclose(f) == 0 ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK) rc = mw_file_replace(path, text, n, false, err);
  free(text);
  return rc;
}

static void put_ends(mw_ncw *w, const char *name, int dim, int n, const mw_frf_end *end)
{
  mw_arena mem = { 0 };
  const char **text = mw_arena_alloc(&mem, (size_t)n, sizeof *text);
  for (int k = 0; text && k < n; k++) text[k] = end[k].name;
  if (text) mw_ncw_str(w, name, dim, "ends of the responses", text);
  mw_arena_free(&mem);
}

// re (part 0) or im of all responses, into x.
static void part_of(const mw_frf_table *t, int part, double *x)
{
  size_t n_hz = (size_t)t->in.n_hz, n = (size_t)t->n_theta * (size_t)(t->in.n_to * t->in.n_from);
  for (size_t e = 0; e < n; e++)
    memcpy(x + e * n_hz, t->H + (2 * e + (size_t)part) * n_hz, n_hz * sizeof *x);
}

static mw_code write_nc(const mw_frf_table *t, const char *path, mw_error *err)
{
  mw_ncw w;
  mw_arena mem = { 0 };
  const mw_rom_file *f = t->f;
  size_t n = (size_t)t->n_theta * (size_t)(t->in.n_to * t->in.n_from) * (size_t)t->in.n_hz;
  double *x = mw_arena_f64(&mem, n);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc != MW_OK) return rc;
  char title[512];
  snprintf(title, sizeof title, "Frequency responses of %s", f->model_name);
  mw_ncw_open(&w, "frf", title, f->version, f->command);
  mw_ncw_att_str(&w, NULL, "model_name", f->model_name);
  mw_ncw_att_str(&w, NULL, "model_hash", f->model_hash);
  mw_ncw_att_str(&w, NULL, "response", mw_frf_kind_name(t->in.kind));
  mw_ncw_att_f64(&w, NULL, "bandwidth", t->bandwidth);
  mw_ncw_att_str(&w, NULL, "bandwidth_meaning",
                 "Hz; up to it the certificate of the reduced model judges; 0: not known");
  int dim[] = { mw_ncw_dim(&w, "place", t->n_theta), mw_ncw_dim(&w, "to", t->in.n_to),
                mw_ncw_dim(&w, "from", t->in.n_from), mw_ncw_dim(&w, "hz", t->in.n_hz) };
  int at[] = { dim[0], mw_ncw_dim(&w, "coordinate", f->rom.s) }, over[] = { dim[0], dim[3] };
  mw_ncw_str(&w, "coordinate", at[1], "rigid-body coordinates", f->coordinate);
  mw_ncw_f64(&w, "theta", 2, at, NULL, "where", t->theta);
  mw_ncw_f64(&w, "hz", 1, &dim[3], "Hz", "frequency", t->in.hz);
  put_ends(&w, "to", dim[1], t->in.n_to, t->in.to);
  put_ends(&w, "from", dim[2], t->in.n_from, t->in.from);
  part_of(t, 0, x);
  mw_ncw_f64(&w, "real", 4, dim, NULL, "real parts, SI", x);
  part_of(t, 1, x);
  mw_ncw_f64(&w, "imag", 4, dim, NULL, "imaginary parts, SI", x);
  if (t->worst)
    mw_ncw_f64(&w, "worst", 2, over, NULL, "largest response in any direction, SI", t->worst);
  mw_arena_free(&mem);
  return mw_ncw_close(&w, path, err);
}

mw_code mw_frf_write(const mw_frf_table *t, const char *path, mw_error *err)
{
  if (mw_file_ends_in(path, ".csv")) return write_csv(t, path, err);
  if (mw_file_ends_in(path, ".nc")) return write_nc(t, path, err);
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path },
                 "found a name without .csv or .nc, expected one of these endings");
}
