// SPDX-License-Identifier: BSD-3-Clause
// fmu_vars.c: the variables of a functional mock-up unit: names, units, starts, sizes, and what
// depends on what.
//
//   x0 = (theta0, delta0, 0, 0) ,  theta0 the middle of the box, K delta0 = -U1(theta0)         (1)
//   nominal: theta the width of its box; delta_a the largest of |delta0_a| and, over the inputs k,
//     |K⁻¹ y1_k|_a (a unit
//   force), but not less than 1/1000 of the largest of all; deld_a = √K_aa delta_a              (2)
//
// Names are structured (FMI 3.0, section 2.4.7.5.1): parts that are no identifiers stand in
// apostrophes.
// [FMI3] Functional Mock-up Interface Specification 3.0, Modelica Association, 2022.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "export/export_layer.h"
#include "fmu_priv.h"
#include "reduction/certificate.h"

static const double LEAST_NOMINAL = 1e-3;  // of the largest of its kind

// ---- names --------------------------------------------------------------------------------------

// One part of a name.
static void print_part(const char *s, size_t n, FILE *f)
{
  bool plain = n > 0 && (isalpha((unsigned char)s[0]) || s[0] == '_');
  for (size_t k = 0; k < n; k++)
    plain = plain && (unsigned char)s[k] < 128 && (isalnum((unsigned char)s[k]) || s[k] == '_');
  if (plain) {
    fwrite(s, 1, n, f);
    return;
  }
  fputc('\'', f);
  for (size_t k = 0; k < n; k++) {
    int c = (unsigned char)s[k];
    if (c == '\'' || c == '"' || c == '\\') fputc('\\', f);
    fputc(c < 32 || c > 126 || c == '`' ? '_' : c, f);
  }
  fputc('\'', f);
}

// Parts of s end at dots and colons.
static void print_name(const char *s, FILE *f)
{
  for (;;) {
    size_t n = strcspn(s, ".:");
    print_part(s, n, f);
    if (!s[n]) return;
    fputc('.', f);
    s += n + 1;
  }
}

// before, s as a name, behind
static const char *name_of(mw_fmu *f, const char *before, const char *s, const char *behind)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (out) {
    fputs(before, out);
    print_name(s, out);
    fputs(behind, out);
  }
  const char *name = out && fclose(out) == 0 ? mw_arena_str(&f->mem, text) : NULL;
  if (!name) f->mem.failed = 1;
  free(text);
  return name;
}

// A name that an earlier variable has gets an index at its end.
static void make_unique(mw_fmu *f)
{
  for (int k = 1; k < f->n_var; k++) {
    const char *first = f->var[k].name;
    for (int again = 2, i = 0; i < k; i++) {
      if (!f->var[k].name || !f->var[i].name || strcmp(f->var[i].name, f->var[k].name) != 0)
        continue;
      f->var[k].name = mw_arena_printf(&f->mem, "%s[%d]", first, again++);
      i = -1;
    }
  }
}

// ---- units --------------------------------------------------------------------------------------

static const char *coordinate_unit(const mw_rom_file *r, int i)
{
  return r->unit && r->unit[i] && r->unit[i][0] ? r->unit[i] : NULL;
}

// "s:NAME" of a coordinate that is not one of the reduction's: a length or an angle, the file does
// not say which.
static const char *field_unit(const mw_fmu *f, int k)
{
  const mw_rom_file *r = f->rom;
  if (r->field_unit && r->field_unit[k] && r->field_unit[k][0]) return r->field_unit[k];
  if (strncmp(r->field[k], "s:", 2) != 0) return "m";
  for (int i = 0; i < r->rom.s; i++)
    if (strcmp(r->field[k] + 2, r->coordinate[i]) == 0) return coordinate_unit(r, i);
  return f->field_unit ? f->field_unit[k] : NULL;
}

static const char *rate_unit(const char *unit)
{
  if (!unit) return NULL;
  return strcmp(unit, "rad") == 0 ? "rad/s" : strcmp(unit, "m") == 0 ? "m/s" : NULL;
}

static const char *acceleration_unit(const char *unit)
{
  if (!unit) return NULL;
  return strcmp(unit, "rad") == 0 ? "rad/s2" : strcmp(unit, "m") == 0 ? "m/s2" : NULL;
}

