// SPDX-License-Identifier: BSD-3-Clause
// romfile.h: a reduced model with its certificate and provenance, in memory and as rom.nc.
#ifndef MW_REDUCTION_ROMFILE_H
#define MW_REDUCTION_ROMFILE_H

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"
#include "reduction/drawn.h"
#include "reduction/runs.h"
#include "rom/step.h"

MW_API_BEGIN

// What of the equations of motion a certificate compares.
enum {
  MW_MOTION_INERTIA,
  MW_MOTION_GRAVITY,
  MW_MOTION_CONVECTIVE,
  MW_MOTION_DAMPING,
  MW_MOTION_COORDINATE,
  MW_MOTIONS
};
// What a sample of a certificate is: the mechanism on its meshes, or on the bodies' bases at points
// that are spread evenly (Halton), at random ones, independent and uniform, that took no part in
// choosing the grid, or where the model was sought to err most.
enum { MW_POINT_MESH, MW_POINT_SPREAD, MW_POINT_RANDOM, MW_POINT_SOUGHT, MW_POINT_KINDS };
// What solved the eigenproblem of a sample: block Lanczos as everywhere (MW_SOLVER_LANCZOS),
// ARPACK, or block Lanczos because ARPACK could not: the mesh has too few unknowns, its modes are
// all there are.
enum { MW_SOLVER_LANCZOS, MW_SOLVER_ARPACK, MW_SOLVER_TOO_FEW, MW_SOLVER_EXHAUSTED, MW_SOLVERS };
// Quantities compared at every sample, and by those that only some have.
enum {
  MW_ERROR_FREQUENCY,
  MW_ERROR_SHAPE,
  MW_ERROR_STATIC,
  MW_ERROR_STRESS,
  MW_ERROR_RECEPTANCE,
  MW_ERROR_KINDS
};

// Parameters that the model keeps: the certificate once more at values of them, against bodies
// built there (certificate_range.c).
typedef struct mw_range_proof {
  int n_parameter;  // 0: the model keeps none
  int n;            // values judged, 0: none
  double *value;    // [n × n_parameter]  in the model's units
  int n_sample;     // configurations each, of them on the meshes at the ends of the ranges:
  int n_mesh;
  int n_quantity;
  const char **key, **name, **unit;  // [n_quantity]  as mw_verdict has them
  const char **at;                   // [n_quantity]  "payload = 0.6", where the error is largest
  double *error, *tolerance;         // [n_quantity]  of all values
  int *placed;                       // [n_quantity]  is it known at which configuration?
  double *theta;                     // [n_quantity × s]  that; 0 where it is not known
} mw_range_proof;

