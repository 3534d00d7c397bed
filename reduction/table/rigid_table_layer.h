// SPDX-License-Identifier: BSD-3-Clause
// rigid_table_layer.h: tables as fine as rigid motion needs, whatever the grid of the
// eigenanalyses.
#ifndef MW_REDUCTION_MOTION_LAYER_H
#define MW_REDUCTION_MOTION_LAYER_H

#include "reduce_layer.h"

typedef struct mw_motion {
  bool finer;                // along any axis
  bool columns;              // the columns' own fields, too, are evaluated between grid points
  int factor[MW_ROM_MAX_S];  // table intervals for one of the grid's table
  // points where rigid motion is evaluated, and the grid's, both in the finer table
  mw_axis axis[MW_ROM_MAX_S], grid[MW_ROM_MAX_S];
  double size;        // m, of the machine
  double deflection;  // m, largest static one under what is declared
  double limit;       // m, what splines of positions may err by
  double tolerance;  // m, what the certificate asks of positions: ten times that, or the micrometre
  double left;       // m, what they err by where the table may not grow further, else 0
  size_t bytes;      // of the table
} mw_motion;

// The points that rigid motion needs. records [n_point × n_field]: of the grid (lagrangian.c);
// sizes and inputs' fields of f->rom are there. Memory of out from mem.
MW_MUST_USE mw_code mw_motion_axes(mw_reduction *r, const mw_rom_file *f, const double *records,
                                   mw_arena *mem, mw_motion *out, mw_error *err);

// Forces on the columns, F [n × m], at a record: gravity, acceleration and rate of each coordinate
// as in `at`, each input as declared. n of them is returned, mw_motion_load_count; a name of load
// l, from mem.
int mw_motion_loads(const mw_reduction *r, const mw_field_ranges *at, const mw_rom *rom,
                    const double *rec, double *F);
int mw_motion_load_count(const mw_reduction *r);
bool mw_motion_load_is_rate(const mw_reduction *r, int l);
const char *mw_motion_load_name(const mw_reduction *r, int l, mw_arena *mem);

// The machine's size, m: diagonal of the box around all nodes in the first configuration, all
// bodies' origins and outputs on the grid. records [n_point × n_field of rom].
double mw_motion_size(const mw_reduction *r, const mw_rom *rom, const double *records);

// Largest amplitude of each column, delta_max [m]: alone it would move an output by the declared
// max_deflection, else by a third of the machine's size, where what the model leaves out
// (deflection over size, squared) is a tenth.
void mw_motion_ranges(const mw_reduction *r, const mw_rom *rom, const double *records,
                      const mw_motion *mo, double *delta_max);

// Records at all points of mo->axis, *out [points × n_field] from mem, of those on the grid and
// what of them is kept apart.
MW_MUST_USE mw_code mw_motion_records(mw_reduction *r, const mw_rom_file *f, const mw_motion *mo,
                                      const mw_tables *apart, const double *records, mw_arena *mem,
                                      double **out, mw_error *err);
// Fields that are known on the grid alone, mask [n_field].
void mw_motion_elastic(const mw_reduction *r, const mw_rom_file *f, const mw_motion *mo,
                       unsigned char *mask);

// Rigid motion at one configuration: records of a reduction without columns.
typedef struct mw_motion_at {
  mw_reduction bare;
  mw_lagrangian *lag;
  mw_rom_layout lay;  // a, U0, y0
  mw_arena mem;       // of the last configuration
  mw_config q;        // the last configuration
} mw_motion_at;
MW_MUST_USE mw_code mw_motion_at_init(const mw_reduction *r, int n_y, mw_motion_at *out,
                                      mw_error *err);
// near: a configuration close by; rec [lay.n]
MW_MUST_USE mw_code mw_motion_at_eval(mw_motion_at *w, const double *theta, const mw_config *near,
                                      double *rec, mw_error *err);
void mw_motion_at_free(mw_motion_at *w);
// certificate_motion.c: n_motion, motion_error, motion_tolerance of c; the latter from t
MW_MUST_USE mw_code mw_certificate_motion(const mw_reduction *r, const mw_tables *t,
                                          const mw_rom_file *f, mw_certificate *c, mw_error *err);
// Coordinates that a run may prescribe and that no declared force says to be free, as bits.
unsigned mw_motion_prescribable(const mw_reduction *r);
// Those of them that every scenario of the model prescribes.
unsigned mw_motion_prescribed(const mw_reduction *r);
// Duration of the longest scenario of the model that leaves a coordinate free, s; 0: none does.
double mw_motion_longest_free(const mw_reduction *r);
// certificate_weight.c: n_weight, weight_error, weight_buckles, weight_theta of c, at these
// configurations; NULL: those that a certificate is made at, among them the sample of c whose
// frequencies err most
MW_MUST_USE mw_code mw_certificate_weight(const mw_reduction *r, const mw_rom_file *f,
                                          const mw_places *at, mw_certificate *c, mw_arena *mem,
                                          mw_error *err);
// n_push, push_… of c
MW_MUST_USE mw_code mw_certificate_push(const mw_reduction *r, const mw_rom_file *f,
                                        const mw_places *at, mw_certificate *c, mw_arena *mem,
                                        mw_error *err);

// large.c: f->bend, f->stretch and what of the certificate is about stretching, of a model that is
// otherwise finished; from mem, which is f's in the end. Other stages of the certificate may run
// beside it on another thread.
MW_MUST_USE mw_code mw_large_limits(mw_reduction *r, mw_rom_file *f, mw_arena *mem, mw_error *err);
enum { MW_LARGE_PLACES = 3 };
// The grid points it looks at: the ends and the middle of the grid, or all there are; returns how
// many.
int mw_large_places(const mw_reduction *r, int g[MW_LARGE_PLACES]);

// The grid point closest to theta.
const mw_config *mw_motion_near(const mw_reduction *r, const double *theta);

#endif
