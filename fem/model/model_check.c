// SPDX-License-Identifier: BSD-3-Clause
// model_check.c: what can only be judged when everything is read: bodies left loose, coordinates
// longer than guides, runners that are not their guide's pads.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model_layer.h"

void mw_slide_reach(const mw_joint_in *j, bool pad, double *before, double *behind)
{
  *before = *behind = j->n_runner > 0 ? -INFINITY : 0.0;
  for (int i = 0; i < j->n_runner; i++) {
    double half = pad ? 0.0 : 0.5 * j->runner[i].length;
    *before = fmax(*before, half + j->runner[i].offset);
    *behind = fmax(*behind, half - j->runner[i].offset);
  }
}

double mw_slide_length(const mw_model *m, const mw_joint_in *j, double *before, double *behind)
{
  *before = *behind = 0.0;
  if (j->kind != MW_JOINT_SLIDE) return 0.0;
  const mw_body_in *b = &m->body[j->a.body];
  const mw_guide_in *g = &b->guide[j->guide];
  if (g->set) return 0.0;
  const double *p = g->from >= 0 ? b->point[g->from].x : g->ends[0],
               *q = g->from >= 0 ? b->point[g->to].x : g->ends[1];
  double d[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
  mw_slide_reach(j, g->pad[0] > 0.0, before, behind);
  return mw_norm3(d);
}

static mw_code check_ranges(const mw_reader *rd)
{
  const mw_model *m = rd->m;
  for (int i = 0; i < m->reduction.n_coordinate; i++) {
    const mw_coordinate_in *c = &m->reduction.coordinate[i];
    double before, behind, l = mw_slide_length(m, &m->joint[c->joint], &before, &behind),
                           slack = 1e-9 * l;
    if (l > 0.0 && (c->lo - behind < -slack || c->hi + before > l + slack))
      return mw_fail(
          rd->err, MW_ERR_INPUT, c->at,
          "range of %.64s is [%g, %g] m, expected it within [%g, %g] so that every runner stays "
          "on its guide",
          c->name, c->lo, c->hi, behind, l - before);
  }
  return MW_OK;
}

// A slide whose runners fit on the guide nowhere.
static mw_code check_lengths(const mw_reader *rd)
{
  const mw_model *m = rd->m;
  for (int k = 0; k < m->n_joint; k++) {
    const mw_joint_in *j = &m->joint[k];
    double before, behind, l = mw_slide_length(m, j, &before, &behind);
    if (l > 0.0 && before + behind > l * (1.0 + 1e-9))
      return mw_fail(rd->err, MW_ERR_INPUT, j->runner[0].at,
                     "runners of %.64s take %g m with their contact lengths, expected at most the "
                     "%g m of guide %.64s",
                     j->name, before + behind, l, m->body[j->a.body].guide[j->guide].name);
  }
  return MW_OK;
}

// The contact length of a guide on a face is its pad's: its functionals hold it.
static mw_code check_pads(const mw_reader *rd)
{
  const mw_model *m = rd->m;
  for (int k = 0; k < m->n_joint; k++) {
    const mw_joint_in *j = &m->joint[k];
    if (j->kind != MW_JOINT_SLIDE) continue;
    const mw_guide_in *g = &m->body[j->a.body].guide[j->guide];
    for (int i = 0; i < j->n_runner; i++) {
      const mw_runner *r = &j->runner[i];
      if (g->pad[0] > 0.0 && r->length > 0.0 && fabs(r->length - g->pad[0]) > 1e-9 * g->pad[0])
        return mw_fail(
            rd->err, MW_ERR_INPUT, r->at,
            "runner of %.64s is %g m long, expected none or the length %g m of the pad of guide "
            "%.64s",
            j->name, r->length, g->pad[0], g->name);
    }
  }
  return MW_OK;
}

// What is joined to a component, or hangs on the ground in it, joins all of its frames; bodies with
// ports will be joined by those who use a component.
static void join_components(const mw_reader *rd, bool *joined)
{
  const mw_model *m = rd->m;
  for (int k = 0; k < m->n_component; k++) {
    const mw_component_use *u = &m->component[k];
    bool any = u->size.grounded != 0;
    for (int b = u->body0; b < u->body0 + u->size.n_frame; b++) any |= joined[b];
    for (int b = u->body0; b < u->body0 + u->size.n_frame; b++) joined[b] = any;
  }
  for (int k = 0; rd->inside && k < m->n_port; k++)
    for (int b = 1; b < m->n_body; b++) {
      size_t n = strlen(m->body[b].name);
      const char *to = m->port[k].target;
      joined[b] |= strncmp(to, m->body[b].name, n) == 0 && (to[n] == '\0' || to[n] == '.');
    }
}

static mw_code check_connected(const mw_reader *rd)
{
  const mw_model *m = rd->m;
  bool *joined = calloc((size_t)m->n_body, sizeof *joined);
  if (!joined) return mw_fail(rd->err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  mw_code rc = MW_OK;
  for (int j = 0; j < m->n_joint; j++)
    joined[m->joint[j].a.body] = joined[m->joint[j].b.body] = true;
  // a rigid body may also fly, where a force acts on it
  for (int i = 0; i < m->n_force; i++) {
    const mw_force_in *f = &m->force[i];
    if (m->body[f->a.body].rigid) joined[f->a.body] = true;
    if (m->body[f->b.body].rigid) joined[f->b.body] = true;
  }
  join_components(rd, joined);
  for (int b = 0; b < m->n_body && rc == MW_OK; b++)
    if (!m->body[b].ground && !joined[b])
      rc = mw_fail(rd->err, MW_ERR_INPUT, m->body[b].at,
                   "body %.64s is loose, expected a joint, spring or force on it", m->body[b].name);
  free(joined);
  return rc;
}

mw_code mw_model_check(mw_reader *rd)
{
  mw_code rc = check_connected(rd);
  if (rc == MW_OK) rc = check_pads(rd);
  if (rc == MW_OK) rc = check_lengths(rd);
  return rc == MW_OK ? check_ranges(rd) : rc;
}
