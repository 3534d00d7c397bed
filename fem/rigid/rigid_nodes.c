// SPDX-License-Identifier: BSD-3-Clause
// rigid_nodes.c: the rows of joints, springs and held coordinates, gathered to nodes of the
// elimination.
//
// A joint's constraints are one node (several where they are more than eight), a coordinate held by
// the scenario joins the node of its joint where there is room. Rows with a stiffness are nodes of
// their own, behind the constraints.
#include <string.h>

#include "fem/law.h"
#include "nodes_layer.h"

// ---- nodes and what they touch ------------------------------------------------------------------

mw_rnode *mw_rnode_open(mw_rbuilder *b, int joint, bool full)
{
  mw_rigid *r = b->r;
  mw_rnode *n = &r->node[r->n_node];
  *n = (mw_rnode){ .joint = joint, .elem0 = r->n_elem, .touch0 = r->n_touch };
  b->full[r->n_node] = full;
  b->ground[r->n_node] = false;
  r->n_node++;
  return n;
}

// Where a body stands among those of the last node, −1: it is fixed.
int mw_rnode_touch(mw_rbuilder *b, int slot)
{
  mw_rigid *r = b->r;
  mw_rnode *n = &r->node[r->n_node - 1];
  if (slot >= r->n.n_body && slot < r->n_slot) {
    b->ground[r->n_node - 1] = true;
    return -1;
  }
  int node =
      slot < r->n.n_body ? slot : slot - r->n_slot + r->n.n_body;  // behind the slots: rotors
  for (int i = 0; i < n->n_touch; i++)
    if (r->touch[n->touch0 + i] == node) return i;
  r->touch[n->touch0 + n->n_touch] = node;
  r->n_touch++;
  return n->n_touch++;
}

static mw_relem *add(mw_rbuilder *b, mw_relem_kind kind, int rows, int slot_a, int slot_b)
{
  mw_rigid *r = b->r;
  mw_rnode *n = &r->node[r->n_node - 1];
  mw_relem *e = &r->elem[r->n_elem++];
  *e = (mw_relem){ .kind = kind,
                   .row = n->n,
                   .n = rows,
                   .a = slot_a,
                   .b = slot_b,
                   .coord = { -1, -1 },
                   .held = -1,
                   .t = { -1, -1, -1, -1 } };
  e->t[0] = mw_rnode_touch(b, slot_a);
  e->t[1] = mw_rnode_touch(b, slot_b);
  n->n += rows;
  n->n_elem++;
  return e;
}

static void soft_row(mw_rbuilder *b, double k, double d)
{
  mw_rigid *r = b->r;
  r->k[r->n.n_soft] = k;
  r->d[r->n.n_soft++] = d;
}

mw_relem *mw_rnode_add_coord(mw_rbuilder *b, mw_relem_kind kind, int coord)
{
  const mw_rcoord *c = &b->r->coord[coord];
  mw_relem *e = add(b, kind, 1, c->a, c->b);
  e->coord[0] = coord;
  b->r->need[coord] = 1;
  return e;
}

// ---- joints -------------------------------------------------------------------------------------

static void axis(const mw_rigid *r, int slot, const double F[9], int i, double f[3])
{
  double x[3] = { F[i], F[3 + i], F[6 + i] };
  mw_rigid_local_dir(r, slot, x, f);
}

// A row of a spring against turns.
static void turn(mw_rbuilder *b, const mw_joint *j, const mw_row *row)
{
  mw_rigid *r = b->r;
  int sa = r->slot[j->a], sb = r->slot[j->b];
  mw_relem *e = add(b, MW_R_TURN, 1, sa, sb);
  double *axes = b->axes + 18 * b->n_turn++;
  for (int i = 0; i < 3; i++) {
    axis(r, sa, j->Fa, i, axes + 3 * i);
    axis(r, sb, j->Fb, i, axes + 9 + 3 * i);
  }
  e->turn = row;
  e->axes = axes;
}

