// SPDX-License-Identifier: BSD-3-Clause
// romfile_certificate.c: the certificate in rom.nc. What was not compared is left out.
#include <string.h>

#include "reduction/certificate.h"
#include "romfile_priv.h"

static void write_forces(mw_ncw *w, const mw_certificate *c)
{
  const char *name[MW_MOTIONS];
  for (int k = 0; k < MW_MOTIONS; k++) name[k] = mw_certificate_motion_key(k);
  int of[2] = { mw_ncw_dim(w, "certificate_force", MW_MOTIONS), mw_ncw_dim_id(w, "coordinate") };
  mw_ncw_str(w, "certificate_force", of[0], "forces of motion that are compared", name);
  mw_ncw_f64(w, "certificate_force_error", 1, of, "1",
             "largest error of the forces of motion, over those of the largest deflection",
             c->force_error);
  mw_ncw_f64(w, "certificate_force_theta", 2, of, NULL, "configurations where they err most",
             c->force_theta);
  if (c->force_rate) {
    mw_ncw_f64(w, "certificate_force_rate", 1, of + 1, NULL,
               "largest rates of the coordinates at which forces of motion were compared",
               c->force_rate);
    mw_ncw_f64(w, "certificate_force_acceleration", 1, of + 1, NULL,
               "largest accelerations of the coordinates, likewise", c->force_acceleration);
  }
  if (c->rest_force) {
    mw_ncw_f64(w, "certificate_rest_force", 1, of + 1, NULL,
               "what forces along coordinates err by under gravity, N or N m", c->rest_force);
    mw_ncw_f64(w, "certificate_rest_length", 1, of + 1, NULL,
               "over which length of the coordinate these forces come and go", c->rest_length);
  }
  mw_ncw_att_int(w, "certificate_force_points", c->n_force);
  mw_ncw_att_int(w, "certificate_force_random", c->n_force_random);
  mw_ncw_att_str(w, NULL, "certificate_force_assumed", c->force_assumed ? c->force_assumed : "");
}

static void write_weight(mw_ncw *w, const mw_certificate *c)
{
  int of[1] = { mw_ncw_dim_id(w, "coordinate") };
  mw_ncw_f64(w, "certificate_weight_theta", 1, of, NULL,
             "configuration where frequencies under the weight err most", c->weight_theta);
  mw_ncw_att_int(w, "certificate_weight_points", c->n_weight);
  mw_ncw_att_f64(w, NULL, "certificate_weight_error", c->weight_error);
  mw_ncw_att_int(w, "certificate_weight_buckles", c->weight_buckles);
}

static void read_weight(mw_ncr *r, mw_certificate *c, int s)
{
  c->weight_theta = mw_ncr_f64(r, "certificate_weight_theta", 1, &s, true);
  c->n_weight = mw_ncr_att_int(r, "certificate_weight_points");
  c->weight_error = mw_ncr_att_f64(r, "certificate_weight_error");
  c->weight_buckles = mw_ncr_att_int(r, "certificate_weight_buckles") != 0;
}

static void write_push(mw_ncw *w, const mw_certificate *c)
{
  int of[1] = { mw_ncw_dim_id(w, "coordinate") };
  mw_ncw_f64(w, "certificate_push_theta", 1, of, NULL,
             "configuration where frequencies under declared inputs err most", c->push_theta);
  mw_ncw_att_int(w, "certificate_push_points", c->n_push);
  mw_ncw_att_f64(w, NULL, "certificate_push_error", c->push_error);
  mw_ncw_att_int(w, "certificate_push_buckles", c->push_buckles);
  mw_ncw_att_str(w, NULL, "certificate_push_input", c->push_input ? c->push_input : "");
}

