// SPDX-License-Identifier: BSD-3-Clause
// export_layer.h: a reduced model as sources for other programs.
#ifndef MW_SIM_EXPORT_LAYER_H
#define MW_SIM_EXPORT_LAYER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/progress.h"
#include "reduction/flexible.h"
#include "reduction/romfile.h"

enum { MW_EXPORT_MAX_NAME = 40, MW_EXPORT_MAX_FILE = 12 };

// Outputs besides the fields. With Z = [ y, y_dot, y_ddot, y at the same theta without amplitudes
// and rates (n_y of each) ; u ]
//   o = Z[first] − Z[second]                                             DIFFERENCE             (1)
//   o = q(Z[first …])[second] ,  ω(Z[first …], Z[n_y + first …])[second]    QUATERNION, SPIN
// of the three points of a frame, nine rows from first on (fem/output/turned.c).
typedef enum mw_export_form {
  MW_EXPORT_DIFFERENCE,
  MW_EXPORT_QUATERNION,
  MW_EXPORT_SPIN
} mw_export_form;

typedef struct mw_export_row {
  const char *name, *unit;  // "tool_v.x", "m/s"
  const char *kind;         // "velocity"
  mw_export_form form;
  int first, second;  // second of a difference -1: nothing is taken off
} mw_export_row;

typedef struct mw_export_seen {
  int n;
  mw_export_row *row;    // [n]
  const char *left_out;  // what is not in it, and why; NULL: nothing
} mw_export_seen;

// The model's observed outputs, those that are (1); of mem.
MW_MUST_USE mw_code mw_export_seen_of(const mw_model *m, const mw_rom_file *rom, mw_arena *mem,
                                      mw_export_seen *out, mw_error *err);

// Parameters of the reduced model that the program sets itself, tables of up to `most` coefficients
// in all (export_kept.c), of mem: between the nodes to 1e-6 of the largest of a kind and to 1e-4 of
// what each matters by (mw_rom_scale).
enum { MW_EXPORT_KEPT_MOST = 1 << 21 };  // of texts
MW_MUST_USE mw_code mw_export_kept_of(const mw_rom_file *rom, size_t most, mw_arena *mem,
                                      mw_kept *out, mw_error *err);
// The same to `accurate` of scale [n_field] (mw_rom_scale) alone.
MW_MUST_USE mw_code mw_export_kept_scaled(const mw_rom_file *rom, size_t most, const double *scale,
                                          double accurate, mw_arena *mem, mw_kept *out,
                                          mw_error *err);

typedef struct mw_export_opt {
  const char *name;  // prefix of all that is exported, a C identifier; NULL: from the model's name
  bool single;       // reals are float unless the user says otherwise
  mw_rom_method method;  // EXPONENTIAL
  double step;           // 1e-3 s, where the other side hands none (acados)
  int fmi;               // fmu: version 2 or 3 (3); 0: both
  const char *model;     // fmu: picture of this model, "none"; NULL: of the one that rom names
  const mw_export_seen
      *seen;              // outputs besides the fields, NULL: none (c, casadi and fmu have them)
  const mw_kept *kept;    // parameters, NULL: the values of the reduced model (c, fmu)
  mw_progress *progress;  // of compilers (casadi, fmu), NULL: silent
} mw_export_opt;
mw_export_opt mw_export_opt_default(void);

// The pair NAME.c, NAME.h. C99 that needs libm alone.
MW_MUST_USE mw_code mw_export_source(const mw_rom_file *rom, const char *name,
                                     const mw_export_seen *seen, const mw_kept *kept, FILE *c,
                                     FILE *h, mw_error *err);

// Files written, for the command to name.
typedef struct mw_export_list {
  int n;
  const char *file[MW_EXPORT_MAX_FILE];  // paths
  const char *note;                      // what is left to do, NULL: nothing
  char name[MW_EXPORT_MAX_NAME + 1];     // prefix
} mw_export_list;

// Each writes its files into the folder dir, which is made where it is missing; names in list are
// of mem.
//   c       NAME.c, NAME.h, example.c, Makefile, CMakeLists.txt, README.md, LICENSE
//   casadi  NAME.c, NAME.h, NAME_casadi.c, Makefile, README.md, LICENSE, and NAME.so where a C
//           compiler is found
//   acados  NAME_acados.c, README.md, LICENSE
//   matlab  NAME_build.m, which compiles NAME_mex.c and NAME_sfun.c, NAME.c, NAME.h, README.md,
//           LICENSE
//   table   NAME.table, a block of bytes (rom/flat.h), modeway_rom.c, modeway_rom.h that read any,
//           example.c, Makefile, README.md, LICENSE
//   wasm    NAME.table, modeway_rom.wasm, modeway_rom.mjs, modeway_rom.d.mts that run any,
//           example.mjs, README.md, LICENSE
//   fmu     the file dir itself, NAME.fmu; of both versions NAME-fmi2.fmu and NAME-fmi3.fmu (fmu.c,
//           of the program)
MW_MUST_USE mw_code mw_export_c(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                                mw_arena *mem, mw_export_list *list, mw_error *err);
MW_MUST_USE mw_code mw_export_casadi(const mw_rom_file *rom, const mw_export_opt *opt,
                                     const char *dir, mw_arena *mem, mw_export_list *list,
                                     mw_error *err);
