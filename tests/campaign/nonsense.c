// SPDX-License-Identifier: BSD-3-Clause
// nonsense.c: files with nonsense under a right digest.
//
// A change is six bytes: what, which (2), value, where (2). Everything that is not changed is
// copied; a variable of another size repeats its values, one of more than MOST values has none: its
// fill value is what readers see. Cost: a copy of the file.
#include "nonsense.h"

#include <limits.h>
#include <math.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/ncfile.h"

enum { MAX_CHANGE = 8, MAX_DIM = 128, NAME = NC_MAX_NAME + 1 };
static const size_t MOST = 8192;  // values that are written

enum { LENGTH, DROP, VALUE, TYPE, WAY, DROP_ATT, ATT_VALUE, ATT_TYPE, N_WHAT };

typedef struct change {
  unsigned what, which, value, where;
} change;

typedef struct copy {
  int from, to;
  int n_dim, n_var, n_att, dim[MAX_DIM];  // dim: ids in `to`
  size_t len[MAX_DIM];                    // of the new dimensions
  int n_change;
  change change[MAX_CHANGE];
} copy;

// The change of thing `which` (of n), NULL: none.
static const change *find(const copy *c, unsigned what, int which, int n)
{
  for (int k = 0; k < c->n_change; k++)
    if (c->change[k].what == what && n > 0 && (int)(c->change[k].which % (unsigned)n) == which)
      return &c->change[k];
  return NULL;
}

static size_t changed_length(const change *x, size_t old)
{
  const size_t list[] = { 1,
                          2,
                          3,
                          4,
                          5,
                          old + 1,
                          old > 1 ? old - 1 : 1,
                          2 * old,
                          4096,
                          1u << 16,
                          1u << 20,
                          1u << 30,
                          INT32_MAX,
                          (size_t)1 << 31,
                          (size_t)1 << 32,
                          (size_t)1 << 40 };
  return list[x->value % (sizeof list / sizeof *list)];
}

static int changed_int(const change *x, int old)
{
  const int list[] = { 0,       1,       -1,      2,
                       3,       INT_MAX, INT_MIN, 1 << 16,
                       1 << 20, 1 << 30, 4096,    old > INT_MIN ? old - 1 : 0,
                       63,      512,     -2,      old < INT_MAX ? old + 1 : 0 };
  return list[x->value % (sizeof list / sizeof *list)];
}

static double changed_f64(const change *x, double old)
{
  const double list[] = { 0.0,    -0.0,   1.0,    -1.0,  NAN,  INFINITY, -INFINITY, 1e308,
                          -1e308, 5e-324, 1e-300, 1e150, -old, 2 * old,  1e18,      -1e-9 };
  return list[x->value % (sizeof list / sizeof *list)];
}

static const char *changed_text(const change *x)
{
  static char longest[6000];
  const char *list[] = { "", "x", "../../../x", "a\nb", "%s%n", "\xff\xfe", longest, "grid_x" };
  memset(longest, 'y', sizeof longest - 1);
  return list[x->value % (sizeof list / sizeof *list)];
}

// ---- dimensions, attributes ---------------------------------------------------------------------

static bool copy_dims(copy *c)
{
  for (int k = 0; k < c->n_dim; k++) {
    char name[NAME];
    if (nc_inq_dim(c->from, k, name, &c->len[k]) != NC_NOERR) return false;
    const change *x = find(c, LENGTH, k, c->n_dim);
    if (x) c->len[k] = changed_length(x, c->len[k]);
    if (nc_def_dim(c->to, name, c->len[k], &c->dim[k]) != NC_NOERR) return false;
  }
  return true;
}