static void read_push(mw_ncr *r, mw_certificate *c, int s)
{
  c->push_theta = mw_ncr_f64(r, "certificate_push_theta", 1, &s, true);
  c->n_push = mw_ncr_att_int(r, "certificate_push_points");
  c->push_error = mw_ncr_att_f64(r, "certificate_push_error");
  c->push_buckles = mw_ncr_att_int(r, "certificate_push_buckles") != 0;
  c->push_input = mw_ncr_att_str(r, "certificate_push_input");
  if (c->push_input && !c->push_input[0]) c->push_input = NULL;
}

static void write_third(mw_ncw *w, const mw_certificate *c)
{
  mw_ncw_att_f64(w, NULL, "certificate_third_error", c->third_error);
  mw_ncw_att_f64(w, NULL, "certificate_third_shift", c->third_shift);
  mw_ncw_att_f64(w, NULL, "certificate_third_hz", c->third_hz);
  mw_ncw_att_f64(w, NULL, "certificate_third_phase", c->third_phase);
  mw_ncw_att_f64(w, NULL, "certificate_third_time", c->third_time);
  mw_ncw_att_int(w, "certificate_third_held", (int)c->third_held);
  mw_ncw_att_f64(w, NULL, "certificate_third_deflection", c->third_deflection);
  mw_ncw_att_str(w, NULL, "certificate_third_load", c->third_load ? c->third_load : "");
  mw_ncw_att_str(w, NULL, "certificate_third_body", c->third_body ? c->third_body : "");
  mw_ncw_att_f64(w, NULL, "certificate_free_error", c->free_error);
  mw_ncw_att_f64(w, NULL, "certificate_free_shift", c->free_shift);
  mw_ncw_att_f64(w, NULL, "certificate_free_phase", c->free_phase);
  mw_ncw_att_f64(w, NULL, "certificate_free_hz", c->free_hz);
  mw_ncw_att_str(w, NULL, "certificate_undeclared", c->undeclared ? c->undeclared : "");
  mw_ncw_att_str(w, NULL, "certificate_third_taken", c->third_taken ? c->third_taken : "");
}

static void read_third(mw_ncr *r, mw_certificate *c, int s)
{
  c->third_error = mw_ncr_att_f64(r, "certificate_third_error");
  c->third_shift = mw_ncr_att_f64(r, "certificate_third_shift");
  c->third_hz = mw_ncr_att_f64(r, "certificate_third_hz");
  if (mw_ncr_has_att(r, "certificate_third_time")) {
    c->third_phase = mw_ncr_att_f64(r, "certificate_third_phase");
    c->third_time = mw_ncr_att_f64(r, "certificate_third_time");
  }
  unsigned all = (1u << s) - 1u;
  if (mw_ncr_has_att(r, "certificate_third_held"))
    c->third_held = (unsigned)mw_ncr_att_int(r, "certificate_third_held") & all;
  else if (!(c->third_time > 0.0))  // phases of free coordinates were not judged
    c->third_held = all;
  c->third_deflection = mw_ncr_att_f64(r, "certificate_third_deflection");
  c->third_load = mw_ncr_att_str(r, "certificate_third_load");
  c->third_body = mw_ncr_att_str(r, "certificate_third_body");
  if (mw_ncr_has_att(r, "certificate_free_hz")) {
    c->free_error = mw_ncr_att_f64(r, "certificate_free_error");
    c->free_shift = mw_ncr_att_f64(r, "certificate_free_shift");
    c->free_phase = mw_ncr_att_f64(r, "certificate_free_phase");
    c->free_hz = mw_ncr_att_f64(r, "certificate_free_hz");
  }
  c->undeclared = mw_ncr_att_str(r, "certificate_undeclared");
  if (!(c->third_error > 0.0)) c->third_load = c->third_body = NULL;
  if (c->undeclared && !c->undeclared[0]) c->undeclared = NULL;
  if (mw_ncr_has_att(r, "certificate_third_taken"))
    c->third_taken = mw_ncr_att_str(r, "certificate_third_taken");
  if (c->third_taken && !c->third_taken[0]) c->third_taken = NULL;
}

