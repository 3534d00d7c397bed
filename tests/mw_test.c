// SPDX-License-Identifier: BSD-3-Clause
// mw_test.c: the test harness on CUnit.
//
// CUnit exits 0 with failures and counts a suite that could not start as none; so the exit status
// is made here: failure on a failed check, on a test without one, on no test run, on an inactive or
// failed suite.
#include "mw_test.h"

#include <CUnit/Basic.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

// one check MW_NEAR or MW_WITHIN of the source, for the sheet of residuals: what it has seen with
// the largest |error|/tol, and its largest ratio_of
typedef struct site {
  const char *file, *expr, *why;  // why: reason of a bound that is not derived from errors, or NULL
  int line;
  double error, tol, ratio;
  bool failed;  // known to CUnit
} site;

static site *sites;               // [n_site], in the order of their first check
static int n_site, n_check;       // n_check: of all kinds, counted over the whole run
static const mw_test_case **due;  // [number of tests], in the order CUnit runs them
static int n_begun;

static double tol_scale(void)
{
  const char *s = getenv("MW_TOL_SCALE");
  return s && *s ? strtod(s, NULL) : 1.0;
}

// Says whether tolerances are taken away to see the residuals: what fails then is no news.
static bool bare(void) { return tol_scale() == 0; }

static bool sheet_wanted(void)
{
  const char *s = getenv("MW_SHEET");
  return bare() || (s && *s);
}

// Divides a residual by its bound. It counts as no less than the rounding of the number wanted:
// below that it is zero by accident. A bound of zero is kept or missed.
static double ratio_of(double error, double want, double tol)
{
  if (tol > 0) return fmax(error, isfinite(want) ? DBL_EPSILON * fabs(want) : 0) / tol;
  return error == 0 ? 1 : HUGE_VAL;
}

// Keeps the larger of what a site has shown; NaN is larger than any. false: a failure that is not
// the site's first. CUnit walks along its list for each, and a sheet has them by the 100,000.
static bool keep_residual(site now)
{
  int i = 0;
  while (i < n_site && (sites[i].line != now.line || strcmp(sites[i].file, now.file) != 0)) i++;
  if (i == n_site) {
    site *longer = realloc(sites, (size_t)(n_site + 1) * sizeof *sites);
    if (!longer) return true;
    sites = longer;
    sites[n_site++] = now;
    sites[i].failed = false;
  }
  site *s = &sites[i];
  bool again = now.failed && s->failed;
  if (!(now.error * s->tol <= s->error * now.tol)) s->error = now.error, s->tol = now.tol;
  if (!(now.ratio <= s->ratio)) s->ratio = now.ratio;
  s->failed = s->failed || now.failed;
  return !again;
}

// Prints a row a site; loose: the bound is a thousand times the residual, and says no reason.
static void print_sheet(void)
{
  printf("%12s %12s %10s        check\n", "residual", "bound", "ratio");
  for (int i = 0; i < n_site; i++) {
    const site *s = &sites[i];
    const char *name = strrchr(s->file, '/'), *why = s->why ? s->why : "";
    bool slack = s->ratio < 1e-3;
    printf("%12.3e %12.3e %10.2e %5s  %s:%d: %s%s%s\n", s->error, s->tol, s->ratio,
           !slack   ? ""
           : s->why ? "meant"
                    : "loose",
           name ? name + 1 : s->file, s->line, s->expr, s->why ? " -- " : "", why);
  }
}

// CUnit keeps the pointers of expr only for its own listing; messages are printed at once
static bool record(bool ok, const char *expr, const char *file, int line)
{
  n_check++;
  if (!ok && getenv("MW_TEST_FIRST")) exit(EXIT_FAILURE);
  CU_assertImplementation(ok ? CU_TRUE : CU_FALSE, (unsigned)line, expr, file, "", CU_FALSE);
  return ok;
}

bool mw_test_near(double got, double want, double tol, const char *expr, const char *why,
                  const char *file, int line)
{
  double bound = tol * tol_scale(), error = fabs(got - want);
  bool ok = got == want || error <= bound;  // false for NaN; equal infinities agree
  bool news = true;
  if (got == want) error = 0;
  if (sheet_wanted())
    news = keep_residual((site){ .file = file,
                                 .expr = expr,
                                 .why = why,
                                 .line = line,
                                 .error = error,
                                 .tol = tol,
                                 .ratio = ratio_of(error, want, tol),
                                 .failed = !ok });
  if (!ok && !bare())
    printf("%s:%d: %s\n  got  %.17g\n  want %.17g\n  |error| %.3g, tol %.3g, |error|/tol %.3g\n",
           file, line, expr, got, want, error, tol, error / tol);
  (void)record(ok || !news, expr, file, line);
  return ok;
}

