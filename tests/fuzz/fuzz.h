// SPDX-License-Identifier: BSD-3-Clause
// fuzz.h: what the fuzzers share.
#ifndef MW_TEST_FUZZ_H
#define MW_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

// Called by libFuzzer once an input of n bytes; 0.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

// Where files of the fuzzers lie: TMPDIR, /tmp where it is not set or longer than 90 characters.
const char *fuzz_folder(void);
// Writes data [n] to the file of this process with this ending and returns its path. The file is
// removed as the process ends; the next call with the same ending writes over it.
const char *fuzz_file(const char *ending, const uint8_t *data, size_t n);
// Ends the process as a finding unless the claim holds.
void fuzz_claim(int holds, const char *claim);

#endif
