// SPDX-License-Identifier: BSD-3-Clause
// model_keys.c: the one table of what a model file may say.
//
// A model file is one YAML document of plain mappings, lists and scalars, in SI units. Numbers are
// written as in C (1e3 is a number; nan and inf are refused), truth values are `true` and `false`
// and nothing else. No anchors, aliases, tags or tabs; no duplicate keys. Names are
// [A-Za-z_][A-Za-z0-9_-]*.
//
// Frames of a body are referred to as body.frame, guides as body.guide; a bare body name is the
// body's own frame, which only rigid bodies and ground have. The body `ground` is always there.
// Positions in a body are in its own frame: `at` is its origin in ground axes, `axes` its directions.
// Every joint is closed in the reference configuration the `at` of the bodies describes, unless the model says `assemble`.
//
// mw_model_print_keys prints this table, mw_model_print_schema turns it into a JSON Schema.
#include <math.h>

#include "model_priv.h"

#define REQUIRED MW_KEY_REQUIRED
#define ONE      MW_KEY_ONE
#define AT_MOST  MW_KEY_AT_MOST

#define SHAPE(...)        (&(const mw_shape){ __VA_ARGS__ })
#define NUMBER(u)         SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo = -INFINITY, .hi = INFINITY)
#define ABOVE0(u)         SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo_open = true, .hi = INFINITY)
#define FROM0(u)          SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo = 0, .hi = INFINITY)
#define INTEGER(a, b)     SHAPE(.scalar = MW_S_INTEGER, .unit = "", .lo = a, .hi = b)
#define BOOLEAN           SHAPE(.scalar = MW_S_BOOLEAN)
#define TEXT              SHAPE(.scalar = MW_S_TEXT)
#define NAME              SHAPE(.scalar = MW_S_NAME)
#define REF               SHAPE(.scalar = MW_S_REF)
#define WORDS(w)          SHAPE(.scalar = MW_S_WORD, .words = w)
#define LIST(a, b, shape) SHAPE(.item = shape, .n_min = a, .n_max = b)
#define VECTOR(u)         LIST(3, 3, NUMBER(u))
#define MAPPING(k)        SHAPE(.keys = k)
#define NAMED(shape)      SHAPE(.named = shape)

static const mw_key rayleigh_keys[] = {
  { "alpha", 0, FROM0("1/s"), "0", "mass-proportional part of C = alpha M + beta K" },
  { "beta", 0, FROM0("s"), "0", "stiffness-proportional part" },
  { .name = NULL },
};

static const mw_key damping_keys[] = {
  { "alpha", 0, FROM0("1/s"), "0", "mass-proportional part of C = alpha M + beta K" },
  { "beta", 0, FROM0("s"), "0", "stiffness-proportional part" },
  { "modal", 0, SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 0, .hi = 1, .hi_open = true), "0",
    "damping ratio of every mode, in place of alpha and beta" },
  { .name = NULL },
};

static const mw_key material_keys[] = {
  { "E", REQUIRED, ABOVE0("Pa"), NULL, "Young's modulus" },
  { "nu", REQUIRED,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = -1, .lo_open = true, .hi = 0.5, .hi_open = true),
    NULL, "Poisson's ratio" },
  { "rho", REQUIRED, ABOVE0("kg/m3"), NULL, "density" },
  { .name = NULL },
};

// ---- sections -----------------------------------------------------------------------------------

static const mw_key rectangle_keys[] = {
  { "width", REQUIRED, ABOVE0("m"), NULL, "along the local y axis" },
  { "height", REQUIRED, ABOVE0("m"), NULL, "along the local z axis (up)" },
  { .name = NULL },
};
static const mw_key circle_keys[] = {
  { "diameter", REQUIRED, ABOVE0("m"), NULL, "outer diameter" },
  { .name = NULL },
};
static const mw_key tube_keys[] = {
  { "diameter", REQUIRED, ABOVE0("m"), NULL, "outer diameter" },
  { "wall", REQUIRED, ABOVE0("m"), NULL, "wall thickness, at most half the diameter" },
  { .name = NULL },
};
static const mw_key general_keys[] = {
  { "A", REQUIRED, ABOVE0("m2"), NULL, "area" },
  { "Iy", REQUIRED, ABOVE0("m4"), NULL, "integral of z2 dA: bending in the local x-z plane" },
  { "Iz", REQUIRED, ABOVE0("m4"), NULL, "integral of y2 dA: bending in the local x-y plane" },
  { "It", REQUIRED, ABOVE0("m4"), NULL, "torsion constant" },
  { "ky", 0, FROM0(""), "0",
    "shear correction factor along y; 0: no shear flexibility (Euler-Bernoulli)" },
  { "kz", 0, FROM0(""), "0", "shear correction factor along z; 0: no shear flexibility" },
  { "rotary", 0, BOOLEAN, "true", "rotary inertia; false here or in the section leaves it out" },
  { .name = NULL },
};
static const mw_key section_keys[] = {
  { "rectangle", ONE, MAPPING(rectangle_keys), NULL, "solid rectangle, shear factors 5/6" },
  { "circle", ONE, MAPPING(circle_keys), NULL,
    "solid circle, shear factors after Cowper at nu = 0.3" },
  { "tube", ONE, MAPPING(tube_keys), NULL, "round tube, shear factors after Cowper at nu = 0.3" },
  { "general", ONE, MAPPING(general_keys), NULL, "any section by its constants, axes principal" },
  { "shear", 0, BOOLEAN, "true", "false: no shear flexibility, ky = kz = 0" },
  { "rotary", 0, BOOLEAN, "true", "rotary inertia of the section counts" },
  { .name = NULL },
};

