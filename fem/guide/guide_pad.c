// SPDX-License-Identifier: BSD-3-Clause
// guide_pad.c: guides on faces of solids, where a runner acts on an area.
//
// A force on a line of a solid has no finite deflection in the limit of fine meshes, one on an area
// has. The displacement a runner at s feels is the mean over its pad, with the kernel B of
// guide_face.c,
//   U(s) = Σ_i W_i u_i ,  W_i = a w0_i + b wx_i + c wy_i                                        (1)
//   Σ W_i = 1 ,  Σ W_i x_i = s ,  Σ W_i y_i = y                                                 (2)
// (2) gives a, b, c: 1, 0, 0 where the whole pad is on the face; elsewhere (a hole, the end of the
// face) the resultant still acts at the centre of the pad, and rigid motion is exact. At least
// COVERED of B must be on the face. U is taken at stations s_j, three functionals each, evenly
// spaced from the first to the last place where the pad is covered; between them the spline of
// guide.c interpolates, with an error of fourth order in the spacing. The field of a pad is not
// smoother than B, which sets the spacing: at l/6, l/8, l/10, l/12 the compliance under a pad of
// l/w = 4 is off by at most 5e-3, 1.4e-3, 6e-4, 2e-4 of that by (1), whatever the mesh (test_pad.c;
// exact at the stations). Cost O(faces on the plane × stations), but for a factor only those under
// a pad.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "guide_priv.h"

static const double COVERED = 0.75;  // of the pad's kernel
static const double SNAP = 1e-4;  // of the body's size: how far the given line may be off its face
static const double FLAT = 1e-6;  // of the guide's length: rounding of coordinates in mesh files
static const double COS_TILT = 0.86;  // 30°, between the given normal and the face's
static const double NARROW = 1e-3;    // of the pad's width: rounding in the user's figures
static const int PER_LENGTH = 10;     // stations a pad length
static const int SCAN = 24;           // places a pad length, where the cover is looked at

typedef struct pads {
  mw_body_work *w;
  const mw_guide_in *in;
  mw_guide *g;
  int n_face;
  mw_pad_face *face;  // [n_face]  in the plane, near the line
  double (*acc)[3];   // [n_node]  w0, wx, wy of a station
  int *mark;          // [n_node]  last station that touched the node
  int *touched;       // [n_node]
} pads;

// Corner nodes' mean c, normal n of unit length (Newell's, outward), area.
static double face_plane(const mw_body_work *w, int k, double c[3], double n[3])
{
  const mw_mesh *m = w->mesh;
  int node[8], corners = mw_elem_info_of((mw_elem_kind)m->elem_kind[m->face_elem[k]])
                             ->face_corner[m->face_side[k]];
  mw_mesh_face(m, k, node);
  memset(c, 0, 3 * sizeof *c);
  memset(n, 0, 3 * sizeof *n);
  for (int i = 0; i < corners; i++)
    for (int a = 0; a < 3; a++) c[a] += w->X[3 * node[i] + a] / corners;
  for (int i = 0; i < corners; i++) {
    double p[3], q[3], x[3];
    for (int a = 0; a < 3; a++) {
      p[a] = w->X[3 * node[i] + a] - c[a];
      q[a] = w->X[3 * node[(i + 1) % corners] + a] - c[a];
    }
    mw_cross3(p, q, x);
    for (int a = 0; a < 3; a++) n[a] += 0.5 * x[a];
  }
  double area = mw_norm3(n);
  for (int a = 0; a < 3 && area > 0.0; a++) n[a] /= area;
  return area;
}

static void line_point(const mw_guide *g, double s, double X[3])
{
  for (int i = 0; i < 3; i++) X[i] = g->X0[i] + s * g->t[i];
}

static double height(const double n[3], const double c[3], const double X[3])
{
  double d[3] = { X[0] - c[0], X[1] - c[1], X[2] - c[2] };
  return mw_dot3(n, d);
}

// ---- the plane ----------------------------------------------------------------------------------