static void primitive(mw_rbuilder *b, const mw_joint *j, const mw_row *row)
{
  mw_rigid *r = b->r;
  int sa = r->slot[j->a], sb = r->slot[j->b];
  static const mw_relem_kind kind[] = { MW_R_POINT, MW_R_AXES, MW_R_ALONG };
  if (row->kind >= MW_ROW_TURN) {
    turn(b, j, row);
    return;
  }
  mw_relem *e = add(b, kind[row->kind], row->kind == MW_ROW_POINT ? 3 : 1, sa, sb);
  mw_rigid_local(r, sa, row->Xa, e->Xa);
  mw_rigid_local(r, sb, row->Xb, e->Xb);
  axis(r, sa, j->Fa, row->i, e->fa);
  axis(r, sb, j->Fb, row->j, e->fb);
  e->c = row->c;
}

// A second row on the same axis of b joins the element before it.
static bool joined(mw_rbuilder *b, const mw_joint *j, const mw_row *row)
{
  mw_rigid *r = b->r;
  mw_rnode *n = &r->node[r->n_node - 1];
  mw_relem *e = n->n_elem > 0 ? &r->elem[r->n_elem - 1] : NULL;
  double fb[3];
  if (!e || e->kind != MW_R_AXES || row->kind != MW_ROW_AXES || e->n != 1) return false;
  axis(r, r->slot[j->b], j->Fb, row->j, fb);
  if (memcmp(fb, e->fb, sizeof fb) != 0) return false;
  axis(r, r->slot[j->a], j->Fa, row->i, e->fa2);
  e->n = 2;
  n->n++;
  return true;
}

static bool is_soft(const mw_rigid *r, const mw_row *row)
{
  return isfinite(row->k) && !r->opt.soft_is_rigid;
}

// Runners at more than one place, or in more than two rows, can be redundant on their own.
static bool full_alone(const mw_joint *j) { return !j->guide || j->in->n_runner == 1; }

// The rows of the node just opened are times √f of a coordinate.
static void vary(mw_rbuilder *b, const mw_joint *j)
{
  mw_rnode *n = &b->r->node[b->r->n_node - 1];
  n->stroke = &j->in->stroke;
  n->stroke_coord = j->s_coord;
  b->r->need[j->s_coord] = 1;
}

// Says whether joint j is a spring between bodies that stand: it moves nothing.
static bool idle_spring(const mw_rigid *r, const mw_joint *j)
{
  return j->in->kind == MW_JOINT_SPRING && r->slot[j->a] >= r->n.n_body &&
         r->slot[j->b] >= r->n.n_body;
}

// The rows made of primitives, hard ones (soft false) or soft ones.
static void list_nodes(mw_rbuilder *b, int joint, bool soft)
{
  mw_rigid *r = b->r;
  const mw_joint *j = &r->m->joint[joint];
  bool open = false;
  if (idle_spring(r, j)) return;
  unsigned left_out = r->opt.left_out ? r->opt.left_out[joint] : 0u;
  for (int i = 0; i < j->n_list; i++) {
    const mw_row *row = &j->list[i];
    int rows = row->kind == MW_ROW_POINT ? 3 : 1;
    if (is_soft(r, row) != soft) continue;
    if (left_out != 0 && (left_out >> i & 1u)) continue;
    // in kinematics a damper alone holds nothing
    if (r->opt.soft_is_rigid && row->k == 0.0) continue;
    if (!open || r->node[r->n_node - 1].n + rows > LD) {
      mw_rnode_open(b, joint, full_alone(j));
      open = true;
      if (j->in->stroke.n > 0) vary(b, j);
    }
    if (!joined(b, j, row)) primitive(b, j, row);
    if (soft) soft_row(b, row->k, row->d);
  }
}

mw_relem *mw_rnode_add_own(mw_rbuilder *b, int joint)
{
  const mw_rigid *r = b->r;
  const mw_joint *j = &r->m->joint[joint];
  const mw_joint_class *class = mw_joint_class_of(j->in);
  int sa = r->slot[j->a], sb = r->slot[j->b];
  mw_rnode_open(b, joint, true);
  mw_relem *e = add(b, MW_R_OWN, class->n_own, sa, sb);
  e->class = class;
  e->joint = j;
  mw_rigid_local(r, sa, j->Xa, e->Xa);
  mw_rigid_local(r, sb, j->Xb, e->Xb);
  axis(r, sa, j->Fa, 2, e->fa);
  axis(r, sa, j->Fa, 0, e->fa2);
  axis(r, sb, j->Fb, 2, e->fb);
  return e;
}

// ---- springs of forces and rotors ---------------------------------------------------------------

