// SPDX-License-Identifier: BSD-3-Clause
// bench_rigid.c: what a right-hand side of the rigid path costs, beside those of other programs,
// and two runs against the clock. All times are processor time.
//
//   bench_rigid [--peer PATH/simbody_rhs] [--peer PATH/pinocchio_rhs] [--peer PATH/mujoco_rhs]
//
// Right-hand sides: each program five times in turn, medians of batches, the least of the five.
// Before times are compared both must give the same accelerations (simbody_rhs.cpp says of what).
// Then the runs of bench_rigid_runs.c. Judged lines end in `ok` or `FAILED`; exit status 1 if one
// failed. Without --peer only O(N) and the runs are judged; of a peer those mechanisms that it has.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "bench/bench_layer.h"
#include "bench_rigid_runs.h"
#include "rigid_problems.h"
#include "seven_axes.h"

enum { PEERS = 3 };

typedef struct entry {
  const char *name;  // as peers call it
  int n;
  const char *file, *example, *scenario;  // example of size n, or file; neither: arm7
  double most[PEERS];                     // of the peers' times, 0: printed only
  mw_fixture f;
  mw_rigid_sim s;
  double ns, check;                          // ns; m²/s⁴
  double peer_ns[PEERS], peer_check[PEERS];  // NAN: not measured
} entry;

static const char *const known[PEERS] = { "simbody", "pinocchio", "mujoco" };

// ---- the mechanisms -----------------------------------------------------------------------------

// At the state the scenario starts in.
static bool open_entry(entry *e)
{
  const mw_problem p = {
    .file = e->file, .example = e->example, .n = e->n, .scenario = e->scenario
  };
  mw_error err = { 0 };
  e->ns = NAN;
  for (int i = 0; i < PEERS; i++) e->peer_ns[i] = e->peer_check[i] = NAN;
  if (!(e->file || e->example ? mw_problem_open(&p, &e->f) : seven_axes_open(&e->f))) return false;
  const mw_scenario *sc = mw_problem_scenario(&p, &e->f);
  if (!sc) return false;
  mw_code rc = mw_rigid_sim_init(&e->f.mech, sc, mw_rigid_run_opt_default(sc).rigid, &e->s, &err);
  if (rc == MW_OK) rc = mw_rigid_start(&e->s, &err);
  if (rc == MW_OK) rc = mw_rigid_sim_eval(&e->s, &err);
  e->check = 0.0;
  for (int b = 0; rc == MW_OK && b < e->s.n.n_body; b++)
    for (int i = 0; i < 3; i++) e->check += e->s.a[12 * b + i] * e->s.a[12 * b + i];
  return mw_fixture_okay(rc, &err);
}

static void close_entry(entry *e)
{
  mw_rigid_sim_free(&e->s);
  mw_fixture_free(&e->f);
}

// ---- measurement --------------------------------------------------------------------------------

static bool measure(entry *e, int n)
{
  mw_error err = { 0 };
  for (int k = 0; k < n; k++) {
    double ns = NAN;
    if (!mw_fixture_okay(mw_bench_rigid_rhs(&e[k].s, &ns, &err), &err)) return false;
    e[k].ns = fmin(e[k].ns, ns);
  }
  return true;
}

// A line of a peer: its number, −1: none of its measurements. value: ns, or with check m²/s⁴
static int peer_line(const char *line, char name[32], int *size, double *value, bool *check)
{
  char who[48];
  if (sscanf(line, "peer %47s %31s %d %lf", who, name, size, value) != 4) return -1;
  char *suffix = strstr(who, "-check");
  *check = suffix != NULL;
  if (suffix) *suffix = '\0';
  for (int p = 0; p < PEERS; p++)
    if (strcmp(who, known[p]) == 0) return p;
  return -1;
}

// peer: which one the program is
static bool measure_peer(const char *path, entry *e, int n, int *peer)
{
  char command[1024], line[256], name[32];
  int found = 0;
  if (snprintf(command, sizeof command, "OPENBLAS_NUM_THREADS=1 '%s'", path) >= (int)sizeof command)
    return false;
  fflush(stdout);
  FILE *f = popen(command, "r");
  if (!f) return false;
  while (fgets(line, sizeof line, f)) {
    double value;
    bool check;
    int size, p = peer_line(line, name, &size, &value, &check);
    for (int k = 0; p >= 0 && k < n; k++) {
      if (strcmp(e[k].name, name) != 0 || e[k].n != size) continue;
      if (check)
        e[k].peer_check[p] = value;
      else
        e[k].peer_ns[p] = fmin(e[k].peer_ns[p], value);
      found++;
      *peer = p;
    }
  }
  bool ok = pclose(f) == 0 && found > 0;
  if (!ok) fprintf(stderr, "bench_rigid: %s did not measure\n", path);
  return ok;
}

// ---- judgement ----------------------------------------------------------------------------------

static bool judge(bool ok)
{
  puts(ok ? "  ok" : "  FAILED");
  return ok;
}

static void print_row(const entry *e)
{
  printf("%-11s %5d %7d %7d %11.0f %9.1f\n", e->name, e->n, e->s.n.n_body, e->f.mech.n_joint, e->ns,
         e->ns / e->s.n.n_body);
}

static bool print_beside(const entry *e, int p)
{
  // relative: four orders above what rounding leaves at 3000 links, as many below a datum that
  // differs in its fourth digit
  static const double SAME = 1e-8;
  double off = fabs(e->check / e->peer_check[p] - 1.0), ratio = e->ns / e->peer_ns[p];
  printf("%-11s %5d %11.0f %11.0f %8.4f", e->name, e->n, e->ns, e->peer_ns[p], ratio);
  printf(e->most[p] > 0.0 ? " <= %-4g" : "         ", e->most[p]);
  printf(" %9.1e", off);
  return judge(off <= SAME && !(e->most[p] > 0.0 && !(ratio <= e->most[p])));
}

