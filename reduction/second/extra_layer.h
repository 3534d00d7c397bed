// SPDX-License-Identifier: BSD-3-Clause
// extra_layer.h: what records gain beside lagrangian.c: the second order of the motion and
// convective dissipation.
//
//   c_ij += ½ (∂_jH_i + ∂_iH_j) − H_ij ,  K −= H_g ,  H_i ,  Y_k ,  G_abc ,  CE_i ,  CC_ij  (1)
#ifndef MW_REDUCTION_EXTRA_LAYER_H
#define MW_REDUCTION_EXTRA_LAYER_H

#include "reduce_layer.h"
#include "reduction/romfile.h"

// Over the grid; packed symmetric matrices of the columns, mm = m (m + 1)/2.
typedef struct mw_extra {
  int n_point, s, m;
  int n_made;    // points at which the parts were computed; fewer than n_point: extra_coarse.c
  bool second;   // H, Hij, Hg, Y are there
  int n_Y;       // fields with a second order
  int *Y_field;  // [n_Y]  ascending
  int *Y_input;  // [n_Y]  drive along the field, −1: none
  double *H;     // [n_point × s × mm]
  double *Hij;   // [n_point × pairs × mm]
  double *Hg;    // [n_point × mm]
  double *Y;     // [n_point × n_Y × mm]
  // of the bodies' stress stiffness, of its largest; 0: below half the tolerance
  double stress_error;
  double stress_left;  // and of the stiffness, at the largest amplitudes
  int n_moved;         // columns whose G is there: none where no coordinate turns a body
  int n_G;             // of the record: set by mw_extra_choose
  double *G;           // [n_point × n_moved × mm]  G_abc of column a, bc packed
  bool third;          // third order of T is there, of the first n_G columns:
  double *A3;  // [n_point × pairs × n_G (n_G + 1)(n_G + 2)/6]  A3_ij,abc packed, c <= b <= a
  double *B2;  // [n_point × s × n_G × n_G (n_G + 1)/2]  B2_i,abc of column a, bc packed
  double *CE;  // [n_point × s × m m]      NULL: nothing dissipates
  double *CC;  // [n_point × pairs × mm]   likewise
  // [n_point × mm]           dampers that the linear mechanism lacks; NULL: there are none
  double *C;
  unsigned parts;  // of the record: set by mw_extra_choose
  mw_arena mem;
} mw_extra;

// Computes the parts at all points of r.
MW_MUST_USE mw_code mw_extra_points(mw_reduction *r, mw_extra *out, mw_error *err);
// Computes the parts of a large table at some of its points, at the others by splines between these
// (extra_coarse.c).
MW_MUST_USE mw_code mw_extra_build(mw_reduction *r, mw_extra *out, mw_error *err);
void mw_extra_free(mw_extra *x);
// Compute the parts of second order and of dissipation at r's points; x has n_point, s, m and
// n_moved. z: second_layer.h
struct mw_second;
MW_MUST_USE mw_code mw_extra_second(mw_reduction *r, struct mw_second *z, mw_extra *x,
                                    mw_error *err);
MW_MUST_USE mw_code mw_extra_dissipation(mw_reduction *r, struct mw_second *z, const double *alone,
                                         mw_extra *x, mw_error *err);
// Leaves out what is rounding, or below the tolerance at declared rates and forces; the shape of
// f->rom says what is left, f->left_out names what is not. records [n_point × n_field] of n_y
// fields: those of lagrangian.c on the grid, without parts of second order.
MW_MUST_USE mw_code mw_extra_choose(const mw_reduction *r, const double *records, mw_extra *x,
                                    mw_rom_file *f, mw_error *err);
// Puts (1) into records: *out [n_point × n_field of f->rom's shape] from mem, of those without; Hg
// and what c gained into apart.
MW_MUST_USE mw_code mw_extra_put(const mw_reduction *r, const mw_extra *x, const mw_rom_file *f,
                                 const double *records, mw_tables *apart, mw_arena *mem,
                                 double **out, mw_error *err);

// What terms are compared with.
typedef struct mw_extra_grid {
  const mw_reduction *r;
  const double *records;  // [n_point × lay.n]  without parts of second order
  mw_rom_layout lay;      // of these
  double soft;            // m/N, largest compliance of an output's position
} mw_extra_grid;
typedef enum mw_extra_form { MW_EXTRA_PACKED, MW_EXTRA_WHOLE } mw_extra_form;  // [mm], [m × m]
// Finds the largest |K^-½ X K^-½| over the grid, |.| the largest singular value; X: matrix q of n a
// grid point (extra_left.c).
MW_MUST_USE mw_code mw_extra_share(const mw_extra_grid *z, mw_extra_form form, const double *X,
                                   int n, int q, double *out, mw_error *err);
// Sets X [n_point × n × width] to 0 at q, at all grid points.
void mw_extra_clear(const mw_reduction *r, double *X, int n, int q, size_t width);
// Sets terms of x to 0 that together change the stiffness by less than the tolerance; note(to,
// name) is called for each.
typedef void mw_extra_note(void *to, const char *name);
MW_MUST_USE mw_code mw_extra_leave_out(const mw_extra_grid *z, mw_extra *x, const mw_rom_file *f,
                                       mw_extra_note *note, void *to, mw_error *err);

// Makes CE, CC, C of x. gap [n_point × n_row × m]: gaps of all joint rows along the columns
// (dissipation.c). alone [n_row]: of dampers with these coefficients and nothing else, C the whole
// of them; NULL: of all that dissipates.
MW_MUST_USE mw_code mw_dissipation_build(mw_reduction *r, const double *const *gap,
                                         const double *alone, mw_extra *x, mw_error *err);
// Makes CE, CC, C, of a unit of kept parameter k, at all points of r.
MW_MUST_USE mw_code mw_extra_dampers(mw_reduction *r, int k, mw_extra *out, mw_error *err);
// Says whether anything dissipates but the coordinates of θ.
bool mw_dissipation_any(const mw_reduction *r);

// Says whether less than a twentieth of coordinate i's inertia, at some grid point, is not that of
// the columns. records: as above (extra_mass.c).
bool mw_mass_is_light(const mw_reduction *r, const double *records, int n_y, int i);
// Sets n_G of x, and mass_left of f, by what (1) there is at the largest amplitudes; note(to, text)
// names what is left out.
MW_MUST_USE mw_code mw_mass_choose(const mw_extra_grid *z, mw_extra *x, mw_rom_file *f,
                                   mw_extra_note *note, void *to, mw_error *err);
// Copies G of the first n_G columns among themselves, at all grid points, to field `at` of out's
// rows of n_gain.
void mw_mass_copy(const mw_extra *x, int n_gain, int at, double *out);

// Differentiates along an axis, at grid point g, the spline through value[g] [n] of all grid
// points, to out [n]; D of mw_axis_derivative.
void mw_grid_slope(const mw_reduction *r, const double *D, int axis, int g,
                   const double *const *value, size_t n, double *out);

#endif