// ---- bodies -------------------------------------------------------------------------------------

static const mw_key axes_keys[] = {
  { "x", REQUIRED, VECTOR(""), NULL, "direction of the body's x axis in ground axes" },
  { "y", REQUIRED, VECTOR(""), NULL, "of its y axis, orthogonal to x to 1e-3; z follows" },
  { .name = NULL },
};
static const mw_key rigid_keys[] = {
  { "mass", REQUIRED, FROM0("kg"), NULL, "above 0 unless the body is ground" },
  { "com", 0, VECTOR("m"), "[0, 0, 0]", "centre of mass" },
  { "inertia", 0, LIST(6, 6, NUMBER("kg m2")), NULL,
    "tensor about the centre of mass: Ixx Iyy Izz Ixy Ixz Iyz (off-diagonals are minus the products of inertia); "
    "required unless the body is ground" },
  { .name = NULL },
};
static const mw_key member_keys[] = {
  { "from", REQUIRED, NAME, NULL, "point where it begins" },
  { "to", REQUIRED, NAME, NULL, "point where it ends" },
  { "section", REQUIRED, NAME, NULL, "a section" },
  { "material", REQUIRED, NAME, NULL, "a material" },
  { "elements", 0, INTEGER(1, 100000), "1", "equal beam elements" },
  { "up", 0, VECTOR(""), "[0, 0, 1]", "about the section's local z axis; made normal to the beam" },
  { .name = NULL },
};
static const mw_key beams_keys[] = {
  { "points", REQUIRED, NAMED(VECTOR("m")), NULL, "named nodes" },
  { "members", REQUIRED, LIST(1, 0, MAPPING(member_keys)), NULL, "straight beams between points" },
  { .name = NULL },
};
static const mw_key support_keys[] = {
  { "nodes", REQUIRED, TEXT, NULL, "beam point, or physical group of the mesh" },
  { "dofs", 0,
    SHAPE(.scalar = MW_S_WORD, .words = "all", .item = WORDS("x y z rx ry rz"), .n_min = 1,
          .n_max = 6),
    "all", "directions that are fixed, body axes; a mesh has x y z only" },
  { .name = NULL },
};
static const mw_key pad_keys[] = {
  { "length", REQUIRED, ABOVE0("m"), NULL, "along the guide" },
  { "width", REQUIRED, ABOVE0("m"), NULL, "across it" },
  { .name = NULL },
};
static const mw_key guide_keys[] = {
  { "nodes", ONE, TEXT, NULL, "mesh: node set of the line (physical group, NSET, CAD edge, sets)" },
  { "from", ONE, NAME, NULL, "beams: point where the guide begins (s = 0)" },
  { "to", 0, NAME, NULL, "beams: point where it ends" },
  { "points", ONE, LIST(2, 2, VECTOR("m")), NULL,
    "its two ends: of a rigid body, or on a face of a solid, with pad" },
  { "pad", 0, MAPPING(pad_keys), NULL,
    "solids: contact area of a runner on the face; without it runners act on the line of nodes" },
  { "normal", 0, VECTOR(""), "[0, 0, 1]",
    "about the first normal n1; made normal to the guide. n2 = t x n1" },
  { "start", 0, VECTOR("m"), NULL,
    "s = 0 is the end nearest to this point; default: the first node" },
  { .name = NULL },
};
static const mw_key frame_keys[] = {
  { "node", AT_MOST, NAME, NULL, "beams: a named point" },
  { "rigid", AT_MOST, TEXT, NULL, "mesh: physical group that moves rigidly with the frame (RBE2)" },
  { "average", AT_MOST, TEXT, NULL, "mesh: physical group the frame follows in the mean (RBE3)" },
  { "point", 0, VECTOR("m"), NULL,
    "origin; alone: a point of a rigid body, or the nearest node of an elastic one. Default: centre of the group" },
  { "mass", 0, FROM0("kg"), "0", "point mass carried there (elastic bodies)" },
  { "inertia", 0, LIST(6, 6, NUMBER("kg m2")), "[0, 0, 0, 0, 0, 0]",
    "its inertia: Ixx Iyy Izz Ixy Ixz Iyz" },
  { .name = NULL },
};
// clang-format off
#define WITHIN { "within", 0, ABOVE0("m"), NULL, "tolerance; default 1e-6 of the body's size" }
// clang-format on
static const mw_key pick_plane_keys[] = {
  { "point", REQUIRED, VECTOR("m"), NULL, "on the plane" },
  { "normal", REQUIRED, VECTOR(""), NULL, "of the plane" },
  WITHIN,
  { .name = NULL },
};
static const mw_key pick_box_keys[] = {
  { "from", REQUIRED, VECTOR("m"), NULL, "one corner" },
  { "to", REQUIRED, VECTOR("m"), NULL, "the opposite corner" },
  WITHIN,
  { .name = NULL },
};
static const mw_key pick_line_keys[] = {
  { "from", REQUIRED, VECTOR("m"), NULL, "one end" },
  { "to", REQUIRED, VECTOR("m"), NULL, "the other end" },
  WITHIN,
  { .name = NULL },
};
static const mw_key pick_cylinder_keys[] = {
  { "from", REQUIRED, VECTOR("m"), NULL, "one end of the axis" },
  { "to", REQUIRED, VECTOR("m"), NULL, "the other end" },
  { "radius", REQUIRED, ABOVE0("m"), NULL, "of the surface the nodes lie on" },
  WITHIN,
  { .name = NULL },
};
static const mw_key node_set_keys[] = {
  { "box", ONE, MAPPING(pick_box_keys), NULL, "nodes in a box" },
  { "plane", ONE, MAPPING(pick_plane_keys), NULL, "nodes on a plane" },
  { "line", ONE, MAPPING(pick_line_keys), NULL, "nodes on a straight line" },
  { "cylinder", ONE, MAPPING(pick_cylinder_keys), NULL, "nodes on the mantle of a cylinder" },
  { "nearest", ONE, VECTOR("m"), NULL, "the node nearest to this point" },
  { "numbers", ONE, LIST(1, 0, INTEGER(1, 2147483647)), NULL, "nodes by their number in the file" },
  { .name = NULL },
};
static const mw_key part_keys[] = {
  { "material", 0, NAME, NULL, "a material; default: the body's, or that of the mesh file" },
  { "thickness", 0, ABOVE0("m"), NULL, "of the sheet: makes a group of surfaces shells" },
  { .name = NULL },
};
static const mw_key tie_keys[] = {
  { "slave", REQUIRED, TEXT, NULL, "node set that follows" },
  { "master", REQUIRED, TEXT, NULL, "node set of the faces it follows" },
  { "distance", 0, ABOVE0("m"), NULL,
    "largest distance from the master's faces; default 1e-3 of the body's size" },
  { .name = NULL },
};
static const mw_key bushing_keys[] = {
  { "a", REQUIRED, NAME, NULL, "a frame of the body" },
  { "b", REQUIRED, NAME, NULL, "another one" },
  { "stiffness", REQUIRED, LIST(6, 6, FROM0("N/m, N m/rad")), NULL, "x y z rx ry rz, body axes" },
  { .name = NULL },
};
static const mw_key cad_group_keys[] = {
  { "face", ONE, VECTOR("m"), NULL, "the face nearest to this point" },
  { "edge", ONE, VECTOR("m"), NULL, "the edge nearest to this point" },
  { .name = NULL },
};
static const mw_key cad_refine_keys[] = {
  { "at", ONE, VECTOR("m"), NULL, "near a point" },
  { "group", ONE, NAME, NULL, "near a face or edge of groups" },
  { "size", REQUIRED, ABOVE0("m"), NULL, "of the elements there" },
  { "distance", REQUIRED, ABOVE0("m"), NULL,
    "up to where; the general size holds from twice of it on" },
  { .name = NULL },
};
static const mw_key cad_keys[] = {
  { "file", REQUIRED, TEXT, NULL,
    "STEP, BREP, IGES, or gmsh script (.geo), path from the model's folder" },
  { "size", REQUIRED, ABOVE0("m"), NULL, "of the elements" },
  { "order", 0, INTEGER(1, 2), "2", "2: 10-node tetrahedra, 1: 4-node ones (far too stiff)" },
  { "groups", 0, NAMED(MAPPING(cad_group_keys)), "{}", "faces and edges as node sets" },
  { "refine", 0, LIST(1, 0, MAPPING(cad_refine_keys)), NULL, "where elements are smaller" },
  { .name = NULL },
};
static const mw_key matrices_keys[] = {
  { "stiffness", REQUIRED, TEXT, NULL,
    "CalculiX .sti, Matrix Market .mtx, or Nastran DMIG (.pch .bdf .dat)" },
  { "mass", REQUIRED, TEXT, NULL, "the same: .mas, .mtx, DMIG" },
  { "nodes", REQUIRED, TEXT, NULL,
    "where they are: .inp, GRID cards (.bdf .dat), or a table of lines: number x y z" },
  { "dofs", 0, TEXT, NULL,
    "CalculiX .dof, or a table of lines node.direction, one a row; default: x y z of each node in order" },
  { .name = NULL },
};
static const mw_key expected_keys[] = {
  { "mass", 0, ABOVE0("kg"), NULL, "of the body" },
  { "com", 0, VECTOR("m"), NULL, "centre of mass, body axes" },
  { "inertia", 0, LIST(6, 6, NUMBER("kg m2")), NULL,
    "about the centre of mass: Ixx Iyy Izz Ixy Ixz Iyz" },
  { "tolerance", 0, ABOVE0(""), "1e-2", "relative; com: of the body's size" },
  { .name = NULL },
};
static const mw_key body_keys[] = {
  { "ground", 0, BOOLEAN, "false", "fixed to ground: its frame never moves" },
  { "at", 0, VECTOR("m"), "[0, 0, 0]", "origin of the body's frame in ground axes" },
  { "axes", 0, MAPPING(axes_keys), NULL, "directions of the frame; default: the ground axes" },
  { "gravity", 0, BOOLEAN, "true", "feels gravity" },
  { "rigid", AT_MOST, MAPPING(rigid_keys), NULL,
    "a rigid body; ground without beams or mesh is rigid, too" },
  { "beams", AT_MOST, MAPPING(beams_keys), NULL, "an elastic body of beams" },
  { "mesh", AT_MOST, TEXT, NULL,
    "an elastic body: gmsh .msh (2.2, 4.1) or Abaqus/CalculiX .inp, path from the model's folder" },
  { "cad", AT_MOST, MAPPING(cad_keys), NULL, "an elastic body: CAD file, meshed by gmsh" },
  { "matrices", AT_MOST, MAPPING(matrices_keys), NULL,
    "an elastic body: stiffness and mass matrix of another program" },
  { "material", 0, NAME, NULL, "of the mesh or CAD body; default: that of the mesh file" },
  { "unit", 0, WORDS("m cm mm in"), NULL,
    "length unit of the file; its own materials and matrices then are in newton, second and what follows (mm: "
    "tonne, MPa)" },
  { "scale", 0, ABOVE0(""), "1", "metres a unit of length of the file, in place of unit" },
  { "parts", 0, NAMED(MAPPING(part_keys)), "{}",
    "material and thickness of element groups (physical groups, ELSETs)" },
  { "sets", 0, NAMED(MAPPING(node_set_keys)), "{}", "node sets by their place" },
  { "ties", 0, LIST(1, 0, MAPPING(tie_keys)), NULL, "surfaces of non-matching meshes" },
  { "bushings", 0, NAMED(MAPPING(bushing_keys)), "{}", "springs between two frames of this body" },
  { "expected", 0, MAPPING(expected_keys), NULL,
    "what CAD says of the body; check and every other command refuse it beyond the tolerance" },
  { "supports", 0, LIST(1, 0, MAPPING(support_keys)), NULL, "elastic ground bodies: fixed nodes" },
  { "guides", 0, NAMED(MAPPING(guide_keys)), "{}", "straight lines slides run on" },
  { "frames", 0, NAMED(MAPPING(frame_keys)), "{}",
    "where joints, springs, forces and outputs attach" },
  { "damping", 0, MAPPING(rayleigh_keys), NULL, "of this elastic body; default: the model's" },
  { .name = NULL },
};