static void read_forces(mw_ncr *r, mw_certificate *c, int s)
{
  int of[2] = { MW_MOTIONS, s };
  const double *e = mw_ncr_f64(r, "certificate_force_error", 1, of, true);
  c->force_theta = mw_ncr_f64(r, "certificate_force_theta", 2, of, true);
  if (mw_ncr_has(r, "certificate_force_rate")) {
    c->force_rate = mw_ncr_f64(r, "certificate_force_rate", 1, &s, true);
    c->force_acceleration = mw_ncr_f64(r, "certificate_force_acceleration", 1, &s, true);
  }
  if (mw_ncr_has(r, "certificate_rest_force")) {
    c->rest_force = mw_ncr_f64(r, "certificate_rest_force", 1, &s, true);
    c->rest_length = mw_ncr_f64(r, "certificate_rest_length", 1, &s, true);
  }
  c->n_force = mw_ncr_att_int(r, "certificate_force_points");
  if (mw_ncr_has_att(r, "certificate_force_random"))
    c->n_force_random = mw_ncr_att_int(r, "certificate_force_random");
  c->force_assumed = mw_ncr_att_str(r, "certificate_force_assumed");
  if (c->force_assumed && !c->force_assumed[0]) c->force_assumed = NULL;
  for (int k = 0; e && k < MW_MOTIONS; k++) c->force_error[k] = e[k];
}

static void write_decay(mw_ncw *w, const mw_certificate *c)
{
  int of[1] = { mw_ncw_dim_id(w, "coordinate") };
  mw_ncw_f64(w, "certificate_decay_theta", 1, of, NULL,
             "configuration where the rate of a motion that does not swing errs most",
             c->decay_theta);
  mw_ncw_att_int(w, "certificate_decay_rates", c->n_decay);
  mw_ncw_att_f64(w, NULL, "certificate_decay_error", c->decay_error);
  mw_ncw_att_f64(w, NULL, "certificate_decay_rate", c->decay_rate);
}

static void read_decay(mw_ncr *r, mw_certificate *c, int s)
{
  c->decay_theta = mw_ncr_f64(r, "certificate_decay_theta", 1, &s, true);
  c->n_decay = mw_ncr_att_int(r, "certificate_decay_rates");
  c->decay_error = mw_ncr_att_f64(r, "certificate_decay_error");
  c->decay_rate = mw_ncr_att_f64(r, "certificate_decay_rate");
}

static void write_receptance(mw_ncw *w, const mw_certificate *c, int point)
{
  int of[2] = { mw_ncw_dim(w, "certificate_io", c->n_io),
                mw_ncw_dim(w, "certificate_band", c->n_band) };
  mw_ncw_str(w, "certificate_io", of[0], "rows of the receptance", c->io);
  mw_ncw_f64(w, "certificate_band", 1, &of[1], "Hz", "frequencies of the receptance", c->band);
  mw_ncw_f64(w, "certificate_receptance_error", 1, &point, "1",
             "largest error of the receptance at each configuration", c->receptance_error);
  mw_ncw_f64(w, "certificate_band_error", 2, of, "1",
             "error of each row of the receptance, largest of the configurations", c->band_error);
  mw_ncw_f64(w, "certificate_band_direct", 2, of, "m N-1",
             "magnitude of the receptance of the full mechanism, worst configuration",
             c->band_direct);
  mw_ncw_f64(w, "certificate_band_rom", 2, of, "m N-1",
             "magnitude of the receptance of the reduced model there", c->band_rom);
  mw_ncw_att_f64(w, NULL, "certificate_zeta", c->zeta);
  mw_ncw_att_f64(w, NULL, "certificate_max_receptance_error", c->max_receptance_error);
  mw_ncw_att_int(w, "certificate_worst_receptance", c->worst_receptance);
  mw_ncw_att_int(w, "certificate_worst_io", c->worst_io);
  mw_ncw_att_f64(w, NULL, "certificate_worst_hz", c->worst_hz);
  mw_ncw_att_f64(w, NULL, "certificate_receptance_bound", c->receptance_bound);
}

