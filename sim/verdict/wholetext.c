// SPDX-License-Identifier: BSD-3-Clause
// wholetext.c: the certificate of a machine from those of its components.
//
// Loads deform the parts each on its own stiffness. With K_k of part k condensed to its borders,
// and ε_k what columns leave out of the compliance there under any loads together,
//
//   K_k ≤ K'_k ≤ (1 + ε_k) K_k   for all k   ⇒   Σ K_k ≤ Σ K'_k ≤ (1 + max ε_k) Σ K_k
//
// as quadratic forms: the whole errs in static compliance by no more than the worst of its parts.
// (Certificates have ε of unit loads in their line, of loads together beside it.) Of other lines
// the worst part is named, too; they bound what the parts do. What parts do to each other in motion
// is covered as far as it lies in the band of all of them.
#include "wholetext_layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 48, UNIT = 16 };

typedef struct said {  // one line of a certificate
  char name[NAME], unit[UNIT];
  double error, tolerance;
  bool met;
} said;

// "  NAME  1.2e-3 UNIT (tolerance 1e-3: met)", as sim/export/export_component.c writes it.
static bool read_line(const char *line, said *out)
{
  char met[8] = "";
  const char *at = strstr(line, " (tolerance "), *end = strchr(line, '\n');
  if (!at || (end && at > end) || sscanf(at, " (tolerance %lf: %6[a-z]", &out->tolerance, met) != 2)
    return false;
  // the error is the first number behind two spaces or more
  for (const char *c = line + 2; c < at; c++) {
    size_t n = (size_t)(c - line - 2);
    out->unit[0] = '\0';
    if (c[0] != ' ' || sscanf(c, " %lf %15[^ (]", &out->error, out->unit) < 1) continue;
    while (n > 0 && line[1 + n] == ' ') n--;
    if (n >= NAME) return false;
    memcpy(out->name, line + 2, n);
    out->name[n] = '\0';
    out->met = strcmp(met, "met") == 0;
    return n > 0;
  }
  return false;
}

static const char *next_line(const char *line)
{
  const char *end = strchr(line, '\n');
  return end && end[1] ? end + 1 : NULL;
}

static bool says(const char *promise, const char *verdict)
{
  static const char head[] = "certificate: ";
  size_t n = sizeof head - 1;
  return promise && strncmp(promise, head, n) == 0 &&
         strncmp(promise + n, verdict, strlen(verdict)) == 0;
}

const char *mw_parts_missed(const char *promise, mw_arena *mem)
{
  const char *all = NULL;
  said s;
  if (!says(promise, "missed")) return NULL;
  for (const char *line = promise; line; line = next_line(line))
    if (read_line(line, &s) && !s.met)
      all = mw_arena_printf(mem, "%s%s%s %.2e, tolerance %.2e", all ? all : "", all ? "; " : "",
                            s.name, s.error, s.tolerance);
  return all ? all : "of what, it does not say";
}

// A line of part u joins that of the same quantity, or is a new one.
static void take_line(const said *s, const mw_component_use *u, mw_arena *mem, mw_parts *out)
{
  mw_parts_line *l = NULL;
  for (int k = 0; k < out->n_line && !l; k++)
    if (strcmp(out->line[k].name, s->name) == 0) l = &out->line[k];
  bool fresh = !l;
  if (fresh) {
    l = &out->line[out->n_line++];
    *l = (mw_parts_line){ .name = mw_arena_str(mem, s->name), .met = true };
  }
  l->met = l->met && s->met;
  // the one nearest to, or farthest beyond, its own tolerance
  if (!fresh && s->error * l->tolerance <= l->error * s->tolerance) return;
  l->error = s->error;
  l->tolerance = s->tolerance;
  l->unit = mw_arena_str(mem, s->unit);
  l->part = u->name;
}

static int count_lines(const mw_model *m)
{
  int n = 0;
  for (int k = 0; k < m->n_component; k++)
    for (const char *line = m->component[k].size.promise; line; line = next_line(line)) n++;
  return n;
}

