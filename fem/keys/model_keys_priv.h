// SPDX-License-Identifier: BSD-3-Clause
// model_keys_priv.h: the parts of the table of keys that stand in files of their own.
#ifndef MW_FEM_MODEL_KEYS_PRIV_H
#define MW_FEM_MODEL_KEYS_PRIV_H

#include "shape_layer.h"

// model_keys_body.c
extern const mw_key mw_damping_keys[];
extern const mw_key mw_material_keys[];
extern const mw_key mw_section_keys[];
extern const mw_key mw_body_keys[];

// model_keys.c
extern const mw_shape mw_force_signal, mw_position_signal;
extern const mw_key mw_joint_keys[], mw_spring_keys[], mw_drive_keys[], mw_output_keys[];
extern const mw_key mw_reduction_keys[], mw_scenario_keys[], mw_force_keys[], mw_unit_keys[];
// model_keys_cutting.c
extern const mw_key mw_cutting_keys[];

#endif