// What the samples are, and the share of the work space that the random ones speak for.
static void write_samples(mw_ncw *w, const mw_certificate *c, int point)
{
  if (!c->kind) return;
  mw_ncw_int(w, "certificate_kind", 1, &point,
             "full mechanism on its meshes (0), on the bodies' bases: spread evenly (1), random "
             "(2), sought where the model errs most (3)",
             c->kind);
  mw_ncw_att_f64(w, NULL, "certificate_confidence", MW_CONFIDENCE);
  mw_ncw_att_f64(w, NULL, "certificate_covered", mw_certificate_covered(c));
  if (!c->has_gap) return;
  int quantity = mw_ncw_dim(w, "certificate_quantity", MW_ERROR_KINDS);
  mw_ncw_f64(w, "certificate_gap", 1, &quantity, "1",
             "largest difference of errors on bases and on meshes over the tolerance: frequencies, "
             "shapes, static compliance, stress, receptances",
             c->gap);
}

// What solved the samples' eigenproblems.
static void write_solvers(mw_ncw *w, const mw_certificate *c, int point)
{
  if (!c->solver) return;
  mw_ncw_int(
      w, "certificate_solver", 1, &point,
      "modes by block Lanczos (0), by ARPACK (1), by block Lanczos because ARPACK could not: "
      "too few unknowns (2), invariant space (3)",
      c->solver);
  mw_ncw_att_str(w, NULL, "certificate_arpack", c->arpack ? c->arpack : "");
  mw_ncw_att_int(w, "certificate_arpack_missed", c->arpack_missed);
  mw_ncw_att_int(w, "certificate_arpack_proved", c->arpack_proved);
  mw_ncw_att_f64(w, NULL, "certificate_arpack_apart", c->arpack_apart);
}

static void write_tables(mw_ncw *w, const mw_certificate *c)
{
  int of = mw_ncw_dim_id(w, "coordinate");
  mw_ncw_att_int(w, "certificate_table_points", c->n_table);
  mw_ncw_att_f64(w, NULL, "certificate_table_error", c->table_error);
  mw_ncw_att_str(w, NULL, "certificate_table_field", c->table_field ? c->table_field : "");
  mw_ncw_f64(w, "certificate_table_theta", 1, &of, NULL,
             "grid point where tables depart most from what they are made of", c->table_theta);
}

static void read_tables(mw_ncr *r, mw_certificate *c, int s)
{
  c->n_table = mw_ncr_att_int(r, "certificate_table_points");
  c->table_error = mw_ncr_att_f64(r, "certificate_table_error");
  c->table_field = mw_ncr_att_str(r, "certificate_table_field");
  c->table_theta = mw_ncr_f64(r, "certificate_table_theta", 1, &s, true);
  if (c->table_field && !c->table_field[0]) c->table_field = NULL;
}

// Writes what is judged for other readers; reading a model here makes the list anew.
static void write_verdicts(mw_ncw *w, const mw_certificate *c)
{
  mw_verdict v[MW_VERDICTS];
  const char *key[MW_VERDICTS];
  double error[MW_VERDICTS], tolerance[MW_VERDICTS];
  int met[MW_VERDICTS], n = mw_certificate_verdicts(c, v);
  for (int k = 0; k < n; k++) {
    key[k] = v[k].key;
    error[k] = v[k].error;
    tolerance[k] = v[k].tolerance;
    met[k] = v[k].met;
  }
  int of = mw_ncw_dim(w, "certificate_verdict", n);
  mw_ncw_str(w, "certificate_verdict", of, "quantities that are judged", key);
  mw_ncw_f64(w, "certificate_verdict_error", 1, &of, NULL,
             "their largest errors: relative, rigid_positions in m", error);
  mw_ncw_f64(w, "certificate_verdict_tolerance", 1, &of, NULL, "what they may err by", tolerance);
  mw_ncw_int(w, "certificate_verdict_met", 1, &of, "met (1) or missed (0)", met);
}

