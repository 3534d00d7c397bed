// SPDX-License-Identifier: BSD-3-Clause
// work_worker.c: the worker process of test_work, and the program that test_work_mpi.sh starts as
// ranks.
//
//   work_worker                        a worker: toy units until there are no more
//   work_worker KIND N FOLDER LOG      rank 0: a list of N toy units of a kind; prints the digest
//                                      of all results and how many
//                                      were done and found; the other ranks serve. FOLDER or LOG
//                                        "-": none. Of the kind
//                                      TOY_FRAIL only the unit in the middle is, the others are
//                                        TOY_SLOW.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "fem/mpi.h"
#include "work_toy.h"

static int tell(const mw_error *err)
{
  char text[1024];
  mw_error_print(err, text, (int)sizeof text);
  fputs(text, stderr);
  return err->code == MW_ERR_INPUT ? 2 : 1;
}

static void print(const mw_work *w, int n, const mw_bytes *r)
{
  mw_sha256 s;
  uint8_t digest[32];
  char hex[65];
  mw_sha256_init(&s);
  for (int i = 0; i < n; i++) mw_sha256_add(&s, r[i].p, r[i].n);
  mw_sha256_end(&s, digest);
  mw_sha256_hex(digest, hex);
  mw_work_stats st = mw_work_stats_of(w);
  printf("%s\n%d done, %d found\n", hex, st.made, st.reused);
}

static int lead(char **argv)
{
  mw_error err = { 0 };
  mw_work *w = NULL;
  int kind = atoi(argv[1]), n = atoi(argv[2]);
  mw_work_opt opt = { .fn = toy_unit, .context = "toy" };
  if (strcmp(argv[3], "-") != 0) opt.folder = argv[3];
  mw_unit *u = toy_units(n, kind, strcmp(argv[4], "-") == 0 ? NULL : argv[4]);
  mw_bytes *r = calloc((size_t)n, sizeof *r);
  if (!u || !r) return 1;
  for (int i = 0; kind == TOY_FRAIL && i < n; i++)
    if (i != n / 2) u[i].kind = TOY_SLOW;
  mw_code rc = mw_work_init(&opt, &w, &err);
  if (rc == MW_OK) rc = mw_work_run(w, "toys", n, u, r, NULL, &err);
  if (rc == MW_OK) print(w, n, r);
  mw_work_free(w);
  for (int i = 0; i < n; i++) free(r[i].p);
  free(r);
  toy_free(n, u);
  return rc == MW_OK ? 0 : tell(&err);
}

int main(int argc, char **argv)
{
  mw_error err = { 0 };
  if (mw_mpi_launched()) mw_mpi_start();
  if (argc == 5 && mw_mpi_rank() == 0) return lead(argv);
  return mw_work_serve(toy_unit, NULL, &err) == MW_OK ? 0 : tell(&err);
}
