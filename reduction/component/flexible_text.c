// SPDX-License-Identifier: BSD-3-Clause
// flexible_text.c: what a component says of its inside besides its tables, as lines of text:
//
//   modeway-flexible 1
//   gravity X Y Z
//   start THETA_1 … THETA_6
//   port NAME FIELD ARM
//   travel NAME COORDINATE FIELD LOWEST HIGHEST FORCE     or angle
//   output NAME FIELD
//   kept NODES COEFFICIENTS ZERO_E ZERO_H SLOW ZERO_C     tables over parameters, if there are any
//   parameter NAME LOWEST HIGHEST VALUE
//   promise                                               and lines of what is promised
#include <stdlib.h>
#include <string.h>

#include "flexible_priv.h"

static const char FIRST[] = "modeway-flexible 1\n", LAST[] = "promise\n";

mw_code mw_flexible_text_write(const mw_flexible_text *t, mw_arena *mem, const char **out,
                               mw_error *err)
{
  static const char *const word[] = { "port", "travel", "angle", "output" };
  const char *x = mw_arena_printf(mem, "%sgravity %.17g %.17g %.17g\n", FIRST, t->gravity[0],
                                  t->gravity[1], t->gravity[2]);
  for (int i = 0; x && i < MW_ROM_MAX_S; i++)
    x = mw_arena_printf(mem, "%s%s%.17g%s", x, i ? " " : "start ", t->start[i],
                        i + 1 < MW_ROM_MAX_S ? "" : "\n");
  for (int k = 0; x && k < t->n_seen; k++) {
    const mw_flexible_seen *s = &t->seen[k];
    if (s->kind == MW_FLEXIBLE_PORT)
      x = mw_arena_printf(mem, "%sport %s %d %.17g\n", x, s->name, s->field, s->arm);
    else if (s->kind == MW_FLEXIBLE_OUTPUT)
      x = mw_arena_printf(mem, "%soutput %s %d\n", x, s->name, s->field);
    else
      x = mw_arena_printf(mem, "%s%s %s %s %d %.17g %.17g %.17g\n", x, word[s->kind], s->name,
                          s->coordinate, s->field, s->limits[0], s->limits[1], s->most);
  }
  const mw_kept *z = &t->kept;
  if (x && z->n > 0)
    x = mw_arena_printf(mem, "%skept %d %zu %u %u %u %llu\n", x, z->n_node, z->n_coef, z->zero_e,
                        z->zero_H, z->slow, z->zero_c);
  for (int k = 0; x && k < z->n; k++)
    x = mw_arena_printf(mem, "%sparameter %s %.17g %.17g %.17g\n", x, t->parameter[k].name,
                        t->parameter[k].lo, t->parameter[k].hi, t->parameter[k].value);
  if (x) x = mw_arena_printf(mem, "%s%s%s", x, LAST, t->promise ? t->promise : "");
  *out = x;
  return mw_arena_check(mem, err);
}

enum { NAME = 128 };
#define NAME_FORMAT "%127s"

static bool read_seen(const char *line, mw_arena *mem, mw_flexible_seen *s)
{
  char word[NAME], name[NAME], coordinate[NAME];
  if (sscanf(line, NAME_FORMAT " " NAME_FORMAT, word, name) != 2) return false;
  s->name = mw_arena_str(mem, name);
  if (strcmp(word, "port") == 0) {
    s->kind = MW_FLEXIBLE_PORT;
    return sscanf(line, "%*s %*s %d %lf", &s->field, &s->arm) == 2;
  }
  if (strcmp(word, "output") == 0) {
    s->kind = MW_FLEXIBLE_OUTPUT;
    return sscanf(line, "%*s %*s %d", &s->field) == 1;
  }
  s->kind = strcmp(word, "angle") == 0 ? MW_FLEXIBLE_ANGLE : MW_FLEXIBLE_TRAVEL;
  int n = sscanf(line, "%*s %*s " NAME_FORMAT " %d %lf %lf %lf", coordinate, &s->field,
                 &s->limits[0], &s->limits[1], &s->most);
  s->coordinate = n > 0 ? mw_arena_str(mem, coordinate) : NULL;
  return n == 5 && (s->kind == MW_FLEXIBLE_ANGLE || strcmp(word, "travel") == 0);
}

// A line of what can be set into t, its parameters [t->kept.n] in p; false: it is none.
static bool read_kept(const char *line, mw_arena *mem, mw_flexible_text *t,
                      mw_flexible_parameter *p)
{
  char name[NAME];
  mw_kept *z = &t->kept;
  if (sscanf(line, "kept %d %zu %u %u %u %llu", &z->n_node, &z->n_coef, &z->zero_e, &z->zero_H,
             &z->slow, &z->zero_c) == 6)
    return z->n_node > 1 && z->n_node <= MW_KEPT_NODES;
  if (z->n == MW_KEPT_PARAMETERS) return false;
  p += z->n;
  if (sscanf(line, "parameter " NAME_FORMAT " %lf %lf %lf", name, &p->lo, &p->hi, &p->value) != 4)
    return false;
  p->name = mw_arena_str(mem, name);
  z->n++;
  return z->n_node > 1;
}

static bool read_start(const char *line, double start[MW_ROM_MAX_S])
{
  static const char WORD[] = "start";
  if (strncmp(line, WORD, sizeof WORD - 1) != 0) return false;
  line += sizeof WORD - 1;
  for (int i = 0; i < MW_ROM_MAX_S; i++) {
    char *end;
    start[i] = strtod(line, &end);
    if (end == line) return false;
    line = end;
  }
  return *line == '\n';
}

static mw_code wrong(mw_error *err, int line)
{
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "found line %d of its description that says nothing, expected a port, a drive or "
                 "an output",
                 line);
}

mw_code mw_flexible_text_read(const char *text, size_t n, mw_arena *mem, mw_flexible_text *out,
                              mw_error *err)
{
  char *all = mw_arena_alloc(mem, n + 1, 1), *at = all, *end;
  int lines = 0;
  if (!all) return mw_arena_check(mem, err);
  memcpy(all, text, n);
  for (const char *x = all; *x; x++) lines += *x == '\n';
  mw_flexible_seen *seen = mw_arena_alloc(mem, (size_t)lines, sizeof *seen);
  mw_flexible_parameter *parameter = mw_arena_alloc(mem, MW_KEPT_PARAMETERS, sizeof *parameter);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_flexible_text t = { .seen = seen, .parameter = parameter };
  if (strncmp(at, FIRST, sizeof FIRST - 1) != 0) return wrong(err, 1);
  at += sizeof FIRST - 1;
  double *g = t.gravity;
  if (sscanf(at, "gravity %lf %lf %lf", &g[0], &g[1], &g[2]) != 3) return wrong(err, 2);
  at = strchr(at, '\n');
  if (!at || !read_start(at + 1, t.start)) return wrong(err, 3);
  at++;
  for (int line = 4; (end = strchr(at, '\n')) != NULL; line++) {
    at = end + 1;
    if (strncmp(at, LAST, sizeof LAST - 1) == 0) break;
    if (!*at || read_kept(at, mem, &t, parameter)) continue;
    if (!read_seen(at, mem, &seen[t.n_seen++])) return wrong(err, line);
  }
  if (!end) return wrong(err, lines + 1);
  t.promise = at + sizeof LAST - 1;
  *out = t;
  return mw_arena_check(mem, err);
}
