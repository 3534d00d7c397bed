// SPDX-License-Identifier: BSD-3-Clause
// mesh_type.c: gmsh's element types: which become elements, which carry sets only, which are
// refused. [gmsh] gmsh reference manual 4.8, "Node ordering": its mid-edge nodes come in another
// order.
#include "mesh_priv.h"

static const msh_type TYPE[] = {
  { 15, 1, 0, -1 },
  { 1, 2, 1, -1 },
  { 8, 3, 1, -1 },
  { 2, 3, 2, MW_ELEM_TRI3 },
  { 9, 6, 2, -1 },
  { 3, 4, 2, MW_ELEM_QUAD4 },
  { 16, 8, 2, -1 },
  { 10, 9, 2, -1 },
  { 4, 4, 3, MW_ELEM_TET4 },
  { 11, 10, 3, MW_ELEM_TET10 },
  { 5, 8, 3, MW_ELEM_HEX8 },
  { 17, 20, 3, MW_ELEM_HEX20 },
  { 6, 6, 3, MW_ELEM_WEDGE6 },
  { 18, 15, 3, MW_ELEM_WEDGE15 },
};

static const struct {
  int type;
  const char *name, *advice;
} REFUSED[] = {
  { 7, "5-node pyramids", "mesh with tetrahedra, or hexahedra alone" },
  { 14, "14-node pyramids", "mesh with tetrahedra, or hexahedra alone" },
  { 19, "13-node pyramids", "mesh with tetrahedra, or hexahedra alone" },
  { 12, "27-node hexahedra", "write 20 nodes: gmsh -setnumber Mesh.SecondOrderIncomplete 1" },
  { 13, "18-node wedges", "write 15 nodes: gmsh -setnumber Mesh.SecondOrderIncomplete 1" },
  { 20, "triangles of order 3", "expected order 1 or 2 (gmsh -order 2)" },
  { 21, "triangles of order 3", "expected order 1 or 2 (gmsh -order 2)" },
  { 26, "lines of order 3", "expected order 1 or 2 (gmsh -order 2)" },
  { 27, "lines of order 4", "expected order 1 or 2 (gmsh -order 2)" },
  { 29, "tetrahedra of order 3", "expected order 1 or 2 (gmsh -order 2)" },
  { 30, "tetrahedra of order 4", "expected order 1 or 2 (gmsh -order 2)" },
};

mw_code mw_msh_type_of(const msh_reader *r, int type, const msh_type **out, mw_error *err)
{
  for (size_t k = 0; k < sizeof TYPE / sizeof *TYPE; k++)
    if (TYPE[k].type == type) return *out = &TYPE[k], MW_OK;
  for (size_t k = 0; k < sizeof REFUSED / sizeof *REFUSED; k++)
    if (REFUSED[k].type == type)
      return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "%s (element type %d) cannot be used: %s",
                     REFUSED[k].name, type, REFUSED[k].advice);
  return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "unknown element type %d", type);
}

const int *mw_msh_order(const msh_type *type)
{
  // gmsh's edges: tet 12 23 31 14 34 24; hex 12 14 15 23 26 34 37 48 56 58 67 78;
  // wedge 12 13 14 23 25 36 45 46 56 (numbers of corners)
  static const int TET10[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 8 };
  static const int HEX20[20] = { 0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                 13, 9, 16, 18, 19, 17, 10, 12, 14, 15 };
  static const int WEDGE15[15] = { 0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11 };
  switch (type->kind) {
  case MW_ELEM_TET10: return TET10;
  case MW_ELEM_HEX20: return HEX20;
  case MW_ELEM_WEDGE15: return WEDGE15;
  default: return NULL;
  }
}