void mw_parts_of(const mw_model *m, mw_arena *mem, mw_parts *out)
{
  said s;
  *out = (mw_parts){ .band = INFINITY };
  out->line = mw_arena_alloc(mem, (size_t)count_lines(m) + 1, sizeof *out->line);
  for (int k = 0; out->line && k < m->n_component; k++) {
    const mw_component_use *u = &m->component[k];
    const char *missed = mw_parts_missed(u->size.promise, mem);
    double hz = 0.0;
    if (!says(u->size.promise, "")) continue;
    out->n_part++;
    if (missed) {
      out->missed = mw_arena_printf(mem, "%s%s%s (%s)", out->missed ? out->missed : "",
                                    out->missed ? ", " : "", u->name, missed);
      out->n_missed++;
    }
    for (const char *line = u->size.promise; line; line = next_line(line)) {
      if (read_line(line, &s)) take_line(&s, u, mem, out);
      if (sscanf(line, " up to %lf Hz", &hz) != 1 || hz >= out->band) continue;
      out->band = hz;
      out->band_of = u->name;
    }
  }
}

const char *mw_parts_text(const mw_parts *p, mw_arena *mem)
{
  const char *band = "";
  if (isfinite(p->band)) band = mw_arena_printf(mem, "; up to %.4g Hz (%s)", p->band, p->band_of);
  return mw_arena_printf(mem, "certificate of the whole, by %s of %d component%s: %s%s%s",
                         p->n_part == 1 ? "that" : "those", p->n_part, p->n_part == 1 ? "" : "s",
                         p->missed ? "missed by " : "met", p->missed ? p->missed : "",
                         band ? band : "");
}

void mw_parts_tell(const mw_model *m, bool (*left)(void *ctx, int k, char *text, size_t n),
                   void *ctx, mw_run *r)
{
  mw_parts parts;
  mw_parts_of(m, &r->mem, &parts);
  if (parts.n_part > 0) mw_run_add_note(r, "%s", mw_parts_text(&parts, &r->mem));
  for (int k = 0; k < m->n_component; k++) {
    const mw_component_use *u = &m->component[k];
    const char *missed = mw_parts_missed(u->size.promise, &r->mem);
    char text[300];
    if (missed) {
      mw_run_add_warning(r, "component %s misses its certificate: %s", u->name, missed);
      mw_run_add_beyond(r, "component %s misses its certificate", u->name);
      if (!r->missed) r->missed = mw_arena_printf(&r->mem, "component %s", u->name);
    }
    if (!left(ctx, k, text, sizeof text) || !text[0]) continue;
    mw_run_add_warning(r, "outside of what component %s promises: %s", u->name, text);
    mw_run_add_beyond(r, "component %s has left what it promises", u->name);
  }
}

void mw_parts_print(const mw_model *m)
{
  mw_arena mem = { 0 };
  mw_parts p;
  mw_parts_of(m, &mem, &p);
  const char *text = p.n_part > 0 ? mw_parts_text(&p, &mem) : NULL;
  if (text) printf("  %s%s\n", p.missed ? "warning: " : "", text);
  for (int k = 0; text && k < p.n_line; k++) {
    const mw_parts_line *l = &p.line[k];
    printf("    %-28s %.2e%s%s (tolerance %.2e: %s)  %s\n", l->name, l->error,
           l->unit && *l->unit ? " " : "", l->unit ? l->unit : "", l->tolerance,
           l->met ? "met" : "missed", l->part);
  }
  mw_arena_free(&mem);
}

void mw_parts_json(const mw_model *m, mw_json *j)
{
  mw_arena mem = { 0 };
  mw_parts p;
  mw_parts_of(m, &mem, &p);
  if (p.n_part > 0) {
    mw_json_object(j, "certificate");
    mw_json_bool(j, "met", !p.missed);
    if (p.missed) mw_json_str(j, "missed", p.missed);
    if (isfinite(p.band)) mw_json_num(j, "band", p.band);
    mw_json_object(j, "errors");
    for (int k = 0; k < p.n_line; k++) mw_json_num(j, p.line[k].name, p.line[k].error);
    mw_json_end(j, '}');
    mw_json_end(j, '}');
  }
  mw_arena_free(&mem);
}
