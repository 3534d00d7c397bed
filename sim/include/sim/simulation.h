// SPDX-License-Identifier: BSD-3-Clause
// simulation.h: the simulation of a scenario by one path, step by step. The caller may inspect it,
// save its state, and resume it elsewhere with the same bits.
//
//   mw_sim_open(&c, sc, "full", &opt, &s, &err);
//   while (!mw_sim_ended(s)) mw_sim_step(s, &err);
//   mw_sim_finish(s, &run, &err);                     the same run as that of mw_path_run
//   mw_sim_close(s);
#ifndef MW_SIM_SIMULATION_H
#define MW_SIM_SIMULATION_H

#include "base/api.h"
#include "sim/case.h"

MW_API_BEGIN

typedef struct mw_sim mw_sim;

// Starts the scenario by path "full", "body", "rigid" or "gmp"; the first instant is stored.
// Borrows c, sc and what opt points to; released by mw_sim_close.
MW_MUST_USE mw_code mw_sim_open(const mw_case *c, const mw_scenario *sc, const char *path,
                                const mw_path_opt *opt, mw_sim **out, mw_error *err);
void mw_sim_close(mw_sim *s);  // NULL is fine

// One step of the path's method (where it adapts its steps: those to the next instant), with what
// is due at its end: limits, samples of controllers, storing. The last one may be cut short by a
// limit. MW_ERR_INPUT once the run has ended; MW_ERR_NUMERIC names the time and what diverged.
MW_MUST_USE mw_code mw_sim_step(mw_sim *s, mw_error *err);
bool mw_sim_ended(const mw_sim *s);   // at the end of the scenario or at a limit
double mw_sim_time(const mw_sim *s);  // s
// Joint coordinates of the model at the state [n_coord], m or rad; NaN: a reduced model has no
// field of it.
void mw_sim_coords(mw_sim *s, double *coord);

// Hands the run over as *out (mw_run_free when done). Afterwards only mw_sim_time and mw_sim_ended
// may be asked of s. MW_ERR_INPUT: the run has not ended, or was finished before.
MW_MUST_USE mw_code mw_sim_finish(mw_sim *s, mw_run *out, mw_error *err);

// Says whether the run is at a stored instant, the only places where it can be saved.
bool mw_sim_stored(const mw_sim *s);
// Size of a saved state; 0: a run that was finished.
size_t mw_sim_bytes(mw_sim *s);
// Writes the state and the stored series into state [mw_sim_bytes], in this machine's byte order. A
// controller of opt keeps a state of its own. MW_ERR_INPUT: not at a stored instant.
MW_MUST_USE mw_code mw_sim_save(mw_sim *s, void *state, mw_error *err);
// Resumes a saved run in a newly opened one of the same model, scenario, path and step, by the same
// build: it continues with the same bits. A rigid run by a method of SUNDIALS (cvode, adams, ida,
// auto once it has gone over to radau) and any run with units (FMUs) is taken again up to there, as
// their history cannot be put back: this lasts as long as it did. MW_ERR_INPUT: another run's
// state; s is unchanged.
MW_MUST_USE mw_code mw_sim_restore(mw_sim *s, const void *state, size_t bytes, mw_error *err);

MW_API_END

#endif