static bool put_att(copy *c, const char *name, nc_type type, size_t n, const change *value,
                    const change *other)
{
  char text[20000] = "";
  double number = 0.0;
  if (n >= sizeof text) return false;
  if (type == NC_CHAR) {
    if (nc_get_att_text(c->from, NC_GLOBAL, name, text) != NC_NOERR) return false;
    const char *t = value ? changed_text(value) : text;
    size_t len = value ? strlen(t) : n;
    if (other) return nc_put_att_double(c->to, NC_GLOBAL, name, NC_DOUBLE, 1, &number) == NC_NOERR;
    return nc_put_att_text(c->to, NC_GLOBAL, name, len, t) == NC_NOERR;
  }
  if (n != 1 || nc_get_att_double(c->from, NC_GLOBAL, name, &number) != NC_NOERR) return false;
  if (other) return nc_put_att_text(c->to, NC_GLOBAL, name, 3, "one") == NC_NOERR;
  if (type == NC_INT) {
    int i = value ? changed_int(value, (int)number) : (int)number;
    return nc_put_att_int(c->to, NC_GLOBAL, name, NC_INT, 1, &i) == NC_NOERR;
  }
  if (value) number = changed_f64(value, number);
  return nc_put_att_double(c->to, NC_GLOBAL, name, NC_DOUBLE, 1, &number) == NC_NOERR;
}

// Those of the file; those of variables are for other readers.
static bool copy_atts(copy *c)
{
  for (int k = 0; k < c->n_att; k++) {
    char name[NAME];
    nc_type type;
    size_t n = 0;
    if (nc_inq_attname(c->from, NC_GLOBAL, k, name) != NC_NOERR ||
        nc_inq_att(c->from, NC_GLOBAL, name, &type, &n) != NC_NOERR)
      return false;
    if (name[0] == '_' || find(c, DROP_ATT, k, c->n_att)) continue;
    if (!put_att(c, name, type, n, find(c, ATT_VALUE, k, c->n_att), find(c, ATT_TYPE, k, c->n_att)))
      return false;
  }
  return true;
}

// ---- variables ----------------------------------------------------------------------------------

static bool put_numbers(const copy *c, int from, int to, nc_type type, size_t n_old, size_t n,
                        const change *x)
{
  double *old = calloc(n_old + 1, sizeof *old), *now = calloc(n + 1, sizeof *now);
  bool good = old && now && nc_get_var_double(c->from, from, old) == NC_NOERR;
  for (size_t k = 0; good && k < n; k++) now[k] = n_old > 0 ? old[k % n_old] : 0.0;
  if (good && x && n > 0) {
    double *at = &now[x->where % n];
    *at = type == NC_INT ? (double)changed_int(x, (int)*at) : changed_f64(x, *at);
  }
  // what does not fit the type is said, and written all the same
  int rc = good ? nc_put_var_double(c->to, to, now) : NC_EINVAL;
  free(old);
  free(now);
  return rc == NC_NOERR || rc == NC_ERANGE;
}

static bool put_texts(const copy *c, int from, int to, size_t n_old, size_t n, const change *x)
{
  char **old = calloc(n_old + 1, sizeof *old);
  const char **now = calloc(n + 1, sizeof *now);
  bool good = old && now && nc_get_var_string(c->from, from, old) == NC_NOERR;
  for (size_t k = 0; good && k < n; k++) now[k] = n_old > 0 && old[k % n_old] ? old[k % n_old] : "";
  if (good && x && n > 0) now[x->where % n] = changed_text(x);
  good = good && nc_put_var_string(c->to, to, now) == NC_NOERR;
  if (old) (void)nc_free_string(n_old, old);
  free(old);
  free(now);
  return good;
}

// A variable that is defined: how many values it has and had, 0: it gets none.
typedef struct defined {
  int to;
  nc_type type, to_type;
  size_t n_old, n;
} defined;