// Parameters over their ranges; `parameter` and its names are written (romfile.c). Not judged:
// absent.
static void write_range(mw_ncw *w, const mw_range_proof *p)
{
  if (p->n == 0) return;
  int of[2] = { mw_ncw_dim(w, "certificate_value", p->n), mw_ncw_dim_id(w, "parameter") };
  mw_ncw_f64(w, "certificate_value", 2, of, NULL,
             "values of the parameters at which the model is judged over their ranges", p->value);
  mw_ncw_att_int(w, "certificate_value_points", p->n_sample);
  mw_ncw_att_int(w, "certificate_value_points_on_meshes", p->n_mesh);
  of[0] = mw_ncw_dim(w, "certificate_range", p->n_quantity);
  mw_ncw_str(w, "certificate_range", of[0], "quantities judged over the parameters' ranges",
             p->key);
  mw_ncw_str(w, "certificate_range_name", of[0], "in words", p->name);
  mw_ncw_str(w, "certificate_range_unit", of[0], "unit of the error, none: relative", p->unit);
  mw_ncw_str(w, "certificate_range_at", of[0], "value at which the error is largest", p->at);
  mw_ncw_f64(w, "certificate_range_error", 1, of, NULL, "largest error", p->error);
  mw_ncw_f64(w, "certificate_range_tolerance", 1, of, NULL, "what it may be", p->tolerance);
  mw_ncw_int(w, "certificate_range_placed", 1, of, "configuration known (1) or not (0)", p->placed);
  of[1] = mw_ncw_dim_id(w, "coordinate");
  mw_ncw_f64(w, "certificate_range_theta", 2, of, NULL, "configuration, where it is known",
             p->theta);
}

static void read_range(mw_ncr *r, mw_range_proof *p, int n_parameter, int s)
{
  *p = (mw_range_proof){ .n_parameter = n_parameter };
  if (n_parameter == 0 || !mw_ncr_has(r, "certificate_value")) return;
  int n = mw_ncr_dim(r, "certificate_value"), nq = mw_ncr_dim(r, "certificate_range"),
      of[2] = { n, n_parameter };
  if (r->e.code == MW_OK && nq > MW_VERDICTS_ONE)
    mw_ncr_fail(r, "%d quantities over parameters, expected at most %d", nq, MW_VERDICTS_ONE);
  if (r->e.code != MW_OK) return;
  p->value = mw_ncr_f64(r, "certificate_value", 2, of, true);
  p->n_sample = mw_ncr_att_int(r, "certificate_value_points");
  p->n_mesh = mw_ncr_att_int(r, "certificate_value_points_on_meshes");
  p->key = mw_ncr_str(r, "certificate_range", nq);
  p->name = mw_ncr_str(r, "certificate_range_name", nq);
  p->unit = mw_ncr_str(r, "certificate_range_unit", nq);
  p->at = mw_ncr_str(r, "certificate_range_at", nq);
  of[0] = nq;
  of[1] = s;
  p->error = mw_ncr_f64(r, "certificate_range_error", 1, of, false);
  p->tolerance = mw_ncr_f64(r, "certificate_range_tolerance", 1, of, true);
  p->placed = mw_ncr_int(r, "certificate_range_placed", 1, of);
  p->theta = mw_ncr_f64(r, "certificate_range_theta", 2, of, true);
  if (r->e.code != MW_OK) return;
  p->n = n;
  p->n_quantity = nq;
}

