// SPDX-License-Identifier: BSD-3-Clause
// model_section.c: materials and beam sections.
//
//   rectangle w × h   A = w h ,  Iy = w h³/12 ,  Iz = h w³/12 ,  ky = kz = 5/6    (1)
//     It = a b³ [ 1/3 − (64/π⁵)(b/a) Σ_{n odd} tanh(nπa/(2b))/n⁵ ] ,  a >= b the sides    (2)
//   tube D, d = D − 2 wall   A = π(D² − d²)/4 ,  Iy = Iz = π(D⁴ − d⁴)/64 ,  It = 2 Iy    (3)
//     k = 6(1+ν)(1+m²)² / [ (7+6ν)(1+m²)² + (20+12ν) m² ] ,  m = d/D ,  ν = 0.3    (4)
//   circle: the tube with m = 0
//
// (2) is Saint-Venant's series. With Σ_{n odd} n⁻⁵ = (31/32) ζ(5) only 1 − tanh is summed, whose
// terms fall like exp(−nπ)/n⁵: five terms leave less than 1e-18. (4) is Cowper's factor for a
// hollow circle; between ν = 0 and ν = 0.5 it lies within 3.5 % of its value at 0.3 for the full
// circle and 6 % for a thin tube. 5/6 is Cowper's factor of the rectangle at ν = 0 (0.850 at 0.3).
// A `general` section takes any other.
// [Cowper1966] Cowper, The shear coefficient in Timoshenko's beam theory, J. Applied Mechanics 33.
#include <math.h>

#include "fem/material.h"
#include "model_layer.h"

static const double PI = 3.14159265358979323846;
static const double ZETA5 = 1.0369277551433699263;  // Σ n⁻⁵
static const double NU = 0.3;                       // Poisson's ratio in (4)

static void rectangle(mw_section *s, double w, double h)
{
  double a = fmax(w, h), b = fmin(w, h), sum = 31.0 / 32.0 * ZETA5;
  for (int n = 9; n >= 1; n -= 2) sum -= 2.0 / (exp(n * PI * a / b) + 1.0) / pow(n, 5);
  s->A = w * h;
  s->Iy = w * h * h * h / 12.0;
  s->Iz = h * w * w * w / 12.0;
  s->It = a * b * b * b * (1.0 / 3.0 - 64.0 / pow(PI, 5) * b / a * sum);
  s->ky = s->kz = 5.0 / 6.0;
}

static void tube(mw_section *s, double D, double d)
{
  double m2 = d / D * (d / D), p = (1.0 + m2) * (1.0 + m2);
  s->A = PI / 4.0 * (D - d) * (D + d);
  s->Iy = s->Iz = PI / 64.0 * (D - d) * (D + d) * (D * D + d * d);
  s->It = 2.0 * s->Iy;
  s->ky = s->kz = 6.0 * (1.0 + NU) * p / ((7.0 + 6.0 * NU) * p + (20.0 + 12.0 * NU) * m2);
}

static mw_code read_section(mw_reader *rd, const mw_ynode *e, mw_section *s)
{
  static const char *const kinds[] = { "rectangle", "circle", "tube", "general", NULL };
  int kind;
  const mw_ynode *v = mw_y_one(e, kinds, &kind);
  double d = mw_y_num(v, "diameter"), wall = mw_y_num(v, "wall");
  s->rotary = mw_y_num(e, "rotary") > 0.0;
  if (kind == 0) rectangle(s, mw_y_num(v, "width"), mw_y_num(v, "height"));
  if (kind == 1) tube(s, d, 0.0);
  if (kind == 2 && 2.0 * wall > d)
    return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(v, "wall")->at,
                   "wall is %g m, expected at most half the diameter, %g m", wall, 0.5 * d);
  if (kind == 2) tube(s, d, d - 2.0 * wall);
  if (kind == 3) {
    s->A = mw_y_num(v, "A");
    s->Iy = mw_y_num(v, "Iy");
    s->Iz = mw_y_num(v, "Iz");
    s->It = mw_y_num(v, "It");
    s->ky = mw_y_num(v, "ky");
    s->kz = mw_y_num(v, "kz");
    s->rotary = s->rotary && mw_y_num(v, "rotary") > 0.0;
  }
  if (mw_y_num(e, "shear") <= 0.0) s->ky = s->kz = 0.0;
  return MW_OK;
}

// A unit that is wrong by powers of ten, in beams and meshes alike.
static mw_code check_material(mw_reader *rd, const mw_ynode *e, const mw_material *m)
{
  static const struct {
    double E, rho;
    const char *text;
  } MEANT[] = { { 1e3, 1.0, "; in kPa it would be usual, expected Pa" },
                { 1e6, 1.0, "; in MPa it would be usual, expected Pa" },
                { 1e9, 1.0, "; in GPa it would be usual, expected Pa" },
                { 1.0, 1e3, "; in g/cm3 the density would be usual, expected kg/m3" },
                { 1e6, 1e12, "; in MPa and t/mm3 they would be usual, expected Pa and kg/m3" } };
  static const double HARD = 300.0 * 300.0;  // m²/s²: E/ρ of what machines are made of is above
  char text[MW_MATERIAL_TEXT], other[MW_MATERIAL_TEXT];
  mw_material_doubt doubt = mw_material_check(m->E, m->rho, text);
  if (doubt == MW_MATERIAL_USUAL || mw_y_num(e, "unusual") > 0.0) return MW_OK;
  const char *meant = "";
  for (size_t k = 0; k < sizeof MEANT / sizeof *MEANT && !*meant; k++)
    if (mw_material_check(m->E * MEANT[k].E, m->rho * MEANT[k].rho, other) == MW_MATERIAL_USUAL &&
        m->E * MEANT[k].E > HARD * m->rho * MEANT[k].rho)
      meant = MEANT[k].text;
  bool rho = doubt == MW_MATERIAL_DENSITY;
  return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, rho ? "rho" : "E")->at,
                 "material %.64s: %s is %g %s, %s%s (unusual: true if this is meant)", m->name,
                 rho ? "density" : "Young's modulus", rho ? m->rho : m->E, rho ? "kg/m³" : "Pa",
                 text, meant);
}

mw_code mw_read_sections(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *materials = mw_y_find(root, "materials"), *sections = mw_y_find(root, "sections");
  mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, m->material, materials->n);
  if (rc == MW_OK) rc = MW_NEW(rd, m->section, sections->n);
  for (const mw_ynode *e = rc == MW_OK ? materials->first : NULL; e && rc == MW_OK; e = e->next) {
    mw_material *x = &m->material[m->n_material++];
    *x = (mw_material){ .name = mw_read_str(rd, e->key->text),
                        .at = e->key->at,
                        .E = mw_y_num(e, "E"),
                        .nu = mw_y_num(e, "nu"),
                        .rho = mw_y_num(e, "rho") };
    rc = mw_arena_check(rd->mem, rd->err);
    if (rc == MW_OK) rc = check_material(rd, e, x);
  }
  for (const mw_ynode *e = rc == MW_OK ? sections->first : NULL; e && rc == MW_OK; e = e->next) {
    mw_section *s = &m->section[m->n_section++];
    *s = (mw_section){ .name = mw_read_str(rd, e->key->text), .at = e->key->at };
    rc = read_section(rd, e, s);
  }
  return rc == MW_OK ? mw_arena_check(rd->mem, rd->err) : rc;
}
