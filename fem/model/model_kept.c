// SPDX-License-Identifier: BSD-3-Clause
// model_kept.c: parameters of the model that reduced models keep.
//
// The model is looked at with each of them at both ends and in the middle of its range, the others
// in the middle. What differs must be linear in the parameter, and either the mass of one frame
// whose position is an output: a point mass there, of which a reduced model knows all it needs
// (payload.c); or the stiffness and damping of springs and runners, which the strain energy and the
// dissipation are linear in.
// Damping, friction and stops of joint coordinates, and scenarios, may differ as they like.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_layer.h"

static double middle_of(const mw_kept_in *k) { return 0.5 * (k->lo + k->hi); }

mw_code mw_kept_edit(mw_model_edit *edit, int n, const mw_kept_in *kept, const double *value,
                     mw_arena *mem, mw_error *err)
{
  int n_set = edit->n_set;
  const char **set = mw_arena_alloc(mem, (size_t)(n_set + n), sizeof *set);
  for (int k = 0; set && k < n_set; k++) set[k] = edit->set[k];
  for (int k = 0; set && k < n; k++)
    set[n_set + k] = mw_arena_printf(mem, "parameters.%s=%.17g", kept[k].name,
                                     value ? value[k] : middle_of(&kept[k]));
  edit->n_set = n_set + n;
  edit->set = set;
  return mw_arena_check(mem, err);
}

// The checked tree of the same text with other values.
static mw_code tree_at(const mw_kept_text *t, const mw_reader *rd, const double *value,
                       mw_ynode **out)
{
  const mw_reduction_in *in = &rd->m->reduction;
  mw_model scratch = { .path = rd->m->path };
  mw_reader r = { .m = &scratch, .mem = t->tree, .err = rd->err, .dir = rd->dir };
  mw_model_edit edit = t->edit ? *t->edit : (mw_model_edit){ 0 };
  mw_ynode *root = NULL;
  mw_code rc = mw_kept_edit(&edit, in->n_kept, in->kept, value, t->tree, rd->err);
  if (rc == MW_OK) rc = mw_yaml_read(t->text, t->n, rd->m->path, t->tree, &root, rd->err);
  if (rc == MW_OK) rc = mw_model_edit_apply(&r, root, &edit, t->tree);
  if (rc == MW_OK) rc = mw_read_tree(&r, root, t->tree);
  if (rc == MW_OK) *out = root;
  return rc;
}

// ---- what differs -------------------------------------------------------------------------------

enum { MOST_ROWS = 128 };

typedef struct change {
  const mw_reader *rd;
  const mw_ynode *root;  // of the lower end
  int n_row;
  mw_kept_row row[MOST_ROWS];
  const mw_ynode *node[MOST_ROWS];  // at the lower end
  double to[MOST_ROWS];             // number at the other value
  const mw_ynode *mass;             // the frame's, at the lower end; NULL: not met yet
  double mass_lo, mass_hi;          // kg
  char frame[160];                  // "body.frame"
  const char *body;
  const mw_ynode *other;  // what else differs, NULL: nothing
  char name[160];         // of that
  bool zero;              // it is a row's, 0 at the lower end
} change;

// Axes of a list of numbers, or of the one number in its place, that node a stands for.
static unsigned axes_of(const mw_ynode *list, const mw_ynode *a, unsigned all)
{
  int i = 0;
  if (list == a) return all;
  for (const mw_ynode *e = list ? list->first : NULL; e; e = e->next, i++)
    if (e == a) return 1u << i;
  return 0;
}

// The axes of a spring or runner, map `of`, whose stiffness or damping node a is; 0: of none.
static unsigned rows_in(const mw_ynode *of, const mw_ynode *a, unsigned all, mw_kept_row *out)
{
  unsigned damped = axes_of(mw_y_find(of, "damping"), a, all);
  out->stiff = damped == 0;
  return damped ? damped : axes_of(mw_y_find(of, "stiffness"), a, all);
}

// The rows whose stiffness or damping a is, of the tree root; axes 0: it is none.
static unsigned rows_at(const mw_reader *rd, const mw_ynode *root, const char *const *path,
                        int depth, const mw_ynode *a, mw_kept_row *out)
{
  bool spring = depth >= 3 && strcmp(path[0], "springs") == 0,
       runner = depth >= 4 && strcmp(path[0], "joints") == 0 && strcmp(path[2], "slide") == 0 &&
                strcmp(path[3], "runners") == 0;
  if (!spring && !runner) return 0;
  const mw_model *m = rd->m;
  const mw_ynode *in = mw_y_find(mw_y_find(root, path[0]), path[1]);
  int joint = mw_name_find(rd->names, m->joint, m->n_joint, sizeof *m->joint, path[1]);
  if (!in || joint < 0 || m->joint[joint].stroke.n > 0) return 0;
  *out = (mw_kept_row){ .joint = joint, .runner = -1 };
  if (spring) return rows_in(in, a, 7u, out);
  const mw_ynode *e = mw_y_find(mw_y_find(in, "slide"), "runners")->first;
  for (out->runner = 0; e; e = e->next, out->runner++) {
    unsigned axes = rows_in(e, a, 3u, out);
    if (axes) return axes;
  }
  return 0;
}