// ---- joints, springs, drives, outputs -----------------------------------------------------------

static const mw_key runner_keys[] = {
  { "offset", 0, NUMBER("m"), "0", "along the guide from the slider's frame" },
  { "shift", 0, VECTOR("m"), "[0, 0, 0]", "contact point off the guide line, along t, n1, n2" },
  { "directions", 0, LIST(1, 2, WORDS("n1 n2")), "[n1, n2]", "normals it acts along" },
  { "length", 0, FROM0("m"), "0", "contact length, 0: a point" },
  { "stiffness", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "N/m", .lo = 0, .lo_open = true, .hi = INFINITY,
          .words = "rigid",
          .item = SHAPE(.scalar = MW_S_NUMBER, .unit = "N/m", .lo = 0, .lo_open = true,
                        .hi = INFINITY, .words = "rigid"),
          .n_min = 2, .n_max = 2),
    "rigid", "along n1 and n2; rigid: a constraint" },
  { "damping", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "N s/m", .lo = 0, .hi = INFINITY, .item = FROM0("N s/m"),
          .n_min = 2, .n_max = 2),
    "0", "along n1 and n2" },
  { .name = NULL },
};
static const mw_key slide_keys[] = {
  { "guide", REQUIRED, REF, NULL, "body.guide it runs on" },
  { "on", REQUIRED, REF, NULL, "body.frame of the slider" },
  { "orientation", 0, WORDS("free fixed"), "free",
    "fixed: the slider keeps its orientation in the guide's body" },
  { "runners", 0, LIST(0, 64, MAPPING(runner_keys)), NULL,
    "contacts; default: one rigid point at offset 0; []: none, the coordinate is measured only (a ball screw's "
    "line)" },
  { .name = NULL },
};
static const mw_key pair_keys[] = {
  { "a", REQUIRED, REF, NULL, "body.frame" },
  { "b", REQUIRED, REF, NULL, "body.frame of the other body" },
  { .name = NULL },
};
// clang-format off
#define PAIR                                                                                      \
  { "a", REQUIRED, REF, NULL, "body.frame" },                                                     \
  { "b", REQUIRED, REF, NULL, "body.frame of the other body" }
