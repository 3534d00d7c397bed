// SPDX-License-Identifier: BSD-3-Clause
// test_scaling.c: the simulation of many workers (bench/scaling_sim.c) where its result is known in
// closed form. Times are sums of n terms, so they err by n eps of themselves.
#include <float.h>
#include <math.h>

#include "bench/scaling_sim.h"
#include "mw_test.h"

static const double ONE[] = { 0.25 };
static const double MIXED[] = { 0.01, 0.5, 0.02, 0.2, 0.03, 0.9, 0.05, 0.1 };
enum { N_MIXED = sizeof MIXED / sizeof *MIXED };

static const scaling_draw SAME = { 1, ONE }, SEVERAL = { N_MIXED, MIXED };

static double sum_tol(double n, double want) { return 4.0 * n * DBL_EPSILON * want; }

static void equal_units_take_whole_rounds(void)
{
  scaling_cost c = { 0 };
  for (int n = 1; n <= 50; n += 7)
    for (int r = 1; r <= 8; r++) {
      double want = ceil((double)n / r) * 0.25;
      MW_NEAR(scaling_list(&c, SAME, 1.0, n, r, 0.0, 0.0), want, sum_tol(n, want));
    }
}

static void one_worker_waits_for_every_message(void)
{
  scaling_cost c = { .latency = 0.003, .digest_b = 1e-4, .rate = 1e6 };
  c.leader = (scaling_leader){ .send = 0.01,
                               .take = 0.02,
                               .take_b = 1e-5,
                               .put = 0.005,
                               .put_b = 2e-5,
                               .sync_files = 1000,
                               .sync_work = 1e9 };
  // a unit: send with 300 B at the network's rate, 2 latencies, 0.25 s, digest of 500 B, taken at
  // the slower of both rates
  double a = 0.01 + 300e-6 + 2.0 * 0.003 + 0.25 + 500.0 * 1e-4 + 0.02 + 500.0 * 1e-5 + 0.005 +
             500.0 * 2e-5;
  MW_NEAR(scaling_list(&c, SAME, 1.0, 20, 1, 300.0, 500.0), 20.0 * a, sum_tol(200, 20.0 * a));
}

static void idle_workers_wait_for_a_busy_leader(void)
{
  // units of no length: the leader's time is that of its messages, however many workers there are
  static const double none[] = { 0.0 };
  scaling_draw d = { 1, none };
  scaling_cost c = { .leader = { .send = 0.01, .take = 0.02 } };
  for (int r = 1; r <= 64; r *= 4)
    MW_NEAR(scaling_list(&c, d, 1.0, 100, r, 0.0, 0.0), 3.0, sum_tol(300, 3.0));
}

static void syncs_come_after_files_or_after_work(void)
{
  scaling_cost c = { .leader = { .sync = 0.1, .sync_files = 7, .sync_work = 1e9 } };
  double want = 20.0 * 0.25 + 20.0 * 0.1;  // every file is synced once, one worker waits
  MW_NEAR(scaling_list(&c, SAME, 1.0, 20, 1, 0.0, 0.0), want, sum_tol(100, want));
}

// Graham 1969: W / R <= T <= W / R + (1 − 1/R) longest; 0.9 is the longest there is
static void any_list_keeps_grahams_bounds(void)
{
  scaling_cost c = { 0 };
  for (int n = 10; n <= 1000; n *= 10) {
    double work = scaling_list(&c, SEVERAL, 1.0, n, 1, 0.0, 0.0), before = work;
    for (int r = 2; r <= 64; r *= 2) {
      double t = scaling_list(&c, SEVERAL, 1.0, n, r, 0.0, 0.0), slack = sum_tol(n, work);
      MW_CHECK(t >= work / r - slack);
      MW_CHECK(t <= work / r + (1.0 - 1.0 / r) * 0.9 + slack);
      MW_CHECK(t <= before + slack);
      before = t;
    }
  }
}

static scaling_cost parts(void)
{
  return (scaling_cost){ .modes = SAME, .chunk_measured = 10, .sample = SAME };
}

