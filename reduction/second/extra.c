// SPDX-License-Identifier: BSD-3-Clause
// extra.c: what records gain beside lagrangian.c, over the grid: the second order of the motion
// (second.c), convective dissipation (dissipation.c); and what of it is kept. How it gets
// into them: extra_records.c.
//
//   H_i = −K_g[M ρ_i] ,  H_ij = −K_g[M ρ_ij] ,  H_g = −K_g[M g] ,  Y_k = −K_g[f_k] ,
//       G_a = −K_g[M ψ_a]   on the columns      (1)
// On large tables (1) and dissipation are splines between some of their points (extra_coarse.c).
// Cost: the patterns of all loads twice a grid point (their stresses are looked at before the
// bodies' tensors are made).
#include "extra_layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "fem/strain.h"
#include "second_layer.h"
#include "table/kept_rows_layer.h"
#include "third_layer.h"

void mw_extra_free(mw_extra *x)
{
  mw_arena_free(&x->mem);
  *x = (mw_extra){ 0 };
}

void mw_grid_slope(const mw_reduction *r, const double *D, int axis, int g,
                   const double *const *value, size_t n, double *out)
{
  int stride = 1, ng = r->n_grid[axis];
  for (int i = r->s - 1; i > axis; i--) stride *= r->n_grid[i];
  int k = g / stride % ng;
  memset(out, 0, n * sizeof *out);
  for (int l = 0; l < ng; l++)
    if (D[k * ng + l] != 0.0) mw_axpy((int)n, D[k * ng + l], value[g + (l - k) * stride], out);
}

static const double PART = 0.1;       // of the tolerance: what outputs may do without
static const double ROUNDING = 1e-9;  // of the largest of a kind

// ---- over the grid ------------------------------------------------------------------------------

static mw_code allocate(const mw_reduction *r, const mw_second *z, mw_extra *x, mw_error *err)
{
  size_t m = (size_t)r->m, mm = m * (m + 1) / 2, np = (size_t)r->n_point, s = (size_t)r->s;
  x->Y_field = mw_arena_int(&x->mem, (size_t)z->n_load);
  x->Y_input = mw_arena_int(&x->mem, (size_t)z->n_load);
  mw_code rc = mw_arena_check(&x->mem, err);
  for (int k = 0; rc == MW_OK && k < z->n_load; k++) {
    if (z->load[k].kind < MW_SECOND_POINT) continue;
    x->Y_field[x->n_Y] = z->load[k].field;
    x->Y_input[x->n_Y++] = z->load[k].input;
  }
  x->H = mw_arena_f64(&x->mem, np * s * mm);
  x->Hij = mw_arena_f64(&x->mem, np * (s * (s + 1) / 2) * mm);
  x->Hg = mw_arena_f64(&x->mem, np * mm);
  x->Y = mw_arena_f64(&x->mem, np * (size_t)x->n_Y * mm);
  x->G = mw_arena_f64(&x->mem, np * (size_t)x->n_moved * mm);
  return rc == MW_OK ? mw_arena_check(&x->mem, err) : rc;
}

// (1) at grid point g
static void keep_second(const mw_second *z, int g, mw_extra *x)
{
  size_t m = (size_t)z->m, mm = m * (m + 1) / 2, s = (size_t)z->s, G = (size_t)g, y = 0;
  for (int k = 0; k < z->n_load; k++) {
    const mw_second_load *l = &z->load[k];
    size_t i = (size_t)l->i, ij = i * (i + 1) / 2 + (size_t)l->j;
    double *to = l->kind == MW_SECOND_RATE     ? x->H + (G * s + i) * mm
                 : l->kind == MW_SECOND_PAIR   ? x->Hij + (G * (s * (s + 1) / 2) + ij) * mm
                 : l->kind == MW_SECOND_REST   ? x->Hg + G * mm
                 : l->kind == MW_SECOND_COLUMN ? x->G + (G * (size_t)x->n_moved + i) * mm
                                               : x->Y + (G * (size_t)x->n_Y + y++) * mm;
    const double *Kg = z->Kg + (size_t)k * m * m;
    for (size_t a = 0; a < m; a++)
      for (size_t b = 0; b <= a; b++) *to++ = -0.5 * (Kg[a * m + b] + Kg[b * m + a]);
  }
}

// Points of the grid, with loads and columns of a block's own like z.
typedef struct points {
  const mw_reduction *r;
  const mw_second *z;
  const mw_stress *st;
  mw_extra *x;
  double *gap;  // [n_point × n_row × m]
} points;

