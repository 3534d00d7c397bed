// SPDX-License-Identifier: BSD-3-Clause
// bench_promise.c: what certificates promise against what happens: fresh random samples, runs, and
// spoiled models.
//
//   bench_promise [group ...]              a machine's name, "models": all of them, "mutants";
//                                          default: models and mutants
//   bench_promise mutants [machine ...]    spoiled models of these machines alone
//
// Exits with 1 where a certificate promised what was not kept, or something could not be computed.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "promise.h"

static bool asked(int argc, char **argv, const char *name)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return true;
  return false;
}

static int usage(int n, const promise_model *list)
{
  fprintf(stderr, "groups: models mutants");
  for (int k = 0; k < n; k++) fprintf(stderr, " %s", list[k].name);
  fprintf(stderr, "\n");
  return 2;
}

int main(int argc, char **argv)
{
  const promise_model *list;
  int n = promise_models(&list), lies = 0, failed = 0, known = 0;
  bool every = argc == 1 || asked(argc, argv, "models");
  bool mutants = argc == 1 || asked(argc, argv, "mutants"),
       alone = argc > 1 && strcmp(argv[1], "mutants") == 0;  // the rest are its machines
  known = asked(argc, argv, "models") + asked(argc, argv, "mutants");
  for (int k = 0; k < n; k++) known += asked(argc, argv, list[k].name);
  if (known < argc - 1 && !alone) return usage(n, list);
  for (int k = 0; k < n && !alone; k++) {
    if (!asked(argc, argv, list[k].name) && (!every || list[k].named)) continue;
    int before = lies;
    time_t start = time(NULL);
    printf("%s: %s\n", list[k].name, list[k].what);
    fflush(stdout);
    bool good = promise_check(&list[k], &lies);
    failed += !good;
    printf("  %s, %.0f s\n",
           !good           ? "could not be computed"
           : lies > before ? "MORE PROMISED THAN KEPT"
                           : "kept",
           difftime(time(NULL), start));
    fflush(stdout);
  }
  if (mutants) {
    printf("mutants: spoiled models, each missed or refused\n");
    failed += !promise_mutants(alone ? argc - 2 : 0, argv + 2, &lies);
  }
  printf("%d promises not kept, %d groups could not be computed\n", lies, failed);
  return lies > 0 || failed > 0;
}
