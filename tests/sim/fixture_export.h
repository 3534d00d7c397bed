// SPDX-License-Identifier: BSD-3-Clause
// fixture_export.h: reduced models to export, folders to write them to, and what was exported,
// compiled and loaded.
#ifndef MW_FIXTURE_EXPORT_H
#define MW_FIXTURE_EXPORT_H

#include "../reduction/rom_synthetic.h"
#include "export/export_layer.h"

enum { FIX_MAX_S = 3, FIX_PATH = 256 };

// A reduced model with names. Borrows itself: stays where it is.
typedef struct export_fixture {
  synthetic syn;
  mw_rom_file f;
  double drive;  // size of inputs that move it by some tenths of its box in 10 s
  mw_rom_train train[2];
  int mirror[FIX_MAX_S * SYN_MAX_M], mirror_y[FIX_MAX_S * SYN_N_Y];
  double y_slope[FIX_MAX_S * SYN_N_Y], y_shift[FIX_MAX_S * SYN_N_Y];
  mw_rom_law law[2];
  const char *coordinate[FIX_MAX_S], *unit[FIX_MAX_S], *field[SYN_N_Y], *column[SYN_MAX_M],
      *input[SYN_N_U];
  void *sens;  // mw_rom_sens_bytes, 64-byte aligned: work for all calls
  mw_arena mem;
} export_fixture;

// Two coordinates, seven modes, a table, friction and a stop. Release with export_fixture_free.
export_fixture *export_fixture_table(void);
export_fixture *export_fixture_second(void);  // the table with all optional parts of the record
// Three coordinates, five modes: a flat, a cyclic and symmetric, a plain one; two trains.
export_fixture *export_fixture_trains(void);
void export_fixture_free(export_fixture *x);

// A folder of the test's own, removed with all files in it by export_folder_remove.
void export_folder_make(char dir[FIX_PATH]);
void export_folder_remove(const char *dir);

// Says whether there is such a compiler.
bool export_has_compiler(const char *cc);
// Compiles and links a shared library from files of a folder (words of a shell); 0: it worked,
// without a warning. With sanitizers (MW_TEST_CC names their compiler) always at -O0: what other
// settings compile to is compared without them.
int export_compile(const char *dir, const char *cc, const char *flags, const char *sources,
                   const char *library);
// A handle of dlopen, a check fails when there is none.
void *export_load(const char *dir, const char *library);
// A symbol as a function: *out, a pointer to a function pointer.
void export_symbol(void *library, const char *name, void *out);

#endif
