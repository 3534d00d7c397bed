// SPDX-License-Identifier: BSD-3-Clause
// blasfeo_common.h: stands in for BLASFEO's header of that name in tests: matrices by columns
// (MF_COLMAJ), or by panels of D_PS rows, columns within a panel (MF_PANELMAJ).
#ifndef STANDIN_BLASFEO_COMMON_H
#define STANDIN_BLASFEO_COMMON_H

#ifdef MF_PANELMAJ
enum { D_PS = 4 };
struct blasfeo_dmat {
  double *mem, *pA, *dA;
  int m, n, pm, cn;  // rows, columns; both as stored
  int use_dA, memsize;
};
struct blasfeo_dvec {
  double *mem, *pa;
  int m, pm, memsize;
};
#define BLASFEO_DMATEL(A, i, j) ((A)->pA[((i) - (i) % D_PS) * (A)->cn + (j)*D_PS + (i) % D_PS])
#else
struct blasfeo_dmat {
  double *mem, *pA, *dA;
  int m, n;
  int use_dA, memsize;
};
struct blasfeo_dvec {
  double *mem, *pa;
  int m, memsize;
};
#define BLASFEO_DMATEL(A, i, j) ((A)->pA[(i) + (j) * (A)->m])
#endif
#define BLASFEO_DVECEL(x, i) ((x)->pa[i])

#endif
