// SPDX-License-Identifier: BSD-3-Clause
// component_rigid.c: a component by the rigid mechanism: the inside is a mechanism of its own,
// eliminated as any (fem/rigid/), whose border frames take wrenches from outside.
//
//   [ M  Jᵀ ] [ a ]   [ f + P Q ]
//   [ J  0  ] [ λ ] = [ γ       ]      D = Pᵀ a for unit Q, f = γ = 0 ;   R = Pᵀ a for Q = 0    (1)
//
// P: the border frames among all. S = D, and B as R with the right-hand sides of corrections.
// [KasperVlasenko] equations 3.1 to 3.3, 4.1 to 4.3. Cost: O(n) a solution, D 6 n_border of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "component_inside_priv.h"
#include "fem/output.h"

typedef struct mw_inside inside;

// Numerical trouble inside has names in its texts.
static int trouble(const char *what, char *why, size_t n_why)
{
  if (n_why > 0) snprintf(why, n_why, "%s", what);
  return 1;
}

static double load(void *p, double t, const double *q, const double *v);

// ---- opening ------------------------------------------------------------------------------------

// What the source is to be used by: a model of nothing else.
static char *wrapper(const char *path, const mw_component_in *in, mw_arena *mem)
{
  const double *A = in->A, *p = in->p, *g = in->gravity;
  double x[3], y[3];
  for (int i = 0; i < 3; i++) {
    x[i] = in->mirror == 1 ? -A[3 * i] : A[3 * i];
    y[i] = in->mirror == 2 ? -A[3 * i + 1] : A[3 * i + 1];
  }
  char *t = mw_arena_printf(
      mem,
      "modeway: 1\ngravity: [%.17g, %.17g, %.17g]\nassemblies:\n  c:\n    use: \"%s\"\n"
      "    at: [%.17g, %.17g, %.17g]\n    axes: { x: [%.17g, %.17g, %.17g], y: [%.17g, %.17g, "
      "%.17g] }\n",
      g[0], g[1], g[2], path, p[0], p[1], p[2], x[0], x[1], x[2], y[0], y[1], y[2]);
  if (t && in->mirror) t = mw_arena_printf(mem, "%s    mirror: %c\n", t, "xyz"[in->mirror - 1]);
  if (t && in->n_set > 0) t = mw_arena_printf(mem, "%s    set:\n", t);
  for (int k = 0; t && k < in->n_set; k++) {
    const char *eq = strchr(in->set[k], '=');
    if (!eq) continue;
    t = mw_arena_printf(mem, "%s      %.*s: %s\n", t, (int)(eq - in->set[k]), in->set[k], eq + 1);
  }
  return t;
}

// What a component cannot hide yet.
static mw_code check_model(const mw_model *m, mw_error *err)
{
  for (int b = 1; b < m->n_body; b++)
    if (!m->body[b].rigid || m->body[b].solid)
      return mw_inside_refuse(err, m->body[b].at,
                              m->body[b].rigid ? "a CAD file" : "an elastic body");
  for (int j = 0; j < m->n_joint; j++) {
    bool driven = false;
    for (int d = 0; d < m->n_drive; d++) driven = driven || m->drive[d].joint == j;
    if (m->joint[j].has_limits && !driven)
      return mw_inside_refuse(err, m->joint[j].at,
                              "limits of a coordinate that no drive is seen by");
  }
  for (int d = 0; d < m->n_drive; d++)
    if (m->drive[d].joint < 0) return mw_inside_refuse(err, m->drive[d].at, "a drive at a frame");
  for (int k = 0; k < m->n_output; k++)
    if (mw_output_is_gauge(&m->output[k]) || m->output[k].part)
      return mw_inside_refuse(err, m->output[k].at,
                              "a stress, a strain or an orientation as output");
  for (int k = 0; k < m->n_observed; k++)
    if (!mw_inside_seen_of(m, &m->observed[k]))
      return mw_inside_refuse(err, m->observed[k].at, "an output of what is not seen outside");
  for (int k = 0; k < m->n_force; k++)
    if (m->force[k].has_signal) return mw_inside_refuse(err, m->force[k].at, "a force over time");
  if (m->n_component > 0) return mw_inside_refuse(err, m->component[0].at, "a component");
  return MW_OK;
}

