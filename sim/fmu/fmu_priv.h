// SPDX-License-Identifier: BSD-3-Clause
// fmu_priv.h: a reduced model as a functional mock-up unit (FMI 2.0 and 3.0, model exchange and
// co-simulation).
//
// Variables by value reference, each block after the one before:
//   0 time   x [2n]: theta, delta, thd, deld   x' [2n]   u [n_u]   y [n_y]   y_dot [n_rate]
//   o [n_o]   step   p [n_p]
// In FMI 2 the index of a variable is its value reference + 1.
#ifndef MW_SIM_FMU_PRIV_H
#define MW_SIM_FMU_PRIV_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/progress.h"
#include "reduction/romfile.h"

struct mw_export_seen;
struct mw_kept;

typedef struct mw_fmu_object {  // the compiled model, for the binaries of several units of it
  char *data;                   // NULL: not compiled yet; released by the caller
  size_t n;                     // bytes
} mw_fmu_object;

// What a unit is made of.
typedef struct mw_fmu_job {
  const mw_rom_file *rom;
  const char *name;          // the model identifier, a C identifier
  const unsigned char *png;  // NULL: the chart
  size_t n_png;
  const char *const
      *field_unit;  // [n_y]  of fields whose unit the reduced model does not tell; NULL: unknown
  int version;      // 2 or 3
  const struct mw_export_seen *seen;  // outputs besides the fields (export_layer.h), NULL: none
  const struct mw_kept *kept;         // parameters, NULL: none
  mw_progress *progress;              // of compilers, NULL: silent
  mw_fmu_object *object;  // made where it is not there yet; NULL: compiled with the unit
} mw_fmu_job;

typedef struct mw_fmu_var {
  const char *name;  // structured, unique
  const char *description;
  const char *causality, *variability;
  const char *initial;  // NULL: left out
  const char *unit;     // NULL: unknown
  bool has_start;
  double start;
  double min, max;  // -INFINITY, INFINITY: none
  double nominal;   // 0: none
  int derivative;   // value reference of the state it is the derivative of, -1
} mw_fmu_var;

enum { MW_FMU_TOKEN = 39 };  // "{8-4-4-4-12}" and the zero

typedef struct mw_fmu {
  const mw_rom_file *rom;         // borrowed
  const char *const *field_unit;  // of the job
  const char *name;               // model identifier
  char token[MW_FMU_TOKEN];
  int n_x, n_rate;
  const int *rate;                    // [n_rate]  fields whose rates are outputs
  const struct mw_export_seen *seen;  // of the job, NULL: none
  const struct mw_kept *kept;
  int x, dx, u, y, yd, o, step, p, n_var;  // first value reference of each block
  mw_fmu_var *var;                         // [n_var]
  mw_arena mem;
} mw_fmu;

// Limits and start of the longest internal step of co-simulation, s.
static const double MW_FMU_STEP = 1e-3, MW_FMU_STEP_LEAST = 1e-9, MW_FMU_STEP_MOST = 0.1;

// The middle of the box at rest under gravity is the start. Borrows the job's reduced model.
MW_MUST_USE mw_code mw_fmu_build(const mw_fmu_job *job, mw_fmu *out, mw_error *err);
void mw_fmu_free(mw_fmu *f);

// ---- fmu_xml.c: texts of the archive, version 2 or 3 --------------------------------------------

typedef struct mw_fmu_unit {
  const char *name, *type, *quantity;  // quantity and type of variables that have it
  int kg, m, s, rad;                   // exponents
  bool has_base;                       // they say all (not where roots of units come in)
} mw_fmu_unit;
const mw_fmu_unit *mw_fmu_unit_find(const char *name);  // NULL: none
const mw_fmu_unit *mw_fmu_unit_at(int k);               // k = 0, 1, …, NULL: there are no more

void mw_fmu_print_description(const mw_fmu *f, int version, FILE *out);  // modelDescription.xml
void mw_fmu_print_build(const mw_fmu *f, FILE *out);                     // buildDescription.xml (3)
void mw_fmu_print_icons(FILE *out);                                   // terminalsAndIcons.xml (3)
void mw_fmu_print_document(const mw_fmu *f, int version, FILE *out);  // index.html
// s as text of XML and HTML.
void mw_fmu_print_escaped(const char *s, FILE *out);

// Does variable `unknown` (of x', y, y_dot, o) depend on `known` (of x, u)? 2: yes, linearly with a
// constant factor.
int mw_fmu_depends(const mw_fmu *f, int unknown, int known);

// ---- fmu_source.c -------------------------------------------------------------------------------

// NAME_fmu.c: sizes, names and starts of the model, then the sources of the interface.
// f->mem.failed: no memory, or a text is missing.
void mw_fmu_print_source(mw_fmu *f, int version, FILE *out);

// ---- fmu_icon.c ---------------------------------------------------------------------------------

enum { MW_FMU_ICON_WIDTH = 640, MW_FMU_ICON_HEIGHT = 480 };
// The model's frequencies over its first coordinate as PNG in mem, data [n].
MW_MUST_USE mw_code mw_fmu_chart(const mw_rom_file *rom, mw_arena *mem, unsigned char **data,
                                 size_t *n, mw_error *err);

// ---- fmu_archive.c ------------------------------------------------------------------------------

typedef struct mw_fmu_entry {
  const char *name;
  const void *data;
  size_t n;  // bytes
} mw_fmu_entry;
// A ZIP archive; the same entries give the same bytes.
MW_MUST_USE mw_code mw_fmu_pack(const mw_fmu_entry *entry, int n, const char *path, mw_error *err);

// The unit as a file: sources, a binary for this machine where a C compiler is found (*compiled),
// description, picture png [n_png] (NULL: the chart). name: the model identifier; version 2 or 3.
MW_MUST_USE mw_code mw_fmu_write(const mw_fmu_job *job, const char *path, bool *compiled,
                                 mw_error *err);

#endif
