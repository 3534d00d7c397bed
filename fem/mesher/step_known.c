// SPDX-License-Identifier: BSD-3-Clause
// step_known.c: whether OpenCASCADE knows what a STEP file makes its solids and places of, and in
// which unit.
//
// OpenCASCADE passes over entities whose keyword it does not know, and says nothing: a
// transformation becomes the identity, a unit the millimetre, a solid with such a face vanishes.
// Files hold many others that matter to nothing here (tolerances, notes, views). Refused are
//
//   those that a shape depends on: reached by references from the entities that give products their
//   shapes and occurrences their places (is_root); products end the way (is_end);
//   those that stand in the place of such an entity: they refer to two shapes themselves.
//
// Lengths are in the unit of the context that a shape's representation refers to (ISO 10303-43; a
// global_unit_assigned_context of -41). Where that has none OpenCASCADE takes millimetres and says
// nothing: refused, too.
//
// Keywords are those of ISO 10303-41 to -44 and -514 that OpenCASCADE 7.6 reads. O(references).
#include <stdlib.h>
#include <string.h>

#include "step_priv.h"

// clang-format off
// sorted
static const char *const known[] = {
  "ADVANCED_BREP_SHAPE_REPRESENTATION", "ADVANCED_FACE", "ASSEMBLY_COMPONENT_USAGE",
  "AXIS1_PLACEMENT", "AXIS2_PLACEMENT_2D", "AXIS2_PLACEMENT_3D", "BEZIER_CURVE", "BEZIER_SURFACE",
  "BLOCK", "BOOLEAN_RESULT", "BOUNDARY_CURVE", "BOUNDED_CURVE", "BOUNDED_PCURVE",
  "BOUNDED_SURFACE", "BOUNDED_SURFACE_CURVE", "BREP_WITH_VOIDS", "B_SPLINE_CURVE",
  "B_SPLINE_CURVE_WITH_KNOTS", "B_SPLINE_SURFACE", "B_SPLINE_SURFACE_WITH_KNOTS",
  "CARTESIAN_POINT", "CARTESIAN_TRANSFORMATION_OPERATOR", "CARTESIAN_TRANSFORMATION_OPERATOR_2D",
  "CARTESIAN_TRANSFORMATION_OPERATOR_3D", "CIRCLE", "CLOSED_SHELL", "COMPOSITE_CURVE",
  "COMPOSITE_CURVE_ON_SURFACE", "COMPOSITE_CURVE_SEGMENT", "COMPOUND_REPRESENTATION_ITEM",
  "COMPOUND_SHAPE_REPRESENTATION", "CONIC", "CONICAL_SURFACE", "CONNECTED_EDGE_SET",
  "CONNECTED_FACE_SET", "CONNECTED_FACE_SUB_SET", "CONSTRUCTIVE_GEOMETRY_REPRESENTATION",
  "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION", "CONTEXT_DEPENDENT_UNIT", "CONVERSION_BASED_UNIT",
  "CSG_SHAPE_REPRESENTATION", "CSG_SOLID", "CURVE", "CURVE_BOUNDED_SURFACE", "CURVE_REPLICA",
  "CYLINDRICAL_SURFACE", "DEFINITIONAL_REPRESENTATION", "DEGENERATE_PCURVE",
  "DEGENERATE_TOROIDAL_SURFACE", "DESCRIPTIVE_REPRESENTATION_ITEM", "DIMENSIONAL_EXPONENTS",
  "DIRECTION", "EDGE", "EDGE_BASED_WIREFRAME_MODEL", "EDGE_BASED_WIREFRAME_SHAPE_REPRESENTATION",
  "EDGE_CURVE", "EDGE_LOOP", "ELEMENTARY_SURFACE", "ELLIPSE", "EVALUATED_DEGENERATE_PCURVE",
  "EXTRUDED_AREA_SOLID", "EXTRUDED_FACE_SOLID", "FACE", "FACETED_BREP",
  "FACETED_BREP_SHAPE_REPRESENTATION", "FACE_BASED_SURFACE_MODEL", "FACE_BOUND",
  "FACE_OUTER_BOUND", "FACE_SURFACE", "FOUNDED_ITEM", "FUNCTIONALLY_DEFINED_TRANSFORMATION",
  "GEOMETRICALLY_BOUNDED_SURFACE_SHAPE_REPRESENTATION",
  "GEOMETRICALLY_BOUNDED_WIREFRAME_SHAPE_REPRESENTATION", "GEOMETRIC_CURVE_SET",
  "GEOMETRIC_REPRESENTATION_CONTEXT", "GEOMETRIC_REPRESENTATION_ITEM", "GEOMETRIC_SET",
  "GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT", "GLOBAL_UNIT_ASSIGNED_CONTEXT", "HALF_SPACE_SOLID",
  "HYPERBOLA", "INTEGER_REPRESENTATION_ITEM", "INTERSECTION_CURVE", "ITEM_DEFINED_TRANSFORMATION",
  "LENGTH_MEASURE_WITH_UNIT", "LENGTH_UNIT", "LINE", "LOOP", "MANIFOLD_SOLID_BREP",
  "MANIFOLD_SURFACE_SHAPE_REPRESENTATION", "MAPPED_ITEM", "MASS_MEASURE_WITH_UNIT", "MASS_UNIT",
  "MEASURE_REPRESENTATION_ITEM", "MEASURE_WITH_UNIT", "NAMED_UNIT",
  "NEXT_ASSEMBLY_USAGE_OCCURRENCE", "NON_MANIFOLD_SURFACE_SHAPE_REPRESENTATION",
  "OFFSET_CURVE_2D", "OFFSET_CURVE_3D", "OFFSET_SURFACE", "OPEN_SHELL", "ORIENTED_CLOSED_SHELL",
  "ORIENTED_EDGE", "ORIENTED_FACE", "ORIENTED_OPEN_SHELL", "ORIENTED_PATH", "ORIENTED_SURFACE",
  "OUTER_BOUNDARY_CURVE", "PARABOLA", "PARAMETRIC_REPRESENTATION_CONTEXT", "PATH", "PCURVE",
  "PLACEMENT", "PLANAR_BOX", "PLANAR_EXTENT", "PLANE", "PLANE_ANGLE_MEASURE_WITH_UNIT",
  "PLANE_ANGLE_UNIT", "POINT", "POINT_ON_CURVE", "POINT_ON_SURFACE", "POINT_REPLICA", "POLYLINE",
  "POLY_LOOP", "PRODUCT_DEFINITION", "PRODUCT_DEFINITION_RELATIONSHIP",
  "PRODUCT_DEFINITION_SHAPE", "PRODUCT_DEFINITION_USAGE",
  "PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS", "PROMISSORY_USAGE_OCCURRENCE",
  "PROPERTY_DEFINITION", "QUALIFIED_REPRESENTATION_ITEM", "QUANTIFIED_ASSEMBLY_COMPONENT_USAGE",
  "QUASI_UNIFORM_CURVE", "QUASI_UNIFORM_SURFACE", "RATIONAL_B_SPLINE_CURVE",
  "RATIONAL_B_SPLINE_SURFACE", "RATIO_MEASURE_WITH_UNIT", "RATIO_UNIT",
  "REAL_REPRESENTATION_ITEM", "RECTANGULAR_COMPOSITE_SURFACE", "RECTANGULAR_TRIMMED_SURFACE",
  "REPARAMETRISED_COMPOSITE_CURVE_SEGMENT", "REPRESENTATION", "REPRESENTATION_CONTEXT",
  "REPRESENTATION_ITEM", "REPRESENTATION_MAP", "REPRESENTATION_RELATIONSHIP",
  "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION", "REVOLVED_AREA_SOLID", "REVOLVED_FACE_SOLID",
  "RIGHT_ANGULAR_WEDGE", "RIGHT_CIRCULAR_CONE", "RIGHT_CIRCULAR_CYLINDER", "SEAM_CURVE",
  "SHAPE_DEFINITION_REPRESENTATION", "SHAPE_REPRESENTATION", "SHAPE_REPRESENTATION_RELATIONSHIP",
  "SHAPE_REPRESENTATION_WITH_PARAMETERS", "SHELL_BASED_SURFACE_MODEL", "SI_UNIT",
  "SOLID_ANGLE_MEASURE_WITH_UNIT", "SOLID_ANGLE_UNIT", "SOLID_MODEL", "SOLID_REPLICA",
  "SPECIFIED_HIGHER_USAGE_OCCURRENCE", "SPHERE", "SPHERICAL_SURFACE", "SUBEDGE", "SUBFACE",
  "SURFACE", "SURFACE_CURVE", "SURFACE_OF_LINEAR_EXTRUSION", "SURFACE_OF_REVOLUTION",
  "SURFACE_PATCH", "SURFACE_REPLICA", "SWEPT_AREA_SOLID", "SWEPT_FACE_SOLID", "SWEPT_SURFACE",
  "TIME_UNIT", "TOPOLOGICAL_REPRESENTATION_ITEM", "TOROIDAL_SURFACE", "TORUS", "TRIMMED_CURVE",
  "UNCERTAINTY_MEASURE_WITH_UNIT", "UNIFORM_CURVE", "UNIFORM_SURFACE",
  "VALUE_REPRESENTATION_ITEM", "VECTOR", "VERTEX", "VERTEX_LOOP", "VERTEX_POINT"
};
// clang-format on