static mw_code second_like(const mw_second *z, mw_second *out, mw_error *err)
{
  mw_code rc = mw_second_init(z->mech, z->blocks, z->locked, z->s, z->m, z->n_moved, out, err);
  if (rc == MW_OK) out->n_load = z->n_load;
  return rc;
}

static mw_code second_points(void *ctx, int from, int to, mw_error *err)
{
  const points *all = ctx;
  mw_second z;
  mw_code rc = second_like(all->z, &z, err);
  if (rc != MW_OK) return rc;
  for (int g = from; rc == MW_OK && g < to; g++) {
    const mw_grid_point *pt = &all->r->point[g];
    mw_second_columns(&z, pt->sys, pt->Psi);
    rc = mw_second_loads(&z, pt->sys, &pt->q, err);
    if (rc == MW_OK) rc = mw_second_frames(&z, &pt->q, err);
    if (rc == MW_OK) rc = mw_stress_add(all->st, &z, pt->Psi, err);
    if (rc == MW_OK) keep_second(&z, g, all->x);
  }
  mw_second_free(&z);
  return rc;
}

mw_code mw_extra_second(mw_reduction *r, mw_second *z, mw_extra *x, mw_error *err)
{
  mw_stress st;
  mw_code rc = allocate(r, z, x, err);
  if (rc == MW_OK) rc = mw_stress_init(r, z, &st, err);
  if (rc != MW_OK) return rc;
  points all = { .r = r, .z = z, .st = &st, .x = x };
  mw_points of = { .n = r->n_point, .fn = second_points, .ctx = &all, .progress = r->progress };
  mw_progress_start(r->progress, "second order of the motion", r->n_point);
  rc = mw_stress_gather(&st, z, err);
  if (rc == MW_OK) rc = mw_stress_build(&st, err);
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &of, err);
  mw_progress_end(r->progress);
  x->stress_error = st.error;
  x->stress_left = st.left;
  mw_stress_free(&st);
  return rc;
}

static mw_code gap_points(void *ctx, int from, int to, mw_error *err)
{
  const points *all = ctx;
  size_t rm = (size_t)all->r->mech->n_row * (size_t)all->r->m;
  mw_second z;
  mw_code rc = second_like(all->z, &z, err);
  if (rc != MW_OK) return rc;
  for (int g = from; rc == MW_OK && g < to; g++) {
    const mw_grid_point *pt = &all->r->point[g];
    mw_second_columns(&z, pt->sys, pt->Psi);
    rc = mw_second_gaps(&z, &pt->q, all->gap + (size_t)g * rm, err);
  }
  mw_second_free(&z);
  return rc;
}

mw_code mw_extra_dissipation(mw_reduction *r, mw_second *z, const double *alone, mw_extra *x,
                             mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t np = (size_t)r->n_point, rm = (size_t)r->mech->n_row * (size_t)r->m;
  const double **gap = mw_arena_alloc(&tmp, np, sizeof *gap);
  points all = { .r = r, .z = z, .gap = mw_arena_f64(&tmp, np * rm) };
  mw_points of = { .n = r->n_point, .fn = gap_points, .ctx = &all };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &of, err);
  for (size_t g = 0; rc == MW_OK && g < np; g++) gap[g] = all.gap + g * rm;
  if (rc == MW_OK) rc = mw_dissipation_build(r, gap, alone, x, err);
  mw_arena_free(&tmp);
  return rc;
}

// Where no coordinate turns a body, the mass of columns changes by what they turn alone.
static bool turns(const mw_reduction *r)
{
  bool any = false;
  for (int g = 0; g < r->n_point; g++) any |= mw_config_turns(r->mech, r->s, &r->point[g].q);
  return any;
}

mw_code mw_extra_points(mw_reduction *r, mw_extra *out, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  mw_extra x = { .n_point = r->n_point, .n_made = r->n_point, .s = r->s, .m = r->m };
  mw_second z;
  x.second = in->inertia == MW_INERTIA_FULL;
  bool damped = in->inertia != MW_INERTIA_LEADING && mw_dissipation_any(r);
  *out = x;
  if (!x.second && !damped) return MW_OK;
  if (x.second && turns(r)) x.n_moved = r->m < MW_ROM_MAX_G ? r->m : MW_ROM_MAX_G;
  mw_code rc = mw_second_init(r->mech, r->blocks, r->locked, r->s, r->m, x.n_moved, &z, err);
  if (rc != MW_OK) return rc;
  if (x.second) rc = mw_extra_second(r, &z, &x, err);
  if (rc == MW_OK && damped) rc = mw_extra_dissipation(r, &z, NULL, &x, err);
  mw_second_free(&z);
  *out = x;
  if (rc != MW_OK) mw_extra_free(out);
  return rc;
}

