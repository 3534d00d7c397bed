// SPDX-License-Identifier: BSD-3-Clause
// mesh_type.c: gmsh's element types: which become elements, which carry sets only, which are
// refused. [gmsh] gmsh reference manual 4.8, "Node ordering": its mid-edge nodes come in another
// order.
#include "fem/element_class.h"
#include "mesh_priv.h"

// Lines, plane elements and points carry sets alone.
static const msh_type SETS_ONLY[] = {
  { 15, 1, 0, -1 }, { 1, 2, 1, -1 },  { 8, 3, 1, -1 },
  { 9, 6, 2, -1 },  { 16, 8, 2, -1 }, { 10, 9, 2, -1 },
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

mw_code mw_msh_type_of(msh_reader *r, int type, const msh_type **out, mw_error *err)
{
  for (int k = 0; k < MW_ELEM_KINDS; k++) {
    const mw_elem_class *class = mw_elem_classes[k];
    if (class->gmsh == 0 || class->gmsh != type) continue;
    r->of_kind[k] = (msh_type){ type, class->info.n_node, class->info.dim, k };
    return *out = &r->of_kind[k], MW_OK;
  }
  for (size_t k = 0; k < sizeof SETS_ONLY / sizeof *SETS_ONLY; k++)
    if (SETS_ONLY[k].type == type) return *out = &SETS_ONLY[k], MW_OK;
  for (size_t k = 0; k < sizeof REFUSED / sizeof *REFUSED; k++)
    if (REFUSED[k].type == type)
      return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "%s (element type %d) cannot be used: %s",
                     REFUSED[k].name, type, REFUSED[k].advice);
  return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "unknown element type %d", type);
}

const int *mw_msh_order(const msh_type *type)
{
  return type->kind >= 0 ? mw_elem_classes[type->kind]->gmsh_order : NULL;
}