#define AXIS_B                                                                                    \
  { "axis_b", 0, VECTOR(""), NULL,                                                                \
    "the same axis in the axes of b's body; default: as in the reference configuration" }
#define ZEROS                                                                                     \
  { "zero", 0, VECTOR(""), NULL,                                                                  \
    "direction across the axis, in the axes of a's body; with zero_b and axis_b (normal_b)" },    \
  { "zero_b", 0, VECTOR(""), NULL,                                                                \
    "the same in the axes of b's body: where the two agree the angle is start" }
// clang-format on

static const mw_key pair_axis_keys[] = {
  PAIR,
  { "axis", REQUIRED, VECTOR(""), NULL, "in the axes of a's body" },
  AXIS_B,
  ZEROS,
  { .name = NULL },
};
static const mw_key screw_keys[] = {
  PAIR,
  { "axis", REQUIRED, VECTOR(""), NULL, "in the axes of a's body" },
  AXIS_B,
  ZEROS,
  { "pitch", REQUIRED, NUMBER("m"), NULL, "travel a turn, not 0; below 0: left-handed" },
  { .name = NULL },
};
static const mw_key universal_keys[] = {
  PAIR,
  { "axis", REQUIRED, VECTOR(""), NULL, "first axis, in the axes of a's body" },
  { "axis_b", REQUIRED, VECTOR(""), NULL, "second axis, perpendicular, in the axes of b's body" },
  { .name = NULL },
};
static const mw_key planar_keys[] = {
  PAIR,
  { "normal", REQUIRED, VECTOR(""), NULL,
    "of the plane through a's frame, in the axes of a's body" },
  { "normal_b", 0, VECTOR(""), NULL,
    "the same in the axes of b's body; default: as the bodies lie in the reference configuration" },
  ZEROS,
  { .name = NULL },
};
static const mw_key distance_keys[] = {
  PAIR,
  { "length", 0, ABOVE0("m"), NULL, "of the rod; default: as in the reference configuration" },
  { .name = NULL },
};
static const mw_key curve_keys[] = {
  PAIR,
  { "points", REQUIRED, LIST(3, 0, VECTOR("m")), NULL,
    "of the spline (continuous curvature), from a's frame in the axes of a's body" },
  { "closed", 0, BOOLEAN, "false", "the last point joins the first" },
  { .name = NULL },
};
static const mw_key rolling_keys[] = {
  PAIR,
  { "normal", REQUIRED, VECTOR(""), NULL,
    "of the plane through a's frame, in the axes of a's body" },
  { "axis_b", REQUIRED, VECTOR(""), NULL, "of the disk around b's frame, in the axes of b's body" },
  { "radius", REQUIRED, ABOVE0("m"), NULL, "of the disk" },
  { .name = NULL },
};
static const mw_key gear_keys[] = {
  { "first", REQUIRED, NAME, NULL, "a joint coordinate" },
  { "second", REQUIRED, NAME, NULL, "another one" },
  { "ratio", REQUIRED, NUMBER("1, rad/m or m/rad"), NULL,
    "rate of the second over that of the first, not 0" },
  { .name = NULL },
};
static const mw_key friction_keys[] = {
  { "coulomb", REQUIRED, FROM0(""), NULL, "coefficient while it moves" },
  { "static", 0, FROM0(""), NULL, "coefficient as it begins to move; default: coulomb" },
  { "stribeck", 0, ABOVE0("m/s or rad/s"), "1e-2", "rate over which the second becomes the first" },
  { "smooth", 0, ABOVE0("m/s or rad/s"), "1e-3", "rate over which the force changes its sign" },
  { "radius", 0, ABOVE0("m"), "1", "of the bearing; angles only" },
  { "preload", 0, FROM0("N"), "0", "normal force besides the joint's reaction" },
  { .name = NULL },
};
static const mw_key joint_keys[] = {
  { "slide", ONE, MAPPING(slide_keys), NULL, "a frame stays on a guide of another body" },
  { "fixed", ONE, MAPPING(pair_keys), NULL, "no relative motion" },
  { "revolute", ONE, MAPPING(pair_axis_keys), NULL, "rotation about an axis" },
  { "prismatic", ONE, MAPPING(pair_axis_keys), NULL, "translation along an axis" },
  { "spherical", ONE, MAPPING(pair_keys), NULL, "rotation about a point" },
  { "cylindrical", ONE, MAPPING(pair_axis_keys), NULL, "rotation about an axis, travel along it" },
  { "universal", ONE, MAPPING(universal_keys), NULL, "rotation about two perpendicular axes" },
  { "planar", ONE, MAPPING(planar_keys), NULL, "motion in a plane, rotation about its normal" },
  { "screw", ONE, MAPPING(screw_keys), NULL, "rotation about an axis that drives travel along it" },
  { "distance", ONE, MAPPING(distance_keys), NULL, "a rigid rod without mass" },
  { "curve", ONE, MAPPING(curve_keys), NULL, "b's frame stays on a curve of body a" },
  { "rolling", ONE, MAPPING(rolling_keys), NULL, "a thin disk rolls on a plane without slip" },
  { "gear", ONE, MAPPING(gear_keys), NULL,
    "two joint coordinates move in a ratio; rack and pinion" },
  { "coordinate", 0, NAME, NULL,
    "name of its coordinate (m or rad); not for fixed, spherical, distance, rolling, gear. A slide's default is "
    "the joint's name" },
  { "measure", 0, WORDS("travel angle second"), NULL,
    "what the coordinate is: cylindrical travel (default) or angle, screw angle (default) or travel, universal "
    "angle about axis (default) or second (about axis_b)" },
  { "drive", 0, NAME, NULL, "declares the drive of this coordinate" },
  { "damping", 0, FROM0("N s/m or N m s/rad"), "0", "viscous, on the coordinate" },
  { "limits", 0, LIST(2, 2, NUMBER("m or rad")), NULL,
    "lowest and highest value: a run ends where the coordinate leaves them" },
  { "friction", 0, MAPPING(friction_keys), NULL,
    "dry friction on the coordinate, in proportion to the joint's reaction (rigid path)" },
  { "start", 0, NUMBER("m or rad"), "0",
    "coordinate in the reference configuration (with axis_b: where the frames of a and b agree); not for slide, "
    "curve" },
  { .name = NULL },
};
static const mw_key spring_keys[] = {
  { "a", REQUIRED, REF, NULL, "body.frame, whose axes the directions follow" },
  { "b", REQUIRED, REF, NULL, "body.frame of the other body" },
  { "stiffness", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "N/m", .lo = 0, .hi = INFINITY,
          .item = FROM0("N/m, N m/rad"), .n_min = 3, .n_max = 6),
    "0", "x y z or x y z rx ry rz; one number: the three translations" },
  { "damping", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "N s/m", .lo = 0, .hi = INFINITY,
          .item = FROM0("N s/m, N m s/rad"), .n_min = 3, .n_max = 6),
    "0", "as stiffness" },
  { .name = NULL },
};
static const mw_key drive_force_keys[] = {
  { "on", REQUIRED, REF, NULL, "body.frame the force acts on" },
  { "direction", REQUIRED, VECTOR(""), NULL, "in ground axes" },
  { .name = NULL },
};
static const mw_key rotor_keys[] = {
  { "inertia", REQUIRED, ABOVE0("kg m2 or kg"), NULL, "of the rotor about its axis" },
  { "ratio", 0, NUMBER("1 or rad/m"), "1", "turns of the rotor a turn of the coordinate, not 0" },
  { "stiffness", REQUIRED, ABOVE0("N m/rad or N/m"), NULL,
    "of the transmission, at the coordinate" },
  { "damping", 0, FROM0("N m s/rad or N s/m"), "0", "of the transmission, at the coordinate" },
  { .name = NULL },
};
static const mw_key drive_keys[] = {
  { "coordinate", ONE, NAME, NULL, "acts on this joint coordinate" },
  { "force", ONE, MAPPING(drive_force_keys), NULL, "a force at a frame" },
  { "rotor", 0, MAPPING(rotor_keys), NULL,
    "with coordinate: the drive turns a rotor behind a flexible transmission (rigid path)" },
  { .name = NULL },
};
static const mw_key output_keys[] = {
  { "body", ONE, NAME, NULL, "a rigid body or ground" },
  { "frame", ONE, REF, NULL, "body.frame" },
  { "stress", ONE, NAME, NULL,
    "of an elastic body of solids or shells at point: xx yy zz xy yz zx, body axes [Pa]" },
  { "strain", ONE, NAME, NULL, "the same, strains (engineering shear)" },
  { "point", 0, VECTOR("m"), "[0, 0, 0]",
    "from there, in body axes; stress, strain: in the body's frame" },
  { "height", 0, NUMBER("m"), "0", "stress, strain of shells: over the middle surface" },
  { .name = NULL },
};

