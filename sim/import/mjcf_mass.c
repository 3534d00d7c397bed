// SPDX-License-Identifier: BSD-3-Clause
// mjcf_mass.c: masses of MJCF: what <inertial> says, else what solid geoms
// weigh. About their centres, along their axes, with half lengths a, b, c,
// radius r and half length h along z:
//
//   box        m (b² + c²)/3, ...                   ellipsoid  m (b² + c²)/5,
//   ... cylinder   m (3 r² + 4 h²)/12 twice, m r²/2      sphere     2 m r²/5
//   capsule    a cylinder m_c and a sphere m_s cut in halves:
//              m_c (3 r² + 4 h²)/12 + m_s (2 r²/5 + h² + 3 h r/4) twice, m_c
//              r²/2 + 2 m_s r²/5
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "mjcf_priv.h"

mw_code mjcf_inertial(const mjcf *w, const xml_node *e, import_mass *out)
{
  import_mass p = { 0 };
  import_place at;
  bool full = xml_find(e, "fullinertia") != NULL, unphysical = false;
  const char *mass = NULL;
  mw_code rc = xml_need(e, "mass", &mass, w->err);
  if (rc == MW_OK) rc = xml_vec(e, "mass", 1, &p.m, w->err);
  if (rc == MW_OK) rc = mjcf_place(w, e, NULL, &at);
  if (rc == MW_OK && !full) rc = xml_vec(e, "diaginertia", 3, p.inertia, w->err);
  if (rc == MW_OK && full) rc = xml_vec(e, "fullinertia", 6, p.inertia, w->err);
  if (rc == MW_OK && p.m > 0.0 && !full && !xml_find(e, "diaginertia"))
    rc = mw_fail(w->err, MW_ERR_INPUT, e->at,
                 "inertial: found no inertia, expected diaginertia or fullinertia");
  if (rc == MW_OK) rc = import_mass_check(&p, "inertial", e->at, &unphysical, w->err);
  if (rc != MW_OK) return rc;
  if (unphysical)
    import_note(w->m, e->at,
                "inertial: a principal moment exceeds the sum of the two "
                "others, taken as it is");
  *out = import_moved(&p, &at);
  return MW_OK;
}

// Volume and inertia for a mass of one of a shape; false: none of its own.
static bool solid(const char *type, const double s[3], double *volume, double I[3])
{
  double a = s[0], b = s[1], c = s[2], r = s[0], h = s[1];
  if (strcmp(type, "box") == 0 || strcmp(type, "ellipsoid") == 0) {
    bool box = strcmp(type, "box") == 0;
    double k = box ? 3.0 : 5.0;
    *volume = (box ? 8.0 : 4.0 * PI / 3.0) * a * b * c;
    I[0] = (b * b + c * c) / k;
    I[1] = (a * a + c * c) / k;
    I[2] = (a * a + b * b) / k;
  } else if (strcmp(type, "sphere") == 0) {
    *volume = 4.0 * PI / 3.0 * r * r * r;
    I[0] = I[1] = I[2] = 0.4 * r * r;
  } else if (strcmp(type, "cylinder") == 0) {
    *volume = 2.0 * PI * r * r * h;
    I[0] = I[1] = (3.0 * r * r + 4.0 * h * h) / 12.0;
    I[2] = 0.5 * r * r;
  } else if (strcmp(type, "capsule") == 0) {
    double tube = 2.0 * PI * r * r * h, ball = 4.0 * PI / 3.0 * r * r * r;
    *volume = tube + ball;
    I[0] = I[1] =
        (tube * (3.0 * r * r + 4.0 * h * h) / 12.0 + ball * (0.4 * r * r + h * h + 0.75 * h * r)) /
        *volume;
    I[2] = (0.5 * tube + 0.4 * ball) * r * r / *volume;
  } else {
    return false;
  }
  return *volume > 0.0;
}

// Place and half length of a geom between two points, its z from the first to
// the second.
static mw_code from_to(const mjcf *w, const xml_attr *a, import_place *at, double *half)
{
  double v[6], d[3], x[3], y[3];
  int got = 0;
  mw_code rc = xml_list(a, 6, 6, v, &got, w->err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < 3; i++) {
    d[i] = v[3 + i] - v[i];
    at->x[i] = 0.5 * (v[3 + i] + v[i]);
  }
  double n = mw_norm3(d);
  if (!(n > 0.0))
    return mw_fail(w->err, MW_ERR_INPUT, a->at, "fromto: found one point twice, expected two");
  *half = 0.5 * n;
  mw_normals3(d, x, y);
  for (int i = 0; i < 3; i++)
    at->R[3 * i] = x[i], at->R[3 * i + 1] = y[i], at->R[3 * i + 2] = d[i] / n;
  return MW_OK;
}

mw_code mjcf_geom(const mjcf *w, const xml_node *e, const char *cls, import_mass *out)
{
  const char *type = mjcf_text(w, e, cls, "type"), *shell = mjcf_text(w, e, cls, "shellinertia");
  const xml_attr *size = mjcf_attr(w, e, cls, "size"), *ends = mjcf_attr(w, e, cls, "fromto"),
                 *mass = mjcf_attr(w, e, cls, "mass");
  double s[3] = { 0 }, density = 1000.0, volume = 0.0, I[3] = { 0 }, half = 0.0;
  int got = 0;
  import_place at;
  import_mass p = { 0 };
  *out = p;
  if (!type) type = mjcf_text(w, e, cls, "mesh") ? "mesh" : "sphere";
  if (strcmp(type, "plane") == 0 || strcmp(type, "hfield") == 0) return MW_OK;
  mw_code rc = mjcf_place(w, e, cls, &at);
  if (rc == MW_OK && size) rc = xml_list(size, 1, 3, s, &got, w->err);
  if (rc == MW_OK && ends) rc = from_to(w, ends, &at, &half);
  if (rc == MW_OK) rc = mjcf_vec(w, e, cls, "density", 1, &density);
  if (rc == MW_OK && mass) rc = xml_list(mass, 1, 1, &p.m, &got, w->err);
  if (rc != MW_OK) return rc;
  if (mass ? p.m == 0.0 : density == 0.0) return MW_OK;
  if (ends) {
    bool round = strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0;
    s[1] = round ? half : s[0];
    s[2] = half;
  }
  if ((shell && strcmp(shell, "true") == 0) || !solid(type, s, &volume, I))
    return mw_fail(w->err, MW_ERR_INPUT, e->at,
                   "geom: the mass of type %.32s%s is not known here, expected "
                   "<inertial> in its "
                   "body, or a solid box, sphere, ellipsoid, cylinder or "
                   "capsule with its size",
                   type, shell ? " as a shell" : "");
  if (!mass) p.m = density * volume;
  if (!(p.m > 0.0))
    return mw_fail(w->err, MW_ERR_INPUT, (mass ? mass->at : e->at),
                   "geom: mass is %g kg, expected none below 0", p.m);
  for (int i = 0; i < 3; i++) p.inertia[i] = p.m * I[i];
  *out = import_moved(&p, &at);
  return MW_OK;
}
