// SPDX-License-Identifier: BSD-3-Clause
// output_kinds.h: the outputs there are. Everything else about one stands in its file of
// fem/output/, behind its mw_output_class (output.h).
#ifndef MW_FEM_OUTPUT_KINDS_H
#define MW_FEM_OUTPUT_KINDS_H

// X(KIND, name, SHAPE, what): name is that of its file and of its class mw_output_<name>. Fields:
// rows that reduced models keep, with keys of their own in model files.
#define MW_FIELD_LIST(X)                                                                           \
  X(POSITION, position, NAME, "")                                                                  \
  X(STRESS, stress, NAME, "")                                                                      \
  X(STRAIN, strain, NAME, "")

// What is seen of a run besides: name is its key in `outputs`, what it takes as its class says.
// SHAPE of that, of key_layer.h. In the order of the reference of keys.
// clang-format off
#define MW_OBSERVED_LIST(X)                                                                        \
  X(VELOCITY, velocity, OUTPUT_REF, "of the position output of that name, ground axes [m/s]")      \
  X(ACCELERATION, acceleration, OUTPUT_REF,                                                        \
    "of the position output of that name, ground axes [m/s2]")                                     \
  X(ELASTIC, elastic, OUTPUT_REF,                                                                  \
    "elastic part alone of the position output of that name: what it is off the undeformed "       \
    "mechanism at the same coordinates of the reduction, ground axes [m]")                         \
  X(ORIENTATION, orientation, FRAME_REF,                                                           \
    "of a frame, or of a rigid body: quaternion w x y z from its body's axes to ground axes")      \
  X(CARDAN, cardan, OUTPUT_REF,                                                                    \
    "of the orientation output of that name as Cardan angles: about x, the new y, the new z "      \
    "[rad]")                                                                                       \
  X(ZXZ, zxz, OUTPUT_REF,                                                                          \
    "of the orientation output of that name as Euler angles: about z, the new x, the new z [rad]") \
  X(ROTATION_VECTOR, rotation_vector, OUTPUT_REF,                                                  \
    "of the orientation output of that name as a rotation vector, ground axes [rad]")              \
  X(AXIS_ANGLE, axis_angle, OUTPUT_REF,                                                            \
    "of the orientation output of that name as axis x y z and angle [rad]")                        \
  X(ANGULAR_VELOCITY, angular_velocity, OUTPUT_REF,                                                \
    "of the orientation output of that name, ground axes [rad/s]")                                 \
  X(REACTION, reaction, JOINT_REF,                                                                 \
    "of the joint of that name: force and moment on its body b at its point there, ground axes "   \
    "[N, N m]; not on path gmp, whose columns keep the joints")                                    \
  X(DRIVE_FORCE, drive_force, DRIVE_REF, "of the drive of that name [N or N m]")                   \
  X(COORDINATE, coordinate, COORDINATE_REF, "the joint coordinate of that name [m or rad]")
// clang-format on

#define MW_OUTPUT_KIND_OF(KIND, name, SHAPE, what) MW_OUTPUT_##KIND,
typedef enum mw_output_kind {
  MW_FIELD_LIST(MW_OUTPUT_KIND_OF) MW_OBSERVED_LIST(MW_OUTPUT_KIND_OF) MW_OUTPUT_KINDS
} mw_output_kind;
#undef MW_OUTPUT_KIND_OF

#endif
