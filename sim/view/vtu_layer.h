// SPDX-License-Identifier: BSD-3-Clause
// vtu_layer.h: the mechanism as a VTK unstructured grid (.vtu) with fields on its nodes, and series
// of them in time (.pvd), for ParaView.
#ifndef MW_SIM_VTU_LAYER_H
#define MW_SIM_VTU_LAYER_H

#include "fem/mech.h"

// Points: the nodes of elastic bodies; of rigid bodies that move the centre of mass. Cells: the
// finite elements, beams as lines, rigid bodies and nodes without an element as vertices.
typedef struct mw_vtu_grid {
  const mw_mech *m;  // borrowed; bodies that are not projected
  int n_point, n_cell;
  int n_x;              // unknowns of a vector over the mechanism, body after body:
                        // elastic n_u, moving rigid 6 (v, ω in body axes), rigid ground 0
  int *point0, *x0;     // [n_body + 1]  first point, first unknown of a body
  int *ptr, *node;      // [n_cell + 1], [ptr[n_cell]]  points of a cell
  unsigned char *type;  // [n_cell]  VTK cell type
  int *body, *part;     // [n_cell]  index of the body; of its mesh's part, or 0
} mw_vtu_grid;
MW_MUST_USE mw_code mw_vtu_grid_build(const mw_mech *m, mw_arena *mem, mw_vtu_grid *out,
                                      mw_error *err);

// Undeformed points X [n_point × 3] (m, ground axes) at the frames p [n_body × 12].
void mw_vtu_points(const mw_vtu_grid *g, const double *p, double *X);
// Displacement d [n_point × 3] (ground axes) of a vector x [n_x] at the frames p:
//   E N u (elastic), E (v + ω × c) (rigid);  work [3 × most nodes of a body]: mw_vtu_work(g)
void mw_vtu_displacement(const mw_vtu_grid *g, const double *p, const double *x, double *work,
                         double *d);
size_t mw_vtu_work(const mw_vtu_grid *g);

// Stress [n × n_point × 6] of n vectors x [n × n_x] (Pa per unit of x): xx yy zz xy yz zx in body
// axes, the mean over the elements at a node, each evaluated there; of shells the face, top or
// bottom, with the larger von Mises stress in the middle of the facet. NaN where there is none
// (beams, rigid bodies).
MW_MUST_USE mw_code mw_vtu_stress(const mw_vtu_grid *g, int n, const double *x, double *stress,
                                  mw_error *err);
double mw_vtu_von_mises(const double s[6]);

typedef struct mw_vtu_field {
  const char *name;
  int n_comp;       // 1 scalar, 3 vector, 6 symmetric tensor (xx yy zz xy yz zx)
  const double *x;  // [n_point × n_comp]
} mw_vtu_field;

// Points X [n_point × 3] in double precision, fields in single; body and part as cell data.
// Appended raw binary, little endian. Under a temporary name, then renamed.
MW_MUST_USE mw_code mw_vtu_write(const mw_vtu_grid *g, const double *X, int n_field,
                                 const mw_vtu_field *field, const char *path, mw_error *err);
// file [n]: names relative to the folder of path; t [n] s.
MW_MUST_USE mw_code mw_pvd_write(int n, const double *t, const char *const *file, const char *path,
                                 mw_error *err);

// Shapes x [n × n_x] at the frames p, one vector field name[k] each, scaled to largest length 1,
// and with stress: the nodal stress of the scaled shape, "<name> stress" and "<name> von Mises".
MW_MUST_USE mw_code mw_vtu_shapes(const mw_mech *m, const double *p, int n, const char *const *name,
                                  const double *x, bool stress, const char *path, mw_error *err);
#endif