bool mw_test_true(bool cond, const char *expr, const char *file, int line)
{
  if (!cond) printf("%s:%d: not true: %s\n", file, line, expr);
  return record(cond, expr, file, line);
}

bool mw_test_okay(int code, const char *msg, const char *expr, const char *file, int line)
{
  if (code != 0) printf("%s:%d: %s\n  code %d: %s\n", file, line, expr, code, msg ? msg : "");
  return record(code == 0, expr, file, line);
}

bool mw_test_code(int code, int want, const char *expr, const char *file, int line)
{
  if (code != want) printf("%s:%d: %s\n  got code %d, want %d\n", file, line, expr, code, want);
  return record(code == want, expr, file, line);
}

bool mw_test_same_bits(const void *a, const void *b, size_t bytes, const char *expr,
                       const char *file, int line)
{
  bool ok = bytes == 0 || memcmp(a, b, bytes) == 0;
  for (size_t i = 0; !ok && i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
    uint64_t x, y;
    memcpy(&x, (const char *)a + i, sizeof x);
    memcpy(&y, (const char *)b + i, sizeof y);
    if (x == y) continue;
    printf("%s:%d: %s differ, first at [%zu]: %016" PRIx64 " and %016" PRIx64 "\n", file, line,
           expr, i / sizeof x, x, y);
    break;
  }
  return record(ok, expr, file, line);
}

bool mw_test_write(const char *path, const void *bytes, size_t n)
{
  (void)remove(path);
  FILE *f = fopen(path, "wb");
  if (f == NULL) return false;
  bool wrote = fwrite(bytes, 1, n, f) == n;
  return fclose(f) == 0 && wrote;
}

double mw_test_rounding(double n, double size)
{
  return 8.0 * sqrt(n) * 0.5 * DBL_EPSILON * fabs(size);
}

// s, of this process and of those that it has waited for
static double processor_time(void)
{
  double t = 0.0;
  struct rusage u;
  static const int who[2] = { RUSAGE_SELF, RUSAGE_CHILDREN };
  for (int i = 0; i < 2; i++)
    if (getrusage(who[i], &u) == 0)
      t += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
  return t;
}

// Runs the next test, and fails it where it checked nothing: a check that cannot fail is none.
static void run_due(void)
{
  const mw_test_case *c = due[n_begun++];
  int before = n_check;
  double start = processor_time();
  c->run();
  if (getenv("MW_TEST_TIMES")) printf("%8.2f s  %s\n", processor_time() - start, c->name);
  if (n_check == before) mw_test_true(false, "the test makes no check", c->name, 0);
}

static int setup(const char *suite, const mw_test_case *cases, int n_case)
{
  const char *only = getenv("MW_TEST_ONLY");
  CU_pSuite s = CU_add_suite(suite, NULL, NULL);
  int n = 0;
  due = calloc((size_t)n_case + 1, sizeof *due);
  for (int i = 0; s && due && i < n_case; i++) {
    if (only && *only && strcmp(only, cases[i].name) != 0) continue;
    if (!CU_add_test(s, cases[i].name, run_due)) return -1;
    due[n++] = &cases[i];
  }
  return s && due ? n : -1;
}

int mw_test_run(const char *suite, const mw_test_case *cases, int n_case)
{
  if (getenv("MW_TEST_NAMES")) {
    for (int i = 0; i < n_case; i++) puts(cases[i].name);
    return EXIT_SUCCESS;
  }
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  if (CU_initialize_registry() != CUE_SUCCESS) return EXIT_FAILURE;
  int n = setup(suite, cases, n_case);
  if (n <= 0) {
    printf("%s: no tests, or CUnit refused them: %s\n", suite, CU_get_error_msg());
    CU_cleanup_registry();
    return EXIT_FAILURE;
  }
  CU_basic_set_mode(CU_BRM_SILENT);
  CU_ErrorCode rc = CU_basic_run_tests();
  const CU_RunSummary *r = CU_get_run_summary();
  bool ok = rc == CUE_SUCCESS && r->nTestsRun == (unsigned)n && r->nTestsFailed == 0 &&
            r->nTestsInactive == 0 && r->nSuitesFailed == 0 && r->nSuitesInactive == 0 &&
            r->nFailureRecords == 0 && r->nAsserts > 0;
  if (sheet_wanted()) print_sheet();
  for (CU_pFailureRecord f = bare() ? NULL : CU_get_failure_list(); f; f = f->pNext)
    printf("FAILED %s.%s at line %u: %s\n", suite, f->pTest ? f->pTest->pName : "?",
           f->uiLineNumber, f->strCondition ? f->strCondition : "");
  printf("%s: %u of %d tests run, %u failed; %u checks, %u failed\n", suite, r->nTestsRun, n,
         r->nTestsFailed, r->nAsserts, r->nAssertsFailed);
  CU_cleanup_registry();
  free(sites);
  free(due);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
