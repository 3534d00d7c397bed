// SPDX-License-Identifier: BSD-3-Clause
// component.h: components, assemblies whose inside has no names: shared objects with the interface
// of component_abi.h, or the sources that these are made from, which behave alike.
#ifndef MW_FEM_COMPONENT_H
#define MW_FEM_COMPONENT_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/error.h"
#include "fem/component_abi.h"

MW_API_BEGIN

typedef struct mw_component mw_component;  // immutable once it is open

// Opens a shared object, or a source (a file that assemblies use). MW_ERR_INPUT, at: no such file,
// neither of both, damaged, of another version of the interface. Released by mw_component_close.
MW_MUST_USE mw_code mw_component_open(const char *file, mw_at at, mw_component **out,
                                      mw_error *err);
void mw_component_close(mw_component *c);
const mw_component_calls *mw_component_calls_of(const mw_component *c);
// The program that made the object, NULL: a source.
const char *mw_component_maker(const mw_component *c);
// Is the file a shared object, whatever is in it?
bool mw_component_is_object(const char *file);
// An instance, closed by calls->close. MW_ERR_INPUT, at: the component refuses what is asked.
MW_MUST_USE mw_code mw_component_instance(const mw_component *c, const mw_component_in *in,
                                          mw_at at, void **out, mw_error *err);

// Writes the source as a shared object to out. MW_ERR_INPUT: it is no source, or has what
// components do not hide (named); MW_ERR_IO: the object that all are made of is not found.
MW_MUST_USE mw_code mw_component_write(const char *source, const char *out, mw_error *err);

// From a frame of a body, p [12], to the component's, out [12].
void mw_component_frame(const mw_component_body *b, const double *p, double *out);
// T [6 × 6]: twist of the body = T twist of the component's frame, each along its own axes, ω = R
// ω_c, v = R v_c − ω × c.
void mw_component_twist(const mw_component_body *b, double *T);

MW_API_END

#endif