// The face nearest to the line among those whose plane holds it: its centre c and normal n.
static mw_code seed(const pads *p, double c[3], double n[3], mw_error *err)
{
  const mw_guide *g = p->g;
  double best = INFINITY, closest = INFINITY, end[2][3];
  line_point(g, 0.0, end[0]);
  line_point(g, g->length, end[1]);
  for (int k = 0; p->w->mesh && k < p->w->mesh->n_face; k++) {
    double fc[3], fn[3], area = face_plane(p->w, k, fc, fn);
    if (!(area > 0.0) || fabs(mw_dot3(fn, g->n1)) < COS_TILT) continue;
    double off = fmax(fabs(height(fn, fc, end[0])), fabs(height(fn, fc, end[1])));
    closest = fmin(closest, off);
    double s = fmin(fmax(height(g->t, g->X0, fc), 0.0), g->length), X[3];
    line_point(g, s, X);
    for (int i = 0; i < 3; i++) X[i] -= fc[i];
    if (off > SNAP * p->w->size || mw_norm3(X) >= best) continue;
    best = mw_norm3(X);
    memcpy(c, fc, sizeof fc);
    memcpy(n, fn, sizeof fn);
  }
  if (best < INFINITY) return MW_OK;
  if (closest < INFINITY)
    return mw_fail(
        err, MW_ERR_INPUT, p->in->at,
        "guide '%s' lies on no face of a solid: the plane of the nearest face with about that "
        "normal is %g m off",
        p->in->name, closest);
  return mw_fail(err, MW_ERR_INPUT, p->in->at,
                 "guide '%s': no face of a solid has about the normal [%g, %g, %g]", p->in->name,
                 g->n1[0], g->n1[1], g->n1[2]);
}

// true when a pad at any s, or one beside the line, can touch boundary face k, which lies in the
// plane of the guide
static bool take(const pads *p, int k, mw_pad_face *f)
{
  const mw_mesh *m = p->w->mesh;
  const mw_guide *g = p->g;
  const mw_elem_info *info = mw_elem_info_of((mw_elem_kind)m->elem_kind[m->face_elem[k]]);
  double flat = 0.0, reach = g->pad[1];
  *f = (mw_pad_face){ .n_corner = info->face_corner[m->face_side[k]],
                      .lo = { INFINITY, INFINITY },
                      .hi = { -INFINITY, -INFINITY } };
  f->n = mw_mesh_face(m, k, f->node);
  for (int i = 0; i < f->n; i++) {
    const double *X = p->w->X + 3 * f->node[i];
    flat = fmax(flat, fabs(height(g->n1, g->X0, X)));
    f->x[i][0] = height(g->t, g->X0, X);
    f->x[i][1] = height(g->n2, g->X0, X);
    for (int a = 0; a < 2; a++) f->lo[a] = fmin(f->lo[a], f->x[i][a]);
    for (int a = 0; a < 2; a++) f->hi[a] = fmax(f->hi[a], f->x[i][a]);
  }
  f->affine = mw_pad_face_is_affine(f);
  return flat <= FLAT * g->length && f->lo[1] <= reach && f->hi[1] >= -reach &&
         f->hi[0] >= -g->pad[0] && f->lo[0] <= g->length + g->pad[0];
}

static mw_code gather(pads *p, mw_error *err)
{
  mw_pad_face f;
  int n = 0;
  for (int k = 0; k < p->w->mesh->n_face; k++) n += take(p, k, &f);
  p->n_face = 0;
  p->face = mw_arena_alloc(&p->w->tmp, (size_t)n, sizeof *p->face);
  mw_code rc = mw_arena_check(&p->w->tmp, err);
  for (int k = 0; rc == MW_OK && k < p->w->mesh->n_face; k++)
    if (take(p, k, &f)) p->face[p->n_face++] = f;
  return rc;
}

// Both ends onto the plane through c with normal n, n1 := n on the side the user gave.
static mw_code onto_plane(pads *p, const double c[3], const double n[3], mw_error *err)
{
  double end[2][3], side = mw_dot3(n, p->g->n1) < 0.0 ? -1.0 : 1.0,
                    m[3] = { side * n[0], side * n[1], side * n[2] };
  for (int e = 0; e < 2; e++) {
    line_point(p->g, e == 0 ? 0.0 : p->g->length, end[e]);
    double h = height(m, c, end[e]);
    for (int i = 0; i < 3; i++) end[e][i] -= h * m[i];
  }
  return mw_guide_axes(p->in, m, end[0], end[1], p->g, err);
}

// Turns onto the mean plane of all that lies within SNAP of the first face's, near the line: the
// sum of their area vectors is that of their outline, so that rounding of the coordinates counts
// little.
static mw_code mean_plane(pads *p, mw_error *err)
{
  const mw_guide *g = p->g;
  double c[3] = { 0 }, n[3] = { 0 }, sum = 0.0;
  for (int k = 0; k < p->w->mesh->n_face; k++) {
    double fc[3], fn[3], area = face_plane(p->w, k, fc, fn), x = height(g->t, g->X0, fc),
                         side = mw_dot3(fn, g->n1) < 0.0 ? -1.0 : 1.0;
    if (fabs(height(g->n1, g->X0, fc)) > SNAP * p->w->size ||
        side * mw_dot3(fn, g->n1) < COS_TILT || fabs(height(g->n2, g->X0, fc)) > g->pad[1] ||
        x < -g->pad[0] || x > g->length + g->pad[0])
      continue;
    sum += area;
    for (int i = 0; i < 3; i++) c[i] += area * fc[i], n[i] += area * side * fn[i];
  }
  double norm = mw_norm3(n);
  if (!(norm > 0.0)) return MW_OK;  // no face's centre is near: the first one's plane stays
  for (int i = 0; i < 3; i++) c[i] /= sum, n[i] /= norm;
  return onto_plane(p, c, n, err);
}

