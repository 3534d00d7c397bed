// SPDX-License-Identifier: BSD-3-Clause
// campaign_machines.c: random machines, each by several routes that must agree.
//
//   campaign_machines rigid|elastic FOLDER FIRST N SECONDS
//   campaign_machines print FAMILY NUMBER [VIEW]  the model file of one
//
// Rigid machines: the path rigid in the same steps in other axes, a mirror, other units, orders,
// names and frames; by all its methods; against the path full; trees against a program of their
// own (machine_tree.c); energy. Elastic ones: the path full and the frequencies in the same views,
// the path body with all modes, bodies made a hundred times as stiff against the path rigid.
// Prints what does not hold and how many there were; exit status 1 where any does not. Machines of
// which a method says that it stops near a singular position count as refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "each.h"
#include "machine.h"
#include "reduction/reduce.h"
#include "sim/case.h"

enum { SECONDS = 120, MODES = 6 };

static const double NEWTON = 1e-9;  // corrections at which it stops, of the size (dae.h)

typedef struct task {
  char path[512];  // of the model file
  bool elastic;
  bool chatty;  // prints every claim with its figures
} task;

typedef struct motion {  // brought back to the machine's own axes and units
  int n_t, n;            // instants; numbers at each: outputs, coordinates that are known
  double *x;             // [n_t × n]  m or rad
  double drift;          // energy, relative
  bool ended;            // by an event
} motion;

typedef struct judge {
  const task *t;
  const machine *m;
  bool okay, wrong;    // all went on; a claim does not hold, or a run ended without a known reason
  motion once, twice;  // path rigid, rk4, with the machine's step and half of it
  double error;        // between both
} judge;

static void claim(judge *j, const char *what, double got, double bound)
{
  bool holds = got <= bound;
  j->okay = j->okay && holds;
  j->wrong = j->wrong || !holds;
  if (!holds || j->t->chatty)
    printf("family %d number %lu: %s: %.2e, at most %.2e%s\n", (int)j->m->family, j->m->number,
           what, got, bound, holds ? "" : " does not hold");
}

// ---- runs ---------------------------------------------------------------------------------------

static mw_code open_case(const task *t, const machine *m, const machine_view *v, mw_case *c,
                         mw_error *err)
{
  FILE *f = fopen(t->path, "w");
  if (!f) return MW_ERR_IO;
  machine_write(m, v, f);
  return fclose(f) == 0 ? mw_case_read(t->path, c, err) : MW_ERR_IO;
}

static int coord_of(const mw_model *m, const char *name, int n)
{
  int c = 0;
  while (c < n && strcmp(mw_run_coord_name(m, c), name) != 0) c++;
  return c;
}

static void take(const machine *m, const machine_view *v, const mw_run *r, motion *out)
{
  *out = (motion){ .n_t = r->n_t, .n = 3 * r->n_out + m->n_joint, .drift = r->energy_drift };
  out->ended = r->event != NULL;
  out->x = calloc((size_t)out->n_t * (size_t)out->n + 1, sizeof *out->x);
  for (int k = 0; out->x && k < r->n_t; k++) {
    double *x = out->x + (size_t)k * (size_t)out->n;
    for (int i = 0; i < r->n_out; i++)
      machine_back(v, r->y + ((size_t)k * (size_t)r->n_out + (size_t)i) * 3, x + (size_t)i * 3);
    for (int j = 0; j < m->n_joint; j++) {
      char name[MACHINE_NAME];
      machine_coord_name(v, j, name);
      int c = coord_of(r->model, name, r->n_coord);
      double unit = machine_turns(&m->joint[j]) ? 1.0 : v->length;
      if (m->joint[j].named && c < r->n_coord)
        x[3 * r->n_out + j] = r->s[(size_t)k * (size_t)r->n_coord + (size_t)c] / unit;
    }
  }
}

// Runs the machine's scenario; false: refused, said why. tolerance: of adaptive methods.
static bool run(judge *j, const machine_view *v, const char *path, mw_method method,
                double tolerance, motion *out)
{
  mw_case c;
  mw_run r = { 0 };
  mw_error err = { 0 };
  mw_rigid_in in = { 0 };
  mw_path_opt opt = { .body_modes = 10000, .step = v->step };
  *out = (motion){ 0 };
  mw_code rc = open_case(j->t, j->m, v, &c, &err);
  if (rc == MW_OK) {
    in = mw_rigid_run_opt_default(&c.model.scenario[0]).rigid;
    in.method = method;
    if (tolerance > 0.0) in.tolerance = tolerance;
    opt.rigid = strcmp(path, "rigid") == 0 ? &in : NULL;
    rc = mw_path_run(&c, &c.model.scenario[0], path, &opt, &r, &err);
    if (rc == MW_OK) take(j->m, v, &r, out);
    mw_run_free(&r);
    mw_case_free(&c);
  }
  if (rc != MW_OK) {
    j->wrong = j->wrong || !strstr(err.msg, "near a singular position");
    printf("family %d number %lu: path %s: %s\n", (int)j->m->family, j->m->number, path, err.msg);
  }
  return rc == MW_OK;
}

