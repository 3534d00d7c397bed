// SPDX-License-Identifier: BSD-3-Clause
// reduce_layer.h: the offline stage's own data, shared by its steps.
#ifndef MW_REDUCTION_REDUCE_LAYER_H
#define MW_REDUCTION_REDUCE_LAYER_H

#include "reduction/align.h"
#include "reduction/axis.h"
#include "reduction/reduce.h"
#include "reduction/system.h"

typedef struct mw_config {  // one configuration θ
  double theta[MW_ROM_MAX_S];
  double *p;      // [n_body × 12]          ρ(θ): frames
  double *s;      // [n_coord]              joint coordinates
  double *v;      // [n_s × n_body × 6]     ρ_θ: (v, ω) in body axes a unit rate
  double *s_dot;  // [n_s × n_coord]
  bool loaded;    // springs are stretched or turned there
} mw_config;

typedef struct mw_places {  // configurations of a box
  int n;
  const double *theta;  // [n × s]
} mw_places;

typedef struct mw_grid_point {
  mw_config q;
  mw_system *sys;      // θ held
  int k;               // modes computed
  double *lambda;      // [k]          (rad/s)²
  double *Phi;         // [k × n]      M-orthonormal modes, freed once Psi is made
  double *P;           // [candidates × n] their patterns, freed once Psi is made
  double *Psi;         // [m × n]      aligned modes, then patterns, M-orthonormal
  mw_arena mem;        // of q, lambda
  mw_arena mem_modes;  // of Phi
  mw_arena mem_P;      // of P
  mw_arena mem_pass;   // of Psi: of one pass over the grid
} mw_grid_point;

typedef struct mw_pattern {  // a candidate: K⁻¹ f with θ held
  enum {
    MW_PATTERN_OUTPUT,
    MW_PATTERN_DRIVE,
    MW_PATTERN_ACCELERATION,
    MW_PATTERN_REST,
    MW_PATTERN_RATES,
    MW_PATTERN_STIFF,  // of a row whose stiffness is a parameter
    MW_PATTERN_DAMPER,
    MW_PATTERN_WEIGHT  // last of all: of the weight's stiffness on a mode (patterns_weight.c)
  } kind;
  int index, axis;  // output and direction, drive, coordinate(s), joint row, or mode and how often
  const char *name;
  bool kept;
  int column;    // of Psi, where kept as a column of its own
  bool spanned;  // followed with others
  // share of its strain energy that the columns leave out, largest on the grid where it matters
  // (patterns.c)
  double left;
  int left_at;  // grid point of it
  bool lost;    // more than the tolerance is left out
  // has no column, alone or with others: it could not be followed (given_up), or what it has beside
  // the columns is too little
  bool bare, given_up;
} mw_pattern;

typedef struct mw_span {  // patterns followed together
  int first, n;           // columns of Psi
  const char *of;         // names of the loads
} mw_span;

typedef struct mw_patterns {  // candidates, and what mw_patterns_select makes of them
  int n;
  mw_pattern *list;  // [n]
  int n_span;
  mw_span *span;  // [n_span]
  int n_lost;     // candidates lost
  mw_arena mem;
} mw_patterns;

typedef struct mw_first_grid {  // of eigenanalyses, while the reduction has a finer one (refine.c)
  mw_axis axis[MW_ROM_MAX_S];
  int factor[MW_ROM_MAX_S];  // intervals of the finer one for one of its own
  bool draft;                // some of these are for drafts alone
  bool smooth;               // some axes of the finer one are, which has none of these points
  int n_point;               // 0: the reduction has this grid itself
  mw_grid_point *point;      // [n_point]  those of the finer one are newer
} mw_first_grid;

typedef struct mw_local {  // columns of all grid points as sums of local functions (columns.c)
  int m;                   // columns, 0: none made
  const struct mw_grid_point *point;  // the grid that they are of
  const double *coef;                 // [n_local_0 × … × m × n]
} mw_local;

enum { MW_SPAN_SPARE = 2 };  // columns that spans may take beyond the number of candidates

// Largest rate and acceleration of each coordinate, as declared or else assumed (ranges.c).
typedef struct mw_field_ranges {
  double rate[MW_ROM_MAX_S], acceleration[MW_ROM_MAX_S];
  double load;  // m/s², largest acceleration of a body that coordinates and gravity make together
  const char *assumed;  // which are, NULL: none
} mw_field_ranges;

// What a reduction at other values of parameters has of the one in the middle of their ranges
// (certificate_range.c): columns, turned to unit mass.
typedef struct mw_shifted {
  const struct mw_reduction *middle;
  struct mw_turned *turned;
} mw_shifted;

