// SPDX-License-Identifier: BSD-3-Clause
// certificate_layer.h: a sample and the reduced model at its θ, shared by the parts of the
// comparison.
#ifndef MW_REDUCTION_CERTIFICATE_LAYER_H
#define MW_REDUCTION_CERTIFICATE_LAYER_H

#include "sample/receptance_layer.h"

typedef struct mw_compare {
  const mw_reduction *r;
  const mw_tables *t;  // that rom's were made with
  const mw_rom_file *rom;
  mw_certificate *c;
  int n_io;
  mw_unit_load *load;   // [n_io]
  double *largest;      // [n_load]  fᵀK⁻¹f of a load's kind, largest over the samples
  unsigned char *skip;  // [n_io]  unit loads that do next to nothing at the sample
  double *value;        // fields of the reduced model at θ
  double *K, *V, *w;    // [m × m], [m × m], [m]  K = V diag(w) Vᵀ
  double *g, *G;        // [n_load × m]  loads on the columns, on K's eigenvectors
  double *F;            // [n_load × n_load]  G diag(1/w) Gᵀ
  double *Psi, *AV;     // [m × n], [n_freq × m]
  mw_arena mem;
} mw_compare;

// certificate.c: comparison in the setting of n samples s, which say what loads of a kind do at
// most and up to which frequencies receptances are compared; c has room for `most` samples.
// mw_compare_sample: sample s into c at i.
MW_MUST_USE mw_code mw_compare_open(const mw_reduction *r, const mw_tables *t,
                                    const mw_rom_file *rom, int n, const mw_sample *s, int most,
                                    mw_compare *z, mw_certificate *c, mw_arena *mem, mw_error *err);
MW_MUST_USE mw_code mw_compare_sample(mw_compare *z, const mw_sample *s, int i, mw_error *err);
void mw_compare_close(mw_compare *z);

// Modal assurance mac [n_freq]: modes of s within the span of the reduced modes (V, w of K) of
// nearly the same frequency; 1 where the sample has no row for it, and beyond the middle of a
// symmetric coordinate, where the columns are mirror images of those that are there. Scratch: Psi
// [m × n of s], AV [n_freq × m].
MW_MUST_USE mw_code mw_assurance(const mw_reduction *r, const mw_rom *rom, const mw_sample *s,
                                 int n_freq, const double *w, const double *V, double *Psi,
                                 double *AV, double *mac, mw_error *err);

// certificate_loads.c: compliance, stress, energy left out at sample i
MW_MUST_USE mw_code mw_compare_statics(mw_compare *z, const mw_sample *s, int i, mw_error *err);
// Largest |eigenvalue| of (F0 − F, F0) over the n loads that count beside `largest` [n], energies
// to compare theirs with.
MW_MUST_USE mw_code mw_energy_left(int n, const double *F0, const double *F, const double *largest,
                                   double *left, mw_error *err);

// certificate_tables.c: n_table, table_error, table_theta and table_field of c, the latter from
// mem.
MW_MUST_USE mw_code mw_certificate_tables(const mw_reduction *r, const mw_tables *t,
                                          const mw_rom_file *f, mw_certificate *c, mw_arena *mem,
                                          mw_error *err);

// certificate_range.c: range of f's certificate, where the model keeps parameters; f is otherwise
// finished and in the middle of their ranges.
MW_MUST_USE mw_code mw_certificate_range(const mw_reduction *r, const mw_patterns *p,
                                         const mw_tables *t, mw_rom_file *f, mw_error *err);

// certificate_mirror.c: MW_ERR_NUMERIC where columns jump in the middle of a symmetric coordinate.
// size [n_field]: what errors of a field are measured against (mw_tables, scale).
MW_MUST_USE mw_code mw_certificate_mirror(const mw_rom_file *f, const double *size, mw_error *err);

// certificate_band.c: names, frequencies and results of receptances in c from mem; then sample i
MW_MUST_USE mw_code mw_compare_band(mw_compare *z, int n, const mw_sample *s, mw_arena *mem,
                                    mw_error *err);
MW_MUST_USE mw_code mw_compare_receptances(mw_compare *z, const mw_sample *s, int i, mw_error *err);

#endif
