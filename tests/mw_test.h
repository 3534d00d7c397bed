// SPDX-License-Identifier: BSD-3-Clause
// mw_test.h: a thin layer on CUnit. A failed check says what came, what was wanted, and how far off
// it was.
//
//   static const mw_test_case cases[] = { { "a_sentence_that_may_be_false", fn }, ... };
//   int main(void) { return mw_test_run("suite", cases, (int)(sizeof cases / sizeof *cases)); }
//
// With MW_SHEET in the environment a suite prints a sheet at its end, one row a check site: its
// largest residual, its bound and their ratio, in which a residual counts as no less than the
// rounding of the number wanted. tests/residuals prints the sheets of many suites as one. The
// environment variable MW_TOL_SCALE multiplies every tolerance: with 0 whatever is not exact fails,
// on purpose, and the sheet is printed, too. A test that checks nothing fails. With MW_TEST_TIMES a
// suite prints the processor time of each case, with MW_TEST_NAMES their names alone; with
// MW_TEST_FIRST it ends at the first check that fails.
#ifndef MW_TEST_H
#define MW_TEST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mw_test_case {
  const char *name;
  void (*run)(void);
} mw_test_case;

// Runs all cases of one suite, prints one summary line, and returns the exit status: 0 only if at
// least one test ran, none was left out, and no check failed. argv-free: the environment
// MW_TEST_ONLY names a single case.
int mw_test_run(const char *suite, const mw_test_case *cases, int n_case);

// Bounds the rounding of a sum of n terms or the same in n products, whose magnitudes add up to
// size: single roundings of ε/2 take either sign and add as √n does (Higham and Mary, SIAM J. Sci.
// Comput. 41, 2019), here with eight deviations. n ε size, the worst case, is not met by sums.
double mw_test_rounding(double n, double size);

// Writes n bytes to a new file at path, true if it could. Removes what was there first: to cut a
// file to nothing while its bytes are on their way to the disk takes ext4 some milliseconds.
bool mw_test_write(const char *path, const void *bytes, size_t n);

// What the macros below call. All return whether the check held; a check that fails is counted and
// printed.
bool mw_test_near(double got, double want, double tol, const char *expr, const char *why,
                  const char *file, int line);
bool mw_test_true(bool cond, const char *expr, const char *file, int line);
bool mw_test_okay(int code, const char *msg, const char *expr, const char *file, int line);
bool mw_test_code(int code, int want, const char *expr, const char *file, int line);
bool mw_test_same_bits(const void *a, const void *b, size_t bytes, const char *expr,
                       const char *file, int line);

// |got - want| <= tol × MW_TOL_SCALE; NaN fails. tol bounds the errors that the check meets.
#define MW_NEAR(got, want, tol) mw_test_near((got), (want), (tol), #got, NULL, __FILE__, __LINE__)
// The same for a tol that follows from anything else, which why says in a few words for the sheet:
// what the product promises, the digits of a table, the worst of random cases.
#define MW_WITHIN(got, want, tol, why)                                                             \
  mw_test_near((got), (want), (tol), #got, "" why, __FILE__, __LINE__)
#define MW_CHECK(cond) mw_test_true((cond), #cond, __FILE__, __LINE__)
// call hands &err of a local `mw_error err` to the function and returns MW_OK; the message is
// printed if not.
#define MW_OKAY(call)                                                                              \
  (err.msg[0] = '\0', mw_test_okay((int)(call), err.msg, #call, __FILE__, __LINE__))
#define MW_FAILS(call, code) mw_test_code((int)(call), (int)(code), #call, __FILE__, __LINE__)
// The arrays of n doubles a and b are equal bit for bit.
#define MW_SAME_BITS(a, b, n)                                                                      \
  mw_test_same_bits((a), (b), (size_t)(n) * sizeof(double), #a " and " #b, __FILE__, __LINE__)

#endif