// ---- how much of a pad is on the face -----------------------------------------------------------

static double covered(const pads *p, const mw_pad_place *at)
{
  double sum = 0.0, w[8][3];
  for (int k = 0; k < p->n_face; k++) {
    if (!mw_pad_integrate(&p->face[k], at, w)) continue;
    for (int i = 0; i < p->face[k].n; i++) sum += w[i][0];
  }
  return sum;
}

static mw_pad_place pad_at(const mw_guide *g, double s)
{
  return (mw_pad_place){ .s = s, .length = g->pad[0], .width = g->pad[1], .smooth = true };
}

static double cover(const pads *p, double s)
{
  mw_pad_place at = pad_at(p->g, s);
  return covered(p, &at);
}

// A line of nodes that is the border of its face: the pad lies beside it, the guide moves half a
// width in.
static mw_code leave_edge(pads *p, mw_error *err)
{
  mw_guide *g = p->g;
  double area[2], half = 0.5 * g->pad[1];
  for (int e = 0; e < 2; e++) {
    mw_pad_place at = { .s = 0.5 * g->length,
                        .y = e == 0 ? -0.5 * half : 0.5 * half,
                        .length = g->length,
                        .width = half };
    area[e] = covered(p, &at);
  }
  double side = area[0] < NARROW * area[1] ? 1.0 : area[1] < NARROW * area[0] ? -1.0 : 0.0;
  if (side == 0.0) return MW_OK;
  for (int i = 0; i < 3; i++) g->X0[i] += side * half * g->n2[i];
  return gather(p, err);
}

static mw_code check_width(const pads *p, mw_error *err)
{
  double lo = INFINITY, hi = -INFINITY, half = 0.5 * p->g->pad[1], slack = NARROW * p->g->pad[1];
  for (int k = 0; k < p->n_face; k++) {
    lo = fmin(lo, p->face[k].lo[1]);
    hi = fmax(hi, p->face[k].hi[1]);
  }
  double over = fmax(half + lo, half - hi);
  if (over <= slack) return MW_OK;
  if (lo > half || hi < -half)
    return mw_fail(err, MW_ERR_INPUT, p->in->at,
                   "guide '%s' runs beside its face, expected it on it", p->in->name);
  return mw_fail(
      err, MW_ERR_INPUT, p->in->at,
      "pad of guide '%s' is %g m wide, but its face ends %g m from the line on one side: %g m too "
      "narrow",
      p->in->name, p->g->pad[1], half - over, over);
}

// where the cover falls to COVERED, between `in` where it is above and `out` where it is below
static double limit(const pads *p, double in, double out)
{
  while (fabs(out - in) > 1e-9 * p->g->length) {
    double s = 0.5 * (in + out);
    if (cover(p, s) >= COVERED)
      in = s;
    else
      out = s;
  }
  return in;
}

// [lo, hi]: where the pad is on the face; one interval
static mw_code range(const pads *p, double *lo, double *hi, mw_error *err)
{
  const mw_guide *g = p->g;
  int n = (int)ceil(SCAN * g->length / g->pad[0]) + 1, first = -1, last = -1;
  double best = 0.0, at = 0.0;
  for (int k = 0; k <= n; k++) {
    double s = g->length * k / n, c = cover(p, s);
    if (c > best) best = c, at = s;
    if (c < COVERED) continue;
    if (first >= 0 && last < k - 1)
      return mw_fail(
          err, MW_ERR_INPUT, p->in->at,
          "pad of guide '%s' leaves its face between %g and %g m (%.0f %% of it are needed there)",
          p->in->name, g->length * last / n, s, 100.0 * COVERED);
    if (first < 0) first = k;
    last = k;
  }
  if (first < 0)
    return mw_fail(
        err, MW_ERR_INPUT, p->in->at,
        "pad of guide '%s', %g m x %g m, is nowhere on a plane face: at most %.0f %% of it, at %g "
        "m; expected %.0f %%",
        p->in->name, g->pad[0], g->pad[1], 100.0 * best, at, 100.0 * COVERED);
  *lo = first > 0 ? limit(p, g->length * first / n, g->length * (first - 1) / n) : 0.0;
  *hi = last < n ? limit(p, g->length * last / n, g->length * (last + 1) / n) : g->length;
  return MW_OK;
}

