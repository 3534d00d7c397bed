// SPDX-License-Identifier: BSD-3-Clause
// model_divide.c: a body of beams cut into N bodies, joined rigidly where they were cut.
//
// A body's displacements are small against its own frame. A member that turns far is therefore made
// of several bodies, each with a frame of its own that turns with it: the error of a turn φ within
// a body falls with its third power.
//
//   chain nodes 0 … E of the body's members, one behind the other; piece j holds nodes c_j … c_j+1,
//     c_j = round(j E/N)
//
// Pieces are called X, X~2, X~3, …, share X's frame in the reference configuration and hang
// together by fixed joints X~1 … between frames of their own. Frames, guides and supports of X go
// to the first piece that has their nodes, and whatever refers to them follows. The piece that a
// support holds stays on the ground, the others hang on it. Refused: members that branch or leave a
// gap, guides and bushings across a cut, more pieces than elements.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "model_layer.h"

static const double NODE_TOL = 1e-6;  // of the length of the chain: a frame's point and a node

typedef struct chain {
  mw_reader *rd;
  const mw_body_in *b;  // the whole
  int n;                // pieces
  int n_elem;
  int *start;                      // [n_member + 1]  first chain node of each member
  int *cut;                        // [n + 1]  chain nodes
  int *node_of_point;              // [n_point]  chain node, -1: not on it
  int *frame_piece, *frame_index;  // [n_attach]
  int *guide_piece, *guide_index;  // [n_guide]
  int *first_frame;  // [n]  attach index in a piece of the frame at its first cut node
  int *last_frame;   // [n]  and at its last
} chain;

static mw_code follow_members(chain *c)
{
  const mw_body_in *b = c->b;
  for (int i = 0; i < b->n_point; i++) c->node_of_point[i] = -1;
  for (int k = 0; k < b->n_member; k++) {
    const mw_member *m = &b->member[k];
    if (k > 0 && m->from != b->member[k - 1].to)
      return mw_fail(c->rd->err, MW_ERR_INPUT, m->at,
                     "body %.64s is divided, and its members must follow one another: found one "
                     "from %.64s, expected from %.64s",
                     b->name, b->point[m->from].name, b->point[b->member[k - 1].to].name);
    if (k == 0) c->node_of_point[m->from] = 0;
    if (c->node_of_point[m->to] >= 0)
      return mw_fail(c->rd->err, MW_ERR_INPUT, m->at,
                     "body %.64s is divided, and its members must not close a loop: they come to "
                     "%.64s again",
                     b->name, b->point[m->to].name);
    c->start[k + 1] = c->start[k] + m->n_elem;
    c->node_of_point[m->to] = c->start[k + 1];
  }
  c->n_elem = c->start[b->n_member];
  if (c->n <= c->n_elem) return MW_OK;
  return mw_fail(c->rd->err, MW_ERR_INPUT, b->at,
                 "body %.64s has %d elements, expected at least one for each of %d pieces", b->name,
                 c->n_elem, c->n);
}

static void node_place(const chain *c, int node, double x[3])
{
  int k = 0;
  while (k < c->b->n_member - 1 && node > c->start[k + 1]) k++;
  const mw_member *m = &c->b->member[k];
  double f = (double)(node - c->start[k]) / m->n_elem;
  const double *p = c->b->point[m->from].x, *q = c->b->point[m->to].x;
  for (int i = 0; i < 3; i++) x[i] = p[i] + f * (q[i] - p[i]);
}

static int point_named(const chain *c, const mw_body_in *b, const char *name)
{
  return mw_name_find(c->rd->names, b->point, b->n_point, sizeof *b->point, name);
}