static bool has_springs(const inside *c)
{
  for (int k = 0; k < c->n.n_soft; k++)
    if (mw_rigid_soft_k(c->r)[k] > 0.0) return true;
  return false;
}

static bool hangs(const inside *c)
{
  for (int j = 0; j < c->mech.n_joint; j++)
    if (c->mech.body[c->mech.joint[j].a].ground || c->mech.body[c->mech.joint[j].b].ground)
      return true;
  return false;
}

// Rotors are outside, with what commands them.
static mw_code hand_out_rotors(inside *c, mw_error *err)
{
  c->drive = mw_arena_alloc(&c->mem, (size_t)c->model.n_drive, sizeof *c->drive);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (int d = 0; rc == MW_OK && d < c->model.n_drive; d++) {
    c->drive[d].rotor = c->model.drive[d].rotor;
    c->model.drive[d].rotor = false;
  }
  return rc;
}

static mw_code assemble(inside *c, mw_error *err)
{
  int n = c->model.n_body;
  mw_body *all = mw_arena_alloc(&c->mem, (size_t)n, sizeof *all);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (int b = 0; rc == MW_OK && b < n; b++)
    rc = mw_body_build(&c->model, b, &c->mem, &all[b], err);
  return rc == MW_OK ? mw_mech_build(&c->model, all, &c->mem, &c->mech, err) : rc;
}

// Rows that are independent in the reference configuration.
static mw_code count_rows(inside *c, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *q = mw_arena_f64(&tmp, (size_t)c->n.n_q);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    mw_rigid_from_frames(c->r, c->mech.p0, q);
    (void)load(c, 0.0, q, NULL);
    rc = mw_rigid_factor(c->r, c->w, 0.0, err);
  }
  if (rc == MW_OK) c->size.n_row = c->n.n_row - mw_rigid_redundant(c->r, c->w, NULL);
  c->w->factored = 0;
  c->w->changes = 0;
  mw_arena_free(&tmp);
  return rc;
}

static mw_code build(inside *c, const mw_component_source *s, const mw_component_in *in,
                     mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  unsigned char *loose = NULL;
  mw_code rc = hand_out_rotors(c, err);
  if (rc == MW_OK) rc = assemble(c, err);
  opt.kinematics = opt.soft_is_rigid = in->kinematics != 0;
  opt.size = in->size;
  if (rc == MW_OK && in->kinematics) {
    loose = mw_arena_alloc(&c->mem, (size_t)c->mech.n_joint, 1);
    rc = mw_arena_check(&c->mem, err);
    // which of them close something depends on what is outside: none, as beside a component
    if (rc == MW_OK) (void)mw_mech_mark_springs(&c->mech, loose);
    opt.left_out = loose;
  }
  if (rc == MW_OK) rc = mw_rigid_build(&c->mech, &opt, &c->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(c->r, &c->w, err);
  if (rc != MW_OK) return rc;
  c->n = mw_rigid_sizes(c->r);
  c->own = mw_arena_f64(&c->mem, (size_t)c->n.n_u);
  c->f = mw_arena_f64(&c->mem, 2 * (size_t)c->n.n_u);
  c->unit = mw_arena_f64(&c->mem, (size_t)c->n.n_u);
  c->a = mw_arena_f64(&c->mem, (size_t)c->n.n_u);
  mw_part part[MW_RIGID_PARTS];
  int n = mw_rigid_work_parts(c->r, c->w, part);
  for (int k = 0; k < n; k++) c->size.n_memory += part[k].bytes;
  c->size.n_frame = c->n.n_body;
  c->size.springs = has_springs(c);
  c->size.grounded = hangs(c);
  c->size.size = mw_mech_size(&c->mech);
  c->size.hash = c->hash;
  rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) rc = count_rows(c, err);
  return rc == MW_OK ? mw_inside_border(c, s, err) : rc;
}

static void close_inside(void *p)
{
  inside *c = p;
  if (!c) return;
  mw_rigid_work_free(c->w);
  mw_rigid_free(c->r);
  mw_arena_free(&c->mem);
  mw_model_free(&c->model);
  free(c);
}

