// SPDX-License-Identifier: BSD-3-Clause
// model_priv.h: the table of keys a model file may have, and the steps of reading one.
//
// From the one table in model_keys.c come the checks of model_shape.c, the JSON Schema and the
// reference of model_print.c, and the defaults.
#ifndef MW_FEM_MODEL_PRIV_H
#define MW_FEM_MODEL_PRIV_H

#include "fem/model.h"
#include "key_layer.h"
#include "yaml_priv.h"

extern const mw_shape mw_model_shape;            // the whole file
extern const mw_shape *const mw_named_shapes[];  // those with a name of their own, ended by NULL

// What a shape expects, e.g. "a number above 0 [kg]"; returns out.
const char *mw_shape_text(const mw_shape *s, char *out, size_t n);

typedef struct mw_reader {
  mw_model *m;
  mw_arena *mem;  // of the model
  mw_error *err;
  const char *dir;  // folder of the model file with its '/', "" for the current one
} mw_reader;

typedef struct mw_shape_env {  // what nodes are checked with
  mw_arena *mem;               // of the nodes
  mw_error *err;
  const mw_parameter *parameter;  // [n_parameter]
  int n_parameter;
  bool free;  // numbers may be expressions without a $
} mw_shape_env;

// Checks node against shape, fills in numbers, parameters and the defaults of absent keys. what:
// the node's name in messages.
MW_MUST_USE mw_code mw_shape_check(mw_ynode *node, const mw_shape *s, const char *what,
                                   const mw_shape_env *env);

// ---- parameters (model_parameter.c) -------------------------------------------------------------

// The parameters of the model's tree, each of numbers and of those before it, into rd->m. tree: of
// the nodes.
MW_MUST_USE mw_code mw_read_parameters(mw_reader *rd, mw_ynode *root, mw_arena *tree);
extern const mw_shape mw_parameter_shape;  // of one
// The expression that a scalar's text is; time: t may stand in it.
MW_MUST_USE mw_code mw_parameter_expr(const mw_shape_env *env, const mw_ynode *node, bool time,
                                      mw_expr *out);
// The text of an expression with values in place of $names.
MW_MUST_USE mw_code mw_parameter_values(const mw_shape_env *env, mw_ynode *node);
// A scalar $name of a parameter that is a list becomes that list; others stay.
MW_MUST_USE mw_code mw_parameter_list(const mw_shape_env *env, mw_ynode *node);

// ---- after mw_shape_check -----------------------------------------------------------------------

// Entry of a map; NULL: neither given nor a default.
const mw_ynode *mw_y_find(const mw_ynode *map, const char *key);
bool mw_y_given(const mw_ynode *map, const char *key);
double mw_y_num(const mw_ynode *map, const char *key);    // 0 when absent
void mw_y_vec(const mw_ynode *list, int n, double *out);  // n numbers of a list; node NULL: zeros
// First of the keys (ended by NULL) that is given, *which its index; NULL and -1: none.
const mw_ynode *mw_y_one(const mw_ynode *map, const char *const *keys, int *which);

// Sine of the angle below which two directions count as one.
#define MW_PARALLEL 1e-6

// Zeroed array of n objects, never NULL with MW_OK.
#define MW_NEW(rd, ptr, count)                                                                     \
  (((ptr) = mw_arena_alloc((rd)->mem, (size_t)(count), sizeof *(ptr)))                             \
       ? MW_OK                                                                                     \
       : mw_arena_check((rd)->mem, (rd)->err))
const char *mw_read_str(mw_reader *rd,
                        const char *text);  // copy; a failure shows in mw_arena_check

// Best of the candidates offered for a misspelt word.
typedef struct mw_suggest {
  const char *want, *best;
  int cost;
} mw_suggest;
mw_suggest mw_suggest_init(const char *want);
void mw_suggest_add(mw_suggest *s, const char *candidate);

// Index of `name` (n objects of `size` bytes that begin with their name), -1 if there is none.
int mw_name_find(const void *objects, int n, size_t size, const char *name);
// The same for the scalar `node`; MW_ERR_INPUT "unknown <kind> …, did you mean …" when there is
// none.
MW_MUST_USE mw_code mw_name_read(const mw_reader *rd, const mw_ynode *node, const char *kind,
                                 const void *objects, int n, size_t size, int *out);
// "body.frame" or "body". The bare body is refused for elastic bodies.
MW_MUST_USE mw_code mw_ref_read(mw_reader *rd, const mw_ynode *node, mw_ref *out);