MW_MUST_USE mw_code mw_export_acados(const mw_rom_file *rom, const mw_export_opt *opt,
                                     const char *dir, mw_arena *mem, mw_export_list *list,
                                     mw_error *err);
MW_MUST_USE mw_code mw_export_matlab(const mw_rom_file *rom, const mw_export_opt *opt,
                                     const char *dir, mw_arena *mem, mw_export_list *list,
                                     mw_error *err);
MW_MUST_USE mw_code mw_export_table(const mw_rom_file *rom, const mw_export_opt *opt,
                                    const char *dir, mw_arena *mem, mw_export_list *list,
                                    mw_error *err);
MW_MUST_USE mw_code mw_export_wasm(const mw_rom_file *rom, const mw_export_opt *opt,
                                   const char *dir, mw_arena *mem, mw_export_list *list,
                                   mw_error *err);
mw_code mw_export_fmu(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                      mw_arena *mem, mw_export_list *list, mw_error *err);

// The name of opt, or one made of the model's, into name. MW_ERR_INPUT: not an identifier.
MW_MUST_USE mw_code mw_export_name(const mw_rom_file *rom, const mw_export_opt *opt,
                                   char name[MW_EXPORT_MAX_NAME + 1], mw_error *err);

// ---- what they are made of ----------------------------------------------------------------------

// Files that the build embeds: sources and headers of the online model, those of templates/. The
// last has no name.
typedef struct mw_export_text {
  const char *name;
  const char *const *line;  // each with its newline; NULL ends
} mw_export_text;
extern const mw_export_text mw_export_texts[];
const mw_export_text *mw_export_text_find(const char *name);  // NULL: none
// The whole text, of mem.
char *mw_export_text_join(const mw_export_text *t, mw_arena *mem);

// Templates: @key@ becomes its value; a key without one stays as it is.
typedef struct mw_export_key {
  const char *key, *value;
} mw_export_key;
void mw_export_fill(const char *text, int n, const mw_export_key *key, FILE *f);

// The online model's sources as one C99 text: reals instead of double, every function static, and
// only what `user`, the text that follows it, calls (export_code.c).
MW_MUST_USE mw_code mw_export_code(const char *user, FILE *f, mw_error *err);

// The online model as WebAssembly, without imports (wasm/wasm.c), of mem: its n bytes; the same
// packed by gzip as base64, NULL: the build had no compiler for it. MW_ERR_INPUT: that, in words.
MW_MUST_USE mw_code mw_export_wasm_module(mw_arena *mem, unsigned char **out, size_t *n,
                                          mw_error *err);
const char *mw_export_wasm_packed(mw_arena *mem);
MW_MUST_USE mw_code mw_export_wasm_absent(mw_error *err);

// The model as a block of n bytes as rom/flat.h says; the caller frees it.
MW_MUST_USE mw_code mw_export_block(const mw_rom_file *rom, char **block, size_t *n, mw_error *err);

// What is seen of the reduced model of mech as a component, of mem; *left_out: what is not, NULL:
// nothing (export_component.c). MW_ERR_INPUT: it has no ports.
MW_MUST_USE mw_code mw_export_flexible_text(const mw_rom_file *rom, const mw_mech *mech,
                                            mw_arena *mem, mw_flexible_text *out,
                                            const char **left_out, mw_error *err);
// The file of the component.
MW_MUST_USE mw_code mw_export_flexible(const mw_rom_file *rom, const mw_mech *mech, const char *out,
                                       mw_arena *mem, mw_export_list *list, mw_error *err);

// Tables of the model and its `static const mw_rom MODEL` (export_model.c).
void mw_export_model(const mw_rom_file *rom, const mw_kept *kept, FILE *f);

// Values of the templates' keys, ended by one whose key is NULL; of mem.
MW_MUST_USE mw_code mw_export_keys(const mw_rom_file *rom, const mw_export_opt *opt,
                                   const char *name, mw_arena *mem, const mw_export_key **key,
                                   int *n, mw_error *err);

// Reals of work that NAME.h asks for; with derivatives. kept: NULL, none.
void mw_export_work(const mw_rom *r, const mw_kept *kept, size_t *work, size_t *sens);

// Exit status of a program, searched for in PATH, -1: it cannot be started. quiet: what it says on
// stderr is not shown.
int mw_export_run(char *const *arg, bool quiet);
// Runs a C compiler, cc -O3 or what the environment says in CC and CFLAGS, in folder dir: the
// sources as a shared library, or where its name ends in .o the one source as an object, under a
// temporary name and renamed. *found false: there is none. progress: may be NULL.
MW_MUST_USE mw_code mw_export_build(const char *dir, const char *library, const char *const *source,
                                    mw_progress *progress, mw_arena *mem, bool *found,
                                    mw_error *err);

// Patterns of CasADi's functions (export_casadi.c).
void mw_export_patterns(const mw_rom_file *rom, FILE *f);
void mw_export_seen_patterns(const mw_rom_file *rom, int n_o, FILE *f);

#endif