void mw_romfile_write_certificate(mw_ncw *w, const mw_rom_file *f)
{
  const mw_certificate *c = &f->certificate;
  int point = mw_ncw_dim(w, "certificate_point", c->n),
      freq = mw_ncw_dim(w, "certificate_frequency", c->n_freq);
  int theta[2] = { point, mw_ncw_dim_id(w, "coordinate") }, pf[2] = { point, freq };
  mw_ncw_f64(w, "certificate_theta", 2, theta, NULL, "configurations off the grid", c->theta);
  mw_ncw_f64(w, "certificate_f_direct", 2, pf, "Hz", "frequencies of the full mechanism",
             c->f_direct);
  mw_ncw_f64(w, "certificate_f_rom", 2, pf, "Hz", "frequencies of the reduced model", c->f_rom);
  mw_ncw_f64(w, "certificate_mac", 2, pf, "1", "modal assurance between the two, 0 to 1", c->mac);
  mw_ncw_f64(w, "certificate_static_error", 1, &point, "1",
             "relative error of the static compliance", c->static_error);
  if (c->stress_error) {
    mw_ncw_f64(w, "certificate_stress_error", 1, &point, "1",
               "relative error of static stresses and strains at the outputs", c->stress_error);
    mw_ncw_att_f64(w, NULL, "certificate_max_stress_error", c->max_stress_error);
  }
  if (c->energy_left) {
    mw_ncw_f64(w, "certificate_energy_left", 1, &point, "1",
               "largest share of strain energy at rest that the columns leave out", c->energy_left);
    mw_ncw_att_f64(w, NULL, "certificate_max_energy_left", c->max_energy_left);
  }
  if (c->n_io > 0) write_receptance(w, c, point);
  if (c->n_force > 0) write_forces(w, c);
  if (c->n_table > 0) write_tables(w, c);
  write_verdicts(w, c);
  mw_ncw_att_f64(w, NULL, "input_bandwidth", mw_certificate_bandwidth(c));
  mw_ncw_att_str(w, NULL, "input_bandwidth_meaning",
                 "Hz; inputs with content up to it are answered within the tolerance of "
                 "receptances, which static patterns alone answer above; 0: not known");
  if (c->n_weight > 0) write_weight(w, c);
  if (c->n_push > 0) write_push(w, c);
  if (c->n_decay > 0) write_decay(w, c);
  write_samples(w, c, point);
  write_solvers(w, c, point);
  mw_ncw_att_f64(w, NULL, "certificate_receptance_tolerance", c->receptance_tolerance);
  mw_ncw_att_f64(w, NULL, "certificate_max_frequency_error", c->max_frequency_error);
  mw_ncw_att_int(w, "certificate_worst_point", c->worst);
  mw_ncw_att_f64(w, NULL, "certificate_min_mac", c->min_mac);
  mw_ncw_att_f64(w, NULL, "certificate_max_static_error", c->max_static_error);
  mw_ncw_att_f64(w, NULL, "certificate_tolerance", c->tolerance);
  mw_ncw_att_int(w, "certificate_patterns_lost", c->n_lost);
  mw_ncw_att_int(w, "certificate_motion_points", c->n_motion);
  mw_ncw_att_f64(w, NULL, "certificate_motion_error", c->motion_error);
  mw_ncw_att_f64(w, NULL, "certificate_motion_tolerance", c->motion_tolerance);
  mw_ncw_att_f64(w, NULL, "certificate_stretch_error", c->stretch_error);
  mw_ncw_att_f64(w, NULL, "certificate_stretch_deflection", c->stretch_deflection);
  mw_ncw_att_str(w, NULL, "certificate_stretch_load", c->stretch_load ? c->stretch_load : "");
  mw_ncw_att_str(w, NULL, "certificate_stretch_body", c->stretch_body ? c->stretch_body : "");
  write_third(w, c);
  if (c->stress_stiffness_error > 0.0)
    mw_ncw_att_f64(w, NULL, "certificate_stress_stiffness_error", c->stress_stiffness_error);
  if (c->mass_error > 0.0) mw_ncw_att_f64(w, NULL, "certificate_mass_error", c->mass_error);
  if (c->stuck > 0.0) mw_ncw_att_f64(w, NULL, "certificate_singular_at_rest", c->stuck);
  if (c->stuck_free > 0.0)
    mw_ncw_att_f64(w, NULL, "certificate_singular_where_free", c->stuck_free);
  write_range(w, &c->range);
  mw_romfile_write_runs(w, &c->runs);
  mw_romfile_write_outside(w, &c->outside);
}

