// SPDX-License-Identifier: BSD-3-Clause
// mjcf_priv.h: between the parts that read MJCF: its tree, its bodies, its
// joints.
#ifndef MW_SIM_MJCF_PRIV_H
#define MW_SIM_MJCF_PRIV_H

#include "import_priv.h"
#include "xml_layer.h"

#define PI 3.14159265358979323846

enum { MJCF_DEPTH = 500 };  // bodies and included files in each other

typedef struct mjcf {
  import_model *m;
  const xml_node *root;
  double angle;      // rad a unit of the file
  char eulerseq[4];  // "xyz" intrinsic, capitals extrinsic
  bool autolimits;
  int from_geom;      // -1: where there is no inertial, 0: never, 1: always
  double total_mass;  // kg, of all bodies together, 0: as they are
  mw_error *err;
} mjcf;

// mjcf_tree.c: puts included files in the place of <include>; compiler's
// settings.
MW_MUST_USE mw_code mjcf_include(mjcf *w, xml_node *root);
MW_MUST_USE mw_code mjcf_settings(mjcf *w);
// Attribute of e, of its class, or of the classes around it. cls: class of what
// is around e.
const xml_attr *mjcf_attr(const mjcf *w, const xml_node *e, const char *cls, const char *name);
const char *mjcf_text(const mjcf *w, const xml_node *e, const char *cls, const char *name);
// n numbers into x, which stays where they are not given.
MW_MUST_USE mw_code mjcf_vec(const mjcf *w, const xml_node *e, const char *cls, const char *name,
                             int n, double *x);
// pos and one of quat, axisangle, xyaxes, zaxis, euler
MW_MUST_USE mw_code mjcf_place(const mjcf *w, const xml_node *e, const char *cls, import_place *p);
// Notes the attributes of e that `taken`, " name name ", does not name.
void mjcf_name_rest(const mjcf *w, const xml_node *e, const char *what, const char *taken);

// mjcf_mass.c: mass of an inertial, of a geom, in the frame of what they are
// in.
MW_MUST_USE mw_code mjcf_inertial(const mjcf *w, const xml_node *e, import_mass *p);
MW_MUST_USE mw_code mjcf_geom(const mjcf *w, const xml_node *e, const char *cls, import_mass *p);

typedef struct mjcf_joint {
  const xml_node *e;
  const char *cls;
  const char *name;
  char kind;               // 'h' hinge, 's' slide, 'b' ball, 'f' free
  double pos[3], axis[3];  // m, a unit vector; in the frame of the body element
  import_joint law;        // limits, damping, friction, spring
} mjcf_joint;

// mjcf_joint.c
MW_MUST_USE mw_code mjcf_read_joint(mjcf *w, const xml_node *e, const char *cls,
                                    const import_place *at, mjcf_joint *j);
// What n joints of one body element make together: bodies a (upper) and b;
// place: of the body element in a's frame; b's frame is its own.
MW_MUST_USE mw_code mjcf_make_joint(mjcf *w, const mjcf_joint *j, int n, int a, int b,
                                    const import_place *place);

#endif