static bool take_row(change *c, const char *const *path, int depth, const mw_ynode *a,
                     const mw_ynode *b)
{
  mw_kept_row d;
  unsigned axes = rows_at(c->rd, c->root, path, depth, a, &d);
  c->zero = axes != 0 && a->num == 0.0;
  if (axes == 0 || !(a->num > 0.0) || isinf(a->num) || isinf(b->num)) return false;
  for (int i = 0; axes >> i; i++) {
    if (!(axes >> i & 1u)) continue;
    if (c->n_row == MOST_ROWS) return false;
    d.axis = i;
    c->row[c->n_row] = d;
    c->node[c->n_row] = a;
    c->to[c->n_row++] = b->num;
  }
  return true;
}

static bool take(void *ctx, const char *const *path, int depth, const mw_ynode *a,
                 const mw_ynode *b)
{
  change *c = ctx;
  if (!c->mass && take_row(c, path, depth, a, b)) return true;
  bool mass = depth == 5 && strcmp(path[0], "bodies") == 0 && strcmp(path[2], "frames") == 0 &&
              strcmp(path[4], "mass") == 0;
  if (mass && !c->mass && c->n_row == 0) {
    c->mass = a;
    c->mass_lo = a->num;
    c->mass_hi = b->num;
    c->body = path[1];
    snprintf(c->frame, sizeof c->frame, "%s.%s", path[1], path[3]);
    return true;
  }
  c->other = a;
  size_t used = 0;
  for (int k = 0; k < depth && used < sizeof c->name; k++)
    used += (size_t)snprintf(c->name + used, sizeof c->name - used, "%s%s",
                             k && path[k][0] ? "." : "", path[k][0] ? path[k] : "[]");
  return false;
}

// The output that is the position of a frame; -1: there is none.
static int output_of(const mw_reader *rd, const mw_ynode *root, const char *frame)
{
  const mw_ynode *map = mw_y_find(root, "outputs");
  for (const mw_ynode *e = map->first; e; e = e->next) {
    const mw_ynode *f = mw_y_find(e, "frame");
    if (f && strcmp(f->text, frame) == 0 && !mw_y_given(e, "point"))
      return mw_name_find(rd->names, rd->m->output, rd->m->n_output, sizeof *rd->m->output,
                          e->key->text);
  }
  return -1;
}

static mw_code fail_kept(const mw_reader *rd, const mw_kept_in *k, mw_at at, const char *found)
{
  return mw_fail(rd->err, MW_ERR_INPUT, at,
                 "reduction.parameters: %.64s %s, expected a parameter of nothing but the mass of "
                 "one frame whose position is an output, or of nothing but the stiffness and "
                 "damping, above 0, of springs and runners (others: reduce for each value, --set)",
                 k->name, found);
}

// Rows of kept [k]: c at its upper end, mid in the middle.
static mw_code note_rows(mw_reader *rd, const change *c, const change *mid, mw_kept_in *k)
{
  mw_code rc = MW_NEW(rd, k->row, c->n_row);
  for (int i = 0; rc == MW_OK && i < c->n_row; i++) {
    double lo = c->node[i]->num, half = 0.5 * (lo + c->to[i]);
    bool same = mid->n_row == c->n_row && mid->node[i] == c->node[i];
    if (!same || !(fabs(mid->to[i] - half) <= 1e-12 * fmax(lo, c->to[i])) || !(c->to[i] > 0.0))
      return fail_kept(rd, k, c->node[i]->at,
                       c->row[i].stiff ? "does not enter this stiffness linearly, above 0"
                                       : "does not enter this damping linearly, above 0");
    k->row[i] = c->row[i];
    k->row[i].slope = (c->to[i] - lo) / (k->hi - k->lo);
    k->n_row++;
  }
  return rc;
}