static void read_receptance(mw_ncr *r, mw_certificate *c)
{
  c->n_band = mw_ncr_dim(r, "certificate_band");
  int of[2] = { c->n_io, c->n_band };
  c->io = mw_ncr_str(r, "certificate_io", c->n_io);
  c->band = mw_ncr_f64(r, "certificate_band", 1, &c->n_band, true);
  c->receptance_error = mw_ncr_f64(r, "certificate_receptance_error", 1, &c->n, true);
  c->band_error = mw_ncr_f64(r, "certificate_band_error", 2, of, true);
  c->band_direct = mw_ncr_f64(r, "certificate_band_direct", 2, of, true);
  c->band_rom = mw_ncr_f64(r, "certificate_band_rom", 2, of, true);
  c->zeta = mw_ncr_att_f64(r, "certificate_zeta");
  c->max_receptance_error = mw_ncr_att_f64(r, "certificate_max_receptance_error");
  c->worst_receptance = mw_ncr_att_int(r, "certificate_worst_receptance");
  c->worst_io = mw_ncr_att_int(r, "certificate_worst_io");
  c->worst_hz = mw_ncr_att_f64(r, "certificate_worst_hz");
  c->receptance_bound = mw_ncr_att_f64(r, "certificate_receptance_bound");
}

static void read_samples(mw_ncr *r, mw_certificate *c)
{
  int n = MW_ERROR_KINDS;
  c->n_mesh = c->n;
  if (!mw_ncr_has(r, "certificate_kind")) return;
  c->kind = mw_ncr_int(r, "certificate_kind", 1, &c->n);
  for (c->n_mesh = 0; c->kind && c->n_mesh < c->n && c->kind[c->n_mesh] == MW_POINT_MESH;)
    c->n_mesh++;
  for (int i = 0; c->kind && i < c->n; i++)
    if (c->kind[i] < 0 || c->kind[i] >= MW_POINT_KINDS)
      mw_ncr_fail(r, "certificate_kind[%d] is %d, 0 to %d expected", i, c->kind[i],
                  MW_POINT_KINDS - 1);
  if (!mw_ncr_has(r, "certificate_gap")) return;
  const double *gap = mw_ncr_f64(r, "certificate_gap", 1, &n, true);
  if (gap) memcpy(c->gap, gap, sizeof c->gap);
  c->has_gap = gap != NULL;
}

static void read_solvers(mw_ncr *r, mw_certificate *c)
{
  if (!mw_ncr_has(r, "certificate_solver")) return;
  c->solver = mw_ncr_int(r, "certificate_solver", 1, &c->n);
  for (int i = 0; c->solver && i < c->n; i++)
    if (c->solver[i] < 0 || c->solver[i] >= MW_SOLVERS)
      mw_ncr_fail(r, "certificate_solver[%d] is %d, 0 to %d expected", i, c->solver[i],
                  MW_SOLVERS - 1);
  c->arpack = mw_ncr_att_str(r, "certificate_arpack");
  c->arpack_missed = mw_ncr_att_int(r, "certificate_arpack_missed");
  c->arpack_proved = mw_ncr_att_int(r, "certificate_arpack_proved");
  c->arpack_apart = mw_ncr_att_f64(r, "certificate_arpack_apart");
}