typedef struct mw_certificate {
  int s;               // coordinates
  int n;               // points off the grid
  int n_mesh;          // the first of them, on the meshes
  int *kind;           // [n]  MW_POINT_…; NULL: all on the meshes
  int *solver;         // [n]  MW_SOLVER_…; NULL: not known, or all by block Lanczos
  const char *arpack;  // version of the library, NULL: not known
  // of the samples solved by ARPACK: modes that its first runs missed and others found, all samples
  // together; the lowest modes that inertia counts prove complete at each; largest relative
  // difference of frequencies beside block Lanczos
  int arpack_missed, arpack_proved;
  double arpack_apart;
  // largest difference of the errors, over their tolerances, between the bodies' bases and the
  // meshes at the points of the latter: what samples on bases do not see. has_gap false: there are
  // none
  double gap[MW_ERROR_KINDS];
  bool has_gap;
  int n_freq;        // frequencies compared at each
  double *theta;     // [n × s]
  double *f_direct;  // [n × n_freq]  Hz
  double *f_rom;     // [n × n_freq]  Hz
  double *mac;       // [n × n_freq]  modal assurance between direct and interpolated modes, 0..1
  // [n]  static compliance of unit loads, inertia and gravity, relative to direct
  double *static_error;
  double *stress_error;  // [n]  static stress and strain outputs, relative; NULL: there are none
  // Receptances between the unit loads of outputs and free drives, 0 to band[n_band - 1]. Error of
  // row i: over all j
  // |H_ij rom − H_ij direct| / √(E_ii E_jj), E_ii(ω) the sum of the magnitudes of what modes and
  //   the static rest contribute
  // to H_ii: no antiresonances in it.
  int n_io;                  // rows, 0: none compared
  const char **io;           // [n_io]  "tool.x", …, drives' names
  int n_band;                // frequencies
  double *band;              // [n_band]  Hz, ascending
  double zeta;               // modal damping ratio that receptances are compared with
  double *receptance_error;  // [n]  largest of a point
  double *band_error;        // [n_io × n_band]  largest over the points
  double *band_direct;       // [n_io × n_band]  |H_ii| at worst_receptance, m/N
  double *band_rom;          // [n_io × n_band]
  double max_receptance_error;
  int worst_receptance, worst_io;  // point and row of it
  double worst_hz;                 // where in the band
  double receptance_tolerance;     // asked for, 0: none
  // bound of the direct receptances' own error (modes not computed), same measure
  double receptance_bound;
  // Share of the strain energy of any combination of unit loads, inertia and gravity that the
  // columns leave out: the largest eigenvalue, by magnitude (interpolated stiffness may be too
  // soft), of (F_direct − F_rom, F_direct), F = fᵀ K⁻¹ f. A load whose energy beyond that of the
  // others is less than 1e-4 of the largest of its kind at any point takes no part.
  double *energy_left;  // [n]
  double max_energy_left;
  double max_stress_error;
  double max_frequency_error;  // relative
  int worst;                   // point of the largest frequency error
  double min_mac, max_static_error;
  double tolerance;  // asked for
  int n_lost;        // static patterns that matter and could not be kept (mw_rom_file.lost)
  // positions of the outputs at rest, unloaded, against kinematics
  int n_motion;             // random configurations, 0: not compared
  double motion_error;      // m, largest
  double motion_tolerance;  // m, asked for (rigid_axes.c)
  // tables at the points of the grid against what they were made of, over the size of the field's
  // kind (certificate_tables.c)
  int n_table;              // points, 0: not compared
  double table_error;       // largest
  double *table_theta;      // [s]  where
  const char *table_field;  // and which coefficient, NULL: none errs
  // stress stiffness of the bodies that is left out at the largest accelerations, rates and inputs,
  // over the stiffness (second_stress.c)
  double stress_stiffness_error;
  // the largest share of a declared load at rest that members held at both ends would carry by
  // stretching, which the model does not know (large.c); 0: none, or not estimated
  double stretch_error;
  double stretch_deflection;                // m, across the body that stretches, under that load
  const char *stretch_load, *stretch_body;  // names; NULL where the share is 0
  // the largest relative change of a frequency that the model does not know, as far as a declared
  // load makes it swing, or half of what outputs err by then (swing.c; of free coordinates within
  // third_time), or of what loads of rates err by that turn with a body (large.c); 0: none, or not
  // estimated
  double third_error;
  double third_shift;  // the change
  double third_hz;     // the frequency that it is of, Hz; 0: a body turns; below: it stays bent
  double third_phase;  // rad, of that mode within third_time, where coordinates are free
  double third_time;   // s, the longest scenario that leaves a coordinate free; 0: none is
  // coordinates taken for prescribed in that, for drives may and all scenarios there were do, as
  // bits
  unsigned third_held;
  double third_deflection;  // m, of the body that moves most, under that load; rad where it turns
  const char *third_load, *third_body;  // names; NULL where it is 0
  // what the columns leave out of frequencies where coordinates are free, relative, or half of what
  // the phase is wrong by of it, within third_time, over what loads deflect (swing_lost.c)
  double free_error;
  double free_shift, free_phase;  // the frequency's part; rad
  double free_hz;                 // of that mode; 0: none is free, or not judged
  const char *undeclared;         // what would be such loads, too, but is not known; NULL: nothing
  // rates and accelerations of such loads that are not declared but those of the scenarios there
  // were; NULL: none
  const char *third_taken;
  // share of the softest column's kinetic energy that a change of the columns' mass, left out, has
  // at the declared ranges (extra_mass.c); 0: nothing is left out, or nothing is declared
  double mass_error;
  double
      // share of random configurations at rest under gravity at which the inertia of free
      // coordinates is singular
      stuck,
      stuck_free;  // the same where all are free, those too that a drive may prescribe
  // frequencies under the weight against those on the bodies' whole bases (certificate_weight.c)
  int n_weight;          // configurations, 0: no gravity, or a model without its stiffness
  double weight_error;   // largest, relative; 1 where it buckles
  bool weight_buckles;   // the machine does, at weight_theta
  double *weight_theta;  // [s]  where it errs most
  // likewise under each declared input that is a force at a frame, both ways, beside the weight
  int n_push;              // configurations, 0: none is declared
  double push_error;       // largest, relative; 1 where it buckles
  bool push_buckles;       // the machine does, at push_theta
  double *push_theta;      // [s]  where it errs most
  const char *push_input;  // the drive's name then; NULL where nothing errs
  mw_range_proof range;    // of parameters that the model keeps
  mw_run_proofs runs;      // scenarios run by both paths
  mw_run_scope outside;    // scenarios that nothing is promised for
  // Forces of the coefficients and their slopes at random configurations, at the largest rates,
  // accelerations and inputs, over those that make the largest deflection at rest, or accelerate
  // the coordinates (certificate_fields.c)
  int n_force, n_force_random;  // configurations, and those of them at random; 0: not known
  double force_error[MW_MOTIONS];
  double *force_theta;  // [MW_MOTIONS × s]  where each errs most
  // [s]  the largest rates and accelerations these forces were compared at; NULL: not known
  double *force_rate, *force_acceleration;
  // [s]  what the force along each coordinate errs by under gravity (or what else bends at rest),
  // N or N·m, and over which length of the coordinate that force comes and goes, m or rad; 0: no
  // line along it was compared. NULL: not known
  double *rest_force, *rest_length;
  // ranges that are not declared, and what was taken for them; NULL: all are
  const char *force_assumed;
  // motions that dampers keep from swinging, in the band of the modes asked for, all configurations
  // together (certificate_decay.c)
  int n_decay;                     // 0: none, or none looked for
  double decay_error, decay_rate;  // relative error of the rate that errs most; the rate, 1/s
  double *decay_theta;             // [s]  where
} mw_certificate;