mw_code mw_component_rigid_open(const mw_component_source *s, const mw_component_in *in, void **out,
                                mw_error *err)
{
  mw_arena tmp = { 0 };
  inside *c = calloc(1, sizeof *c);
  char *text = c ? wrapper(s->file[0].path, in, &tmp) : NULL;
  mw_code rc = text ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK)
    rc = mw_model_read_text("component", text, strlen(text), s->file, s->n_file, &c->model, err);
  mw_arena_free(&tmp);
  if (rc == MW_OK) rc = check_model(&c->model, err);
  if (rc == MW_OK) memcpy(c->hash, s->hash, sizeof c->hash);
  if (rc == MW_OK) rc = build(c, s, in, err);
  if (rc == MW_OK)
    *out = c;
  else
    close_inside(c);
  return rc;
}

static void size(const void *p, mw_component_size *out) { *out = ((const inside *)p)->size; }
static void port(const void *p, int k, mw_component_port *out)
{
  *out = ((const inside *)p)->port[k];
}

static void drive(const void *p, int k, mw_component_drive *out)
{
  *out = ((const inside *)p)->drive[k];
}

static void output(const void *p, int k, mw_component_output *out)
{
  *out = ((const inside *)p)->output[k];
}

static void parameter(const void *p, int k, mw_component_parameter *out)
{
  *out = ((const inside *)p)->parameter[k];
}

