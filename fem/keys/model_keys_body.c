// SPDX-License-Identifier: BSD-3-Clause
// model_keys_body.c: the table of keys (model_keys.c): materials, sections, bodies.
#include "model_keys_priv.h"

// clang-format off
#define RAYLEIGH \
  { "alpha", 0, FROM0("1/s"), "0", \
    "mass-proportional part of C = alpha M + beta K, M with the masses of frames; of a body " \
    "that moves it acts on what it moves beyond the motion that the coordinates of " \
    "the reduction give the undeformed machine" }, \
  { "beta", 0, FROM0("s"), "0", "stiffness-proportional part" }
// clang-format on

static const mw_key rayleigh_keys[] = {
  RAYLEIGH,
  { .name = NULL },
};

static const mw_key modal_keys[] = {
  { "frequency", REQUIRED, LIST(2, 0, FROM0("Hz")), NULL,
    "increasing. Modes change places over the coordinates: their ratios are given over frequency, "
    "not by number" },
  { "ratio", REQUIRED,
    LIST(2, 0, SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 0, .hi = 1, .hi_open = true)), NULL,
    "as many; monotone and smooth between, constant outside" },
  { .name = NULL },
};
const mw_key mw_damping_keys[] = {
  RAYLEIGH,
  { "modal", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 0, .hi = 1, .hi_open = true, .keys = modal_keys),
    "0",
    "damping ratio of the modes of the reduction, in place of alpha and beta; the same operator "
    "in the paths gmp, full and body, "
    "in axes that turn with the machine" },
  { .name = NULL },
};

