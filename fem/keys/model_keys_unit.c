// SPDX-License-Identifier: BSD-3-Clause
// model_keys_unit.c: the table of keys (model_keys.c): functional mock-up units of a scenario.
#include "model_keys_priv.h"

static const mw_key unit_input_keys[] = {
  { "variable", REQUIRED, TEXT, NULL, "of the unit, as it calls it" },
  { "coordinate", ONE, COORDINATE_REF, NULL, "is set to this joint coordinate" },
  { "rate", ONE, COORDINATE_REF, NULL, "is set to the rate of this joint coordinate" },
  { "motor", ONE, DRIVE_REF, NULL,
    "is set to what this drive acts on: the rotor's angle where it has one" },
  { "motor_rate", ONE, DRIVE_REF, NULL, "is set to the rate of that" },
  { "signal", ONE, &mw_position_signal, NULL, "is set to a signal, as a reference" },
  { .name = NULL },
};
static const mw_key unit_output_keys[] = {
  { "variable", REQUIRED, TEXT, NULL, "of the unit, as it calls it" },
  { "drive", REQUIRED, DRIVE_REF, NULL, "whose force it is, N or N m" },
  { .name = NULL },
};
static const mw_key unit_parameter_keys[] = {
  { "variable", REQUIRED, TEXT, NULL, "of the unit, as it calls it" },
  { "value", REQUIRED, NUMBER("unit of the variable"), NULL, "1 and 0 of a Boolean" },
  { .name = NULL },
};
const mw_key mw_unit_keys[] = {
  { "fmu", REQUIRED, TEXT, NULL,
    "the file, FMI 2.0 or 3.0 with co-simulation; from the model file's folder. Its binary runs "
    "in this program: use units that you trust" },
  { "inputs", 0, LIST(0, 0, MAPPING(unit_input_keys)), "[]",
    "variables that are set at each sample" },
  { "outputs", REQUIRED, LIST(1, 0, MAPPING(unit_output_keys)), NULL,
    "variables that are forces of drives, held between samples" },
  { "parameters", 0, LIST(0, 0, MAPPING(unit_parameter_keys)), "[]",
    "variables that are set before it starts" },
  { "step", 0, ABOVE0("s"), NULL,
    "between its samples, a multiple of control_period; default: control_period" },
  { .name = NULL },
};