static const char *force_unit(const char *unit)
{
  if (!unit) return NULL;
  return strcmp(unit, "rad") == 0 ? "N.m" : strcmp(unit, "m") == 0 ? "N" : NULL;
}

static bool has_rate(const mw_rom_file *r, int k)
{
  return !r->field_unit || !r->field_unit[k] || !r->field_unit[k][0];
}

// ---- starts and nominal values ------------------------------------------------------------------

typedef struct starts {
  double theta[MW_ROM_MAX_S];
  double *delta, *nominal, *rate_nominal;  // [m]
} starts;

static mw_code at_rest(const mw_rom *r, const double *theta, const double *u, double *delta,
                       void *work, mw_error *err)
{
  mw_rom_code code = mw_rom_static(r, theta, u, delta, work, NULL);
  if (code == MW_ROM_OK) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the reduced model is not at rest in the middle of its range: %s",
                 mw_rom_code_name(code));
}

// (2); delta_k of inputs under a unit force are differences to the rest under gravity
static mw_code nominals(mw_fmu *f, starts *s, void *work, mw_error *err)
{
  const mw_rom *r = &f->rom->rom;
  int m = r->m;
  double *u = mw_arena_f64(&f->mem, (size_t)r->n_u + 1), *d = mw_arena_f64(&f->mem, (size_t)m + 1),
         *value = mw_arena_f64(&f->mem, (size_t)r->n_field), largest = 0.0;
  mw_code rc = mw_arena_check(&f->mem, err);
  for (int a = 0; rc == MW_OK && a < m; a++) s->nominal[a] = fabs(s->delta[a]);
  for (int k = 0; rc == MW_OK && k < r->n_u; k++) {
    u[k] = 1.0;
    rc = at_rest(r, s->theta, u, d, work, err);
    u[k] = 0.0;
    for (int a = 0; rc == MW_OK && a < m; a++)
      s->nominal[a] = fmax(s->nominal[a], fabs(d[a] - s->delta[a]));
  }
  if (rc != MW_OK) return rc;
  for (int a = 0; a < m; a++) largest = fmax(largest, s->nominal[a]);
  (void)mw_rom_fields(r, s->theta, value, NULL, NULL);
  int K = mw_rom_layout_of(mw_rom_shape_of(r)).K;
  for (int a = 0; a < m; a++) {
    double K_aa = value[K + a * (a + 1) / 2 + a];
    s->nominal[a] = largest > 0.0 ? fmax(s->nominal[a], LEAST_NOMINAL * largest) : 1.0;
    s->rate_nominal[a] = K_aa > 0.0 ? sqrt(K_aa) * s->nominal[a] : s->nominal[a];
  }
  return MW_OK;
}

static mw_code start_of(mw_fmu *f, starts *s, mw_error *err)
{
  const mw_rom *r = &f->rom->rom;
  for (int i = 0; i < r->s; i++) s->theta[i] = 0.5 * (r->lo[i] + r->hi[i]);
  s->delta = mw_arena_f64(&f->mem, (size_t)r->m + 1);
  s->nominal = mw_arena_f64(&f->mem, (size_t)r->m + 1);
  s->rate_nominal = mw_arena_f64(&f->mem, (size_t)r->m + 1);
  void *work = mw_arena_alloc(&f->mem, mw_rom_work_bytes(r), 1);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc == MW_OK) rc = at_rest(r, s->theta, NULL, s->delta, work, err);
  return rc == MW_OK ? nominals(f, s, work, err) : rc;
}

// ---- the table ----------------------------------------------------------------------------------

static mw_fmu_var *add(mw_fmu *f, const char *name, const char *causality, const char *initial,
                       const char *unit, const char *description)
{
  mw_fmu_var *v = &f->var[f->n_var++];
  *v = (mw_fmu_var){ .name = name,
                     .description = description,
                     .causality = causality,
                     .variability = "continuous",
                     .initial = initial,
                     .unit = unit,
                     .min = -INFINITY,
                     .max = INFINITY,
                     .derivative = -1 };
  return v;
}

static void start_at(mw_fmu_var *v, double start, double nominal)
{
  v->has_start = true;
  v->start = start;
  v->nominal = nominal;
}

