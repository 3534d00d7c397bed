// SPDX-License-Identifier: BSD-3-Clause
// user.c: a program of somebody else on libmodeway, C and C++: reads a model, runs a scenario by a
// path, prints where the first output ends.
//
//   user MODEL SCENARIO PATH
#include <sim/case.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const mw_error *err)
{
  char text[1024];
  mw_error_print(err, text, (int)sizeof text);
  fputs(text, stderr);
  return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
  mw_case model;
  mw_run run;
  mw_error err;
  mw_path_opt opt = { 0 };
  const mw_scenario *scenario;
  if (argc != 4) return EXIT_FAILURE;
  if (mw_case_read(argv[1], &model, &err) != MW_OK) return fail(&err);
  int status = EXIT_FAILURE;
  if (mw_scenario_find(&model.model, argv[2], &scenario, &err) != MW_OK ||
      mw_path_run(&model, scenario, argv[3], &opt, &run, &err) != MW_OK) {
    (void)fail(&err);
  } else {
    const double *y = run.y + (size_t)(run.n_t - 1) * 3 * (size_t)run.n_out;
    printf("modeway %s: t = %g s, y = %.9f %.9f %.9f m\n", mw_version(), run.t[run.n_t - 1], y[0],
           y[1], y[2]);
    mw_run_free(&run);
    status = EXIT_SUCCESS;
  }
  mw_case_free(&model);
  return status;
}
