// SPDX-License-Identifier: BSD-3-Clause
// mpi.h: the process among those that mpirun started. Without MPI in the build: one process, alone.
#ifndef MW_FEM_MPI_H
#define MW_FEM_MPI_H

#include <stdbool.h>

#include "base/api.h"
#include "base/error.h"
#include "base/team.h"

MW_API_BEGIN

bool mw_mpi_built(void);     // is MPI in this program?
bool mw_mpi_launched(void);  // did mpirun (or another launcher) start this process with others?
// Seconds that starting and ending MPI may take each: MODEWAY_MPI_SECONDS of the environment, else
// 120. MW_ERR_INPUT: it is no whole number from 1 on; *out is 120.
MW_MUST_USE mw_code mw_mpi_seconds(int *out, mw_error *err);
// Starts MPI once, ends it when the process exits; does nothing without MPI in the build. MUMPS
// needs it too. Where either takes more than MODEWAY_MPI_SECONDS (environment; 120) of a process
// that no launcher started, says so on stderr and ends the process: MPI does not come back.
void mw_mpi_start(void);
bool mw_mpi_started(void);  // has anything here?
int mw_mpi_rank(void);      // 0 … size − 1 once started, else 0
int mw_mpi_size(void);      // once started, else 1
int mw_mpi_self(void);      // starts MPI; Fortran handle of this process alone, as MUMPS wants it
double mw_mpi_most(double x);  // the largest x of all ranks, waits for all of them; else x
// Ends all ranks at once with this exit status, for one of them cannot go on; else this process.
void mw_mpi_abort(int status);
// All ranks as a team (base/team.h); starts MPI. Released by mw_mpi_team_close. MW_ERR_INPUT: built
// without MPI.
MW_MUST_USE mw_code mw_mpi_team_open(mw_team *out, mw_error *err);
void mw_mpi_team_close(mw_team *t);

MW_API_END

#endif