static const char *delta_name(mw_fmu *f, const char *before, int a, const char *behind)
{
  return mw_arena_printf(&f->mem, "%s[%d]%s", before, a + 1, behind);
}

static void add_states(mw_fmu *f, const starts *s)
{
  const mw_rom_file *r = f->rom;
  const mw_rom *rom = &r->rom;
  f->x = f->n_var;
  for (int i = 0; i < rom->s; i++) {
    mw_fmu_var *v = add(f, name_of(f, "theta.", r->coordinate[i], ""), "local", "exact",
                        coordinate_unit(r, i), "rigid-body coordinate");
    start_at(v, s->theta[i], rom->hi[i] - rom->lo[i]);
    if (rom->cyclic >> i & 1u) continue;
    v->min = rom->lo[i];
    v->max = rom->hi[i];
  }
  for (int a = 0; a < rom->m; a++) {
    mw_fmu_var *v = add(f, delta_name(f, "delta", a, ""), "local", "exact", "kg0.5.m",
                        mw_arena_printf(&f->mem, "elastic coordinate: %s", r->column[a]));
    start_at(v, s->delta[a], s->nominal[a]);
    v->min = -rom->delta_max[a];
    v->max = rom->delta_max[a];
  }
  for (int i = 0; i < rom->s; i++) {
    mw_fmu_var *v = add(f, name_of(f, "thd.", r->coordinate[i], ""), "local", "exact",
                        rate_unit(coordinate_unit(r, i)), "rate of a rigid-body coordinate");
    start_at(v, 0.0, rom->hi[i] - rom->lo[i]);
    if (!rom->rate_max) continue;
    v->min = -rom->rate_max[i];
    v->max = rom->rate_max[i];
  }
  for (int a = 0; a < rom->m; a++) {
    mw_fmu_var *v = add(f, delta_name(f, "deld", a, ""), "local", "exact", "kg0.5.m/s",
                        mw_arena_printf(&f->mem, "rate of %s", r->column[a]));
    start_at(v, 0.0, s->rate_nominal[a]);
  }
}

static void add_derivatives(mw_fmu *f)
{
  const mw_rom_file *r = f->rom;
  int s = r->rom.s, m = r->rom.m;
  f->dx = f->n_var;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < s; i++) {
      const char *unit = coordinate_unit(r, i);
      add(f, name_of(f, k ? "der(thd." : "der(theta.", r->coordinate[i], ")"), "local",
          "calculated", k ? acceleration_unit(unit) : rate_unit(unit),
          k ? "acceleration" : "rate of change");
    }
    for (int a = 0; a < m; a++)
      add(f, delta_name(f, k ? "der(deld" : "der(delta", a, ")"), "local", "calculated",
          k ? "kg0.5.m/s2" : "kg0.5.m/s", k ? "acceleration" : "rate of change");
  }
  for (int k = 0; k < f->n_x; k++) f->var[f->dx + k].derivative = f->x + k;
}

static int n_kept(const mw_fmu *f) { return f->kept ? f->kept->n : 0; }

// Fixed: what elastic coordinates mean goes with them.
static void add_parameters(mw_fmu *f)
{
  f->p = f->n_var;
  for (int k = 0; k < n_kept(f); k++) {
    const mw_rom_parameter *p = &f->rom->parameter[k];
    mw_fmu_var *v =
        add(f, name_of(f, "p.", p->name, ""), "parameter", "exact", NULL,
            p->field < 0 ? "parameter of the model, stiffness or damping of springs and runners; "
                           "starts of elastic coordinates do not follow it"
                         : mw_arena_printf(&f->mem,
                                           "parameter of the model, a mass of %.9g kg a unit; "
                                           "starts of elastic coordinates do not follow it",
                                           p->mass));
    v->variability = "fixed";
    start_at(v, p->value, 0.0);
    v->min = p->lo;
    v->max = p->hi;
  }
}

static int n_seen(const mw_fmu *f) { return f->seen ? f->seen->n : 0; }