// How far columns may go, each alone, until something that the model leaves out reaches its
// tolerance; beyond, it grows with the square of the amplitude.
typedef struct mw_reach {
  const double *amplitude;   // [m]  INFINITY: any; NULL: not estimated
  const double *deflection;  // [m]  m, within the body then
  const char **body;         // [m]  name of the body, "" where any amplitude will do
} mw_reach;

// What the model does not know of modes as they swing further, over the square of the amplitude
// (swing.c): each where its frequency changes most of the places looked at.
typedef struct mw_swings {
  int n;                     // modes, the softest; 0: not estimated
  const double *omega;       // [n]      rad/s
  const double *shift;       // [n]      relative change of omega
  const double *third;       // [n]      third order of outputs over what they move
  const double *mode;        // [n × m]  what projects the columns on it, amplitude and rate
  const double *output;      // [n]      m, of the output that moves most, for an amplitude of 1
  const double *bends;       // [n]      m, the same with all coordinates held
  const double *deflection;  // [n]      m, of the body that moves most, likewise
  const char **body;         // [n]      its name
} mw_swings;

// A parameter of the model that the reduced model keeps: a point mass at one of its positions, or
// stiffness and damping of springs and runners, which have no mass and no field.
typedef struct mw_rom_parameter {
  const char *name;
  double lo, hi;      // range; the reduction was made in the middle of it
  double value;       // of the tables in memory; in the file the middle
  double mass;        // kg a unit of the parameter
  int field;          // of the first component of the position, the others follow it; −1: rows
  double gravity[3];  // m/s², what pulls at the mass
} mw_rom_parameter;