static double apart(const motion *a, const motion *b)
{
  double most = 0.0;
  if (a->n_t != b->n_t || a->n != b->n || !a->x || !b->x) return INFINITY;
  for (size_t i = 0; i < (size_t)a->n_t * (size_t)a->n; i++)
    if (!(fabs(a->x[i] - b->x[i]) <= most)) most = fabs(a->x[i] - b->x[i]);
  return most;
}

// ---- views --------------------------------------------------------------------------------------

enum { VIEWS = 7 };
static const char *const VIEW_NAME[VIEWS] = { "turned",
                                              "mirrored",
                                              "in other orders",
                                              "other names",
                                              "other frames",
                                              "in mm and t",
                                              "in km and kt, turned, mirrored, other frames" };

static machine_view view_of(unsigned long number, int k)
{
  machine_view v = machine_view_plain();
  unsigned long long s = number * 64u + (unsigned long long)k + 1u;
  if (k == 0 || k == 1 || k == 6) {
    machine_turn(s, k != 0, v.Q);
    for (int i = 0; i < 3; i++) v.shift[i] = 2.0 * machine_uniform(&s) - 1.0;
  }
  if (k == 2) v.order = s;
  if (k == 3) v.names = s;
  if (k == 4 || k == 6) v.frames = s;
  if (k == 5) v.length = 1e3, v.mass = 1e-3;
  if (k == 6) v.length = 1e-3, v.mass = 1e-6;
  return v;
}

// ---- rigid --------------------------------------------------------------------------------------

// Gaps of 1e-12 m or 1 remain after each projection (model.h), two to four a step.
static double gaps(const judge *j, double length)
{
  return 4e-12 * j->m->duration / j->m->step * fmax(1.0, 1.0 / length);
}

// Runge-Kutta's steps are the same in any axes and units, up to what projections do. The path keeps
// where frames of bodies are: in other frames its errors of fourth order are others, so that both
// halve the step, which leaves a fifteenth of their differences.
static void view_rigid(judge *j, int k)
{
  machine_view v = view_of(j->m->number, k);
  motion a, b = { 0 };
  bool okay = run(j, &v, "rigid", MW_METHOD_RK4, 0.0, &a);
  double gap = j->error + gaps(j, v.length);
  if (okay && v.frames) {
    v.step = 0.5 * j->m->step;
    okay = run(j, &v, "rigid", MW_METHOD_RK4, 0.0, &b);
    if (okay) claim(j, VIEW_NAME[k], apart(&b, &j->twice), apart(&a, &b) + gap);
  } else if (okay) {
    claim(j, VIEW_NAME[k], apart(&a, &j->once), gap);
  }
  j->okay = j->okay && okay;
  free(a.x);
  free(b.x);
}

// A method of second order with the step and half of it: what is left is a third of the difference.
static void second_order(judge *j, const char *path, mw_method method, const char *what)
{
  machine_view v = machine_view_plain();
  motion a, b = { 0 };
  bool okay = run(j, &v, path, method, 0.0, &a);
  v.step = 0.5 * j->m->step;
  okay = okay && run(j, &v, path, method, 0.0, &b);
  if (okay) claim(j, what, apart(&b, &j->twice), apart(&a, &b) + j->error + NEWTON);
  j->okay = j->okay && okay;
  free(a.x);
  free(b.x);
}

static void adaptive(judge *j, mw_method method, const char *what)
{
  machine_view v = machine_view_plain();
  motion a, b = { 0 };
  bool okay = run(j, &v, "rigid", method, 1e-7, &a) && run(j, &v, "rigid", method, 1e-9, &b);
  if (okay) claim(j, what, apart(&b, &j->twice), apart(&a, &b) + j->error + gaps(j, 1.0));
  j->okay = j->okay && okay;
  free(a.x);
  free(b.x);
}

