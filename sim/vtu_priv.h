// SPDX-License-Identifier: BSD-3-Clause
// vtu_priv.h: mode shapes as a VTK unstructured grid (.vtu), for ParaView.
#ifndef MW_SIM_VTU_PRIV_H
#define MW_SIM_VTU_PRIV_H

#include "fem/mech.h"

// Nodes of all bodies at the rigid configuration p [n_body × 12] (m, ground axes), beam edges and
// surface triangles, rigid bodies as points; one vector field a mode: shape [n_mode × n]
// (mw_direct_modes), each scaled to largest length 1.
MW_MUST_USE mw_code mw_vtu_write(const mw_mech *m, const double *p, int n_mode,
                                 const double *freq_hz, const double *shape, const char *path,
                                 mw_error *err);
#endif