// Sums of what two trees differ by: mass or rows of kept [k].
static mw_code find_change(mw_reader *rd, const mw_ynode *root, const mw_ynode *const at[3],
                           mw_kept_in *k)
{
  change c = { .rd = rd, .root = at[0] }, mid = c;
  char text[256];
  mw_differ d = { .found = take, .ctx = &c };
  mw_model_differ(at[0], at[2], &d);
  k->output = -1;
  if (c.other) {
    snprintf(text, sizeof text, c.zero ? "lets %.160s be 0" : "changes %.160s", c.name);
    return fail_kept(rd, k, c.other->at, text);
  }
  if (!c.mass && c.n_row == 0) return fail_kept(rd, k, k->at, "changes nothing of the machine");
  d.ctx = &mid;
  mw_model_differ(at[0], at[1], &d);
  if (!c.mass) return note_rows(rd, &c, &mid, k);
  double half = 0.5 * (c.mass_lo + c.mass_hi);
  if (!(fabs(mid.mass_hi - half) <= 1e-12 * fmax(c.mass_lo, c.mass_hi)))
    return fail_kept(rd, k, c.mass->at, "does not enter this mass linearly");
  k->output = output_of(rd, root, c.frame);
  if (k->output < 0) {
    snprintf(text, sizeof text, "is a mass at %.150s, which is no output", c.frame);
    return fail_kept(rd, k, c.mass->at, text);
  }
  k->mass = (c.mass_hi - c.mass_lo) / (k->hi - k->lo);
  const mw_ynode *body = mw_y_find(mw_y_find(root, "bodies"), c.body),
                 *damping = mw_y_find(body, "damping");
  if (mw_y_num(body, "gravity") > 0.0) memcpy(k->gravity, rd->m->gravity, sizeof k->gravity);
  double alpha = damping ? mw_y_num(damping, "alpha") : rd->m->alpha;
  if (alpha > 0.0)
    return fail_kept(rd, k, k->at, "changes damping alpha M, too, of the body that carries it");
  return MW_OK;
}

// kg that output o carries with all parameters at their upper ends beside their middles, if each
// enters alone.
static double mass_together(const mw_reduction_in *r, int o)
{
  double sum = 0.0;
  for (int k = 0; k < r->n_kept; k++)
    if (r->kept[k].output == o) sum += 0.5 * r->kept[k].mass * (r->kept[k].hi - r->kept[k].lo);
  return sum;
}

// What row d has with all parameters at their upper ends beside their middles, likewise.
static double row_together(const mw_reduction_in *r, const mw_kept_row *d)
{
  double sum = 0.0;
  for (int k = 0; k < r->n_kept; k++)
    for (int i = 0; i < r->kept[k].n_row; i++) {
      const mw_kept_row *e = &r->kept[k].row[i];
      if (e->joint == d->joint && e->runner == d->runner && e->axis == d->axis &&
          e->stiff == d->stiff)
        sum += 0.5 * e->slope * (r->kept[k].hi - r->kept[k].lo);
    }
  return sum;
}

typedef struct together {
  const mw_reader *rd;
  const mw_ynode *root, *mid;
  const mw_ynode *wrong;  // a number that is not the sum, NULL: none
} together;

static bool sum_up(void *ctx, const char *const *path, int depth, const mw_ynode *a,
                   const mw_ynode *b)
{
  together *t = ctx;
  const mw_reduction_in *r = &t->rd->m->reduction;
  char frame[160];
  mw_kept_row row;
  unsigned axes = rows_at(t->rd, t->mid, path, depth, a, &row);
  while (axes && !(axes >> row.axis & 1u)) row.axis++;
  snprintf(frame, sizeof frame, "%s.%s", path[1], path[3]);
  double sum = axes ? row_together(r, &row) : mass_together(r, output_of(t->rd, t->root, frame));
  if (!(fabs(b->num - a->num - sum) <= 1e-12 * fmax(fabs(a->num), fabs(b->num)))) t->wrong = a;
  return !t->wrong;
}

// Products of parameters are linear in each, but not together. Each changes masses alone by now.
static mw_code check_together(mw_reader *rd, const mw_ynode *root, const mw_ynode *mid,
                              const mw_ynode *hi)
{
  together t = { .rd = rd, .root = root, .mid = mid };
  mw_differ d = { .found = sum_up, .ctx = &t };
  mw_model_differ(mid, hi, &d);
  if (!t.wrong) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, t.wrong->at,
                 "reduction.parameters: this number is no sum of what each parameter makes of it, "
                 "expected one that is linear in all of them together");
}

// ---- at other values ----------------------------------------------------------------------------