static void force_rows(mw_rbuilder *b)
{
  mw_rigid *r = b->r;
  const mw_model *m = r->m->model;
  for (int i = 0; i < m->n_force; i++) {
    const mw_force_in *f = &m->force[i];
    if (f->k == 0.0 && f->c == 0.0) continue;
    mw_rnode_open(b, -1, true);
    if (f->kind == MW_FORCE_COORDINATE) {
      int c = r->m->joint[f->joint].coord;
      mw_rnode_add_coord(b, MW_R_COORD, c)->c = f->has_free ? f->free : r->start[c];
    } else {
      int sa = r->slot[f->a.body], sb = r->slot[f->b.body];
      mw_relem *e = add(b, MW_R_LENGTH, 1, sa, sb);
      const mw_frame *fa = f->a.attach < 0 ? NULL : &r->m->body[f->a.body].frame[f->a.attach],
                     *fb = f->b.attach < 0 ? NULL : &r->m->body[f->b.body].frame[f->b.attach];
      const double zero[3] = { 0.0 };
      double xa[3], xb[3];
      mw_rigid_local(r, sa, fa ? fa->X : zero, e->Xa);
      mw_rigid_local(r, sb, fb ? fb->X : zero, e->Xb);
      const double *pa = r->m->p0 + 12 * f->a.body, *pb = r->m->p0 + 12 * f->b.body;
      mw_mul33v(pa + 3, fa ? fa->X : zero, xa);
      mw_mul33v(pb + 3, fb ? fb->X : zero, xb);
      for (int k = 0; k < 3; k++) xb[k] += pb[k] - pa[k] - xa[k];
      e->c = f->has_free ? f->free : mw_norm3(xb);
    }
    soft_row(b, f->k, f->c);
  }
  for (int j = 0; j < r->m->n_joint; j++) {
    const mw_joint *jt = &r->m->joint[j];
    bool rubs = jt->in->friction.present && !r->opt.small;
    if (jt->coord < 0 || (jt->in->coordinate_damping == 0.0 && !jt->in->has_law && !rubs)) continue;
    mw_rnode_open(b, j, true);
    mw_rnode_add_coord(b, MW_R_COORD, jt->coord);
    if (jt->in->has_law)
      r->law[r->n_law++] =
          (mw_rlaw){ .in = r->opt.small ? mw_law_taken_up(&jt->in->law) : jt->in->law,
                     .coord = jt->coord,
                     .node = r->n_node - 1 };
    soft_row(b, 0.0, jt->in->coordinate_damping);
  }
  for (int k = 0; k < r->n.n_rotor; k++) {
    const mw_drive_in *d = &m->drive[r->rotor_drive[k]];
    mw_rnode_open(b, m->drive[r->rotor_drive[k]].joint, true);
    mw_relem *e = mw_rnode_add_coord(b, MW_R_ROTOR, r->rotor_coord[k]);
    e->rotor = k;
    e->t[2] = mw_rnode_touch(b, r->n_slot + k);
    soft_row(b, d->stiffness, d->damping);
  }
}

// ---- the plans ----------------------------------------------------------------------------------

static mw_code room(mw_rbuilder *b, mw_error *err)
{
  mw_rigid *r = b->r;
  const mw_mech *m = r->m;
  size_t elems = 0, turns = 0, held = (size_t)m->n_coord + (size_t)m->model->n_drive;
  for (int j = 0; j < m->n_joint; j++) {
    elems += (size_t)m->joint[j].n_list + 3;
    for (int i = 0; i < m->joint[j].n_list; i++) turns += m->joint[j].list[i].kind >= MW_ROW_TURN;
  }
  elems += held + (size_t)m->model->n_force + (size_t)r->n.n_rotor + 1;
  r->elem = mw_arena_alloc(&r->mem, elems, sizeof *r->elem);
  r->node = mw_arena_alloc(&r->mem, elems, sizeof *r->node);
  r->touch = mw_arena_int(&r->mem, 4 * elems);
  r->held = mw_arena_alloc(&r->mem, held, sizeof *r->held);
  r->k = mw_arena_f64(&r->mem, elems);
  r->d = mw_arena_f64(&r->mem, elems);
  r->law = mw_arena_alloc(&r->mem, (size_t)m->n_joint, sizeof *r->law);
  b->axes = mw_arena_f64(&r->mem, 18 * turns);
  b->full = mw_arena_alloc(&r->mem, elems, 1);
  b->ground = mw_arena_alloc(&r->mem, elems, 1);
  b->soft = mw_arena_alloc(&r->mem, elems, 1);
  b->ptr = mw_arena_int(&r->mem, elems + 1);
  b->stands = mw_arena_int(&r->mem, 4 * elems);
  b->held = mw_arena_alloc(&r->mem, (size_t)(r->n.n_body + r->n.n_rotor) + 1, 1);
  for (int k = 0; b->held && k < r->n_component; k++)
    b->held[r->component[k].first] = (unsigned char)r->component[k].in->size.grounded;
  b->size = mw_arena_int(&r->mem, elems + (size_t)(r->n.n_body + r->n.n_rotor));
  return mw_arena_check(&r->mem, err);
}