const mw_key mw_material_keys[] = {
  { "E", REQUIRED, ABOVE0("Pa"), NULL, "Young's modulus" },
  { "nu", REQUIRED,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = -1, .lo_open = true, .hi = 0.5, .hi_open = true),
    NULL, "Poisson's ratio" },
  { "rho", REQUIRED, ABOVE0("kg/m3"), NULL, "density" },
  { "unusual", 0, BOOLEAN, "false",
    "true: accepted though no solid from foam to tungsten carbide has such values (scaled or "
    "dimensionless models)" },
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
  { "rotary", 0, BOOLEAN, "true",
    "rotary inertia; false here or in the section leaves it out, in bending; torsion stays" },
  { .name = NULL },
};
const mw_key mw_section_keys[] = {
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

static const mw_key turn_keys[] = {
  { "axis", REQUIRED, VECTOR_AS("", MW_MIRROR_SAME), NULL, "in ground axes" },
  { "angle", REQUIRED, NUMBER("rad"), NULL, "about it, right-handed" },
  { .name = NULL },
};
const mw_key mw_axes_keys[] = {
  { "x", ONE, VECTOR_AS("", MW_MIRROR_SAME), NULL,
    "direction of the body's x axis in ground axes; with y" },
  { "y", 0, VECTOR_AS("", MW_MIRROR_SAME), NULL,
    "of its y axis, orthogonal to x to 1e-3; z follows" },
  { "cardan", ONE, VECTOR_AS("rad", MW_MIRROR_SAME), NULL,
    "angles by which it is turned about its x axis, its new y axis, its new z axis" },
  { "zxz", ONE, VECTOR_AS("rad", MW_MIRROR_SAME), NULL,
    "Euler angles: about its z axis, its new x axis, its new z axis" },
  { "quaternion", ONE, NUMBERS(4, "", MW_MIRROR_SAME), NULL,
    "w x y z, from its axes to ground axes, of any length but 0" },
  { "rotation_vector", ONE, VECTOR_AS("rad", MW_MIRROR_SAME), NULL, "in ground axes" },
  { "turn", ONE, MAPPING(turn_keys), NULL, "about an axis by an angle" },
  { .name = NULL },
};
static const mw_key rigid_keys[] = {
  { "mass", ONE, FROM0("kg"), NULL, "above 0 unless the body is ground" },
  { "cad", ONE | A_FILE, SHAPE(.scalar = MW_S_TEXT, .mirror = MW_MIRROR_REFUSED), NULL,
    "STEP, BREP, IGES, or gmsh script (.geo), path from the model's folder: mass, com and inertia "
    "of its solids; its coordinates are those of the body" },
  { "density", 0, ABOVE0("kg/m3"), NULL, "with cad, of all its solids" },
  { "com", 0, VECTOR("m"), "[0, 0, 0]", "centre of mass" },
  { "inertia", 0, INERTIA6, NULL,
    "tensor about the centre of mass: Ixx Iyy Izz Ixy Ixz Iyz (off-diagonals are minus the "
    "products of inertia); "
    "required with mass unless the body is ground" },
  { "unphysical_inertia", 0, BOOLEAN, "false",
    "true: accepts moments of which one exceeds the sum of the others, as published tables of "
    "robots have them" },
  { .name = NULL },
};
static const mw_key member_keys[] = {
  { "from", REQUIRED, NAME, NULL, "point where it begins" },
  { "to", REQUIRED, NAME, NULL, "point where it ends" },
  { "section", REQUIRED, SECTION_REF, NULL, "a section" },
  { "material", REQUIRED, MATERIAL_REF, NULL, "a material" },
  { "elements", 0, INTEGER(1, 100000), "1", "equal beam elements" },
  { "up", 0, VECTOR(""), "[0, 0, 1]", "about the section's local z axis; made normal to the beam" },
  { .name = NULL },
};
static const mw_key beams_keys[] = {
  { "points", REQUIRED, NAMED(VECTOR("m")), NULL, "named nodes" },
  { "members", REQUIRED, LIST(1, 0, MAPPING(member_keys)), NULL, "straight beams between points" },
  { "divide", 0, INTEGER(1, 1000), "1",
    "bodies it is made of, each with a frame of its own and joined rigidly: for members that turn "
    "far within one body" },
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
    "origin; alone: a point of a rigid body, or the nearest node of an elastic one. Default: "
    "centre of the group" },
  { "mass", 0, FROM0("kg"), "0", "point mass carried there (elastic bodies)" },
  { "inertia", 0, INERTIA6, "[0, 0, 0, 0, 0, 0]", "its inertia: Ixx Iyy Izz Ixy Ixz Iyz" },
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
  { "material", 0, MATERIAL_REF, NULL,
    "a material; default: the body's, or that of the mesh file" },
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
  { "file", REQUIRED | A_FILE, TEXT, NULL,
    "STEP, BREP, IGES, or gmsh script (.geo), path from the model's folder" },
  { "size", REQUIRED, ABOVE0("m"), NULL, "of the elements" },
  { "order", 0, INTEGER(1, 2), "2", "2: 10-node tetrahedra, 1: 4-node ones (far too stiff)" },
  { "groups", 0, NAMED(MAPPING(cad_group_keys)), "{}", "faces and edges as node sets" },
  { "refine", 0, LIST(1, 0, MAPPING(cad_refine_keys)), NULL, "where elements are smaller" },
  { .name = NULL },
};
static const mw_key matrices_keys[] = {
  { "stiffness", REQUIRED | A_FILE, TEXT, NULL,
    "CalculiX .sti, Matrix Market .mtx, or Nastran DMIG (.pch .bdf .dat)" },
  { "mass", REQUIRED | A_FILE, TEXT, NULL, "the same: .mas, .mtx, DMIG" },
  { "nodes", REQUIRED | A_FILE, TEXT, NULL,
    "where they are: .inp, GRID cards (.bdf .dat), or a table of lines: number x y z" },
  { "dofs", A_FILE, TEXT, NULL,
    "CalculiX .dof, or a table of lines node.direction, one a row; default: x y z of each node in "
    "order" },
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
const mw_key mw_body_keys[] = {
  { "ground", 0, BOOLEAN, "false", "fixed to ground: its frame never moves" },
  { "at", 0, VECTOR_AS("m", MW_MIRROR_SAME), "[0, 0, 0]",
    "origin of the body's frame in ground axes" },
  { "axes", 0, MAPPING(mw_axes_keys), NULL, "directions of the frame; default: the ground axes" },
  { "gravity", 0, BOOLEAN, "true", "feels gravity" },
  { "rigid", AT_MOST, MAPPING(rigid_keys), NULL,
    "a rigid body; ground without beams or mesh is rigid, too" },
  { "beams", AT_MOST, MAPPING(beams_keys), NULL, "an elastic body of beams" },
  { "mesh", AT_MOST | A_FILE, SHAPE(.scalar = MW_S_TEXT, .mirror = MW_MIRROR_REFUSED), NULL,
    "an elastic body: gmsh .msh (2.2, 4.1) or Abaqus/CalculiX .inp, path from the model's folder" },
  { "cad", AT_MOST, SHAPE(.keys = cad_keys, .mirror = MW_MIRROR_REFUSED), NULL,
    "an elastic body: CAD file, meshed by gmsh" },
  { "matrices", AT_MOST, SHAPE(.keys = matrices_keys, .mirror = MW_MIRROR_REFUSED), NULL,
    "an elastic body: stiffness and mass matrix of another program" },
  { "material", 0, MATERIAL_REF, NULL, "of the mesh or CAD body; default: that of the mesh file" },
  { "unit", 0, WORDS("m cm mm in"), NULL,
    "length unit of the file, also of one that rigid: {cad} names; its own materials and matrices "
    "then are in newton, second and what follows (mm: tonne, MPa)" },
  { "scale", 0, ABOVE0(""), "1", "metres a unit of length of the file, in place of unit" },
  { "parts", 0, NAMED(MAPPING(part_keys)), "{}",
    "material and thickness of element groups (physical groups, ELSETs)" },
  { "sets", 0, NAMED(MAPPING(node_set_keys)), "{}", "node sets by their place" },
  { "ties", 0, LIST(1, 0, MAPPING(tie_keys)), NULL, "surfaces of non-matching meshes" },
  { "bushings", 0, NAMED(MAPPING(bushing_keys)), "{}", "springs between two frames of this body" },
  { "expected", 0, MAPPING(expected_keys), NULL,
    "what CAD says of the body, with the masses of its frames; check and every other command "
    "refuse it beyond the tolerance" },
  { "supports", 0, LIST(1, 0, MAPPING(support_keys)), NULL, "elastic ground bodies: fixed nodes" },
  { "guides", 0, NAMED(MAPPING(guide_keys)), "{}", "straight lines slides run on" },
  { "frames", 0, NAMED(MAPPING(frame_keys)), "{}",
    "where joints, springs, forces and outputs attach" },
  { "damping", 0, MAPPING(rayleigh_keys), NULL, "of this elastic body; default: the model's" },
  { .name = NULL },
};