static void own_program(judge *j)
{
  const machine *m = j->m;
  size_t n = (size_t)j->once.n_t, nb = (size_t)m->n_body, nj = (size_t)m->n_joint;
  double *s = calloc(n * nj + 1, sizeof *s), *x = calloc(n * nb * 3 + 1, sizeof *x);
  motion part[2] = { { .n_t = j->once.n_t, .n = j->once.n },
                     { .n_t = j->once.n_t, .n = j->once.n } };
  bool okay = s && x;
  for (int k = 0; k < 2; k++) {
    part[k].x = calloc(n * (size_t)part[k].n + 1, sizeof *x);
    okay = okay && part[k].x && machine_tree_run(m, m->step / (k + 1), (int)n, s, x);
    for (size_t i = 0; okay && i < n; i++) {
      double *to = part[k].x + i * (size_t)part[k].n;
      memcpy(to, x + (i * nb + 1) * 3, (nb - 1) * 3 * sizeof *x);
      for (size_t l = 0; l < nj; l++)
        if (m->joint[l].named) to[(nb - 1) * 3 + l] = s[i * nj + l];
    }
  }
  if (okay)
    claim(j, "a program of its own", apart(&part[1], &j->twice),
          j->error + apart(&part[0], &part[1]) + gaps(j, 1.0));
  j->okay = j->okay && okay;
  for (int k = 0; k < 2; k++) free(part[k].x);
  free(s);
  free(x);
}

static bool forces(const machine *m)  // which only the path rigid has
{
  bool any = false;
  for (int k = 0; k < m->n_spring; k++) any = any || m->spring[k].line;
  for (int k = 0; k < m->n_joint; k++) any = any || m->joint[k].k > 0.0;
  return any;
}

// The balance of energy is of fourth order, work is summed by the same steps. Its terms of fourth
// and fifth order may cancel at one step: then a quarter of the step is asked, too.
static void energy(judge *j)
{
  machine_view v = machine_view_plain();
  motion quarter = { 0 };
  double of = j->once.drift, got = j->twice.drift;
  v.step = 0.25 * j->m->step;
  if (got > 0.25 * of + 1e-10 && run(j, &v, "rigid", MW_METHOD_RK4, 0.0, &quarter)) {
    of = got;
    got = quarter.drift;
  }
  claim(j, "energy", got, 0.25 * of + 1e-10);
  free(quarter.x);
}

static int judge_rigid(judge *j)
{
  machine_view v = machine_view_plain();
  bool okay = run(j, &v, "rigid", MW_METHOD_RK4, 0.0, &j->once);
  v.step = 0.5 * j->m->step;
  okay = okay && run(j, &v, "rigid", MW_METHOD_RK4, 0.0, &j->twice);
  if (!okay) return EACH_REFUSED;
  j->error = apart(&j->once, &j->twice);
  energy(j);
  if (j->m->family == MACHINE_TREE) own_program(j);
  for (int k = 0; k < VIEWS; k++) view_rigid(j, k);
  second_order(j, "rigid", MW_METHOD_LEAPFROG, "leapfrog");
  second_order(j, "rigid", MW_METHOD_MIDPOINT, "midpoint");
  second_order(j, "rigid", MW_METHOD_ALPHA, "alpha");
  adaptive(j, MW_METHOD_CVODE, "cvode");
  adaptive(j, MW_METHOD_IDA, "ida");
  if (!forces(j->m)) second_order(j, "full", MW_METHOD_RK4, "path full");
  return j->wrong ? EACH_OPEN : j->okay ? EACH_TAKEN : EACH_REFUSED;
}

// ---- elastic ------------------------------------------------------------------------------------

static bool frequencies(judge *j, const machine_view *v, int *n, double *hz)
{
  mw_case c;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double theta[MW_ROM_MAX_S], *plain = NULL, *loaded = NULL;
  mw_code rc = open_case(j->t, j->m, v, &c, &err);
  if (rc == MW_OK) {
    const mw_reduction_in *in = &c.model.reduction;
    for (int i = 0; i < in->n_coordinate && i < MW_ROM_MAX_S; i++)
      theta[i] = in->coordinate[i].lo + 0.3 * (in->coordinate[i].hi - in->coordinate[i].lo);
    *n = MODES;
    rc = mw_direct_modes_loaded(&c.mech, theta, n, 0, &mem, &plain, &loaded, NULL, NULL, &err);
    for (int k = 0; rc == MW_OK && k < *n; k++) {
      hz[k] = plain[k];
      hz[MODES + k] = loaded ? loaded[k] : 0.0;
    }
    mw_arena_free(&mem);
    mw_case_free(&c);
  }
  if (rc != MW_OK)
    printf("family %d number %lu: modes: %s\n", (int)j->m->family, j->m->number, err.msg);
  j->wrong = j->wrong || rc != MW_OK;
  return rc == MW_OK;
}