typedef struct mw_rom_file {
  mw_rom rom;              // coefficients owned by mem
  mw_rom_inertia inertia;  // default of the model
  bool first_order;        // it was asked to leave the second order out (inertia: first_order)
  char model_hash[65];
  const char *model_name, *version;
  const char *parameters;  // of the model, as mw_model_parameter_text; NULL: it had none
  // path of the model as it was given, "": unknown; read from a file: beside that, if it is there
  const char *model_file;
  const char *command;      // how the program was called, for the history; NULL: unknown
  const char **coordinate;  // [s] names
  const char **unit;        // [s] "m" or "rad"; NULL: unknown
  const char **field;  // [n_y] names: "tool.x", …, joint coordinates "s:x2", force drives "f:push"
  const char *
      *field_unit;      // [n_y] of stresses and strains "Pa" or "1", else ""; NULL: there are none
  const char **input;   // [n_u] drive names
  const char **column;  // [m] "mode 1", …, "pattern tool.z", …
  int n_modes, n_patterns;  // m = n_modes + n_patterns
  // grid of the eigenanalyses, a tensor grid; the tables of rom may be finer
  int n_grid[MW_ROM_MAX_S];    // points an axis, >= 4
  double *grid[MW_ROM_MAX_S];  // [n_grid]  ascending, lo to hi; each is a point of the table too
  int n_point;                 // their product
  // direct frequencies on the grid, drives held, Hz, ascending
  double *frequency;  // [n_point × n_modes_all]
  int n_freq;         // n_modes_all
  int *identity;      // [n_point × n_modes_all]  the kept mode a frequency belongs to, −1: none
  int *cluster;       // [n_modes]
  double largest_jump;  // of the alignment
  // why there are more modes than were asked for (n_freq), NULL: there are not
  const char *followed;
  // loads fixed while the modes were computed (set: craig-bampton), whose frequencies are those
  // above; NULL: none
  const char *fixed;
  // terms of second order too small to matter at the declared ranges; elastic bodies of other
  // programs' matrices, whose stresses stiffen nothing; coordinates with little inertia beside what
  // the columns move, whose rates err most where they are free. NULL: none
  const char *left_out, *stressless, *light;
  // at which points of the tables second order and convective dissipation were made, NULL: at all
  const char *thinned;
  double mass_left;    // certificate.mass_error; not in the file by itself
  double stress_left;  // certificate.stress_stiffness_error, likewise
  mw_reach bend,
      stretch;  // third order in deflection; stretching of members held at both ends (large.c)
  mw_swings swing;
  // static patterns that are lost: the load, by how much it is too stiff, where, and what would
  // keep it; NULL: none
  const char *lost;
  // those without a column, and how much of their static compliance is left out: others' columns
  // hold it; it could not be followed, but is within the tolerance. NULL: none
  const char *held, *given_up;
  // how their numbers, and the form of the tables, were chosen, NULL: the model says them; not in
  // the file
  const char *grid_note, *modes_note, *table_note;
  const char *law_note;  // set by mw_rom_file_laws, NULL: nothing changed; not in the file
  double wall_s;  // of the reduction; not in the file (same inputs, same bytes): 0 after reading
  int unknowns;   // of the full mechanism
  // for a start with a velocity on a deflected state (romrun.c): spline coefficients over n_table
  // points an axis, last axis fastest, a record of n_start = m(m+1)/2 + s m² doubles: ΨᵀKΨ of
  // bodies and springs, packed, and ΨᵀKΨ_,i
  int n_table[MW_ROM_MAX_S], n_start;  // symmetric axes: points from lo to mid
  const double *start;
  int n_start_train;  // trains instead of start, which is then NULL
  const mw_rom_train *start_train;
  int n_parameter;
  mw_rom_parameter *parameter;  // [n_parameter]  mw_rom_set_parameter changes their value
  // [n_parameter × knots × mw_rom_damped(&rom)]  what a unit of each adds to C, CE and CC: spline
  // coefficients as those of rom; NULL: none of them is of dampers
  const double *damped;
  // [n_parameter × knots × m(m+1)/2], [n_parameter × those of start]  likewise what a unit of each
  // adds to K and to start; NULL: none of them is a stiffness
  const double *stiff, *stiff_start;
  // tables of the middle of all ranges, and what is behind rom.coef and start otherwise; set by
  // mw_rom_set_parameter, NULL before. Not in the file
  const double *made_coef, *made_start;
  double *set_coef, *set_start;
  // says which parameters are not in the middle of their ranges; NULL: all are. Not in the file
  const char *parameter_note;
  mw_drawn drawn;  // for pictures; n_body 0: there is none
  mw_certificate certificate;
  mw_arena mem;
} mw_rom_file;