mw_code mw_model_rows_at(const mw_model *m, const double *to, mw_arena *mem, mw_model *out,
                         mw_error *err)
{
  mw_model z = *m;
  z.joint = mw_arena_alloc(mem, (size_t)m->n_joint, sizeof *z.joint);
  mw_code rc = mw_arena_check(mem, err);
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++) {
    mw_joint_in *in = &z.joint[j];
    *in = m->joint[j];
    in->runner = mw_arena_alloc(mem, (size_t)in->n_runner, sizeof *in->runner);
    rc = mw_arena_check(mem, err);
    for (int i = 0; rc == MW_OK && i < in->n_runner; i++) in->runner[i] = m->joint[j].runner[i];
  }
  for (int k = 0; rc == MW_OK && k < m->reduction.n_kept; k++)
    for (int i = 0; i < m->reduction.kept[k].n_row; i++) {
      const mw_kept_row *d = &m->reduction.kept[k].row[i];
      mw_joint_in *in = &z.joint[d->joint];
      mw_runner *runner = d->runner < 0 ? NULL : &in->runner[d->runner];
      double *at = d->stiff ? (runner ? runner->stiffness : in->stiffness)
                            : (runner ? runner->damping : in->damping);
      at[d->axis] += d->slope * (to[k] - middle_of(&m->reduction.kept[k]));
    }
  if (rc == MW_OK) *out = z;
  return rc;
}

// ---- all ----------------------------------------------------------------------------------------

static mw_code read_one(const mw_reader *rd, const mw_ynode *e, mw_kept_in *k)
{
  const mw_model *m = rd->m;
  int i = 0;
  double range[2];
  mw_code rc =
      mw_name_read(rd, e->key, "parameter", m->parameter, m->n_parameter, sizeof *m->parameter, &i);
  if (rc != MW_OK) return rc;
  mw_y_vec(e, 2, range);
  *k = (mw_kept_in){ .name = m->parameter[i].name,
                     .at = e->key->at,
                     .lo = range[0],
                     .hi = range[1],
                     .value = m->parameter[i].value[0] };
  if (m->parameter[i].n > 0)
    return mw_fail(rd->err, MW_ERR_INPUT, e->key->at,
                   "reduction.parameters: %.64s is a list, expected a parameter that is a number",
                   k->name);
  if (range[0] < range[1]) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, e->at,
                 "range of %.64s is [%g, %g], expected the lowest value first", k->name, range[0],
                 range[1]);
}

// What parameters go with.
static mw_code check_model(const mw_reader *rd)
{
  const mw_model *m = rd->m;
  const mw_kept_in *k = m->reduction.kept;
  if (m->modal > 0.0)
    return mw_fail(rd->err, MW_ERR_INPUT, k->at,
                   "reduction.parameters: found modal damping, which is another operator for each "
                   "mass, expected Rayleigh damping beta and dampers of joints");
  if (m->reduction.table == MW_TABLE_COMPRESSED)
    return mw_fail(rd->err, MW_ERR_INPUT, k->at,
                   "reduction.parameters: found table: compressed, expected table: full");
  return MW_OK;
}

mw_code mw_kept_read(mw_reader *rd, const mw_ynode *root, const mw_kept_text *text,
                     const mw_ynode **middle)
{
  const mw_ynode *v = mw_y_find(root, "reduction"), *map = v ? mw_y_find(v, "parameters") : NULL;
  mw_reduction_in *r = &rd->m->reduction;
  mw_ynode *mid = NULL;
  *middle = root;
  if (!map || map->n == 0) return MW_OK;
  if (map->n > MW_MODEL_MAX_KEPT)
    return mw_fail(rd->err, MW_ERR_INPUT, map->key->at,
                   "reduction.parameters: found %d, expected at most %d", map->n,
                   MW_MODEL_MAX_KEPT);
  mw_code rc = MW_NEW(rd, r->kept, map->n);
  for (const mw_ynode *e = map->first; rc == MW_OK && e; e = e->next) {
    rc = read_one(rd, e, &r->kept[r->n_kept]);
    r->n_kept++;
  }
  if (rc == MW_OK) rc = check_model(rd);
  double *value = mw_arena_f64(text->tree, (size_t)map->n);
  if (rc == MW_OK) rc = mw_arena_check(text->tree, rd->err);
  if (rc == MW_OK) rc = tree_at(text, rd, NULL, &mid);
  for (int k = 0; rc == MW_OK && k < r->n_kept; k++) {
    mw_ynode *lo = NULL, *hi = NULL;
    for (int i = 0; i < r->n_kept; i++) value[i] = middle_of(&r->kept[i]);
    value[k] = r->kept[k].lo;
    rc = tree_at(text, rd, value, &lo);
    value[k] = r->kept[k].hi;
    if (rc == MW_OK) rc = tree_at(text, rd, value, &hi);
    const mw_ynode *const at[3] = { lo, mid, hi };
    if (rc == MW_OK) rc = find_change(rd, root, at, &r->kept[k]);
  }
  if (rc == MW_OK && r->n_kept > 1) {
    mw_ynode *hi = NULL;
    for (int i = 0; i < r->n_kept; i++) value[i] = r->kept[i].hi;
    rc = tree_at(text, rd, value, &hi);
    if (rc == MW_OK) rc = check_together(rd, root, mid, hi);
  }
  if (rc == MW_OK) *middle = mid;
  return rc;
}