mw_code mw_extra_dampers(mw_reduction *r, int k, mw_extra *out, mw_error *err)
{
  mw_extra x = { .n_point = r->n_point, .n_made = r->n_point, .s = r->s, .m = r->m };
  mw_second z;
  double *c = mw_arena_f64(&x.mem, (size_t)r->mech->n_row);
  *out = x;
  mw_code rc = mw_arena_check(&x.mem, err);
  if (rc == MW_OK) rc = mw_kept_rows(r, k, false, c, err);
  if (rc == MW_OK) rc = mw_second_init(r->mech, r->blocks, r->locked, r->s, r->m, 0, &z, err);
  if (rc == MW_OK) {
    rc = mw_extra_dissipation(r, &z, c, &x, err);
    mw_second_free(&z);
  }
  *out = x;
  if (rc != MW_OK) mw_extra_free(out);
  return rc;
}

// ---- what is left -------------------------------------------------------------------------------

static double largest(size_t n, const double *x)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static void unpack(int m, const double *x, double *A)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) A[a * m + b] = A[b * m + a] = x[a * (a + 1) / 2 + b];
}

// What the matrices are compared with, where records are.
typedef struct sizes {
  const mw_reduction *r;
  const double *records;
  mw_rom_layout lay;
  double *A, *B, *V, *w;
} sizes;

void mw_extra_clear(const mw_reduction *r, double *X, int n, int q, size_t width)
{
  for (size_t g = 0; g < (size_t)r->n_point; g++)
    memset(X + (g * (size_t)n + (size_t)q) * width, 0, width * sizeof *X);
}

typedef struct notes {  // what was left out
  char text[1024];
  size_t n;
} notes;

static void note(notes *t, const char *format, const char *name, const char *name2)
{
  char one[160];
  snprintf(one, sizeof one, format, name, name2);
  size_t len = strlen(one);
  if (t->n + len + 3 >= sizeof t->text) return;
  if (t->n > 0) t->text[t->n++] = ',', t->text[t->n++] = ' ';
  memcpy(t->text + t->n, one, len + 1);
  t->n += len;
}

static void take_note(void *to, const char *name) { note(to, "%s%s", name, ""); }

// Fields: outputs by what they are off at the largest declared deflection, whose strain energy the
// most compliant of them takes. Inputs were judged before (extra_left.c).
static double bound_of(const mw_reduction *r, const mw_extra *x, int k, double soft)
{
  const mw_reduction_in *in = &r->model->reduction;
  if (x->Y_input[k] >= 0) return 0.0;
  if (!(in->max_deflection > 0.0) || isinf(in->max_deflection) || !(soft > 0.0)) return 0.0;
  return 0.5 * in->max_deflection / soft;
}

// Largest compliance y1 K⁻¹ y1ᵀ of the positions of outputs, m/N
static mw_code softest(sizes *z, double *most, mw_error *err)
{
  const mw_model *model = z->r->model;
  int m = z->r->m;
  mw_code rc = MW_OK;
  *most = 0.0;
  for (size_t g = 0; rc == MW_OK && g < (size_t)z->r->n_point; g++) {
    const double *rec = z->records + g * (size_t)z->lay.n;
    unpack(m, rec + z->lay.K, z->B);
    rc = mw_chol_factor(m, z->B, err);
    for (int o = 0; rc == MW_OK && o < model->n_output; o++)
      for (int k = 0; !mw_output_is_gauge(&model->output[o]) && k < 3; k++) {
        const double *y1 = rec + z->lay.y + (mw_output_row(model, o) + k) * (1 + m) + 1;
        memcpy(z->w, y1, (size_t)m * sizeof *y1);
        mw_chol_solve(m, z->B, 1, z->w);
        *most = fmax(*most, mw_dot(m, y1, z->w));
      }
  }
  return rc;
}

// Positions whose mass is a parameter of the reduced model: what it adds to the second order
// follows from theirs.
static bool is_kept(const mw_reduction *r, int field)
{
  const mw_reduction_in *in = &r->model->reduction;
  for (int k = 0; k < in->n_kept; k++) {
    int first = mw_output_row(r->model, in->kept[k].output);
    if (field >= first && field < first + 3) return true;
  }
  return false;
}