void mw_romfile_read_certificate(mw_ncr *r, mw_rom_file *f)
{
  mw_certificate *c = &f->certificate;
  c->s = f->rom.s;
  c->n = mw_ncr_dim(r, "certificate_point");
  c->n_freq = mw_ncr_dim(r, "certificate_frequency");
  int theta[2] = { c->n, f->rom.s }, pf[2] = { c->n, c->n_freq };
  c->theta = mw_ncr_f64(r, "certificate_theta", 2, theta, true);
  c->f_direct = mw_ncr_f64(r, "certificate_f_direct", 2, pf, true);
  c->f_rom = mw_ncr_f64(r, "certificate_f_rom", 2, pf, true);
  c->mac = mw_ncr_f64(r, "certificate_mac", 2, pf, true);
  c->static_error = mw_ncr_f64(r, "certificate_static_error", 1, &c->n, true);
  if (mw_ncr_has(r, "certificate_stress_error")) {
    c->stress_error = mw_ncr_f64(r, "certificate_stress_error", 1, &c->n, true);
    c->max_stress_error = mw_ncr_att_f64(r, "certificate_max_stress_error");
  }
  if (mw_ncr_has(r, "certificate_energy_left")) {
    c->energy_left = mw_ncr_f64(r, "certificate_energy_left", 1, &c->n, true);
    c->max_energy_left = mw_ncr_att_f64(r, "certificate_max_energy_left");
  }
  c->n_io = mw_ncr_dim(r, "certificate_io");
  if (c->n_io > 0) read_receptance(r, c);
  if (mw_ncr_has(r, "certificate_force_error")) read_forces(r, c, f->rom.s);
  if (mw_ncr_has(r, "certificate_table_theta")) read_tables(r, c, f->rom.s);
  if (mw_ncr_has(r, "certificate_weight_theta")) read_weight(r, c, f->rom.s);
  if (mw_ncr_has(r, "certificate_push_theta")) read_push(r, c, f->rom.s);
  if (mw_ncr_has(r, "certificate_decay_theta")) read_decay(r, c, f->rom.s);
  read_samples(r, c);
  read_solvers(r, c);
  c->receptance_tolerance = mw_ncr_att_f64(r, "certificate_receptance_tolerance");
  c->max_frequency_error = mw_ncr_att_f64(r, "certificate_max_frequency_error");
  c->worst = mw_ncr_att_int(r, "certificate_worst_point");
  c->min_mac = mw_ncr_att_f64(r, "certificate_min_mac");
  c->max_static_error = mw_ncr_att_f64(r, "certificate_max_static_error");
  c->tolerance = mw_ncr_att_f64(r, "certificate_tolerance");
  c->n_lost = mw_ncr_att_int(r, "certificate_patterns_lost");
  c->n_motion = mw_ncr_att_int(r, "certificate_motion_points");
  c->motion_error = mw_ncr_att_f64(r, "certificate_motion_error");
  c->motion_tolerance = mw_ncr_att_f64(r, "certificate_motion_tolerance");
  c->stretch_error = mw_ncr_att_f64(r, "certificate_stretch_error");
  c->stretch_deflection = mw_ncr_att_f64(r, "certificate_stretch_deflection");
  c->stretch_load = mw_ncr_att_str(r, "certificate_stretch_load");
  c->stretch_body = mw_ncr_att_str(r, "certificate_stretch_body");
  if (!(c->stretch_error > 0.0)) c->stretch_load = c->stretch_body = NULL;
  if (mw_ncr_has_att(r, "certificate_third_error")) read_third(r, c, f->rom.s);
  if (mw_ncr_has_att(r, "certificate_singular_at_rest"))
    c->stuck = mw_ncr_att_f64(r, "certificate_singular_at_rest");
  if (mw_ncr_has_att(r, "certificate_singular_where_free"))
    c->stuck_free = mw_ncr_att_f64(r, "certificate_singular_where_free");
  if (mw_ncr_has_att(r, "certificate_stress_stiffness_error"))
    c->stress_stiffness_error = mw_ncr_att_f64(r, "certificate_stress_stiffness_error");
  if (mw_ncr_has_att(r, "certificate_mass_error"))
    c->mass_error = mw_ncr_att_f64(r, "certificate_mass_error");
  read_range(r, &c->range, f->n_parameter, f->rom.s);
  mw_romfile_read_runs(r, &c->runs);
  mw_romfile_read_outside(r, &c->outside);
}