// ---- reduction ----------------------------------------------------------------------------------

static const mw_key coordinate_keys[] = {
  { "range", REQUIRED, LIST(2, 2, NUMBER("m or rad")), NULL, "lowest and highest value" },
  { "points", 0, INTEGER(4, 1000), NULL, "grid points; default 17 with one coordinate, else 9" },
  { "refine", 0, INTEGER(1, 16), NULL,
    "table intervals a grid interval, filled without eigenanalyses; default 8 with one coordinate, else 1" },
  { .name = NULL },
};
static const mw_key modes_keys[] = {
  { "count", ONE, INTEGER(1, 1000), NULL, "number of eigenmodes" },
  { "below", ONE, ABOVE0("Hz"), NULL, "all eigenmodes below this frequency" },
  { .name = NULL },
};
static const mw_key patterns_keys[] = {
  { "outputs", 0, BOOLEAN, "true", "unit force at each output" },
  { "drives", 0, BOOLEAN, "true", "unit force of each drive" },
  { "acceleration", 0, BOOLEAN, "true", "unit acceleration of each coordinate" },
  { "gravity", 0, BOOLEAN, "true", "gravity" },
  { .name = NULL },
};
static const mw_key certificate_keys[] = {
  { "points", 0, INTEGER(1, 10000), "8",
    "points off the grid where the reduced model is compared" },
  { .name = NULL },
};
static const mw_key reduction_keys[] = {
  { "coordinates", REQUIRED,
    NAMED(SHAPE(.item = NUMBER("m or rad"), .n_min = 2, .n_max = 2, .keys = coordinate_keys)), NULL,
    "one to three joint coordinates the model depends on: [lowest, highest], or a mapping" },
  { "modes", 0, MAPPING(modes_keys), NULL, "eigenmodes; default count 6" },
  { "set", 0, WORDS("rubin craig-bampton"), "rubin",
    "modes with the loaded directions free, or fixed" },
  { "inertia", 0, WORDS("full leading"), "full",
    "leading: without convective and gyroscopic terms" },
  { "patterns", 0, MAPPING(patterns_keys), "{}", "static patterns besides the modes" },
  { "tolerance", 0, ABOVE0(""), "1e-3", "relative frequency error asked of the certificate" },
  { "certificate", 0, MAPPING(certificate_keys), "{}", "proof of the reduced model" },
  { .name = NULL },
};

