#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_harness.sh HARNESS_EMPTY: suites that check nothing fail, programs and scripts.
program=$1
. "$(dirname "$0")/checks.sh"

expect 1 "a suite with a test that checks nothing"
says out "nothing_is_checked:0: not true: the test makes no check"
MW_TEST_ONLY=one_is_one expect 0 "its test that checks something"
MW_TEST_ONLY=nothing_is_checked expect 1 "its test that checks nothing"
MW_TEST_ONLY=one_is_one MW_SHEET=1 expect 0 "its residuals beside their bounds"
says out "1.00e-01        harness_empty.c:"
says out "2.22e-04 loose  harness_empty.c:"
says out "meant  harness_empty.c:.* -- wide on purpose"
MW_TEST_ONLY=one_is_one MW_TOL_SCALE=0 expect 1 "the same suite without tolerances"
says out "5 checks, 2 failed"
MW_TEST_ONLY=none_of_them expect 1 "no test at all"

# what a script ends with that made so many checks, of which so many failed, and should have made so many
ends() { # STATUS MADE FAILED LEAST SENTENCE
  (
    checks=$2 failed=$3
    finish script "$4"
  ) > "$dir/out"
  got=$?
  [ "$got" -eq "$1" ]
  note $? "$5: status $got, expected $1"
}
ends 1 0 0 0 "a script without a check"
ends 1 3 0 4 "a script that ended early"
ends 1 3 1 3 "a script with a check that failed"
ends 0 3 0 3 "a script that passes"

finish harness 15