// The bytes of a file as *text, to be freed by the caller; what: "model file", in messages.
MW_MUST_USE mw_code mw_model_bytes(const char *path, const char *what, char **text, size_t *n,
                                   mw_error *err);
// Changes a tree that was read, before it is checked (model_edit.c); its new nodes come from tree.
MW_MUST_USE mw_code mw_model_edit_apply(mw_reader *rd, mw_ynode *root, const mw_model_edit *edit,
                                        mw_arena *tree);

// Fills in the digests of the model and of its scenarios, from the checked tree.
MW_MUST_USE mw_code mw_model_hash(const mw_ynode *root, mw_model *m, mw_error *err);

// Modal damping of the model: a ratio, or ratios over frequency.
MW_MUST_USE mw_code mw_read_modal(mw_reader *rd, const mw_ynode *modal);

// Steps of mw_model_read, in this order.
MW_MUST_USE mw_code mw_read_sections(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_bodies(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_joints(mw_reader *rd, const mw_ynode *root);  // and springs
// drive_friction and stops of the joint's entry e
MW_MUST_USE mw_code mw_law_read(const mw_reader *rd, const mw_ynode *e, mw_joint_in *j);
MW_MUST_USE mw_code mw_read_drives(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_forces(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_outputs(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_observed(mw_reader *rd, const mw_ynode *root);  // after the reduction
// Field of the name in node, which must be a position.
MW_MUST_USE mw_code mw_position_read(const mw_reader *rd, const mw_ynode *node, int *field);
// Is entry e of outputs seen in what others are made of? Reduced models are not bound to it.
bool mw_output_is_seen(const mw_ynode *e);
MW_MUST_USE mw_code mw_divide_bodies(mw_reader *rd);  // model_divide.c
MW_MUST_USE mw_code mw_read_reduction(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_scenarios(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_model_check(mw_reader *rd);

// Solids, shells or foreign matrices (not beams): its sets are node sets.
static inline bool mw_meshed(const mw_body_in *b) { return b->mesh || b->cad || b->matrices; }
// v: the value of mesh, cad or matrices in the body's entry e
MW_MUST_USE mw_code mw_mesh_body_read(mw_reader *rd, const mw_ynode *e, const mw_ynode *v,
                                      mw_body_in *b);
MW_MUST_USE mw_code mw_bushings_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b);
MW_MUST_USE mw_code mw_guides_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b);
MW_MUST_USE mw_code mw_frames_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b);
MW_MUST_USE mw_code mw_signal_read(mw_reader *rd, const mw_ynode *node, mw_signal *out);
// Refuses a prescribed position (node: as of mw_signal_read) that jumps before `end` (s).
MW_MUST_USE mw_code mw_signal_check_jump(const mw_reader *rd, const mw_ynode *node,
                                         const mw_signal *g, const char *drive, double end);
// Refuses a signal with value or derivatives that are not finite at instants `step` apart up to
// `end` (s), or at most some thousand of them.
MW_MUST_USE mw_code mw_signal_check_finite(const mw_reader *rd, const mw_signal *g, double step,
                                           double end);
// Positive semidefinite and, unless unphysical, I1 + I2 >= I3 for the principal moments, to 1e-6 of
// the trace.
MW_MUST_USE mw_code mw_inertia_check(const mw_reader *rd, const double inertia[6], bool unphysical,
                                     mw_at at);

// Name of a joint's coordinate (a slide's own name where the user gave none), NULL without one.
const char *mw_joint_coord_name(const mw_joint_in *j);
// Joint whose coordinate has the name in node.
MW_MUST_USE mw_code mw_coord_read(const mw_reader *rd, const mw_ynode *node, int *joint);
// Axes of a joint; those of a joint of primitives with its rows, and whether its coordinate is
// free.
MW_MUST_USE mw_code mw_axes_read(mw_reader *rd, const mw_ynode *v, mw_joint_in *j);
MW_MUST_USE mw_code mw_hold_read(mw_reader *rd, const mw_ynode *v, mw_joint_in *j);
MW_MUST_USE mw_code mw_hold_check(const mw_reader *rd, const mw_ynode *e, const mw_joint_in *j);
// Length of a slide's guide where it follows from points, else 0; and the reach of its runners
// before and behind.
double mw_slide_length(const mw_model *m, const mw_joint_in *j, double *before, double *behind);

#endif