typedef struct entity {
  size_t first, n_use;        // uses of others in it
  size_t first_word, n_word;  // its keywords
  bool reached;
} entity;

typedef struct graph {
  const job *j;
  const step_text *t;
  size_t n, n_next;
  entity *entity;  // [n]
  size_t *of;      // [t->n_use] entity that a use belongs to, its definition included
  size_t *next;    // [n_next] reached, not yet looked at
} graph;

// ---- keywords ----

static bool is(const step_word *w, const char *text)
{
  return (size_t)w->n == strlen(text) && memcmp(w->text, text, (size_t)w->n) == 0;
}

static bool begins(const step_word *w, const char *text)
{
  size_t n = strlen(text);
  return (size_t)w->n >= n && memcmp(w->text, text, n) == 0;
}

static bool ends(const step_word *w, const char *text)
{
  size_t n = strlen(text);
  return (size_t)w->n >= n && memcmp(w->text + w->n - n, text, n) == 0;
}

static int by_text(const void *key, const void *item)
{
  const step_word *w = key;
  const char *text = *(const char *const *)item;
  int order = strncmp(w->text, text, (size_t)w->n);
  return order != 0 ? order : -(text[w->n] != '\0');
}

// Aspects of shapes have shapes of their own, on which nothing here depends; meshes stand beside
// exact solids.
static bool is_other(const step_word *w)
{
  static const char *const part[] = { "ASPECT", "DATUM", "FEATURE", "SYMMETRY", "TOLERANCE" };
  for (size_t k = 0; k < sizeof part / sizeof *part; k++)
    for (int i = 0; i + (int)strlen(part[k]) <= w->n; i++)
      if (memcmp(w->text + i, part[k], strlen(part[k])) == 0) return true;
  return begins(w, "TESSELLATED_");
}