typedef struct mw_reduction {
  const mw_model *model;
  const mw_mech *full;  // bodies on their meshes
  // the same with bodies on their bases; full until these are made, and for direct work
  const mw_mech *mech;
  mw_progress *progress;
  int s, n_grid[MW_ROM_MAX_S], n_point;
  double lo[MW_ROM_MAX_S], hi[MW_ROM_MAX_S];
  mw_axis axis[MW_ROM_MAX_S];  // n_grid points each
  mw_local local;
  mw_first_grid first;         // what it has been refined from
  int finer[MW_ROM_MAX_S];     // intervals of a chosen grid's tables for one of its own, at least
  int coord[MW_ROM_MAX_S];     // joint coordinate of θ_i
  unsigned char *locked;       // [n_coord]
  uint64_t hold;               // loaded directions that modes fix (hold.c), 0: none
  const char *fixed;           // names of these loads, NULL: none
  struct mw_offline *offline;  // bases, units (offline_layer.h); NULL for direct work
  mw_work *work;
  bool choosing;            // the grid, pass by pass: tables are drafts (tables.c)
  bool waiting;             // units that other shards do are missing
  const mw_blocks *blocks;  // of mech, σ = 0
  int n;                    // unknowns of mech
  mw_grid_point *point;     // [n_point], last axis fastest
  bool flat[MW_ROM_MAX_S];  // no mode depends on the coordinate; set by mw_patterns_select
  int n_want;  // modes asked for (count, or those below the frequency at any grid point)
  // at a grid point, theta held; modes of them that can be trusted. Set by mw_pass_modes_in_band
  int motions, modes_most;
  int m_modes, m;  // kept modes, all columns
  mw_align align;
  const mw_shifted *shifted;  // NULL: columns are the grid's
  mw_field_ranges range;      // set by mw_tables_build
  mw_arena mem, mem_pass;     // mem_pass: of align, of one pass over the grid
} mw_reduction;

// What mw_tables_build leaves beside the tables, for the certificate.
typedef struct mw_tables {
  // [n_point × m (m + 1)/2]  stiffness that gravity takes from the columns (extra.c): tables hold K
  //                          less this; NULL: none
  double *Hg;
  // [n_point × s (s + 1)/2 × m (m + 1)/2]  what is of second order in c_ij; NULL: nothing
  double *second_c;
  // what the tables were made of, and what errors of a field are measured against
  // (certificate_tables.c)
  int n_record;
  double *record, *scale;   // [n_point × n_record], [n_record]; NULL: drafts
  double *draft, *rates;    // of drafts: records of lagrangian.c and its starts; NULL: no draft
  double motion_tolerance;  // m, what positions of rigid motion may err by (rigid_axes.c)
  mw_arena mem;
} mw_tables;

typedef struct mw_made {  // by a pass over the grid, beside columns and tables
  mw_patterns patterns;
  mw_tables tables;
} mw_made;

// setup.c
MW_MUST_USE mw_code mw_config_at(const mw_mech *m, const unsigned char *locked, int n_s,
                                 const int *coord, const double *theta, const mw_config *near,
                                 mw_arena *mem, mw_config *out, mw_error *err);
bool mw_config_turns(const mw_mech *m, int n_s,
                     const mw_config *q);  // does a coordinate turn a body?
MW_MUST_USE mw_code mw_reduction_init(const mw_model *model, const mw_mech *mech,
                                      const mw_reduce_opt *opt, mw_reduction *out, mw_error *err);
// Grid points of the axes, without anything in them yet.
MW_MUST_USE mw_code mw_reduction_grid(mw_reduction *r, mw_error *err);
// A grid with points in the middle of intervals with split[i][k] (split[i] [n_grid − 1], NULL: none
// along axis i) and of what mw_axis_split adds; kinematics and modes of the points it had are kept.
// from[i]: as mw_axis_split, NULL where the axis stays.
MW_MUST_USE mw_code mw_reduction_split(mw_reduction *r, unsigned char *const *split,
                                       int *from[MW_ROM_MAX_S], mw_error *err);
void mw_reduction_free(mw_reduction *r);
void mw_reduction_theta(const mw_reduction *r, int g, double theta[MW_ROM_MAX_S]);
// The i-th of n grid points spread evenly over all.
int mw_reduction_spread(const mw_reduction *r, int i, int n);

// laws.c: MW_ERR_INPUT where a coordinate beside those of theta, coord [s], is damped
MW_MUST_USE mw_code mw_laws_check(const mw_mech *m, int s, const int *coord, mw_error *err);