static void add_ports(mw_fmu *f, int *rate)
{
  const mw_rom_file *r = f->rom;
  double hz = mw_certificate_bandwidth(&r->certificate);
  const char *force = hz > 0.0
                          ? mw_arena_printf(&f->mem, "force of a drive, content up to %.4g Hz", hz)
                          : "force of a drive";
  f->u = f->n_var;
  for (int k = 0; k < r->rom.n_u; k++) {
    mw_fmu_var *v = add(f, name_of(f, "u.", r->input[k], ""), "input", NULL,
                        force_unit(field_unit(f, r->rom.u_field[k])), force);
    start_at(v, 0.0, 0.0);
    if (!r->rom.u_max) continue;
    v->min = -r->rom.u_max[k];
    v->max = r->rom.u_max[k];
  }
  f->y = f->n_var;
  for (int k = 0; k < r->rom.n_y; k++)
    add(f, name_of(f, "", r->field[k], ""), "output", "calculated", field_unit(f, k),
        strncmp(r->field[k], "s:", 2) == 0   ? "joint coordinate"
        : strncmp(r->field[k], "f:", 2) == 0 ? "displacement along a drive's force"
        : has_rate(r, k)                     ? "position"
                                             : "stress or strain");
  f->yd = f->n_var;
  for (int k = 0; k < r->rom.n_y; k++) {
    if (!has_rate(r, k)) continue;
    rate[f->n_rate++] = k;
    add(f, name_of(f, "der(", r->field[k], ")"), "output", "calculated",
        rate_unit(field_unit(f, k)), "rate of change");
  }
  f->o = f->n_var;
  for (int k = 0; k < n_seen(f); k++) {
    const mw_export_row *row = &f->seen->row[k];
    add(f, name_of(f, "", row->name, ""), "output", "calculated",
        strcmp(row->unit, "N m") == 0 ? "N.m" : row->unit, row->kind);
  }
  f->step = f->n_var;
  mw_fmu_var *v = add(f, "step", "parameter", "exact", "s",
                      "longest internal step of co-simulation; a communication step is divided "
                      "evenly");
  v->variability = "fixed";
  start_at(v, MW_FMU_STEP, 0.0);
  v->min = MW_FMU_STEP_LEAST;
  v->max = MW_FMU_STEP_MOST;
}

static void add_train(mw_sha256 *h, const mw_rom *r, const mw_rom_train *t)
{
  size_t before = 1;
  for (int i = 0; i < r->s; i++) {
    size_t rank = (size_t)t->rank[i];
    if (rank == 0) continue;
    mw_sha256_add(h, t->core[i], (size_t)mw_rom_n_knot(r, i) * before * rank * sizeof(double));
    before = rank;
  }
  mw_sha256_add(h, t->field, before * (size_t)t->n_field * sizeof(double));
}

// Of what the description says and the tables hold, so that a description fits its own model alone.
static void make_token(mw_fmu *f)
{
  mw_sha256 h;
  uint8_t digest[32];
  char hex[65];
  const mw_rom *r = &f->rom->rom;
  mw_sha256_init(&h);
  mw_sha256_add(&h, f->rom->model_hash, strlen(f->rom->model_hash));
  mw_sha256_add(&h, MW_VERSION, sizeof MW_VERSION);
  for (int k = 0; k < f->n_var; k++) {
    mw_sha256_add(&h, f->var[k].name, strlen(f->var[k].name) + 1);
    mw_sha256_add(&h, &f->var[k].start, sizeof f->var[k].start);
    mw_sha256_add(&h, &f->var[k].nominal, sizeof f->var[k].nominal);
  }
  mw_sha256_add(&h, r->c_theta, (size_t)r->s * sizeof *r->c_theta);
  for (int k = 0; k < r->n_law; k++) {
    const mw_rom_law *l = &r->law[k];
    const double x[] = { l->coulomb, l->stiction,  l->stribeck, l->smooth, l->lo,
                         l->hi,      l->stiffness, l->damping,  l->soft };
    mw_sha256_add(&h, &l->field, sizeof l->field);
    mw_sha256_add(&h, x, sizeof x);
  }
  if (r->coef) mw_sha256_add(&h, r->coef, mw_rom_bytes(r));
  for (int k = 0; k < n_kept(f); k++) {
    mw_sha256_add(&h, &f->var[f->p + k].min, sizeof f->var[f->p + k].min);
    mw_sha256_add(&h, &f->var[f->p + k].max, sizeof f->var[f->p + k].max);
  }
  for (int t = 0; t < r->n_train; t++) add_train(&h, r, &r->train[t]);
  mw_sha256_end(&h, digest);
  mw_sha256_hex(digest, hex);
  snprintf(f->token, sizeof f->token, "{%.8s-%.4s-%.4s-%.4s-%.12s}", hex, hex + 8, hex + 12,
           hex + 16, hex + 20);
}