// ---- stations -----------------------------------------------------------------------------------

// sums over the faces under the pad; returns the number of nodes touched
static int accumulate(pads *p, int station, const mw_pad_place *at)
{
  int n = 0;
  double w[8][3];
  for (int k = 0; k < p->n_face; k++) {
    const mw_pad_face *f = &p->face[k];
    if (!mw_pad_integrate(f, at, w)) continue;
    for (int i = 0; i < f->n; i++) {
      int node = f->node[i];
      if (p->mark[node] != station + 1) {
        p->mark[node] = station + 1;
        p->touched[n++] = node;
        memset(p->acc[node], 0, sizeof *p->acc);
      }
      for (int c = 0; c < 3; c++) p->acc[node][c] += w[i][c];
    }
  }
  return n;
}

// rows z, z + 1, z + 2 of P: (1) with (2), places over the pad's sides from its centre
static mw_code add_station(pads *p, int station, int z, mw_triplets *P, mw_error *err)
{
  const mw_guide *g = p->g;
  mw_pad_place at = pad_at(g, g->s[station]);
  int n = accumulate(p, station, &at), piv[3];
  double A[9] = { 0 }, abc[3] = { 1.0, 0.0, 0.0 };
  for (int k = 0; k < n; k++) {
    const double *X = p->w->X + 3 * p->touched[k], *acc = p->acc[p->touched[k]];
    double m[3] = { 1.0, (height(g->t, g->X0, X) - at.s) / at.length,
                    height(g->n2, g->X0, X) / at.width };
    for (int i = 0; i < 9; i++) A[i] += m[i / 3] * acc[i % 3];
  }
  mw_code rc = mw_lu_factor(3, A, piv, err);
  if (rc != MW_OK) return rc;
  mw_lu_solve(3, A, piv, 1, abc);
  for (int k = 0; k < n; k++) {
    int node = p->touched[k];
    double W = 0.0;
    for (int c = 0; c < 3; c++) W += abc[c] * p->acc[node][c];
    for (int c = 0; c < 3; c++)
      mw_body_add_motion(p->w, P, z + c, mw_body_motion(p->w, node) + c, W);
  }
  return MW_OK;
}

static mw_code place_stations(pads *p, mw_error *err)
{
  mw_guide *g = p->g;
  double lo = 0.0, hi = 0.0;
  mw_code rc = range(p, &lo, &hi, err);
  if (rc != MW_OK) return rc;
  double n = ceil(PER_LENGTH * (hi - lo) / g->pad[0]) + 1.0;
  if (n > MW_GUIDE_MAX_NODE)
    return mw_fail(
        err, MW_ERR_INPUT, p->in->at,
        "pad of guide '%s' is %g m long for %g m of guide, which makes more than %d places",
        p->in->name, g->pad[0], g->length, (int)MW_GUIDE_MAX_NODE);
  g->n = n < 4.0 ? 4 : (int)n;
  g->s = mw_arena_f64(p->w->mem, (size_t)g->n);
  rc = mw_arena_check(p->w->mem, err);
  for (int j = 0; rc == MW_OK && j < g->n; j++) g->s[j] = lo + (hi - lo) * j / (g->n - 1);
  if (rc == MW_OK) g->s[g->n - 1] = hi;
  return rc;
}

mw_code mw_guide_pads(mw_body_work *w, const mw_guide_in *in, bool edge, mw_triplets *P,
                      mw_guide *g, mw_error *err)
{
  pads p = { .w = w, .in = in, .g = g };
  double c[3], n[3];
  memcpy(g->pad, in->pad, sizeof g->pad);
  mw_code rc = seed(&p, c, n, err);
  if (rc == MW_OK) rc = onto_plane(&p, c, n, err);
  if (rc == MW_OK) rc = mean_plane(&p, err);
  if (rc == MW_OK) rc = gather(&p, err);
  if (rc == MW_OK && edge) rc = leave_edge(&p, err);
  if (rc == MW_OK) rc = check_width(&p, err);
  p.acc = mw_arena_alloc(&w->tmp, (size_t)w->n_node, sizeof *p.acc);
  p.mark = mw_arena_int(&w->tmp, (size_t)w->n_node);
  p.touched = mw_arena_int(&w->tmp, (size_t)w->n_node);
  if (rc == MW_OK) rc = mw_arena_check(&w->tmp, err);
  if (rc == MW_OK) rc = place_stations(&p, err);
  for (int j = 0; rc == MW_OK && j < g->n; j++) rc = add_station(&p, j, g->z + 3 * j, P, err);
  return rc;
}