// prove.c
typedef struct mw_proof {
  const mw_mech *mech;
  const unsigned char *locked;
  uint64_t hold;   // system.h
  int n, k, need;  // configurations, modes computed at each, modes to prove (need < k)
  const mw_config *const *config;  // [n]
  const double *const *lambda;     // [n][k] ascending
} mw_proof;
// missed [n]: modes below the shift used (above mode `need`) that are not among those computed; 0
// everywhere is the proof.
MW_MUST_USE mw_code mw_prove_modes(const mw_proof *pr, int *missed, mw_error *err);

// statics.c
// Is the compliance of a unit force, of a unit torque (angle), rounding, for θ holds it entirely?
// Against 1/(m λ), that of the whole mass on the softest mode, 1/(J λ) of an angle; lambda (rad/s)²
bool mw_load_is_held(const mw_mech *m, double lambda, double compliance, bool angle);

// patterns_list.c
// Candidates of the loads that the model has. turns: coordinates turn bodies, so that their rates
// load them. out: another's place, or {0}.
MW_MUST_USE mw_code mw_patterns_list(const mw_reduction *r, bool turns, mw_patterns *out,
                                     mw_error *err);
void mw_patterns_clear(mw_patterns *p);
// P [p->n × n]: those at a configuration, but of the weight
MW_MUST_USE mw_code mw_patterns_build(const mw_reduction *r, const mw_patterns *p, mw_system *sys,
                                      const mw_config *q, double *P, mw_error *err);
// The same with the forces of the joint rows, lambda [p->n × n_row of the mechanism] (NULL: not
// wanted)
MW_MUST_USE mw_code mw_patterns_forces(const mw_reduction *r, const mw_patterns *p, mw_system *sys,
                                       const mw_config *q, double *P, double *lambda,
                                       mw_error *err);
// patterns.c: columns of r behind the modes, of the candidates' P at all grid points.
MW_MUST_USE mw_code mw_patterns_select(mw_reduction *r, mw_patterns *p, mw_error *err);

// patterns_weight.c: once modes are aligned and the candidates of above built, those of the
// weight's stiffness where frequencies under the weight need them, added to p and to P of all grid
// points
MW_MUST_USE mw_code mw_patterns_weight(mw_reduction *r, mw_patterns *p, mw_error *err);
// Their rows of P [p->n × n] at another configuration, whose modes are the first m_modes rows of
// Psi; nothing where there are none
MW_MUST_USE mw_code mw_patterns_weight_build(const mw_reduction *r, const mw_patterns *p,
                                             mw_system *sys, const mw_config *q, const double *Psi,
                                             double *P, mw_error *err);

// M-orthonormal rows spanning the m rows of X [m × n] (Cholesky of the Gram matrix, twice); MX [m ×
// n], G [m × m] scratch
MW_MUST_USE mw_code mw_orthonormal(mw_system *sys, int m, int n, double *X, double *MX, double *G,
                                   mw_error *err);

// Dampers behind the other candidates, where the modes computed say that they may matter.
MW_MUST_USE mw_code mw_patterns_list_dampers(const mw_reduction *r, mw_patterns *p, mw_error *err);
// Candidates at a grid point with the loads free, whatever the mode set holds (Craig-Bampton: the
// held system of the point is replaced by the free one).
MW_MUST_USE mw_code mw_patterns_free(const mw_reduction *r, const mw_patterns *p, mw_grid_point *pt,
                                     mw_error *err);

// refine.c: do the aligned modes change along an axis?
bool mw_modes_change(const mw_reduction *r, int axis);
// p: candidates, whose P the points between have, too
MW_MUST_USE mw_code mw_reduction_refine(mw_reduction *r, const mw_patterns *p, mw_error *err);
// May tables of a grid that is chosen have so many intervals for one of it along an axis?
bool mw_table_may_have(const mw_reduction *r, int axis, int factor);
// Back to the grid that it was refined from; nothing where it was not.
void mw_reduction_coarsen(mw_reduction *r);
// Axis i of that grid, and how many intervals the tables have for one of its own.
const mw_axis *mw_first_axis(const mw_reduction *r, int i);
int mw_first_factor(const mw_reduction *r, int i);
// θ of table points along axis i: the nearest to point k of the first grid, which is one but for
// smooth axes; one in the middle of interval k of that grid or next to it; the middle between this
// and the next.
double mw_first_theta(const mw_reduction *r, int i, int k);
double mw_first_inner(const mw_reduction *r, int i, int k);
double mw_first_middle(const mw_reduction *r, int i, int k);
// columns.c: weights c [n_point] of the grid's splines at theta; 0 where they are not seen in
// double precision.
MW_MUST_USE mw_code mw_grid_weights(const mw_reduction *r, const double *theta, double *c,
                                    mw_error *err);