static bool print_peer(const entry *e, int n, int p)
{
  bool ok = true;
  printf("%-11s %5s %11s %11s %8s %17s\n", "case", "N", "ns a rhs", known[p], "ratio", "deviation");
  for (int k = 0; k < n; k++)
    if (!isnan(e[k].peer_ns[p])) ok = print_beside(&e[k], p) && ok;
  return ok;
}

// Time of k over time of `of`; judged: within a tenth of the ratio of bodies. Both of a judged pair
// are in the same cache: some 3 kB a body are read and written, so that 300 links stay in a second
// level of 2 MB and 1000 do not, which costs a tenth by itself.
static bool print_growth(const entry *k, const entry *of, bool judged)
{
  static const double TENTH = 1.1;
  double bodies = (double)k->s.n.n_body / of->s.n.n_body, ratio = k->ns / of->ns;
  printf("%s: time(%d) / time(%d) = %.2f", k->name, k->n, of->n, ratio);
  if (!judged) {
    printf(" (of %.2f bodies)  not judged\n", bodies);
    return true;
  }
  printf(" (limit %.2f)", TENTH * bodies);
  return judge(ratio <= TENTH * bodies);
}

// peer [n_peer]: programs
static bool right_hand_sides(int n_peer, const char *const *peer)
{
  enum { CHAIN_300 = 2, CHAIN_1000 = 3, CHAIN_3000 = 4, BARS_40 = 7, BARS_160 = 8, ROUNDS = 5 };
  entry e[] = {
    { .name = "chain", .n = 10, .example = "chain", .scenario = "fall", .most = { 0.5, 1, 1 } },
    { .name = "chain", .n = 100, .example = "chain", .scenario = "fall", .most = { 0.5, 1, 1 } },
    { .name = "chain", .n = 300, .example = "chain", .scenario = "fall", .most = { 0.5, 1, 1 } },
    { .name = "chain", .n = 1000, .example = "chain", .scenario = "fall", .most = { 0.5 } },
    { .name = "chain", .n = 3000, .example = "chain", .scenario = "fall", .most = { 0.5 } },
    { .name = "n-four-bar", .n = 1, .example = "n-four-bar", .scenario = "ride" },
    { .name = "n-four-bar", .n = 10, .example = "n-four-bar", .scenario = "ride" },
    { .name = "n-four-bar", .n = 40, .example = "n-four-bar", .scenario = "ride", .most = { 0.1 } },
    { .name = "n-four-bar", .n = 160, .example = "n-four-bar", .scenario = "ride" },
    { .name = "bricard", .n = 1, .file = "bricard.yaml", .scenario = "fall", .most = { 1, 0.2 } },
    { .name = "hexapod", .n = 1, .file = "hexapod.yaml", .scenario = "pull", .most = { 1, 0.2 } },
    { .name = "arm7", .n = 1, .scenario = "swing", .most = { 1, 1, 1 } },
  };
  int n = (int)(sizeof e / sizeof *e), who[PEERS] = { 0 };
  bool ok = true;
  for (int k = 0; ok && k < n; k++) ok = open_entry(&e[k]);
  for (int round = 0; ok && round < ROUNDS; round++) {
    for (int p = 0; ok && p < n_peer; p++) ok = measure_peer(peer[p], e, n, &who[p]);
    if (ok) ok = measure(e, n);
  }
  if (ok) {
    printf("%-11s %5s %7s %7s %11s %9s\n", "case", "N", "bodies", "joints", "ns a rhs", "a body");
    for (int k = 0; k < n; k++) print_row(&e[k]);
    for (int p = 0; p < n_peer; p++) ok = print_peer(e, n, who[p]) && ok;
    ok = print_growth(&e[CHAIN_3000], &e[CHAIN_1000], true) && ok;
    ok = print_growth(&e[CHAIN_3000], &e[CHAIN_300], false) && ok;
    ok = print_growth(&e[BARS_160], &e[BARS_40], true) && ok;
  }
  for (int k = 0; k < n; k++) close_entry(&e[k]);
  return ok;
}

// Has memory in pages of 2 MB where the kernel gives them to those who ask and to no others, since
// looking up addresses of small pages grows with the chain, too. glibc asks for them in a program
// started with its variable, so that this one starts itself again; a user's own choice stands.
static void start_large(char **argv)
{
  static const char *const KEY = "GLIBC_TUNABLES";
  char text[128] = "";
  FILE *f = getenv(KEY) ? NULL : fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
  if (!f) return;
  bool on_request = fgets(text, sizeof text, f) && strstr(text, "[madvise]");
  fclose(f);
  // on failure this process goes on with what it has
  if (on_request && setenv(KEY, "glibc.malloc.hugetlb=1", 0) == 0)
    (void)execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
  const char *peer[PEERS];
  int n = 0;
  start_large(argv);
  for (int i = 1; i < argc; i += 2) {
    if (n == PEERS || i + 1 == argc || strcmp(argv[i], "--peer") != 0) {
      fputs("usage: bench_rigid [--peer PROGRAM]...\n", stderr);
      return 2;
    }
    peer[n++] = argv[i + 1];
  }
  bool ok = right_hand_sides(n, peer);
  ok = mw_bench_four_bar() && ok;
  ok = mw_bench_real_time() && ok;
  return ok ? 0 : 1;
}