void mw_fmu_free(mw_fmu *f)
{
  mw_arena_free(&f->mem);
  *f = (mw_fmu){ 0 };
}

mw_code mw_fmu_build(const mw_fmu_job *job, mw_fmu *out, mw_error *err)
{
  const mw_rom *r = &job->rom->rom;
  mw_fmu f = {
    .rom = job->rom, .field_unit = job->field_unit, .seen = job->seen, .n_x = 2 * (r->s + r->m)
  };
  starts s = { 0 };
  f.kept = job->kept;
  int most = 2 + 2 * f.n_x + r->n_u + 2 * r->n_y + n_seen(&f) + n_kept(&f);
  int *rate = mw_arena_int(&f.mem, (size_t)r->n_y + 1);
  f.name = mw_arena_str(&f.mem, job->name);
  f.var = mw_arena_alloc(&f.mem, (size_t)most, sizeof *f.var);
  mw_code rc = mw_arena_check(&f.mem, err);
  if (rc == MW_OK) rc = start_of(&f, &s, err);
  if (rc == MW_OK) {
    mw_fmu_var *t = add(&f, "time", "independent", NULL, "s", "time");
    t->variability = "continuous";
    add_states(&f, &s);
    add_derivatives(&f);
    add_ports(&f, rate);
    add_parameters(&f);
    f.rate = rate;
    make_unique(&f);
    rc = mw_arena_check(&f.mem, err);
  }
  if (rc != MW_OK) {
    mw_arena_free(&f.mem);
    return rc;
  }
  make_token(&f);
  *out = f;
  return MW_OK;
}

// ---- dependencies -------------------------------------------------------------------------------

// y0 along a flat axis i is a line of slope y_slope.
static bool field_depends(const mw_rom *r, int k, int i)
{
  if (!(r->flat >> i & 1u)) return true;
  return r->y_slope && r->y_slope[i * r->n_y + k] != 0.0;
}

// Accelerations depend on a flat coordinate through friction and stops alone.
static bool motion_depends(const mw_rom *r, int i)
{
  if (!(r->flat >> i & 1u)) return true;
  for (int k = 0; k < r->n_law; k++)
    if (field_depends(r, r->law[k].field, i)) return true;
  return false;
}

// Of o (export_layer.h (1)): inputs alone, fields of the same kind, or of states and inputs.
static int seen_depends(const mw_fmu *f, const mw_export_row *row, int known)
{
  const mw_rom *r = &f->rom->rom;
  int n = r->s + r->m, place = known - f->x;
  bool is_state = known >= f->x && known < f->dx;
  if (row->form != MW_EXPORT_DIFFERENCE)
    return is_state && (row->form == MW_EXPORT_SPIN || place < n);
  if (row->first >= 4 * r->n_y) return known == f->u + row->first - 4 * r->n_y ? 2 : 0;
  if (row->first >= 2 * r->n_y) return 1;
  return is_state && (row->first >= r->n_y || place < n);
}

int mw_fmu_depends(const mw_fmu *f, int unknown, int known)
{
  const mw_rom *r = &f->rom->rom;
  int n = r->s + r->m, place = known - f->x;  // in x
  bool is_state = known >= f->x && known < f->dx;
  if (unknown < f->dx + n) return is_state && place == unknown - f->dx + n ? 2 : 0;
  if (unknown >= f->o && unknown < f->step)
    return seen_depends(f, &f->seen->row[unknown - f->o], known);
  if (unknown < f->u) return !is_state || place >= r->s || motion_depends(r, place);
  if (!is_state) return 0;
  if (unknown < f->yd)
    return place < n && (place >= r->s || field_depends(r, unknown - f->y, place));
  // y_dot = y_theta thd + y_delta deld: of flat coordinates the slope alone
  int k = f->rate[unknown - f->yd];
  if (place < r->s) return !(r->flat >> place & 1u);
  return place < n || place >= n + r->s || field_depends(r, k, place - n);
}