void mw_rom_file_free(mw_rom_file *f);
// The record of the start table at theta [s]: v [n_start]. MW_ERR_RANGE outside the box.
MW_MUST_USE mw_code mw_rom_file_start(const mw_rom_file *f, const double *theta, double *v,
                                      mw_error *err);
// Sets rom.slow (rom.h) by the largest rates that are declared. When a model is made or read.
MW_MUST_USE mw_code mw_rom_file_note_slow(mw_rom_file *f, mw_error *err);
// netCDF-4 with a digest behind it; written to a temporary name, synced, renamed (ncfile.h).
MW_MUST_USE mw_code mw_rom_file_write(const mw_rom_file *f, const char *path, mw_error *err);
// Digest is checked before HDF5 sees a byte, then every dimension, then finiteness.
MW_MUST_USE mw_code mw_rom_file_read(const char *path, mw_rom_file *out, mw_error *err);
// Damping, friction and end stops of joint coordinates as m has them; where they were others, the
// certificate's runs are dropped and law_note says so.
MW_MUST_USE mw_code mw_rom_file_laws(const mw_mech *m, mw_rom_file *f, mw_error *err);
// Counts the fields of a record that dissipate: C, CE and CC.
int mw_rom_damped(const mw_rom *rom);
// Sets parameter k of f (0 … f->n_parameter − 1) to a value within its range, in the unit that the
// model file gives it: the mass is put into the tables (table/payload.c), a step costs what it did;
// setting costs an evaluation a point of the tables. Limits of amplitudes stay those of the middle
// (f->parameter_note); scenarios that judged the model there are dropped from f->certificate.
// MW_ERR_INPUT: k is none of f, value beyond its range, or the tables can take no mass (a
// coordinate that lifts it alone); MW_ERR_NUMERIC: more mass is taken away than there is;
// MW_ERR_MEMORY. f is then as it was.
MW_MUST_USE mw_code mw_rom_set_parameter(mw_rom_file *f, int k, double value, mw_error *err);
// A copy of f whose parameters may be set, in the middle of their ranges; the rest is shared: f
// must outlive it.
MW_MUST_USE mw_code mw_rom_file_view(const mw_rom_file *f, mw_rom_file *out, mw_error *err);
// Sets all parameters as the model has them.
MW_MUST_USE mw_code mw_rom_file_parameters(const mw_model *m, mw_rom_file *f, mw_error *err);
// MW_ERR_INPUT when the ROM was not made from this model (hash).
MW_MUST_USE mw_code mw_rom_file_match(const mw_rom_file *f, const mw_model *model, const char *path,
                                      mw_error *err);

MW_API_END

#endif
