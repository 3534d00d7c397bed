// SPDX-License-Identifier: BSD-3-Clause
// inp_type.c: element types of Abaqus and CalculiX: which become elements, which carry sets only.
//
// Reduced integration is kept of C3D20R only; every 8-node hexahedron becomes one with incompatible
// modes, every 3- and 4-node shell a flat facet. Lines and plane elements are what mesh programs
// write for the boundary of solids: they carry sets and no stiffness, and a section on them is
// refused.
#include "fem/element_class.h"
#include "inp_priv.h"

static const inp_type OTHER[] = {
  { "MASS", 1, 0, INP_MASS },        { "T3D2", 2, 1, INP_SETS_ONLY },
  { "T3D3", 3, 1, INP_SETS_ONLY },   { "CPS3", 3, 2, INP_SETS_ONLY },
  { "CPS4", 4, 2, INP_SETS_ONLY },   { "CPS6", 6, 2, INP_SETS_ONLY },
  { "CPS8", 8, 2, INP_SETS_ONLY },   { "CPE3", 3, 2, INP_SETS_ONLY },
  { "CPE4", 4, 2, INP_SETS_ONLY },   { "CPE6", 6, 2, INP_SETS_ONLY },
  { "CPE8", 8, 2, INP_SETS_ONLY },   { "SFM3D3", 3, 2, INP_SETS_ONLY },
  { "SFM3D4", 4, 2, INP_SETS_ONLY }, { "SFM3D6", 6, 2, INP_SETS_ONLY },
  { "SFM3D8", 8, 2, INP_SETS_ONLY },
};

static const struct {
  const char *name, *advice;
} REFUSED[] = {
  { "C3D5", "pyramids are not read, mesh with tetrahedra or hexahedra alone" },
  { "C3D13", "pyramids are not read, mesh with tetrahedra or hexahedra alone" },
  { "C3D27", "27-node hexahedra are not read, write C3D20" },
  { "S6", "shells have 3 or 4 nodes here, write S3" },
  { "STRI65", "shells have 3 or 4 nodes here, write S3" },
  { "S8", "shells have 3 or 4 nodes here, write S4" },
  { "S8R", "shells have 3 or 4 nodes here, write S4" },
  { "B31", "beams of a mesh file are not read, make them members of a body of beams" },
  { "B32", "beams of a mesh file are not read, make them members of a body of beams" },
  { "B31R", "beams of a mesh file are not read, make them members of a body of beams" },
  { "B32R", "beams of a mesh file are not read, make them members of a body of beams" },
  { "SPRINGA", "springs of a mesh file are not read, make them joints or bushings of the model" },
  { "SPRING2", "springs of a mesh file are not read, make them joints or bushings of the model" },
};

// A class's name as a type of its own in r->tmp.
static mw_code type_of_class(inp_reader *r, const char *name, const inp_type **out, mw_error *err)
{
  for (int k = 0; k < MW_ELEM_KINDS; k++)
    for (int i = 0; i < MW_ELEM_INP_NAMES && mw_elem_classes[k]->inp[i]; i++) {
      const mw_elem_class *class = mw_elem_classes[k];
      if (!mw_inp_same(class->inp[i], name)) continue;
      inp_type *t = mw_arena_alloc(&r->tmp, 1, sizeof *t);
      if (t) *t = (inp_type){ class->inp[i], class->info.n_node, class->info.dim, k };
      *out = t;
      return mw_arena_check(&r->tmp, err);
    }
  return MW_OK;
}

mw_code mw_inp_type_of(inp_reader *r, const char *name, const inp_type **out, mw_error *err)
{
  *out = NULL;
  mw_code rc = type_of_class(r, name, out, err);
  if (rc != MW_OK || *out) return rc;
  for (size_t k = 0; k < sizeof OTHER / sizeof *OTHER; k++)
    if (mw_inp_same(OTHER[k].name, name)) return *out = &OTHER[k], MW_OK;
  for (size_t k = 0; k < sizeof REFUSED / sizeof *REFUSED; k++)
    if (mw_inp_same(REFUSED[k].name, name))
      return mw_fail(err, MW_ERR_INPUT, r->at, "element type %.32s: %s", name, REFUSED[k].advice);
  return mw_fail(err, MW_ERR_INPUT, r->at,
                 "unknown element type '%.32s', known are C3D4 C3D6 C3D8 C3D10 C3D15 C3D20, S3 S4 "
                 "and their variants, MASS",
                 name);
}