// ---- scenarios ----------------------------------------------------------------------------------

static const mw_key step_keys[] = {
  { "value", REQUIRED, NUMBER("N or N m"), NULL, "from then on" },
  { "at", 0, FROM0("s"), "0", "time" },
  { .name = NULL },
};
static const mw_key sine_keys[] = {
  { "amplitude", REQUIRED, NUMBER("unit of the signal"), NULL,
    "of a sin(2 pi f (t - from) + phase)" },
  { "frequency", REQUIRED, FROM0("Hz"), NULL, "f" },
  { "phase", 0, NUMBER("rad"), "0", "at its beginning" },
  { "from", 0, FROM0("s"), "0", "begins, zero before" },
  { "until", 0, ABOVE0("s"), NULL, "ends, zero from then on; default: never" },
  { .name = NULL },
};
static const mw_key chirp_keys[] = {
  { "amplitude", REQUIRED, NUMBER("unit of the signal"), NULL, "amplitude" },
  { "frequency", REQUIRED, LIST(2, 2, FROM0("Hz")), NULL,
    "at the beginning and at the end, linear in time between" },
  { "from", 0, FROM0("s"), "0", "begins, zero before" },
  { "until", REQUIRED, ABOVE0("s"), NULL, "ends, zero from then on" },
  { .name = NULL },
};
static const mw_key table_keys[] = {
  { "time", REQUIRED, LIST(1, 0, NUMBER("s")), NULL, "increasing" },
  { "value", REQUIRED, LIST(1, 0, NUMBER("unit of the signal")), NULL,
    "as many; linear between, constant outside" },
  { .name = NULL },
};
static const mw_key ramp_keys[] = {
  { "from", REQUIRED, NUMBER("m or rad"), NULL, "at t = 0" },
  { "velocity", REQUIRED, NUMBER("m/s or rad/s"), NULL, "constant" },
  { .name = NULL },
};
static const mw_key cycloid_keys[] = {
  { "from", REQUIRED, NUMBER("m or rad"), NULL, "before" },
  { "to", REQUIRED, NUMBER("m or rad"), NULL, "after" },
  { "start", 0, FROM0("s"), "0", "begins" },
  { "end", REQUIRED, ABOVE0("s"), NULL, "ends" },
  { .name = NULL },
};
static const mw_key move_keys[] = {
  { "from", 0, NUMBER("m or rad"), NULL, "default: where the scenario starts" },
  { "to", REQUIRED, NUMBER("m or rad"), NULL, "after" },
  { "start", 0, FROM0("s"), "0", "begins" },
  { "max_velocity", REQUIRED, ABOVE0("m/s or rad/s"), NULL, "limit" },
  { "max_acceleration", REQUIRED, ABOVE0("m/s2 or rad/s2"), NULL, "limit" },
  { "max_jerk", REQUIRED, ABOVE0("m/s3 or rad/s3"), NULL, "limit" },
  { .name = NULL },
};
static const mw_key force_signal_keys[] = {
  { "step", ONE, MAPPING(step_keys), NULL, "zero, then constant" },
  { "sine", ONE, MAPPING(sine_keys), NULL, "a sine" },
  { "chirp", ONE, MAPPING(chirp_keys), NULL, "a sine of rising or falling frequency" },
  { "table", ONE, MAPPING(table_keys), NULL, "points" },
  { .name = NULL },
};
static const mw_key position_signal_keys[] = {
  { "ramp", ONE, MAPPING(ramp_keys), NULL, "constant velocity" },
  { "cycloid", ONE, MAPPING(cycloid_keys), NULL,
    "from + (to - from)(x - sin(2 pi x)/(2 pi)), smooth to acceleration" },
  { "move", ONE, MAPPING(move_keys), NULL, "jerk-limited profile of seven phases" },
  { "sine", ONE, MAPPING(sine_keys), NULL, "a sine" },
  { "chirp", ONE, MAPPING(chirp_keys), NULL, "a sine of rising or falling frequency" },
  { "table", ONE, MAPPING(table_keys), NULL, "points" },
  { .name = NULL },
};
#define FORCE_SIGNAL                                                                               \
  SHAPE(.scalar = MW_S_NUMBER, .unit = "N or N m", .lo = -INFINITY, .hi = INFINITY,                \
        .keys = force_signal_keys)

