// SPDX-License-Identifier: BSD-3-Clause
// mech_free.c: names what still moves with every coordinate of the reduction held.
#include "mech_free_priv.h"

#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

// How fast joint j's bodies move against each other at twists v, m/s: at the origin of b, and by
// turning at the machine's size.
static double moves(const mw_mech *m, const mw_joint *j, const double *p, const double *v)
{
  double x[2][3], w[2][3], r[3], wr[3], dv[3], dw[3];
  for (int side = 0; side < 2; side++) {
    int b = side ? j->b : j->a;
    mw_mul33v(p + 12 * b + 3, v + 6 * b, x[side]);
    mw_mul33v(p + 12 * b + 3, v + 6 * b + 3, w[side]);
  }
  for (int i = 0; i < 3; i++) r[i] = p[12 * j->b + i] - p[12 * j->a + i];
  mw_cross3(w[0], r, wr);
  for (int i = 0; i < 3; i++) {
    dv[i] = x[1][i] - x[0][i] - wr[i];
    dw[i] = w[1][i] - w[0][i];
  }
  return mw_norm3(dv) + mw_mech_size(m) * mw_norm3(dw);
}

// The joints whose bodies move against each other, the body beyond the one that moves most: bodies
// further out move faster, and may be held well.
mw_code mw_mech_name_free(const mw_mech *m, const double *p, const double *v, mw_error *err)
{
  static const double STILL = 1e-6;  // of the fastest: far above rounding
  mw_arena tmp = { 0 };
  double *fast = mw_arena_f64(&tmp, (size_t)m->n_joint + 1), most = 0.0;
  int body = -1;
  char joints[256] = "";
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    if (jt->in->kind != MW_JOINT_SPRING) fast[j] = moves(m, jt, p, v);
    if (!(fast[j] > most)) continue;
    most = fast[j];
    body = m->body[jt->b].ground ? jt->a : jt->b;
  }
  for (int j = 0; j < m->n_joint; j++) {
    size_t used = strlen(joints);
    if (!(fast[j] > STILL * most) || used + strlen(m->joint[j].name) + 3 > sizeof joints) continue;
    snprintf(joints + used, sizeof joints - used, "%s%s", used > 0 ? ", " : "", m->joint[j].name);
  }
  mw_arena_free(&tmp);
  for (int b = 0; body < 0 && b < m->n_body; b++)  // no joint: the first that moves
    for (int i = 0; i < 6 && body < 0; i++)
      if (v[6 * b + i] != 0.0) body = b;
  return mw_fail(
      err, MW_ERR_INPUT, m->body[body < 0 ? 0 : body].at,
      "body %s can still move with every coordinate of the reduction held: none of them says where "
      "it is (joints that move: %s); expected one more coordinate in reduction.coordinates, of a "
      "joint that lets it move, or a joint that locks the motion",
      m->body[body < 0 ? 0 : body].name, joints[0] ? joints : "none");
}
