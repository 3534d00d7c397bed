// SPDX-License-Identifier: BSD-3-Clause
// model_keys_file.c: the table of keys (model_keys.c): the model file, definitions and assemblies.
//
// What stands in an assembly is written as in a model: keys with the flag MW_KEY_PART have the
// shapes that the model's keys of the same names have. An assembly gives the use of a definition,
// or its parts in place of it.
#include "model_keys_priv.h"

static const mw_shape definition_shape, assembly_shape;

static const mw_key model_keys[] = {
  { "modeway", REQUIRED, INTEGER(1, 1), NULL, "version of this format" },
  { "name", 0, TEXT, NULL, "of the mechanism; default: the file's name" },
  { "parameters", 0, NAMED(&mw_parameter_shape), "{}",
    "numbers, or lists of them, of numbers and of parameters before them: $NAME stands for one, "
    "and expressions of them for a number, as in mass: 2*$payload + 1" },
  { "gravity", 0, VECTOR_AS("m/s2", MW_MIRROR_SAME), "[0, 0, 0]", "in ground axes" },
  { "strain", 0, WORDS("nonlinear linear"), "nonlinear",
    "of elastic bodies in the full path: with the terms of second order in the displacements, or "
    "without" },
  { "assemble", 0, BOOLEAN, "false",
    "positions of the bodies are rough: the nearest are sought that close the joints (rigid "
    "path)" },
  { "damping", 0, MAPPING(mw_damping_keys), "{}", "of all elastic bodies" },
  { "definitions", 0, NAMED(&definition_shape), "{}",
    "assemblies to be used under these names, as often as wanted; nothing of them is there "
    "unless an assembly uses them" },
  { "assemblies", 0, NAMED(&assembly_shape), "{}",
    "groups of bodies, joints and what acts on them, nested to any depth: body arm of assembly "
    "left is left.arm, its frame hub left.arm.hub, everywhere" },
  { "materials", 0, NAMED(MAPPING(mw_material_keys)), "{}", "linear elastic, isotropic" },
  { "sections", 0, NAMED(MAPPING(mw_section_keys)), "{}", "beam sections; local x along the beam" },
  { "bodies", 0, NAMED(MAPPING(mw_body_keys)), "{}",
    "the bodies, one at least here or in an assembly" },
  { "joints", 0, NAMED(MAPPING(mw_joint_keys)), "{}", "what connects them" },
  { "springs", 0, NAMED(MAPPING(mw_spring_keys)), "{}", "springs and dampers between frames" },
  { "drives", 0, NAMED(MAPPING(mw_drive_keys)), "{}", "inputs" },
  { "forces", 0, NAMED(MAPPING(mw_force_keys)), "{}",
    "forces that belong to the mechanism in every scenario (rigid path)" },
  { "outputs", 0, NAMED(MAPPING(mw_output_keys)), "{}",
    "what is recorded: positions of points in ground axes, stresses, and what is seen of them, of "
    "joints and of drives" },
  { "reduction", 0, MAPPING(mw_reduction_keys), NULL, "how the reduced model is made" },
  { "scenarios", 0, NAMED(MAPPING(mw_scenario_keys)), "{}", "what is simulated" },
  { .name = NULL },
};

const mw_shape mw_model_shape = { .keys = model_keys };

// ---- assemblies ---------------------------------------------------------------------------------

// clang-format off
#define PARTS                                                                                     \
  { "parameters", 0, NAMED(&mw_parameter_shape), NULL,                                            \
    "numbers, or lists of them, with names of its own, as those of the model; those of what it "  \
    "stands in are seen, too" },                                                                  \
  { "materials", A_PART, NAMED(MAPPING(mw_material_keys)), NULL,                                  \
    "of its own; those of what it stands in are seen, too" },                                     \
  { "sections", A_PART, NAMED(MAPPING(mw_section_keys)), NULL, "likewise" },                      \
  { "bodies", A_PART, NAMED(MAPPING(mw_body_keys)), NULL,                                         \
    "at and axes are in the axes of the assembly" },                                              \
  { "joints", A_PART, NAMED(MAPPING(mw_joint_keys)), NULL, "between its bodies" },                \
  { "springs", A_PART, NAMED(MAPPING(mw_spring_keys)), NULL, "between its frames" },              \
  { "drives", A_PART, NAMED(MAPPING(mw_drive_keys)), NULL, "its inputs" },                        \
  { "forces", A_PART, NAMED(MAPPING(mw_force_keys)), NULL, "directions in the axes of the "       \
    "assembly in place of those of ground" },                                                     \
  { "outputs", A_PART, NAMED(MAPPING(mw_output_keys)), NULL, "in ground axes" },                  \
  { "assemblies", 0, NAMED(&assembly_shape), NULL, "it is made of in turn" },                     \
  { "ports", 0, NAMED(REF_TO(MW_NAMES_NONE)), NULL,                                               \
    "other names for bodies, frames (body.frame) or joint coordinates inside: left.PORT" }
// clang-format on

static const mw_key definition_keys[] = {
  PARTS,
  { .name = NULL },
};
static const mw_key assembly_keys[] = {
  { "use", 0, TEXT, NULL,
    "a definition of the same file, or a file with the keys of one and modeway: 1 (a name with a "
    "dot or /, from the folder of the file that says so), in place of parts of its own" },
  { "component", 0, TEXT, NULL,
    "in place of use: a shared object of modeway export --to component, or the file that it was "
    "made from, which behaves alike; ports are all that is seen of it (rigid path)" },
  { "set", 0, NAMED(&mw_parameter_shape), NULL,
    "values of parameters that the definition has, in place of those it gives" },
  { "at", 0, VECTOR_AS("m", MW_MIRROR_SAME), NULL,
    "where its origin is in the axes of what it stands in; default: [0, 0, 0]" },
  { "axes", 0, MAPPING(mw_axes_keys), NULL,
    "directions of its axes there; default: the same axes" },
  { "mirror", 0, WORDS("x y z"), NULL,
    "it is the mirror image of what is described, this one of its axes reversed before it is "
    "placed. Bodies are mirrored in their own frames across the same axis; joint coordinates "
    "count what is the image of the motion: same values, same forces" },
  PARTS,
  { .name = NULL },
};
static const mw_key file_keys[] = {
  { "modeway", REQUIRED, INTEGER(1, 1), NULL, "version of this format" },
  { "name", 0, TEXT, NULL, "of the assembly, for the reader" },
  { "definitions", 0, NAMED(&definition_shape), NULL, "for its assemblies" },
  PARTS,
  { .name = NULL },
};
static const mw_shape definition_shape = { .name = "definition", .keys = definition_keys },
                      assembly_shape = { .name = "assembly", .keys = assembly_keys };
const mw_shape *const mw_definition_shape = &definition_shape, *const mw_assembly_shape =
                                                                   &assembly_shape;
const mw_shape mw_definition_file_shape = { .keys = file_keys };

const mw_shape *const mw_named_shapes[] = { &definition_shape, &assembly_shape, &mw_force_signal,
                                            &mw_position_signal, NULL };