// chain node of a frame; -1: nowhere near
static int frame_node(const chain *c, const mw_attach *a)
{
  double best = INFINITY, x[3], d[3], lo[3], hi[3];
  int at = -1;
  if (a->set) return c->node_of_point[point_named(c, c->b, a->set)];
  node_place(c, 0, lo);
  node_place(c, c->n_elem, hi);
  for (int i = 0; i < 3; i++) d[i] = hi[i] - lo[i];
  double tol = NODE_TOL * mw_norm3(d);
  for (int k = 0; k <= c->n_elem; k++) {
    node_place(c, k, x);
    for (int i = 0; i < 3; i++) d[i] = a->x[i] - x[i];
    if (mw_norm3(d) < best) best = mw_norm3(d), at = k;
  }
  return best <= tol ? at : -1;
}

static int piece_of(const chain *c, int node)
{
  int j = 0;
  while (j < c->n - 1 && node > c->cut[j + 1]) j++;
  return j;
}

// Index of the point at a chain node within a piece; a new one where the whole has none.
static int point_at(chain *c, mw_body_in *p, int node, bool create)
{
  const mw_body_in *b = c->b;
  const char *name = NULL;
  for (int i = 0; i < b->n_point; i++)
    if (c->node_of_point[i] == node) name = b->point[i].name;
  if (!name) name = mw_arena_printf(c->rd->mem, "~%d", node);
  int found = name ? point_named(c, p, name) : -1;
  if (found >= 0 || !create || !name) return found;
  mw_point *q = &p->point[p->n_point];
  *q = (mw_point){ .name = name, .at = b->at };
  node_place(c, node, q->x);
  return p->n_point++;
}

static mw_code piece_members(chain *c, int j, mw_body_in *p)
{
  const mw_body_in *b = c->b;
  mw_code rc = MW_NEW(c->rd, p->point, b->n_point + 2);
  if (rc == MW_OK) rc = MW_NEW(c->rd, p->member, b->n_member);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < b->n_member; k++) {
    int lo = c->start[k] > c->cut[j] ? c->start[k] : c->cut[j],
        hi = c->start[k + 1] < c->cut[j + 1] ? c->start[k + 1] : c->cut[j + 1];
    if (lo >= hi) continue;
    mw_member *m = &p->member[p->n_member++];
    *m = b->member[k];
    m->from = point_at(c, p, lo, true);
    m->to = point_at(c, p, hi, true);
    m->n_elem = hi - lo;
  }
  return mw_arena_check(c->rd->mem, c->rd->err);
}

static int cut_frame(chain *c, mw_body_in *p, int node)
{
  int at = point_at(c, p, node, false);
  mw_attach *a = &p->attach[p->n_attach];
  *a = (mw_attach){ .name = mw_arena_printf(c->rd->mem, "~%d", node),
                    .at = c->b->at,
                    .kind = MW_ATTACH_NODE,
                    .set = p->point[at].name };
  return p->n_attach++;
}

static mw_code piece_frames(chain *c, int j, mw_body_in *p)
{
  const mw_body_in *b = c->b;
  mw_code rc = MW_NEW(c->rd, p->attach, b->n_attach + 2);
  for (int k = 0; rc == MW_OK && k < b->n_attach; k++) {
    int node = frame_node(c, &b->attach[k]);
    if (node < 0)
      return mw_fail(c->rd->err, MW_ERR_INPUT, b->attach[k].at,
                     "frame %.64s is at no node of the members of body %.64s, which is divided",
                     b->attach[k].name, b->name);
    if (piece_of(c, node) != j) continue;
    c->frame_piece[k] = j;
    c->frame_index[k] = p->n_attach;
    p->attach[p->n_attach++] = b->attach[k];
  }
  if (rc == MW_OK && j > 0) c->first_frame[j] = cut_frame(c, p, c->cut[j]);
  if (rc == MW_OK && j < c->n - 1) c->last_frame[j] = cut_frame(c, p, c->cut[j + 1]);
  return rc == MW_OK ? mw_arena_check(c->rd->mem, c->rd->err) : rc;
}