static void body(const void *p, int frame, mw_component_body *out)
{
  const inside *c = p;
  const mw_rigid_body *b = &c->r->body[frame];
  const double *p0 = c->mech.p0 + 12 * b->body;
  bool border = false;
  for (int k = 0; k < c->size.n_border; k++) border |= c->size.border[k] == frame;
  *out = (mw_component_body){ .R = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  memcpy(out->p, p0, sizeof out->p);
  if (border) {
    memcpy(out->c, b->c, sizeof out->c);
    memcpy(out->R, b->R, sizeof out->R);
    return;
  }
  double x[3];
  mw_mul33v(p0 + 3, b->c, x);
  for (int i = 0; i < 3; i++) out->p[i] += x[i];
  mw_mul33(p0 + 3, b->R, out->p + 3);
}

// ---- accelerations and corrections --------------------------------------------------------------

static double load(void *p, double t, const double *q, const double *v)
{
  inside *c = p;
  if (v) {
    mw_rigid_forces(c->r, c->w, t, q, v);
    memcpy(c->own, c->w->f, (size_t)c->n.n_u * sizeof(double));
  } else {
    mw_rigid_kin(c->r, c->w, q, NULL);
  }
  mw_rigid_eval(c->r, c->w, t, NULL, 0, c->r->n_hard);
  return mw_rigid_largest_gap(c->r, c->w, NULL);
}

static int factor(void *p, char *why, size_t n_why)
{
  inside *c = p;
  mw_error err = { 0 };
  if (mw_rigid_factor(c->r, c->w, 0.0, &err) == MW_OK) return 0;
  return trouble("the inside has no acceleration, its positions may not be finite", why, n_why);
}

// Right-hand sides of the rows of a node, to x [8].
static void side_of(const inside *c, int what, const double *u, double h, int node, double *x)
{
  const mw_rigid_work *w = c->w;
  const double *g = w->g + node * LD, *gt = w->gt + node * LD;
  double rate[LD];
  if (what == MW_COMPONENT_VELOCITY || what == MW_COMPONENT_LANDING)
    mw_rigid_node_rate(c->r, w, node, u, rate);
  for (int i = 0; i < c->r->node[node].n; i++) switch (what) {
    case MW_COMPONENT_ACCELERATION: x[i] = w->gamma[node * LD + i]; break;
    case MW_COMPONENT_POSITION: x[i] = -g[i]; break;
    case MW_COMPONENT_VELOCITY: x[i] = -(rate[i] + gt[i]); break;
    case MW_COMPONENT_LANDING: x[i] = -2.0 / h * (rate[i] - g[i] / h + gt[i]); break;
    default: break;
    }
}

static void solve(void *p, int what, const double *u, double h, const double *f, double *x)
{
  inside *c = p;
  mw_rigid_work *w = c->w;
  int nb = c->n.n_body;
  bool forced = what == MW_COMPONENT_ACCELERATION || what == MW_COMPONENT_LANDING;
  // λ of an acceleration stays in sol: normal forces and power are taken from there
  double *y = forced ? w->sol : w->x, *all = c->f;
  memset(y, 0, (size_t)c->r->all.n_node * LD * sizeof *y);
  for (int i = 0; i < 6 * nb; i++) all[i] = f[i] + (forced ? c->own[i] : 0.0);
  if (forced) mw_rigid_apply_friction(c->r, w, all);
  for (int b = 0; b < nb; b++) memcpy(y + b * LD, all + 6 * b, 6 * sizeof *y);
  for (int i = 0; i < c->r->n_hard; i++) side_of(c, what, u, h, i, y + (nb + i) * LD);
  mw_rigid_solve(c->r, w, y);
  for (int b = 0; b < nb; b++) memcpy(x + 6 * b, y + b * LD, 6 * sizeof *x);
}

// (1), symmetric to the last bit
static void border(void *p, double *D)
{
  inside *c = p;
  int n = 6 * c->size.n_border;
  const int *of = c->size.border;
  for (int j = 0; j < n; j++) {
    memset(c->unit, 0, (size_t)c->n.n_u * sizeof(double));
    c->unit[6 * of[j / 6] + j % 6] = 1.0;
    solve(c, MW_COMPONENT_NOTHING, NULL, 0.0, c->unit, c->a);
    for (int i = 0; i < n; i++) D[i * n + j] = c->a[6 * of[i / 6] + i % 6];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) D[i * n + j] = D[j * n + i] = 0.5 * (D[i * n + j] + D[j * n + i]);
}

static void normals(void *p, double *change, double *largest)
{
  inside *c = p;
  *change = mw_rigid_normals(c->r, c->w);
  *largest = 0.0;
  for (int k = 0; k < c->r->n_friction; k++) *largest = fmax(*largest, c->w->normal[k]);
}

static double power(const void *p)
{
  const inside *c = p;
  return mw_rigid_power(c->r, c->w);
}

static void energy(void *p, double t, const double *q, const double *v, double *kinetic,
                   double *potential)
{
  inside *c = p;
  mw_rigid_energy e;
  mw_rigid_energies(c->r, c->w, t, q, v, &e);
  *kinetic = e.kinetic;
  *potential = e.potential;
}

static void residual(void *p, double t, const double *q, const double *v, const double *a,
                     double *out)
{
  inside *c = p;
  mw_rigid_residual e;
  mw_rigid_residuals(c->r, c->w, t, q, v, a, &e);
  out[0] = e.position;
  out[1] = e.velocity;
  out[2] = e.acceleration;
}

static void accept(void *p, const double *q)
{
  inside *c = p;
  mw_rigid_accept(c->r, c->w, q);
}

static int turns(void *p, double t, const double *q, char *why, size_t n_why)
{
  inside *c = p;
  mw_error err = { 0 };
  if (mw_rigid_accept_turns(c->r, c->w, t, q, &err) == MW_OK) return 0;
  return trouble("a spring inside is turned by half a turn, which has no direction", why, n_why);
}

// ---- memory -------------------------------------------------------------------------------------

static void save(void *p, void *memory)
{
  inside *c = p;
  mw_part part[MW_RIGID_PARTS];
  unsigned char *to = memory;
  int n = mw_rigid_work_parts(c->r, c->w, part);
  for (int k = 0; k < n; to += part[k].bytes, k++)
    if (part[k].bytes > 0) memcpy(to, part[k].at, part[k].bytes);
}

static void restore(void *p, const void *memory)
{
  inside *c = p;
  mw_part part[MW_RIGID_PARTS];
  const unsigned char *from = memory;
  int n = mw_rigid_work_parts(c->r, c->w, part);
  for (int k = 0; k < n; from += part[k].bytes, k++)
    if (part[k].bytes > 0) memcpy(part[k].at, from, part[k].bytes);
}

const mw_component_calls mw_component_rigid_calls = { .close = close_inside,
                                                      .size = size,
                                                      .port = port,
                                                      .drive = drive,
                                                      .output = output,
                                                      .parameter = parameter,
                                                      .body = body,
                                                      .load = load,
                                                      .factor = factor,
                                                      .border = border,
                                                      .solve = solve,
                                                      .normals = normals,
                                                      .power = power,
                                                      .energy = energy,
                                                      .residual = residual,
                                                      .accept = accept,
                                                      .turns = turns,
                                                      .save = save,
                                                      .restore = restore };