static const mw_key action_keys[] = {
  { "move", ONE, MAPPING(move_keys), NULL,
    "controller: feedforward r'' + kp (r - s) + kd (r' - s'), r this profile" },
  { "force", ONE, FORCE_SIGNAL, NULL, "generalised force: a number or a signal" },
  { "position", ONE,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "m or rad", .lo = -INFINITY, .hi = INFINITY,
          .keys = position_signal_keys),
    NULL, "the coordinate follows exactly" },
  { "kp", 0, FROM0("N/m or N m/rad"), "0", "with move" },
  { "kd", 0, FROM0("N s/m or N m s/rad"), "0", "with move" },
  { "feedforward", 0, NUMBER("kg or kg m2"), "0", "with move" },
  { .name = NULL },
};
static const mw_key start_keys[] = {
  { "at", REQUIRED, NUMBER("m or rad"), NULL, "value" },
  { "velocity", 0, NUMBER("m/s or rad/s"), NULL,
    "rate; default 0, or that of the position the drive prescribes" },
  { .name = NULL },
};
static const mw_key rigid_path_keys[] = {
  { "method", 0, WORDS("cvode ida rk4 leapfrog alpha midpoint"), "cvode",
    "cvode, ida: adaptive; rk4, leapfrog, alpha, midpoint: with the step of the scenario" },
  { "tolerance", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 1e-14, .lo_open = true, .hi = 1e-1,
          .hi_open = true),
    "1e-8", "relative error a step of cvode and ida" },
  { "projection", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "m or 1", .lo = 1e-16, .lo_open = true, .hi = 1e-1,
          .hi_open = true),
    "1e-12", "gaps of the joints after a step" },
  { "rho_inf", 0, SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 0, .hi = 1), "0.8",
    "alpha: what is left of the fastest motions after a step; 1: no numerical damping" },
  { "ggl", 0, BOOLEAN, "false", "alpha: velocities have multipliers of their own" },
  { .name = NULL },
};
static const mw_key scenario_keys[] = {
  { "duration", REQUIRED, ABOVE0("s"), NULL, "length of the run" },
  { "step", 0, ABOVE0("s"), "1e-3", "integration step" },
  { "control_period", 0, ABOVE0("s"), NULL,
    "sampling of controllers, a multiple of step; default: step" },
  { "store", 0, ABOVE0("s"), NULL, "interval of stored results; default: step" },
  { "start", 0,
    NAMED(SHAPE(.scalar = MW_S_NUMBER, .unit = "m or rad", .lo = -INFINITY, .hi = INFINITY,
                .keys = start_keys)),
    "{}",
    "joint coordinates at t = 0. One left out starts where its move or position signal does, else in the middle "
    "of its range under reduction, else in the reference configuration" },
  { "initial", 0, WORDS("static undeformed"), "static",
    "elastic bodies at t = 0: at rest under gravity, or undeformed" },
  { "drives", 0, NAMED(MAPPING(action_keys)), "{}",
    "what the drives do; those left out give no force" },
  { "rigid", 0, MAPPING(rigid_path_keys), "{}", "how the rigid path integrates" },
  { .name = NULL },
};