static mw_code piece_guides(chain *c, int j, mw_body_in *p)
{
  const mw_body_in *b = c->b;
  mw_code rc = MW_NEW(c->rd, p->guide, b->n_guide);
  for (int k = 0; rc == MW_OK && k < b->n_guide; k++) {
    const mw_guide_in *g = &b->guide[k];
    int from = c->node_of_point[g->from], to = c->node_of_point[g->to], lo = from < to ? from : to,
        hi = from < to ? to : from, at = 0;
    while (at < c->n - 1 && lo >= c->cut[at + 1]) at++;
    if (lo < 0 || hi > c->cut[at + 1])
      return mw_fail(c->rd->err, MW_ERR_INPUT, g->at,
                     "guide %.64s runs over a cut of body %.64s, expected it within one of the %d "
                     "pieces (divide)",
                     g->name, b->name, c->n);
    if (at != j) continue;
    c->guide_piece[k] = j;
    c->guide_index[k] = p->n_guide;
    p->guide[p->n_guide] = *g;
    p->guide[p->n_guide].from = point_at(c, p, from, false);
    p->guide[p->n_guide++].to = point_at(c, p, to, false);
  }
  return rc;
}

static mw_code piece_supports(chain *c, int j, mw_body_in *p)
{
  const mw_body_in *b = c->b;
  mw_code rc = MW_NEW(c->rd, p->support, b->n_support);
  for (int k = 0; rc == MW_OK && k < b->n_support; k++) {
    int node = c->node_of_point[point_named(c, b, b->support[k].set)];
    if (node >= 0 && piece_of(c, node) == j) p->support[p->n_support++] = b->support[k];
  }
  p->ground = p->n_support > 0;
  return rc;
}

static mw_code piece_bushings(const chain *c, int j, mw_body_in *p)
{
  const mw_body_in *b = c->b;
  mw_code rc = MW_NEW(c->rd, p->bushing, b->n_bushing);
  for (int k = 0; rc == MW_OK && k < b->n_bushing; k++) {
    const mw_bushing_in *s = &b->bushing[k];
    if (c->frame_piece[s->a] != j) continue;
    if (piece_of(c, frame_node(c, &b->attach[s->b])) != j)
      return mw_fail(c->rd->err, MW_ERR_INPUT, s->at,
                     "bushing %.64s joins two pieces of body %.64s, which is divided: expected a "
                     "spring between bodies",
                     s->name, b->name);
    p->bushing[p->n_bushing] = *s;
    p->bushing[p->n_bushing].a = c->frame_index[s->a];
    p->bushing[p->n_bushing++].b = c->frame_index[s->b];
  }
  return rc;
}

static mw_code piece_build(chain *c, int j, mw_body_in *p)
{
  *p = *c->b;
  p->divide = 1;
  p->n_point = p->n_member = p->n_attach = p->n_guide = p->n_support = p->n_bushing = 0;
  if (j > 0) p->name = mw_arena_printf(c->rd->mem, "%s~%d", c->b->name, j + 1);
  mw_code rc = mw_arena_check(c->rd->mem, c->rd->err);
  if (rc == MW_OK) rc = piece_members(c, j, p);
  if (rc == MW_OK) rc = piece_frames(c, j, p);
  if (rc == MW_OK) rc = piece_guides(c, j, p);
  if (rc == MW_OK) rc = piece_supports(c, j, p);
  return rc == MW_OK ? piece_bushings(c, j, p) : rc;
}

// ---- what refers to the body --------------------------------------------------------------------

static void move_ref(const chain *c, int whole, int first_new, mw_ref *r)
{
  if (r->body != whole || r->attach < 0) return;
  int j = c->frame_piece[r->attach];
  r->attach = c->frame_index[r->attach];
  if (j > 0) r->body = first_new + j - 1;
}

static void move_refs(const chain *c, int whole, int first_new)
{
  mw_model *m = c->rd->m;
  for (int k = 0; k < m->n_joint; k++) {
    mw_joint_in *j = &m->joint[k];
    if (j->guide >= 0 && j->a.body == whole) {
      int piece = c->guide_piece[j->guide];
      j->guide = c->guide_index[j->guide];
      if (piece > 0) j->a.body = first_new + piece - 1;
    }
    move_ref(c, whole, first_new, &j->a);
    move_ref(c, whole, first_new, &j->b);
  }
  for (int k = 0; k < m->n_drive; k++)
    if (m->drive[k].joint < 0) move_ref(c, whole, first_new, &m->drive[k].on);
  for (int k = 0; k < m->n_output; k++) move_ref(c, whole, first_new, &m->output[k].ref);
  for (int k = 0; k < m->n_force; k++) {
    move_ref(c, whole, first_new, &m->force[k].a);
    move_ref(c, whole, first_new, &m->force[k].b);
  }
}

