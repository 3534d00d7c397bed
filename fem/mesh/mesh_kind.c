// SPDX-License-Identifier: BSD-3-Clause
// mesh_kind.c: what the elements of each kind have in common: nodes, edges, faces.
//
// Mid-edge node k of a quadratic element is node n_corner + k, on edge k of the tables. Face k is
// Abaqus' face S(k+1); corners are listed so that the normal by the right hand points outward.
// [Abaqus] Abaqus Analysis User's Guide, "Solid element library", node ordering and face numbering.
#include <assert.h>
#include <stddef.h>

#include "mesh_priv.h"

enum { NONE = -1 };

// clang-format off
#define TET_FACE_CORNERS { 3, 3, 3, 3 }
#define TET4_FACES { { 0, 2, 1, NONE, NONE, NONE, NONE, NONE }, \
                     { 0, 1, 3, NONE, NONE, NONE, NONE, NONE }, \
                     { 1, 2, 3, NONE, NONE, NONE, NONE, NONE }, \
                     { 2, 0, 3, NONE, NONE, NONE, NONE, NONE } }
#define TET10_FACES { { 0, 2, 1, 6, 5, 4, NONE, NONE }, { 0, 1, 3, 4, 8, 7, NONE, NONE }, \
                      { 1, 2, 3, 5, 9, 8, NONE, NONE }, { 2, 0, 3, 6, 7, 9, NONE, NONE } }
#define HEX_FACE_CORNERS { 4, 4, 4, 4, 4, 4 }
#define HEX8_FACES { { 0, 3, 2, 1, NONE, NONE, NONE, NONE }, \
                     { 4, 5, 6, 7, NONE, NONE, NONE, NONE }, \
                     { 0, 1, 5, 4, NONE, NONE, NONE, NONE }, \
                     { 1, 2, 6, 5, NONE, NONE, NONE, NONE }, \
                     { 2, 3, 7, 6, NONE, NONE, NONE, NONE }, \
                     { 3, 0, 4, 7, NONE, NONE, NONE, NONE } }
#define HEX20_FACES { { 0, 3, 2, 1, 11, 10, 9, 8 },  { 4, 5, 6, 7, 12, 13, 14, 15 }, \
                      { 0, 1, 5, 4, 8, 17, 12, 16 }, { 1, 2, 6, 5, 9, 18, 13, 17 }, \
                      { 2, 3, 7, 6, 10, 19, 14, 18 }, { 3, 0, 4, 7, 11, 16, 15, 19 } }
#define WEDGE_FACE_CORNERS { 3, 3, 4, 4, 4 }
#define WEDGE6_FACES { { 0, 2, 1, NONE, NONE, NONE, NONE, NONE }, \
                       { 3, 4, 5, NONE, NONE, NONE, NONE, NONE }, \
                       { 0, 1, 4, 3, NONE, NONE, NONE, NONE }, \
                       { 1, 2, 5, 4, NONE, NONE, NONE, NONE }, \
                       { 2, 0, 3, 5, NONE, NONE, NONE, NONE } }
#define WEDGE15_FACES { { 0, 2, 1, 8, 7, 6, NONE, NONE }, { 3, 4, 5, 9, 10, 11, NONE, NONE }, \
                        { 0, 1, 4, 3, 6, 13, 9, 12 }, { 1, 2, 5, 4, 7, 14, 10, 13 }, \
                        { 2, 0, 3, 5, 8, 12, 11, 14 } }

static const mw_elem_info INFO[MW_ELEM_KINDS] = {
  [MW_ELEM_TET4]    = { "4-node tetrahedron", 4, 3, 3, 10, 4, TET4_FACES, TET_FACE_CORNERS },
  [MW_ELEM_TET10]   = { "10-node tetrahedron", 10, 3, 3, 24, 4, TET10_FACES, TET_FACE_CORNERS },
  [MW_ELEM_HEX8]    = { "8-node hexahedron", 8, 3, 3, 12, 6, HEX8_FACES, HEX_FACE_CORNERS },
  [MW_ELEM_HEX20]   = { "20-node hexahedron", 20, 3, 3, 25, 6, HEX20_FACES, HEX_FACE_CORNERS },
  [MW_ELEM_HEX20R]  = { "20-node hexahedron with reduced integration", 20, 3, 3, 25, 6, HEX20_FACES,
                        HEX_FACE_CORNERS },
  [MW_ELEM_WEDGE6]  = { "6-node wedge", 6, 3, 3, 13, 5, WEDGE6_FACES, WEDGE_FACE_CORNERS },
  [MW_ELEM_WEDGE15] = { "15-node wedge", 15, 3, 3, 26, 5, WEDGE15_FACES, WEDGE_FACE_CORNERS },
  [MW_ELEM_TRI3]    = { "3-node shell", 3, 2, 6, 5, 0, { { 0 } }, { 0 } },
  [MW_ELEM_QUAD4]   = { "4-node shell", 4, 2, 6, 9, 0, { { 0 } }, { 0 } },
};

static const mesh_shape TET = { 4, 6,
  { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } },
  { { 1, 2, 3 }, { 2, 0, 3 }, { 0, 1, 3 }, { 0, 2, 1 } } };
static const mesh_shape HEX = { 8, 12,
  { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 }, { 5, 6 }, { 6, 7 }, { 7, 4 },
    { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } },
  { { 1, 3, 4 }, { 2, 0, 5 }, { 3, 1, 6 }, { 0, 2, 7 },
    { 7, 5, 0 }, { 4, 6, 1 }, { 5, 7, 2 }, { 6, 4, 3 } } };
static const mesh_shape WEDGE = { 6, 9,
  { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 }, { 5, 3 }, { 0, 3 }, { 1, 4 }, { 2, 5 } },
  { { 1, 2, 3 }, { 2, 0, 4 }, { 0, 1, 5 }, { 5, 4, 0 }, { 3, 5, 1 }, { 4, 3, 2 } } };
static const mesh_shape TRI = { 3, 3,
  { { 0, 1 }, { 1, 2 }, { 2, 0 } }, { { 1, 2, NONE }, { 2, 0, NONE }, { 0, 1, NONE } } };
static const mesh_shape QUAD = { 4, 4,
  { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 } },
  { { 1, 3, NONE }, { 2, 0, NONE }, { 3, 1, NONE }, { 0, 2, NONE } } };
// clang-format on

const mw_elem_info *mw_elem_info_of(mw_elem_kind kind)
{
  assert((unsigned)kind < MW_ELEM_KINDS);
  return &INFO[kind];
}

const mesh_shape *mw_mesh_shape_of(mw_elem_kind kind)
{
  switch (kind) {
  case MW_ELEM_TET4:
  case MW_ELEM_TET10: return &TET;
  case MW_ELEM_HEX8:
  case MW_ELEM_HEX20:
  case MW_ELEM_HEX20R: return &HEX;
  case MW_ELEM_WEDGE6:
  case MW_ELEM_WEDGE15: return &WEDGE;
  case MW_ELEM_TRI3: return &TRI;
  default: return &QUAD;
  }
}