static bool define_var(copy *c, int k, defined *d)
{
  char name[NAME];
  int nd = 0, dim[NC_MAX_VAR_DIMS], to_dim[NC_MAX_VAR_DIMS];
  size_t n = 1;
  *d = (defined){ .n_old = 1 };
  if (nc_inq_var(c->from, k, name, &d->type, &nd, dim, NULL) != NC_NOERR) return false;
  if (find(c, DROP, k, c->n_var)) return true;
  const change *x = find(c, TYPE, k, c->n_var), *way = find(c, WAY, k, c->n_var);
  d->to_type = d->type;
  if (x) d->to_type = d->type != NC_DOUBLE ? NC_DOUBLE : x->value % 2 ? NC_FLOAT : NC_INT;
  for (int i = 0; i < nd; i++) {
    size_t len = 0;
    if (nc_inq_dimlen(c->from, dim[i], &len) != NC_NOERR) return false;
    d->n_old *= len;
    bool turned = way && (unsigned)i == way->where % (unsigned)nd;
    int of = turned ? (int)way->value % c->n_dim : dim[i];
    to_dim[i] = c->dim[of];
    n = c->len[of] > MOST || n > MOST ? MOST + 1 : n * c->len[of];
  }
  if (nc_def_var(c->to, name, d->to_type, nd, to_dim, &d->to) != NC_NOERR) return false;
  d->n = n > MOST ? 0 : n;
  if (d->n > 0) return true;
  // in pieces, none of which is written: it costs neither memory nor bytes
  size_t piece[NC_MAX_VAR_DIMS];
  for (int i = 0; i < nd; i++) piece[i] = 1;
  return nc_def_var_chunking(c->to, d->to, NC_CHUNKED, piece) == NC_NOERR;
}

static bool put_var(const copy *c, int k, const defined *d)
{
  const change *x = find(c, VALUE, k, c->n_var);
  if (d->n == 0) return true;
  if (d->type != NC_STRING) return put_numbers(c, k, d->to, d->to_type, d->n_old, d->n, x);
  return d->to_type != d->type || put_texts(c, k, d->to, d->n_old, d->n, x);
}

static bool copy_vars(copy *c)
{
  defined *d = calloc((size_t)c->n_var + 1, sizeof *d);
  bool good = d != NULL;
  for (int k = 0; good && k < c->n_var; k++) good = define_var(c, k, &d[k]);
  for (int k = 0; good && k < c->n_var; k++) good = put_var(c, k, &d[k]);
  free(d);
  return good;
}

// ---- all of it ----------------------------------------------------------------------------------

static void read_changes(copy *c, const uint8_t *p, size_t n)
{
  for (; n >= NONSENSE_BYTES && c->n_change < MAX_CHANGE; p += NONSENSE_BYTES, n -= NONSENSE_BYTES)
    c->change[c->n_change++] = (change){ .what = p[0] % N_WHAT,
                                         .which = (unsigned)p[1] << 8 | p[2],
                                         .value = p[3],
                                         .where = (unsigned)p[4] << 8 | p[5] };
}

bool nonsense_make(const void *image, size_t n, const uint8_t *choice, size_t n_choice,
                   const char *path)
{
  copy c = { .from = -1, .to = -1 };
  NC_memio made = { 0 };
  mw_error err;
  read_changes(&c, choice, n_choice);
  enum { DIGEST = 40 };  // bytes behind the image
  bool good = n > DIGEST &&
              nc_open_mem("whole", NC_NOWRITE, n - DIGEST, (void *)image, &c.from) == NC_NOERR;
  good = good && nc_inq(c.from, &c.n_dim, &c.n_var, &c.n_att, NULL) == NC_NOERR &&
         c.n_dim <= MAX_DIM && c.n_dim > 0;
  good = good && nc_create_mem("modeway", NC_NETCDF4, (size_t)1 << 16, &c.to) == NC_NOERR;
  good = good && copy_dims(&c) && copy_atts(&c) && copy_vars(&c);
  if (c.from >= 0) (void)nc_close(c.from);
  if (c.to >= 0 && nc_close_memio(c.to, &made) != NC_NOERR) good = false;
  good = good && made.memory != NULL && made.size < (size_t)1 << 26 &&
         mw_file_replace(path, made.memory, made.size, true, &err) == MW_OK;
  free(made.memory);
  return good;
}
