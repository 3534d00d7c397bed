// SPDX-License-Identifier: BSD-3-Clause
// certtext_layer.h: the certificate of a reduced model in words and as JSON.
#ifndef MW_SIM_CERTTEXT_LAYER_H
#define MW_SIM_CERTTEXT_LAYER_H

#include "base/json.h"
#include "rangetext_layer.h"
#include "reduction/certificate.h"

// What --json of reduce and info says of the certificate, for their help texts.
#define MW_CERTIFICATE_JSON                                                                        \
  "  \"certificate\": {\"met\", \"points\" (all samples), \"points_on_meshes\",\n"                 \
  "  \"points_spread\", \"points_random\", \"points_sought\" (on the bodies' bases),\n"            \
  "  \"arpack\" (of the points on meshes whose modes ARPACK computed): {\"version\",\n"            \
  "  \"points\", \"points_too_few_unknowns\", \"points_invariant_space\" (by block Lanczos\n"      \
  "  instead), \"modes_missed_at_first\", \"modes_proved\" (by inertia counts),\n"                 \
  "  \"frequency_difference\" (to block Lanczos, relative)},\n"                                    \
  "  \"covered\" (share of the work space that errs by no more, with \"confidence\"),\n"           \
  "  \"rigid_position_points\", \"force_points\", \"force_points_random\",\n"                      \
  "  \"covered_by_forces\" (share as above, of forces of motion), \"assumed_ranges\",\n"           \
  "  \"undeclared\" (ranges\n"                                                                     \
  "  that would let third_order and stretching be judged), \"from_scenarios\" (those that\n"       \
  "  scenarios give), \"tolerance\",\n"                                                            \
  "  \"min_mac\", \"max_energy_left\",\n" MW_RANGES_JSON                                           \
  "  \"parameter_values\" (where parameters that the model keeps are judged, if any),\n"           \
  "  \"quantities\" (those over parameters: \"parameters_frequencies\", ...):\n"                   \
  "  {\"frequencies\", \"shapes\", \"static_compliance\", \"stress\" (with such outputs),\n"       \
  "  \"receptances\", \"lost_patterns\", \"stretching\" (share of a declared load that members\n"  \
  "  held at both ends would carry), \"third_order\" (relative change of a frequency as far as\n"  \
  "  a declared load deflects, or half of what outputs err by, of coordinates that run free\n"     \
  "  until the end of the longest scenario that leaves one free), \"tables\" (against what they\n" \
  "  are made of, at grid points), \"stress_stiffness\" (of the bodies, share of the stiffness\n"  \
  "  that is left out, if any), \"singular_at_rest\" (share of places, if any), \"weight\"\n"      \
  "  (frequencies under it; the others are of the machine without its stiffness),\n"               \
  "  \"free_frequencies\" (those where coordinates are free, or half of what outputs err by for\n" \
  "  their phase, if a scenario leaves one free),\n"                                               \
  "  \"pushed\" (frequencies under declared forces at frames, if any),\n"                          \
  "  \"column_mass\" (share of it that changes with deflection and is left out, if any),\n"        \
  "  \"rigid_positions\" (m), forces of\n"                                                         \
  "  motion: \"inertia\",\n"                                                                       \
  "  \"gravity\", \"convective\", \"damping\", \"coordinate_forces\"; \"decay_rates\" (of\n"       \
  "  motions that dampers keep from swinging, if any), \"runs\", \"run_stress\":\n"                \
  "  {\"error\", \"tolerance\", \"met\", \"gap\" (largest difference of errors on bases and on\n"  \
  "  meshes, over the tolerance), \"worst\": {COORDINATE: value}, \"at\" (which coefficient of\n"  \
  "  tables)}}, \"runs\" (with\n"                                                                  \
  "  certificate.scenario): [{\"scenario\", \"hash\", \"trouble\", \"step_s\", \"end_s\",\n"       \
  "  \"error\": {OUTPUT: {\"error\", \"own\" error of the full path in time, \"own_reduced\",\n"   \
  "  \"known\"}}}], \"not_promised\" (of the model's scenarios): {SCENARIO: why}}"

// What the samples are; what the random ones say of the rest of the work space. At most n bytes
// with the closing zero.
void mw_certificate_samples_text(const mw_certificate *c, char *text, size_t n);
void mw_certificate_covered_text(const mw_certificate *c, char *text, size_t n);
// Whose modes are ARPACK's, what it missed, how near block Lanczos is; false: not known, or ARPACK
// was not asked.
bool mw_certificate_solvers_text(const mw_certificate *c, char *text, size_t n);
// Where a quantity errs most, "" where that is not known; at most n bytes with the closing zero.
void mw_verdict_where(const mw_rom_file *f, const mw_verdict *v, char *text, size_t n);
// Samples on bases and on meshes that differ by so much that it is reported; false: by less.
bool mw_certificate_gap_text(const mw_verdict *v, char *text, size_t n);
// What errs by more than it may, "receptances by 3.21e-02 (tolerance 5.00e-05), …", at most n bytes
// with the closing zero; says how many there was no room for. false: nothing does.
bool mw_certificate_missed_text(const mw_certificate *c, char *text, size_t n);
// One line a quantity, to stdout.
void mw_certificate_print(const mw_rom_file *f);
// Member "certificate" of the object that is open.
void mw_certificate_json(mw_json *j, const mw_rom_file *f);

#endif