// ---- forces -------------------------------------------------------------------------------------

static const mw_key point_force_keys[] = {
  { "on", REQUIRED, REF, NULL, "body.frame it acts on" },
  { "direction", REQUIRED, VECTOR(""), NULL, "times the value of force: the force (torque)" },
  { "axes", 0, WORDS("ground body"), "ground", "axes of direction" },
  { .name = NULL },
};
static const mw_key force_keys[] = {
  { "point", ONE, MAPPING(point_force_keys), NULL, "a force at a frame" },
  { "torque", ONE, MAPPING(point_force_keys), NULL, "a torque on a body" },
  { "spring", ONE, MAPPING(pair_keys), NULL,
    "spring, damper and actuator along the line between two frames" },
  { "coordinate", ONE, NAME, NULL, "spring, damper and actuator on a joint coordinate" },
  { "stiffness", 0, FROM0("N/m or N m/rad"), "0", "with spring, coordinate" },
  { "damping", 0, FROM0("N s/m or N m s/rad"), "0", "with spring, coordinate" },
  { "length", 0, FROM0("m"), NULL,
    "with spring: free length; default: as in the reference configuration" },
  { "free", 0, NUMBER("m or rad"), NULL,
    "with coordinate: where the spring is free; default: as in the reference configuration" },
  { "force", 0, FORCE_SIGNAL, NULL,
    "a number or a signal: factor of direction (default 1), or the actuator: pushes a and b apart, acts along the "
    "coordinate (default 0)" },
  { .name = NULL },
};

// ---- the file -----------------------------------------------------------------------------------

static const mw_key model_keys[] = {
  { "modeway", REQUIRED, INTEGER(1, 1), NULL, "version of this format" },
  { "name", 0, TEXT, NULL, "of the mechanism; default: the file's name" },
  { "gravity", 0, VECTOR("m/s2"), "[0, 0, 0]", "in ground axes" },
  { "assemble", 0, BOOLEAN, "false",
    "positions of the bodies are rough: the nearest are sought that close the joints (rigid path)" },
  { "damping", 0, MAPPING(damping_keys), "{}", "of all elastic bodies" },
  { "materials", 0, NAMED(MAPPING(material_keys)), "{}", "linear elastic, isotropic" },
  { "sections", 0, NAMED(MAPPING(section_keys)), "{}", "beam sections; local x along the beam" },
  { "bodies", REQUIRED, NAMED(MAPPING(body_keys)), NULL, "the bodies" },
  { "joints", 0, NAMED(MAPPING(joint_keys)), "{}", "what connects them" },
  { "springs", 0, NAMED(MAPPING(spring_keys)), "{}", "springs and dampers between frames" },
  { "drives", 0, NAMED(MAPPING(drive_keys)), "{}", "inputs" },
  { "forces", 0, NAMED(MAPPING(force_keys)), "{}",
    "forces that belong to the mechanism in every scenario (rigid path)" },
  { "outputs", 0, NAMED(MAPPING(output_keys)), "{}",
    "points whose positions are recorded, ground axes" },
  { "reduction", 0, MAPPING(reduction_keys), NULL, "how the reduced model is made" },
  { "scenarios", 0, NAMED(MAPPING(scenario_keys)), "{}", "what is simulated" },
  { .name = NULL },
};

const mw_shape mw_model_shape = { .keys = model_keys };
