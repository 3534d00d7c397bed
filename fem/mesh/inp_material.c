// SPDX-License-Identifier: BSD-3-Clause
// inp_material.c: materials, sections and point masses of .inp files, from the units of the file to
// SI.
//
// With L metres a unit of length, newton and second (mm: MPa and tonne),
//   E [Pa] = E_file / L² ,  m [kg] = m_file / L  (N s²/L) ,  ρ [kg/m³] = ρ_file / L⁴            (1)
#include <string.h>

#include "fem/material.h"
#include "inp_priv.h"

// What parts of machines are mostly made of, to guess the unit that was meant.
static const double RHO_USUAL[2] = { 500.0, 23000.0 }, E_USUAL[2] = { 1e8, 1.3e12 };

mw_code mw_inp_read_material(inp_reader *r, mw_error *err)
{
  const char *name;
  mw_code rc = mw_inp_want(r, "NAME", &name, err);
  for (int k = 0; k < r->n_material && rc == MW_OK; k++)
    if (mw_inp_same(r->material[k].name, name))
      rc = mw_fail(err, MW_ERR_INPUT, r->at, "material '%.64s' is defined twice", name);
  void *v = r->material;
  if (rc == MW_OK)
    rc = mw_inp_grow(r, &v, r->n_material, &r->cap_material, sizeof *r->material, err);
  r->material = v;
  if (rc != MW_OK) return rc;
  r->material[r->n_material++] = (inp_material){ .name = mw_arena_str(&r->tmp, name), .at = r->at };
  return mw_arena_check(&r->tmp, err);
}

// n numbers of the one data line of a property
static mw_code read_values(inp_reader *r, int n, double *x, const char *what, mw_error *err)
{
  char word[INP_WORD];
  bool more;
  mw_at at = r->at;
  mw_code rc = mw_inp_data(r, &more, err);
  if (rc == MW_OK && !more)
    return mw_fail(err, MW_ERR_INPUT, at, "no data line, expected %s", what);
  for (int k = 0; k < n && rc == MW_OK; k++)
    rc = mw_inp_field(r, word) ? mw_inp_f64(r, word, what, &x[k], err)
                               : mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "expected %s", what);
  return rc;
}

static mw_code only_line(inp_reader *r, const char *what, mw_error *err)
{
  bool more;
  mw_code rc = mw_inp_data(r, &more, err);
  if (rc == MW_OK && more)
    return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r),
                   "%s that depends on temperature is not read, give one line", what);
  return rc;
}

static mw_code current(const inp_reader *r, mw_error *err)
{
  if (r->n_material > 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, r->at, "*%s before any *MATERIAL", r->keyword);
}

mw_code mw_inp_read_elastic(inp_reader *r, mw_error *err)
{
  const char *type = mw_inp_param(r, "TYPE");
  mw_at at = r->at;
  double x[2];
  mw_code rc = current(r, err);
  if (rc == MW_OK && type != NULL && !mw_inp_same(type, "ISO") && !mw_inp_same(type, "ISOTROPIC"))
    rc = mw_fail(err, MW_ERR_INPUT, at, "*ELASTIC of type %.32s, expected ISO", type);
  if (rc == MW_OK) rc = read_values(r, 2, x, "Young's modulus and Poisson's ratio", err);
  if (rc == MW_OK && !(x[0] > 0.0))
    rc = mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "Young's modulus %g, must be positive", x[0]);
  if (rc == MW_OK && !(x[1] > -1.0 && x[1] < 0.5))
    rc = mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "Poisson's ratio %g, must be in (-1, 0.5)", x[1]);
  if (rc != MW_OK) return rc;
  inp_material *m = &r->material[r->n_material - 1];
  m->elastic_at = mw_inp_at(r);
  m->E = x[0];
  m->nu = x[1];
  return only_line(r, "elasticity", err);
}

mw_code mw_inp_read_density(inp_reader *r, mw_error *err)
{
  double x;
  mw_code rc = current(r, err);
  if (rc == MW_OK) rc = read_values(r, 1, &x, "a density", err);
  if (rc == MW_OK && !(x > 0.0))
    rc = mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "density %g, must be positive", x);
  if (rc != MW_OK) return rc;
  inp_material *m = &r->material[r->n_material - 1];
  m->density_at = mw_inp_at(r);
  m->rho = x;
  return only_line(r, "density", err);
}

static mw_code refuse_param(const inp_reader *r, const char *name, mw_error *err)
{
  const char *v = mw_inp_param(r, name);
  if (v == NULL) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, r->at, "*%s with %s is not read", r->keyword, name);
}