static mw_code join_pieces(const chain *c, int whole, int first_new)
{
  mw_model *m = c->rd->m;
  for (int j = 0; j + 1 < c->n; j++) {
    int a = j == 0 ? whole : first_new + j - 1, b = first_new + j;
    m->joint[m->n_joint++] = (mw_joint_in){
      .name = mw_arena_printf(c->rd->mem, "%s~%d", c->b->name, j + 1),
      .at = c->b->at,
      .kind = MW_JOINT_FIXED,
      .guide = -1,
      .gear = { -1, -1 },
      .a = { .at = c->b->at, .body = a, .attach = c->last_frame[j] },
      .b = { .at = c->b->at, .body = b, .attach = c->first_frame[j + 1] },
    };
  }
  return mw_arena_check(c->rd->mem, c->rd->err);
}

static mw_code divide(mw_reader *rd, int whole, mw_body_in *b)
{
  mw_model *m = rd->m;
  chain c = { .rd = rd, .b = b, .n = b->divide };
  int first_new = m->n_body;
  mw_code rc = MW_NEW(rd, c.start, b->n_member + 1);
  if (rc == MW_OK) rc = MW_NEW(rd, c.cut, c.n + 1);
  if (rc == MW_OK) rc = MW_NEW(rd, c.node_of_point, b->n_point);
  if (rc == MW_OK) rc = MW_NEW(rd, c.frame_piece, b->n_attach + 1);
  if (rc == MW_OK) rc = MW_NEW(rd, c.frame_index, b->n_attach + 1);
  if (rc == MW_OK) rc = MW_NEW(rd, c.guide_piece, b->n_guide + 1);
  if (rc == MW_OK) rc = MW_NEW(rd, c.guide_index, b->n_guide + 1);
  if (rc == MW_OK) rc = MW_NEW(rd, c.first_frame, c.n);
  if (rc == MW_OK) rc = MW_NEW(rd, c.last_frame, c.n);
  if (rc == MW_OK) rc = follow_members(&c);
  if (rc != MW_OK) return rc;
  for (int j = 0; j <= c.n; j++) c.cut[j] = (int)lround((double)j * c.n_elem / c.n);
  for (int j = 0; j < c.n && rc == MW_OK; j++)
    rc = piece_build(&c, j, j == 0 ? &m->body[whole] : &m->body[m->n_body++]);
  if (rc != MW_OK) return rc;
  move_refs(&c, whole, first_new);
  return join_pieces(&c, whole, first_new);
}

mw_code mw_divide_bodies(mw_reader *rd)
{
  mw_model *m = rd->m;
  int more = 0, n_body = m->n_body;
  for (int b = 0; b < n_body; b++)
    if (m->body[b].divide > 1) more += m->body[b].divide - 1;
  if (more == 0) return MW_OK;
  mw_body_in *body = NULL;
  mw_joint_in *joint = NULL;
  mw_code rc = MW_NEW(rd, body, n_body + more);
  if (rc == MW_OK) rc = MW_NEW(rd, joint, m->n_joint + more);
  if (rc != MW_OK) return rc;
  memcpy(body, m->body, (size_t)n_body * sizeof *body);
  if (m->n_joint > 0) memcpy(joint, m->joint, (size_t)m->n_joint * sizeof *joint);
  m->body = body;
  m->joint = joint;
  for (int b = 0; b < n_body && rc == MW_OK; b++) {
    mw_body_in whole = m->body[b];
    if (whole.divide > 1) rc = divide(rd, b, &whole);
  }
  return rc;
}
