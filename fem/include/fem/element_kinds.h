// SPDX-License-Identifier: BSD-3-Clause
// element_kinds.h: the elements of meshes there are. Everything else about one stands in its file
// of fem/element/, behind its mw_elem_class (element_class.h).
#ifndef MW_FEM_ELEMENT_KINDS_H
#define MW_FEM_ELEMENT_KINDS_H

// X(KIND, name): its class is mw_elem_<name>.
#define MW_ELEM_LIST(X)                                                                            \
  X(TET4, tet4)                                                                                    \
  X(TET10, tet10)                                                                                  \
  X(HEX8, hex8)                                                                                    \
  X(HEX20, hex20)                                                                                  \
  X(HEX20R, hex20r)                                                                                \
  X(WEDGE6, wedge6)                                                                                \
  X(WEDGE15, wedge15)                                                                              \
  X(TRI3, tri3)                                                                                    \
  X(QUAD4, quad4)

#define MW_ELEM_KIND_OF(KIND, name) MW_ELEM_##KIND,
typedef enum mw_elem_kind { MW_ELEM_LIST(MW_ELEM_KIND_OF) MW_ELEM_KINDS } mw_elem_kind;
#undef MW_ELEM_KIND_OF

#endif