mw_code mw_inp_read_section(inp_reader *r, mw_error *err)
{
  const char *elset, *material;
  inp_section s = { .at = r->at, .shell = strcmp(r->keyword, "SHELLSECTION") == 0 };
  mw_code rc = mw_inp_want(r, "ELSET", &elset, err);
  if (rc == MW_OK) rc = refuse_param(r, "COMPOSITE", err);
  if (rc == MW_OK) rc = refuse_param(r, "OFFSET", err);
  if (rc == MW_OK) rc = refuse_param(r, "NODALTHICKNESS", err);
  if (rc == MW_OK) rc = mw_inp_want(r, "MATERIAL", &material, err);
  if (rc != MW_OK) return rc;
  s.elset = mw_arena_str(r->mem, elset);
  s.material = mw_arena_str(&r->tmp, material);
  rc = mw_arena_check(r->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&r->tmp, err);
  if (rc == MW_OK && s.shell) rc = read_values(r, 1, &s.thickness, "the thickness of a shell", err);
  if (rc == MW_OK && s.shell && !(s.thickness > 0.0))
    rc = mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "shell thickness %g, must be positive",
                 s.thickness);
  void *v = r->section;
  if (rc == MW_OK) rc = mw_inp_grow(r, &v, r->n_section, &r->cap_section, sizeof *r->section, err);
  r->section = v;
  if (rc == MW_OK) r->section[r->n_section++] = s;
  return rc;
}

mw_code mw_inp_read_mass(inp_reader *r, mw_error *err)
{
  const char *elset;
  inp_mass m = { .at = r->at };
  mw_code rc = mw_inp_want(r, "ELSET", &elset, err);
  if (rc != MW_OK) return rc;
  m.elset = mw_arena_str(&r->tmp, elset);
  rc = mw_arena_check(&r->tmp, err);
  if (rc == MW_OK) rc = read_values(r, 1, &m.mass, "a mass", err);
  if (rc == MW_OK && m.mass < 0.0)
    rc = mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "mass %g, must not be negative", m.mass);
  void *v = r->mass;
  if (rc == MW_OK) rc = mw_inp_grow(r, &v, r->n_mass, &r->cap_mass, sizeof *r->mass, err);
  r->mass = v;
  if (rc == MW_OK) r->mass[r->n_mass++] = m;
  return rc;
}

// ---- to SI ----

static bool usual(const double range[2], double x) { return x >= range[0] && x <= range[1]; }

// What was meant, if a unit explains it: "" if none does.
static const char *hint(const inp_material *m, double scale)
{
  static const struct {
    double unit;
    const char *text;
  } UNIT[] = { { 1.0, "; in metres it would be usual: is the declared unit wrong?" },
               { 0.001, "; in mm it would be usual: is the declared unit wrong?" },
               { 0.01, "; in cm it would be usual: is the declared unit wrong?" } };
  double L = scale, rho = m->rho / (L * L * L * L), E = m->E / (L * L);
  if (usual(RHO_USUAL, rho / 1000.0) && usual(E_USUAL, E))
    return ", a thousand times too heavy: with newton and mm, masses are in tonnes";
  if (usual(RHO_USUAL, rho * 1000.0) && usual(E_USUAL, E))
    return ", a thousand times too light: the unit of mass follows from newton, length and second";
  for (size_t k = 0; k < sizeof UNIT / sizeof *UNIT; k++) {
    double u = UNIT[k].unit;
    if (usual(RHO_USUAL, m->rho / (u * u * u * u)) && usual(E_USUAL, m->E / (u * u)))
      return UNIT[k].text;
  }
  return "";
}

mw_code mw_inp_part(const inp_reader *r, const inp_section *s, mw_mesh_part *out, mw_error *err)
{
  const inp_material *m = NULL;
  double L = r->scale;
  for (int k = 0; k < r->n_material && m == NULL; k++)
    if (mw_inp_same(r->material[k].name, s->material)) m = &r->material[k];
  if (m == NULL)
    return mw_fail(err, MW_ERR_INPUT, s->at, "material '%.64s' of the section is not in the file",
                   s->material);
  if (m->elastic_at.file == NULL || m->density_at.file == NULL)
    return mw_fail(err, MW_ERR_INPUT, m->at, "material '%.64s' has no *%s", m->name,
                   m->elastic_at.file == NULL ? "ELASTIC" : "DENSITY");
  // units of the file to SI, equation (1)
  double E = m->E / (L * L), rho = m->rho / (L * L * L * L);
  char text[MW_MATERIAL_TEXT];
  mw_material_doubt doubt = mw_material_check(E, rho, text);
  if (doubt == MW_MATERIAL_DENSITY)
    return mw_fail(err, MW_ERR_INPUT, m->density_at,
                   "density %g is %g kg/m³ with a unit of length of %g m, %s%s", m->rho, rho, L,
                   text, hint(m, L));
  if (doubt != MW_MATERIAL_USUAL)
    return mw_fail(err, MW_ERR_INPUT, m->elastic_at,
                   "Young's modulus %g is %g Pa with a unit of length of %g m, %s%s", m->E, E, L,
                   text, hint(m, L));
  *out = (mw_mesh_part){ .name = s->elset,
                         .dim = s->shell ? 2 : 3,
                         .has_material = true,
                         .E = E,
                         .nu = m->nu,
                         .rho = rho,
                         .thickness = s->thickness * L };
  return MW_OK;
}