static bool is_known(const step_word *w)
{
  return is_other(w) || bsearch(w, known, sizeof known / sizeof *known, sizeof *known, by_text);
}

static bool is_root(const step_word *w)
{
  return is(w, "SHAPE_DEFINITION_REPRESENTATION") || is(w, "SHAPE_REPRESENTATION_RELATIONSHIP") ||
         is(w, "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION") || ends(w, "BREP_SHAPE_REPRESENTATION");
}

// Products, and properties of anything else.
static bool is_end(const step_word *w)
{
  if (is(w, "PRODUCT_DEFINITION_SHAPE")) return false;
  return begins(w, "PRODUCT_DEFINITION") || is(w, "PROPERTY_DEFINITION") ||
         ends(w, "_OCCURRENCE") || ends(w, "_USAGE") || is_other(w);
}

static bool is_shape(const step_word *w)
{
  return is(w, "PRODUCT_DEFINITION_SHAPE") || is(w, "REPRESENTATION_RELATIONSHIP") ||
         (ends(w, "SHAPE_REPRESENTATION") && !is_other(w));
}

static bool is_representation(const step_word *w)
{
  return ends(w, "SHAPE_REPRESENTATION") && !is_other(w) &&
         !is(w, "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION");
}

static bool is_context(const step_word *w) { return is(w, "REPRESENTATION_CONTEXT"); }
static bool is_unit_context(const step_word *w) { return is(w, "GLOBAL_UNIT_ASSIGNED_CONTEXT"); }
static bool is_length(const step_word *w) { return is(w, "LENGTH_UNIT"); }

static bool any(const graph *g, const entity *e, bool (*test)(const step_word *))
{
  for (size_t k = 0; k < e->n_word; k++)
    if (test(&g->t->word[e->first_word + k])) return true;
  return false;
}

// ---- references ----

