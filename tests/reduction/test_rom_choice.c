// SPDX-License-Identifier: BSD-3-Clause
// test_rom_choice.c: the kernel that is chosen follows from what the processor is said to have.
#include <string.h>

#include "../../reduction/rom/kernel/rom_kernel.h"
#include "mw_test.h"

#if defined(__x86_64__) && defined(__GNUC__)
// What __builtin_cpu_supports reads (libgcc, compiler-rt), and its bits: the numbers of gcc's
// processor features, the same since gcc 6.
extern struct {
  unsigned vendor, type, subtype, features[1];
} __cpu_model __attribute__((visibility("hidden")));

enum { AVX2 = 1 << 10, F = 1 << 15, VL = 1 << 20, BW = 1 << 21, DQ = 1 << 22 };

static const char *name_with(unsigned features)
{
  unsigned keep = __cpu_model.features[0];
  __cpu_model.features[0] = features;
  const char *name = mw_rom_kernel_name();
  __cpu_model.features[0] = keep;
  return name;
}

static void a_kernel_is_chosen_where_the_processor_has_all_it_needs(void)
{
  static const unsigned all = AVX2 | F | VL | BW | DQ, part[] = { F, VL, BW, DQ };
  MW_CHECK(strcmp(name_with(all), "avx512") == 0);
  for (int k = 0; k < 4; k++) MW_CHECK(strcmp(name_with(all & ~part[k]), "avx2") == 0);
  MW_CHECK(strcmp(name_with(AVX2), "avx2") == 0);
  MW_CHECK(strcmp(name_with(0), "plain") == 0);
}
#else
static void a_kernel_is_chosen_where_the_processor_has_all_it_needs(void)
{
  MW_CHECK(strcmp(mw_rom_kernel_name(), "plain") == 0);
}
#endif

static void there_are_no_kernels_but_those_of_the_table(void)
{
  MW_CHECK(rom_kernel_runs(0) && !rom_kernel_runs(ROM_MAX_KERNEL));
  for (int k = 0; k < ROM_MAX_KERNEL; k++)
    for (int l = 0; l < k; l++)
      MW_CHECK(!rom_kernels[k] || strcmp(rom_kernels[k]->name, rom_kernels[l]->name) != 0);
}

static const mw_test_case cases[] = {
  { "a_kernel_is_chosen_where_the_processor_has_all_it_needs",
    a_kernel_is_chosen_where_the_processor_has_all_it_needs },
  { "there_are_no_kernels_but_those_of_the_table", there_are_no_kernels_but_those_of_the_table },
};

int main(void) { return mw_test_run("rom_choice", cases, (int)(sizeof cases / sizeof *cases)); }
