// SPDX-License-Identifier: BSD-3-Clause
// joint_kinds.h: the joints there are. Everything else about one stands in its file of fem/joint/,
// behind its mw_joint_class (joint.h).
#ifndef MW_FEM_JOINT_KINDS_H
#define MW_FEM_JOINT_KINDS_H

// X(KIND, name, what): name is its key in the model file's `joints`, that of its file and of its
// class mw_joint_<name>; what it is, for the reference of keys. In the order of the reference.
// clang-format off
#define MW_JOINT_LIST(X)                                                                           \
  X(SLIDE, slide,                                                                                  \
    "a frame travels along a guide of another body; where it stands off the line it keeps its " \
    "distance, a rigid lever") \
  X(FIXED, fixed, "no relative motion")                                                            \
  X(REVOLUTE, revolute, "rotation about an axis")                                                  \
  X(PRISMATIC, prismatic, "translation along an axis")                                             \
  X(SPHERICAL, spherical, "rotation about a point")                                                \
  X(CYLINDRICAL, cylindrical, "rotation about an axis, travel along it")                           \
  X(UNIVERSAL, universal, "rotation about two perpendicular axes")                                 \
  X(PLANAR, planar, "motion in a plane, rotation about its normal")                                \
  X(PRIMITIVES, primitives, "what its rows hold: a joint of your own")                            \
  X(SCREW, screw, "rotation about an axis that drives travel along it")                            \
  X(DISTANCE, distance, "a rigid rod without mass")                                                \
  X(CURVE, curve, "b's frame stays on a curve of body a")                                          \
  X(ROLLING, rolling, "a thin disk rolls on a plane without slip")                                 \
  X(WHEELS, wheels, "two gear wheels in mesh: force of the teeth")                                 \
  X(RACK, rack, "a pinion on a rack: force of the teeth")                                          \
  X(GEAR, gear, "two joint coordinates move in a ratio, without a force of teeth")
// clang-format on

#define MW_JOINT_KIND_OF(KIND, name, what) MW_JOINT_##KIND,
typedef enum mw_joint_kind {
  MW_JOINT_LIST(MW_JOINT_KIND_OF) MW_JOINT_SPRING,  // the model file's `springs`
  MW_JOINT_KINDS
} mw_joint_kind;
#undef MW_JOINT_KIND_OF

#endif
