// SPDX-License-Identifier: BSD-3-Clause
// mpi.h: the process among those that mpirun started. Without MPI in the build: one process, alone.
#ifndef MW_FEM_MPI_H
#define MW_FEM_MPI_H

#include <stdbool.h>

#include "base/api.h"

MW_API_BEGIN

bool mw_mpi_built(void);     // is MPI in this program?
bool mw_mpi_launched(void);  // did mpirun (or another launcher) start this process with others?
// Starts MPI once, ends it when the process exits; does nothing without MPI in the build. MUMPS
// needs it too.
void mw_mpi_start(void);
bool mw_mpi_started(void);  // has anything here?
int mw_mpi_rank(void);      // 0 … size − 1 once started, else 0
int mw_mpi_size(void);      // once started, else 1
int mw_mpi_self(void);      // starts MPI; Fortran handle of this process alone, as MUMPS wants it

MW_API_END

#endif