static void a_reduction_is_its_stages_one_after_another(void)
{
  scaling_cost c = parts();
  c.before = 1.0;
  c.before_point = 0.01;
  c.after = 2.0;
  c.after_point = 0.02;
  c.begin = 0.5;
  c.direct = 0.125;
  scaling_case k = { .n_point = 200.0, .n_sample = 9, .n_worker = 4, .chunk = 10 };
  // 20 units of modes in 5 rounds, the first with begin; 9 samples in 3, the first with direct
  double want = 3.0 + 200.0 * 0.03 + (5.0 * 0.25 + 0.5) + (3.0 * 0.25 + 0.125);
  MW_NEAR(scaling_time(&c, &k), want, sum_tol(100, want));
  // alone: no worker begins, the mesh is factored once
  want = 3.0 + 200.0 * 0.03 + 20.0 * 0.25 + 9.0 * 0.25 + 0.125;
  MW_NEAR(scaling_alone(&c, &k), want, sum_tol(100, want));
}

static void bases_have_company_until_it_is_done(void)
{
  static const double heavy[] = { 50.0 };
  scaling_cost c = parts();
  c.rough = SAME;
  c.fine = (scaling_draw){ 1, heavy };
  c.count = SAME;
  scaling_case k = { .n_point = 70.0, .n_sample = 5, .n_worker = 3, .chunk = 10 };
  // rough and 5 samples by 3: 2 rounds; the heavy one beside the count; 7 units of modes: 3 rounds
  double want = 2 * 0.25 + 50.0 + 3 * 0.25;
  MW_NEAR(scaling_time(&c, &k), want, sum_tol(20, want));
}

static void no_form_of_the_work_is_faster_than_its_sum_over_the_workers(void)
{
  scaling_cost c = parts();
  c.rough = c.fine = c.count = SAME;
  c.before_point = c.after_point = 0.002;
  c.digest_b = 1e-8;
  c.modes_result = 1e6;
  c.record = 1e3;
  c.leader = (scaling_leader){ .put = 1e-4, .put_b = 1e-9, .sync_b = 1e-9, .sync_files = 64 };
  for (int how = 0; how < 16; how++)
    for (int r = 1; r <= 256; r *= 4) {
      scaling_case k = { .n_point = 4e4, .n_sample = 5, .n_worker = r, .chunk = 10 };
      c.rough.n = c.fine.n = c.count.n = how & 1;
      k.own_files = how & 2;
      k.point_units = how & 4;
      k.n_shard = how & 8 ? 4 : 1;
      double least = scaling_alone(&c, &k) / r;
      if (r >= k.n_shard) MW_CHECK(scaling_time(&c, &k) >= least - sum_tol(1e4, least));
    }
}

static void what_is_expensive_is_blamed(void)
{
  static const double heavy[] = { 50.0 };
  double lost[SCALING_N_PART];
  scaling_case k = { .n_point = 1000.0, .n_sample = 4, .n_worker = 4, .chunk = 10 };
  for (int p = 0; p < SCALING_BALANCE; p++) {
    scaling_cost c = parts();
    if (p == SCALING_SERIAL) c.after_point = 0.05;
    if (p == SCALING_BODIES) c.fine = (scaling_draw){ 1, heavy };
    if (p == SCALING_START) c.begin = 50.0;
    if (p == SCALING_MESSAGES) c.leader.take = 0.5;
    if (p == SCALING_STORE) c.leader.put = 0.5;
    scaling_blame(&c, &k, lost);
    for (int i = 0; i < SCALING_BALANCE; i++) MW_CHECK(i == p || lost[i] < 0.01 * lost[p]);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "equal_units_take_whole_rounds", equal_units_take_whole_rounds },
    { "one_worker_waits_for_every_message", one_worker_waits_for_every_message },
    { "idle_workers_wait_for_a_busy_leader", idle_workers_wait_for_a_busy_leader },
    { "syncs_come_after_files_or_after_work", syncs_come_after_files_or_after_work },
    { "any_list_keeps_grahams_bounds", any_list_keeps_grahams_bounds },
    { "a_reduction_is_its_stages_one_after_another", a_reduction_is_its_stages_one_after_another },
    { "bases_have_company_until_it_is_done", bases_have_company_until_it_is_done },
    { "no_form_of_the_work_is_faster_than_its_sum_over_the_workers",
      no_form_of_the_work_is_faster_than_its_sum_over_the_workers },
    { "what_is_expensive_is_blamed", what_is_expensive_is_blamed },
  };
  return mw_test_run("scaling", cases, (int)(sizeof cases / sizeof *cases));
}