static void number_rows(mw_rigid *r)
{
  for (int i = 0; i < r->n_node; i++) {
    r->node[i].primitive = r->node[i].plain = true;
    for (int k = 0; k < r->node[i].n_elem; k++) {
      mw_relem_kind kind = r->elem[r->node[i].elem0 + k].kind;
      if (kind > MW_R_TURN) r->node[i].primitive = false;
      if (kind > MW_R_ALONG) r->node[i].plain = false;
    }
  }
  for (int i = 0; i < r->n_hard; i++) {
    r->node[i].row0 = r->n.n_row;
    r->n.n_row += r->node[i].n;
  }
  for (int i = r->n_hard, n = 0; i < r->n_node; i++) {
    r->node[i].row0 = n;
    n += r->node[i].n;
  }
}

static bool in_component(const mw_rigid *r, int body)
{
  for (int k = 0; k < r->n_component; k++)
    if (body >= r->component[k].first && body < r->component[k].first + r->component[k].n)
      return true;
  return false;
}

static mw_code plans(mw_rbuilder *b, mw_error *err)
{
  mw_rigid *r = b->r;
  int n_body = r->n.n_body + r->n.n_rotor;
  for (int i = 0; i < n_body; i++) b->size[i] = i >= r->n.n_body ? 1 : in_component(r, i) ? 0 : 6;
  // frames of components are eliminated there, all of one by one node
  for (int k = 0; k < r->n_touch; k++) b->stands[k] = mw_rigid_stands_for(r, r->touch[k]);
  for (int i = 0; i < r->n_node; i++) {
    b->size[n_body + i] = r->node[i].n;
    b->soft[i] = i >= r->n_hard;
    b->ptr[i + 1] = b->ptr[i] + r->node[i].n_touch;
  }
  mw_elim_graph g = { .n_body = n_body,
                      .n_rows = r->n_hard,
                      .size = b->size,
                      .ptr = b->ptr,
                      .touch = r->n_component > 0 ? b->stands : r->touch,
                      .held = r->n_component > 0 ? b->held : NULL,
                      .ground = b->ground,
                      .full = b->full,
                      .soft = b->soft };
  mw_code rc = mw_rigid_eliminate(r, &g, &r->hard, err);
  if (rc == MW_OK) rc = mw_rigid_take_turns(r, err);
  g.n_rows = r->n_node;
  return rc == MW_OK ? mw_rigid_eliminate(r, &g, &r->all, err) : rc;
}

mw_code mw_rigid_nodes(mw_rigid *r, mw_error *err)
{
  mw_rbuilder b = { .r = r };
  mw_code rc = room(&b, err);
  if (rc != MW_OK) return rc;
  mw_rigid_find_driven(r);
  for (int j = 0; j < r->m->n_joint; j++) {
    const mw_joint_class *class = mw_joint_class_of(r->m->joint[j].in);
    list_nodes(&b, j, false);
    if (class->add_own) class->add_own(&b, j);
    mw_rigid_driven_rows(&b, j);
  }
  mw_rigid_driven_rotors(&b);
  r->n_hard = r->n_node;
  if (!r->opt.kinematics) {
    for (int j = 0; j < r->m->n_joint; j++) list_nodes(&b, j, true);
    force_rows(&b);
  }
  number_rows(r);
  rc = mw_rigid_primitives_build(r, err);
  return rc == MW_OK ? plans(&b, err) : rc;
}