static void find_entities(graph *g)
{
  size_t w = 0;
  for (size_t k = 0; k < g->t->n_use; k++) {
    if (g->t->use[k].defined) {
      while (w < g->t->n_word && g->t->word[w].use <= k) w++;
      g->entity[g->n++] = (entity){ .first = k + 1, .first_word = w };
    }
    if (g->n == 0) continue;
    entity *e = &g->entity[g->n - 1];
    e->n_use = k + 1 - e->first;
    g->of[k] = g->n - 1;
  }
  for (size_t i = 0; i < g->n; i++) {
    entity *e = &g->entity[i];
    for (w = e->first_word; w < g->t->n_word && g->t->word[w].use <= e->first + e->n_use; w++)
      e->n_word++;
  }
}

static entity *referred(const graph *g, const entity *e, size_t k)
{
  return &g->entity[g->of[g->t->use[e->first + k].definition]];
}

static void reach(graph *g, entity *e)
{
  if (e->reached) return;
  e->reached = true;
  g->next[g->n_next++] = (size_t)(e - g->entity);
}

static mw_code refuse(const graph *g, const entity *e, mw_error *err)
{
  const step_word *w = &g->t->word[e->first_word];
  for (size_t k = 1; k < e->n_word && is_known(w); k++) w++;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%s line %d: OpenCASCADE knows no %.*s (#%lu): solids, places or units would be "
                 "lost or wrong",
                 g->j->file, w->line, w->n < 80 ? w->n : 80, w->text, g->t->use[e->first - 1].id);
}

static bool is_unknown(const graph *g, const entity *e)
{
  for (size_t k = 0; k < e->n_word; k++)
    if (!is_known(&g->t->word[e->first_word + k])) return true;
  return false;
}

static mw_code check_reached(graph *g, mw_error *err)
{
  for (size_t i = 0; i < g->n; i++)
    if (any(g, &g->entity[i], is_root)) reach(g, &g->entity[i]);
  while (g->n_next > 0) {
    const entity *e = &g->entity[g->next[--g->n_next]];
    if (is_unknown(g, e)) return refuse(g, e, err);
    for (size_t k = 0; k < e->n_use && !any(g, e, is_end); k++) reach(g, referred(g, e, k));
  }
  return MW_OK;
}

static mw_code check_others(const graph *g, mw_error *err)
{
  for (size_t i = 0; i < g->n; i++) {
    const entity *e = &g->entity[i];
    int n_shape = 0;
    if (e->reached || !is_unknown(g, e)) continue;
    for (size_t k = 0; k < e->n_use; k++) n_shape += any(g, referred(g, e, k), is_shape);
    if (n_shape > 1) return refuse(g, e, err);
  }
  return MW_OK;
}

// Whether a context assigns a unit of length.
static bool has_length(const graph *g, const entity *context)
{
  for (size_t k = 0; k < context->n_use && any(g, context, is_unit_context); k++)
    if (any(g, referred(g, context, k), is_length)) return true;
  return false;
}

static mw_code check_units(const graph *g, mw_error *err)
{
  for (size_t i = 0; i < g->n; i++) {
    const entity *e = &g->entity[i], *context = NULL;
    if (!e->reached || !any(g, e, is_representation)) continue;
    for (size_t k = 0; k < e->n_use; k++)
      if (any(g, referred(g, e, k), is_context)) context = referred(g, e, k);
    if (context && has_length(g, context)) continue;
    const step_use *u = &g->t->use[(context ? context : e)->first - 1];
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%s line %d: #%lu, %s of a shape, has no unit of length, expected a "
                   "GLOBAL_UNIT_ASSIGNED_CONTEXT with a LENGTH_UNIT",
                   g->j->file, u->line, u->id,
                   context ? "the context" : "the representation without context");
  }
  return MW_OK;
}

mw_code step_known(job *j, const step_text *t, mw_error *err)
{
  graph g = { .j = j, .t = t };
  size_t n = 0;
  for (size_t k = 0; k < t->n_use; k++) n += t->use[k].defined;
  g.entity = mw_arena_alloc(&j->mem, n, sizeof *g.entity);
  g.of = mw_arena_alloc(&j->mem, t->n_use, sizeof *g.of);
  g.next = mw_arena_alloc(&j->mem, n, sizeof *g.next);
  mw_code rc = mw_arena_check(&j->mem, err);
  if (rc != MW_OK) return rc;
  find_entities(&g);
  rc = check_reached(&g, err);
  if (rc == MW_OK) rc = check_others(&g, err);
  return rc == MW_OK ? check_units(&g, err) : rc;
}
