// SPDX-License-Identifier: BSD-3-Clause
// element_class.h: what distinguishes one element of meshes from another: a class each, in
// fem/element/.
#ifndef MW_FEM_ELEMENT_CLASS_H
#define MW_FEM_ELEMENT_CLASS_H

#include "base/api.h"
#include "fem/element.h"

MW_API_BEGIN

struct mw_rule;
struct mw_facet_class;

enum { MW_ELEM_INP_NAMES = 5 };

// The reference element that kinds of one shape share.
typedef struct mw_elem_domain {
  int n_corner, n_edge;
  double corner[8][3];  // natural coordinates
  int edge[12][2];      // its mid-edge node, if the kind has them, is n_corner + edge
  // neighbours of a corner, right-handed in an element of positive volume; shells: two
  int next[8][3];
  // |t_1·(t_2 × t_3)|/(|t_1| |t_2| |t_3|) of the edges at the corner of an ideal element; facets:
  // |t_1 × t_2|/(|t_1| |t_2|)
  double ideal;
  // ---- solids
  double middle[3];
  int n_simplex;  // natural coordinates of a simplex, the first ones; the others from −1 to 1
  // Largest violation of the inequalities of the reference element, <= 0 inside.
  double (*outside)(const double xi[3]);
} mw_elem_domain;

typedef struct mw_elem_class {
  mw_elem_info info;
  const mw_elem_domain *domain;
  // ---- mesh files
  int gmsh;                            // gmsh's element type, 0: none
  const int *gmsh_order;               // [n_node]  node i is its node order[i]; NULL: the same
  const char *inp[MW_ELEM_INP_NAMES];  // names in .inp files, NULL behind the last
  // Stress at xi of a solid, at height z of a facet, per motion of the nodes: what the element
  // really has there (mw_solid_stress, mw_hex8_stress, mw_shell_stress).
  mw_code (*stress)(mw_elem_kind kind, const double *X, const mw_material *material,
                    const double xi[3], double z, bool strain, double *S, mw_error *err);
  // ---- solids
  void (*shape)(const double xi[3], double *N, double *dN);  // mw_solid_shape
  void (*rule)(bool mass, struct mw_rule *rule);  // points of the stiffness or of the mass
  bool modes;                                     // with incompatible modes
  bool same_points;                               // of the stiffness and of the mass
  // ---- facets
  const struct mw_facet_class *facet;
} mw_elem_class;

extern const mw_elem_class *const mw_elem_classes[MW_ELEM_KINDS];

MW_API_END

#endif