static mw_code choose_fields(sizes *z, double soft, mw_extra *x, const mw_rom_file *f, notes *t,
                             mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t mm = (size_t)(x->m * (x->m + 1) / 2), np = (size_t)x->n_point;
  double limit = PART * r->model->reduction.tolerance, e,
         most = largest(np * (size_t)x->n_Y * mm, x->Y);
  const mw_extra_grid at = { .r = r, .records = z->records, .lay = z->lay };
  int kept = 0;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < x->n_Y; k++) {
    double bound = bound_of(r, x, k, soft), here = 0.0;
    for (size_t g = 0; g < np; g++)
      here = fmax(here, largest(mm, x->Y + (g * (size_t)x->n_Y + (size_t)k) * mm));
    bool keep = here > ROUNDING * most || is_kept(r, x->Y_field[k]);
    if (keep && bound > 0.0 && !is_kept(r, x->Y_field[k])) {
      rc = mw_extra_share(&at, MW_EXTRA_PACKED, x->Y, x->n_Y, k, &e, err);
      keep = e * bound >= limit;
      if (!keep) note(t, "curvature of %s%s", f->field[x->Y_field[k]], "");
    }
    if (!keep) continue;
    for (size_t g = 0; k != kept && g < np; g++)
      memcpy(x->Y + (g * (size_t)x->n_Y + (size_t)kept) * mm,
             x->Y + (g * (size_t)x->n_Y + (size_t)k) * mm, mm * sizeof *x->Y);
    x->Y_field[kept] = x->Y_field[k];
    x->Y_input[kept++] = x->Y_input[k];
  }
  // the kept ones next to each other
  for (size_t g = 1; g < np && kept < x->n_Y; g++)
    memmove(x->Y + g * (size_t)kept * mm, x->Y + g * (size_t)x->n_Y * mm,
            (size_t)kept * mm * sizeof *x->Y);
  x->n_Y = kept;
  return rc;
}

// CE and CC that are nothing but rounding: against C over the width of the axes.
static void choose_damping(const mw_reduction *r, const sizes *z, mw_extra *x)
{
  static const double SHAPES = 1e-7;  // far above what an eigensolver leaves of shapes that stay
  size_t m = (size_t)x->m, mm = m * (m + 1) / 2, s = (size_t)x->s, np = (size_t)x->n_point;
  double C = 0.0;
  if (!x->CE) return;
  for (size_t g = 0; g < np; g++) {
    const double *rec = z->records + g * (size_t)z->lay.n + (size_t)z->lay.C;
    C = fmax(C, fmax(largest(mm, rec), largest(mm, x->C + g * mm)));
  }
  for (size_t i = 0, ij = 0; i < s; i++) {
    double wi = r->hi[i] - r->lo[i], e = 0.0;
    for (size_t g = 0; g < np; g++) e = fmax(e, largest(m * m, x->CE + (g * s + i) * m * m));
    if (e * wi <= SHAPES * C) mw_extra_clear(r, x->CE, x->s, (int)i, m * m);
    for (size_t j = 0; j <= i; j++, ij++) {
      size_t pairs = s * (s + 1) / 2;
      e = 0.0;
      for (size_t g = 0; g < np; g++) e = fmax(e, largest(mm, x->CC + (g * pairs + ij) * mm));
      if (e * wi * (r->hi[j] - r->lo[j]) <= SHAPES * C)
        mw_extra_clear(r, x->CC, (int)pairs, (int)ij, mm);
    }
  }
  bool kept = r->model->reduction.n_kept > 0;  // columns turn with the coordinates by its mass
  if (kept || largest(np * s * m * m, x->CE) > 0.0) x->parts |= MW_ROM_CE;
  if (kept || largest(np * (s * (s + 1) / 2) * mm, x->CC) > 0.0) x->parts |= MW_ROM_CC;
}

// K with gravity must hold: what buckles under its own weight has no small deflections.
static mw_code check_weight(sizes *z, const mw_extra *x, mw_error *err)
{
  const mw_reduction *r = z->r;
  int m = r->m, mm = m * (m + 1) / 2;
  for (int g = 0; g < r->n_point; g++) {
    const double *K = z->records + (size_t)g * (size_t)z->lay.n + (size_t)z->lay.K,
                 *Hg = x->Hg + (size_t)g * (size_t)mm;
    for (int k = 0; k < mm; k++) z->V[k] = K[k] - Hg[k];
    unpack(m, z->V, z->A);
    if (mw_chol_factor(m, z->A, NULL) == MW_OK) continue;
    double theta[MW_ROM_MAX_S];
    mw_reduction_theta(r, g, theta);
    return mw_fail(err, MW_ERR_INPUT, r->model->reduction.at,
                   "the mechanism buckles under %s at %s = %g, expected a stiffness that "
                   "holds it (inertia: first_order leaves what that takes of the stiffness out, "
                   "and misses its certificate)",
                   r->point[g].q.loaded ? mw_rest_name(r) : "its own weight",
                   r->model->reduction.coordinate[0].name, theta[0]);
  }
  return MW_OK;
}

