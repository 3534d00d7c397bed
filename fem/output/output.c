// SPDX-License-Identifier: BSD-3-Clause
// output.c: the table of output classes; rows of the fields, stress and strain from a body's
// unknowns.
//
//   σ = S u   (1)  S [6 × n_u] of mw_body
#include "fem/output.h"

#include <math.h>
#include <string.h>

#define DECLARE(KIND, name, SHAPE, what) extern const mw_output_class mw_output_##name;
MW_FIELD_LIST(DECLARE)
MW_OBSERVED_LIST(DECLARE)

#define ROW(KIND, name, SHAPE, what) [MW_OUTPUT_##KIND] = &mw_output_##name,
const mw_output_class *const mw_output_classes[] = { MW_FIELD_LIST(ROW) MW_OBSERVED_LIST(ROW) };
_Static_assert(sizeof mw_output_classes / sizeof *mw_output_classes == MW_OUTPUT_KINDS,
               "a class for each kind of output");

const char *mw_output_key(mw_output_kind kind)
{
#define KEY(KIND, name, SHAPE, what) [MW_OUTPUT_##KIND] = #name,
  static const char *const keys[] = { MW_FIELD_LIST(KEY) MW_OBSERVED_LIST(KEY) };
  _Static_assert(sizeof keys / sizeof *keys == MW_OUTPUT_KINDS, "a key for each kind of output");
  return keys[kind];
}

// ---- fields -------------------------------------------------------------------------------------

bool mw_output_is_gauge(const mw_output_in *o) { return mw_output_classes[o->kind]->gauge; }

int mw_output_width(const mw_output_in *o) { return mw_output_classes[o->kind]->width; }

int mw_output_row(const mw_model *m, int k)
{
  int row = 0;
  for (int i = 0; i < k; i++) row += mw_output_width(&m->output[i]);
  return row;
}

const char *mw_output_axis(const mw_output_in *o, int i)
{
  return mw_output_classes[o->kind]->axis[i];
}

const char *mw_output_unit(const mw_output_in *o)
{
  return mw_output_classes[o->kind]->part[0].unit;
}

void mw_mech_gauges(const mw_mech *m, int b, const double *u, double *y)
{
  const mw_body *body = &m->body[b];
  if (body->n_gauge == 0 || body->n_u == 0) return;
  for (int g = 0; g < body->n_gauge; g++) {
    double *s = y + mw_output_row(m->model, body->gauge[g].output);
    for (int i = 0; i < 6; i++) s[i] = 0.0;
  }
  for (int j = 0; j < body->n_u; j++)
    for (int p = body->S.ptr[j]; p < body->S.ptr[j + 1]; p++) {
      int g = body->S.row[p] / 6, i = body->S.row[p] % 6;
      y[mw_output_row(m->model, body->gauge[g].output) + i] += body->S.val[p] * u[j];
    }
}

double mw_output_equivalent(mw_output_kind kind, const double s[6])
{
  return mw_output_classes[kind]->equivalent(s);
}

// ---- what is observed ---------------------------------------------------------------------------

int mw_observed_width(const mw_observed_in *o) { return mw_output_classes[o->kind]->width; }

int mw_observed_row(const mw_model *m, int k)
{
  int row = 0;
  for (int i = 0; i < k; i++) row += mw_observed_width(&m->observed[i]);
  return row;
}

unsigned mw_observed_needs(const mw_model *m)
{
  unsigned needs = 0;
  for (int k = 0; k < m->n_observed; k++) needs |= mw_output_classes[m->observed[k].kind]->needs;
  return needs;
}

const char *mw_observed_unit(const mw_model *m, const mw_observed_in *o, int part)
{
  const mw_output_class *c = mw_output_classes[o->kind];
  bool drive = c->of == MW_OF_DRIVE;
  if (c->part[part].unit) return c->part[part].unit;
  int joint = drive ? m->drive[o->of].joint : o->of;
  const char *unit = joint >= 0 ? mw_joint_unit(&m->joint[joint]) : "m";
  return !drive ? unit : strcmp(unit, "rad") == 0 ? "N m" : "N";
}

double mw_observed_length(const mw_observed_in *o, int part, const double *d)
{
  const mw_output_class *c = mw_output_classes[o->kind];
  double sum = 0.0;
  if (c->length) return c->length(d);
  for (int i = 0; i < c->part[part].n; i++) sum += d[i] * d[i];
  return sqrt(sum);
}