// r->local, where it pays: once the columns of all points are there.
MW_MUST_USE mw_code mw_columns_local(mw_reduction *r, mw_error *err);
// The first m columns of Psi at theta, [m × n], by the splines through those of the grid.
MW_MUST_USE mw_code mw_columns_at(const mw_reduction *r, const double *theta, int m, double *X,
                                  mw_error *err);

// Psi [m × n]: modes at another configuration, made those of sys (refine.c, 2 and 3); theta:
// coordinate named where they cannot be
MW_MUST_USE mw_code mw_modes_carry(const mw_reduction *r, mw_system *sys, int m, double theta,
                                   double *Psi, mw_error *err);

// lagrangian.c: records [n_point × n_field] of all coefficients on the grid, and those of
// mw_rom_file.start [n_point × n_start]
MW_MUST_USE mw_code mw_lagrangian_build(mw_reduction *r, mw_rom_shape shape, double *records,
                                        double *start, mw_error *err);

// The same between grid points. psi_i [s × m × n]: derivatives of the columns in body axes along
// each coordinate.
typedef struct mw_lagrangian mw_lagrangian;
MW_MUST_USE mw_code mw_lagrangian_init(mw_reduction *r, mw_rom_shape shape, mw_lagrangian **out,
                                       mw_error *err);
void mw_lagrangian_free(mw_lagrangian *w);
void mw_lagrangian_slopes(mw_lagrangian *w, int g, double *psi_i);  // at grid point g
// a, U0, d, U1, b, e, c and y but stresses and strains, at pt with its q, Psi and sys (a view of it
// is enough), into rec [n_field]; its other fields are left alone.
void mw_lagrangian_motion(mw_lagrangian *w, const mw_grid_point *pt, const double *psi_i,
                          double *rec);

// ranges.c: those of forces of motion, of a machine of this size (m) whose modes are known; text
// from mem
MW_MUST_USE mw_code mw_reduction_ranges(const mw_reduction *r, double size, mw_field_ranges *out,
                                        mw_arena *mem, mw_error *err);
// Rates and accelerations as declared; 0: not.
void mw_reduction_declared(const mw_reduction *r, mw_field_ranges *out);
// The same; where they are not declared those of the model's scenarios, named in out->assumed, from
// mem; 0: neither.
MW_MUST_USE mw_code mw_reduction_moves(const mw_reduction *r, mw_field_ranges *out, mw_arena *mem,
                                       mw_error *err);

// hold.c: r->hold for the set of Craig and Bampton; configurations of the grid and blocks are there
MW_MUST_USE mw_code mw_hold_loads(mw_reduction *r, mw_error *err);

// patterns_weight.c: does gravity act, or a spring that a grid point loads?
bool mw_rest_loads(const mw_reduction *r);
const char *mw_rest_name(const mw_reduction *r);  // what of both: "gravity", "springs", …

// extra.c: Hg [m (m + 1)/2] at theta, by the splines that the tables hold: K of the elastic machine
// is theirs plus this. t NULL: tables of first order
MW_MUST_USE mw_code mw_gravity_stiffness(const mw_reduction *r, const mw_tables *t,
                                         const double *theta, double *Hg, mw_error *err);

// The same of what is of second order in c, [s (s + 1)/2 × m (m + 1)/2]
MW_MUST_USE mw_code mw_second_of_c(const mw_reduction *r, const mw_tables *t, const double *theta,
                                   double *c, mw_error *err);

// shapes.c: Psi of all table points as a file
MW_MUST_USE mw_code mw_shapes_write(const mw_reduction *r, const char *path, mw_error *err);
// drawn.c: the columns at drawn nodes, in mem; out stays as it is where there are no columns or no
// bases.
MW_MUST_USE mw_code mw_drawn_build(const mw_reduction *r, mw_arena *mem, mw_drawn *out,
                                   mw_error *err);

// describe.c: sizes, names, units, dampers; the grid and its frequencies, before tables are refined
MW_MUST_USE mw_code mw_describe(const mw_reduction *r, const mw_patterns *p, mw_rom_file *f,
                                mw_error *err);
MW_MUST_USE mw_code mw_describe_grid(const mw_reduction *r, mw_rom_file *f, mw_error *err);

// tables.c: the tables of f->rom from the columns on the grid; names and sizes of f->rom are there.
// out: empty, or of a draft from the same columns, whose records serve again.
// out: another's place, or {0}.
MW_MUST_USE mw_code mw_tables_build(mw_reduction *r, mw_rom_file *f, mw_tables *out, mw_error *err);
void mw_tables_free(mw_tables *t);
// Trains instead of tables where the model asks for them, or from three coordinates on where they
// are smaller; t's scales are those of what f holds then.
MW_MUST_USE mw_code mw_tables_compress(const mw_reduction *r, mw_rom_file *f, mw_tables *t,
                                       mw_error *err);

#endif