static void views_elastic(judge *j, const motion *full)
{
  double hz[2 * MODES] = { 0 };
  machine_view v = machine_view_plain();
  int n = 0;
  if (!frequencies(j, &v, &n, hz)) j->okay = false;
  for (int k = 0; k < VIEWS; k++) {
    double seen[2 * MODES] = { 0 }, most = 0.0;
    int n_seen = 0;
    motion a;
    v = view_of(j->m->number, k);
    j->okay = frequencies(j, &v, &n_seen, seen) && j->okay;
    for (int i = 0; i < 2 * MODES; i++)
      if (hz[i] != 0.0) most = fmax(most, fabs(seen[i] / hz[i] - 1.0));
    // what the eigensolver is asked for; corrections at which Newton's method stops, of the size
    claim(j, "frequencies", n == n_seen ? most : INFINITY, 1e-8);
    claim(j, VIEW_NAME[k], run(j, &v, "full", MW_METHOD_RK4, 0.0, &a) ? apart(&a, full) : INFINITY,
          NEWTON);
    free(a.x);
  }
}

// The path body with all modes, strains linear, is the path full.
static void all_modes(judge *j, machine *linear)
{
  machine_view v = machine_view_plain();
  const machine *kept = j->m;
  motion a, b = { 0 };
  linear->linear = true;
  j->m = linear;
  if (run(j, &v, "full", MW_METHOD_RK4, 0.0, &a) && run(j, &v, "body", MW_METHOD_RK4, 0.0, &b))
    claim(j, "path body", apart(&a, &b), NEWTON);
  else
    j->okay = false;
  j->m = kept;
  free(a.x);
  free(b.x);
}

// Deflections go with 1/E.
static void stiff(judge *j, const motion *full)
{
  machine_view v = machine_view_plain();
  motion r, a = { 0 }, b = { 0 };
  v.soft = 1e-2;
  bool okay = run(j, &v, "rigid", MW_METHOD_CVODE, 0.0, &r);
  okay = okay && run(j, &v, "full", MW_METHOD_RK4, 0.0, &a);
  v.step = 0.5 * j->m->step;
  okay = okay && run(j, &v, "full", MW_METHOD_RK4, 0.0, &b);
  if (okay)
    claim(j, "a hundred times as stiff", apart(&a, &r),
          0.03 * apart(full, &r) + 2.0 * apart(&a, &b));
  j->okay = j->okay && okay;
  free(r.x);
  free(a.x);
  free(b.x);
}

static int judge_elastic(judge *j)
{
  machine_view v = machine_view_plain();
  machine linear = *j->m;
  motion full;
  if (!run(j, &v, "full", MW_METHOD_RK4, 0.0, &full)) return EACH_REFUSED;
  views_elastic(j, &full);
  all_modes(j, &linear);
  stiff(j, &full);
  free(full.x);
  return j->wrong ? EACH_OPEN : j->okay ? EACH_TAKEN : EACH_REFUSED;
}

// ---- all ----------------------------------------------------------------------------------------

static machine_family family_of(bool elastic, unsigned long k)
{
  return elastic ? MACHINE_ARM + (machine_family)(k % (MACHINE_FAMILIES - MACHINE_ARM))
                 : (machine_family)(k % MACHINE_ARM);
}

static int one(void *ctx, unsigned long k)
{
  machine m;
  judge j = { .t = ctx, .m = &m, .okay = true };
  machine_make(family_of(j.t->elastic, k), k, &m);
  int end = j.t->elastic ? judge_elastic(&j) : judge_rigid(&j);
  free(j.once.x);
  free(j.twice.x);
  (void)fflush(stdout);
  return end;
}

static int print(int family, unsigned long number, int view)
{
  machine m;
  machine_view v = view >= 0 ? view_of(number, view) : machine_view_plain();
  if (family < 0 || family >= MACHINE_FAMILIES || view >= VIEWS) return 2;
  machine_make((machine_family)family, number, &m);
  machine_write(&m, &v, stdout);
  return 0;
}

int main(int argc, char **argv)
{
  task t = { 0 };
  each_count c;
  if ((argc == 4 || argc == 5) && strcmp(argv[1], "print") == 0)
    return print(atoi(argv[2]), strtoul(argv[3], NULL, 10), argc == 5 ? atoi(argv[4]) : -1);
  if (argc != 6) return 2;
  t.elastic = strcmp(argv[1], "elastic") == 0;
  t.chatty = getenv("MW_CHATTY") != NULL;
  snprintf(t.path, sizeof t.path, "%.400s/machine-%ld.yaml", argv[2], (long)getpid());
  unsigned long n = each_do(one, &t, strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10),
                            SECONDS, strtod(argv[5], NULL), &c);
  printf("%s: %lu machines, %lu agree, %lu refused, %lu open\n", argv[1], n, c.n[EACH_TAKEN],
         c.n[EACH_REFUSED], c.n[EACH_OPEN]);
  (void)unlink(t.path);
  return c.n[EACH_OPEN] > 0;
}