// Bodies of matrices alone: their frames and joints have a second order, their elements none that
// is known.
static void name_stressless(const mw_reduction *r, mw_rom_file *f)
{
  notes t = { .n = 0 };
  for (int b = 0; b < r->full->n_body; b++)
    if (r->full->body[b].n_u > 0 && !mw_body_has_stress(&r->full->body[b]))
      note(&t, "%s%s", r->full->body[b].name, "");
  if (t.n > 0) f->stressless = mw_arena_str(&f->mem, t.text);
}

// Light coordinates (extra_mass.c) with H, which changes their inertia with deflection.
static void name_light(const sizes *z, const mw_extra *x, mw_rom_file *f)
{
  const mw_reduction *r = z->r;
  size_t m = (size_t)r->m, mm = m * (m + 1) / 2, s = (size_t)r->s;
  notes t = { .n = 0 };
  for (size_t i = 0; i < s; i++) {
    double H = 0.0;
    for (size_t g = 0; g < (size_t)x->n_point; g++)
      H = fmax(H, largest(mm, x->H + (g * s + i) * mm));
    if (H > 0.0 && mw_mass_is_light(r, z->records, f->rom.n_y, (int)i))
      note(&t, "%s%s", r->model->reduction.coordinate[i].name, "");
  }
  if (t.n > 0) f->light = mw_arena_str(&f->mem, t.text);
}

mw_code mw_extra_choose(const mw_reduction *r, const double *records, mw_extra *x, mw_rom_file *f,
                        mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t m = (size_t)r->m, mm = m * (m + 1) / 2, np = (size_t)x->n_point;
  sizes z = { .r = r,
              .records = records,
              .lay = mw_rom_layout_of((mw_rom_shape){ .s = r->s, .m = r->m, .n_y = f->rom.n_y }),
              .A = mw_arena_f64(&tmp, m * m),
              .B = mw_arena_f64(&tmp, m * m),
              .V = mw_arena_f64(&tmp, m * m),
              .w = mw_arena_f64(&tmp, m) };
  notes t = { .n = 0 };
  mw_code rc = mw_arena_check(&tmp, err);
  x->parts = 0;
  if (rc == MW_OK && x->second) rc = check_weight(&z, x, err);
  mw_extra_grid at = { .r = r, .records = records, .lay = z.lay };
  if (rc == MW_OK) rc = softest(&z, &at.soft, err);
  if (rc == MW_OK) rc = mw_extra_leave_out(&at, x, f, take_note, &t, err);
  if (rc == MW_OK && x->second) rc = choose_fields(&z, at.soft, x, f, &t, err);
  if (rc == MW_OK) choose_damping(r, &z, x);
  if (rc == MW_OK && x->second && largest(np * (size_t)r->s * mm, x->H) > 0.0) x->parts |= MW_ROM_H;
  if (rc == MW_OK && x->second && r->model->reduction.n_kept > 0) x->parts |= MW_ROM_H;
  if (rc == MW_OK && (x->parts & MW_ROM_H)) name_light(&z, x, f);
  if (rc == MW_OK) rc = mw_mass_choose(&at, x, f, take_note, &t, err);
  if (rc == MW_OK && x->n_G > 0) x->parts |= MW_ROM_H;
  if (rc == MW_OK && x->third) x->parts |= MW_ROM_THIRD;
  if (rc == MW_OK && x->stress_error > 0.0) {
    char size[32];
    snprintf(size, sizeof size, "%.1g", x->stress_error);
    note(&t, "up to %s of the bodies' stress stiffness%s", size, "");
    f->stress_left = x->stress_left;
  }
  if (rc == MW_OK && !x->second)
    note(&t, "%s%s", "the second order",
         r->model->reduction.inertia == MW_INERTIA_LEADING
             ? " and convective and gyroscopic terms (inertia: leading)"
             : " (inertia: first_order)");
  if (rc == MW_OK && t.n > 0) f->left_out = mw_arena_str(&f->mem, t.text);
  if (rc == MW_OK && x->second) name_stressless(r, f);
  if (rc == MW_OK && x->n_Y > 0) {
    int *field = mw_arena_int(&f->mem, (size_t)x->n_Y);
    rc = mw_arena_check(&f->mem, err);
    if (rc == MW_OK) memcpy(field, x->Y_field, (size_t)x->n_Y * sizeof *field);
    f->rom.Y_field = field;
  }
  f->rom.n_Y = x->n_Y;
  f->rom.n_G = x->n_G;
  f->rom.parts = x->parts;
  mw_arena_free(&tmp);
  return rc;
}
