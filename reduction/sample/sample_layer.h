// SPDX-License-Identifier: BSD-3-Clause
// sample_layer.h: the full mechanism at one configuration: all that a certificate compares, once
// and for good.
//
// A sample does not depend on the reduced model: grids may be refined and tables compressed,
// samples stay.
#ifndef MW_REDUCTION_SAMPLE_LAYER_H
#define MW_REDUCTION_SAMPLE_LAYER_H

#include "reduce_layer.h"
#include "reduction/basis.h"
#include "reduction/work.h"

// Loads, in this order: unit forces at position outputs (x, y, z of each), of drives that θ leaves
// free (on coordinates or at frames); then the inertia forces −M ρ_θ of unit accelerations of θ;
// then gravity.
typedef struct mw_sample {
  double theta[MW_ROM_MAX_S];
  int n;  // unknowns of the reduction's own coordinates: body bases (or the mesh), rigid bodies
  int k;  // modes, as many as receptances in the band need
  int motions;     // there are with theta held; k of them: nothing is left
  int n_mac;       // modes with a row in A, <= k
  int n_io;        // unit loads
  int n_load;      // n_io + s + 1
  int n_stress;    // rows of stress and strain outputs
  double *lambda;  // [k]  (rad/s)², ascending
  double *A;       // [n_mac × n]        φᵀ M T, T the body bases (or 1)
  double *B;       // [k × n_load]       φ_kᵀ f_l
  double *F0;      // [n_load × n_load]  f_iᵀ K⁻¹ f_j
  double *F1;      // [n_load × n_load]  f_iᵀ K⁻¹ M K⁻¹ f_j
  double *stress;  // [n_load × n_stress]  of K⁻¹ f_l
  int solver;      // MW_SOLVER_… (romfile.h) of lambda, A and B
  // of ARPACK's modes: those the first run missed, of n_proved the inertia count proves; largest |f
  // − f'|/f beside block Lanczos; 0 for other solvers
  int n_missed, n_proved;
  double apart;
  double *beyond;  // [beyond of mw_sample_in]  ARPACK's eigenvalues above lambda; not packed
} mw_sample;

typedef struct mw_sample_in {
  const mw_mech *mech;
  const unsigned char *locked;  // [n_coord]
  int s;
  const mw_config *q;
  int k;        // modes at least
  int first;    // modes to begin with, where it is known how many are needed; 0: k and some more
  int n_mac;    // modes that are compared one by one, <= k
  double band;  // Hz, receptances are wanted from 0 to here; 0: to the frequency of mode k
  double rest;  // what modes not computed may leave open of them, relative (receptance.c)
  const mw_basis *basis;  // [n_body] of the reduction's coordinates; NULL: those of sys
  bool arpack;  // its modes by ARPACK, too: those are kept, proved complete by an inertia count
  bool proof_apart;  // that count is left to others
  int beyond;        // modes above those of the sample that ARPACK finds, too
  // [k]  of a sample that block Lanczos took there, NULL: none; with arpack and proof_apart. What
  // ARPACK does not find is not in this sample then
  const double *lambda;
} mw_sample_in;

// A unit load: the share of a field of the reduced model (rom.h), named as the certificate's rows.
typedef struct mw_unit_load {
  int output, axis;  // position output, −1: a drive
  int drive, coord;  // drive; its joint coordinate, −1: it acts on a frame
  int field;         // row y of the reduced model
  bool angle;        // rad/(N·m), else m/N
} mw_unit_load;

// Gives the modal damping ratio that receptances are compared with: the model's, else 0.02.
double mw_sample_zeta(const mw_model *m);
// Lists the unit loads of samples; returns their number. list NULL: the number alone.
int mw_sample_unit_loads(const mw_mech *mech, const unsigned char *locked, mw_unit_load *list);

// Takes a sample. sys: the full mechanism at in->q, blocks with sigma = 0, only locked held. Memory
// from mem.
MW_MUST_USE mw_code mw_sample_build(mw_system *sys, const mw_sample_in *in, mw_sample *out,
                                    mw_arena *mem, mw_error *err);
// Replaces the modes of a sample, lambda and Phi [k × n], by ARPACK's, or says in solver why not
// (sample_arpack.c). MW_ERR_NUMERIC: some stay missing.
MW_MUST_USE mw_code mw_sample_arpack(mw_system *sys, const mw_sample_in *in, mw_sample *s,
                                     double *Phi, mw_error *err);
// Proves the modes lambda [found] of ARPACK at in->q by an inertia count: how many of the k that
// are wanted it proves, and how many it finds missing.
MW_MUST_USE mw_code mw_sample_prove(const mw_sample_in *in, int k, int found, const double *lambda,
                                    int *proved, int *left, mw_error *err);
// Makes A of a sample that was taken on the mesh (basis NULL), over the bases [n_body] of the full
// mechanism m; T in memory.
MW_MUST_USE mw_code mw_sample_on_bases(const mw_mech *m, const mw_basis *basis, mw_sample *z,
                                       mw_arena *mem, mw_error *err);
// Write a sample as bytes and read it back, to the bit. MW_ERR_INPUT: not a sample of s
// coordinates.
void mw_sample_pack(const mw_sample *z, mw_pack *p);
MW_MUST_USE mw_code mw_sample_unpack(mw_unpack *u, mw_sample *out, mw_arena *mem, mw_error *err);

// Fill theta [n × s]: Halton points off the grid, numbers `first` on; points uniform in the box,
// independent, whose generator's state goes on (base/random.h).
void mw_points_halton(const mw_reduction *r, int first, int n, double *theta);
void mw_points_random(const mw_reduction *r, int n, uint64_t *state, double *theta);
// Samples the mechanism of projected bodies at theta in some milliseconds; in: as
// mw_certificate_sample gives it.
MW_MUST_USE mw_code mw_sample_projected(const mw_reduction *r, const mw_sample_in *in,
                                        const double *theta, mw_sample *out, mw_arena *mem,
                                        mw_error *err);

// Gives what samples of this model are made with (q and basis are left to the caller); the second
// compares n samples, whose coordinates are those of r, with rom, made with t (certificate.c).
mw_sample_in mw_certificate_sample(const mw_reduction *r);
MW_MUST_USE mw_code mw_certificate_compare(const mw_reduction *r, const mw_tables *t,
                                           const mw_rom_file *rom, int n, const mw_sample *sample,
                                           mw_certificate *out, mw_arena *mem, mw_error *err);

#endif
