// SPDX-License-Identifier: BSD-3-Clause
// cmd_layer.h: what the commands of the program share: their tables and parsed arguments.
//
// Exit status: 0 done, 1 numerical failure (or memory, writing), 2 wrong input or usage. Results to
// stdout, else stderr.
#ifndef MW_SIM_CMD_LAYER_H
#define MW_SIM_CMD_LAYER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "base/progress.h"
#include "fem/mech.h"
#include "reduction/romfile.h"
#include "sim/case.h"

enum { MW_CMD_MAX_OPTION = 48, MW_CMD_MAX_SET = 64, MW_EXIT_FAILURE = 1, MW_EXIT_INPUT = 2 };

// What the value of an option is, any of them together.
enum {
  MW_OPT_REQUIRED = 1,
  MW_OPT_READS = 2,   // a file that the command reads
  MW_OPT_WRITES = 4,  // a file that it writes
  MW_OPT_FOLDER = 8,  // a folder that it writes to; with MW_OPT_WRITES: that or a file
  MW_OPT_SET = 16,    // as often as wanted: its values are those of mw_args.set
  MW_OPT_THERE = 32   // with MW_OPT_FOLDER alone: it exists already
};

typedef struct mw_option {
  char letter;       // 0: none
  const char *name;  // without dashes
  const char *arg;   // name of its value, NULL: a flag
  const char *help;  // one line; NULL: hidden
  int what;          // MW_OPT_*
} mw_option;

typedef struct mw_args mw_args;

// What a command does of several things: its second operand.
typedef struct mw_topic {
  const char *name, *summary;  // a word, a line
  const char *doc;             // what it does, prints, and the object of --json; lines end with \n
  const char *options;         // those of the command that belong to it, " name name "
  bool reduced;                // of reduced models, too
  int (*run)(const mw_args *a);  // exit status
} mw_topic;

typedef struct mw_command {
  const char *name;
  const char *operand;  // what it works on, "MODEL"; NULL: nothing
  const char *summary;  // one line
  const char *doc;      // what it does, prints, and the object of --json; lines end with \n
  mw_option option
      [MW_CMD_MAX_OPTION];       // ends with name NULL; --json, --quiet and --help are added to all
  int (*run)(const mw_args *a);  // exit status
  const char *const *files;      // [.. NULL] names in the folder it writes; NULL: of its own making
  const mw_topic *const *topic;  // [.. NULL] what WHAT may be, behind the operand; NULL: none
} mw_command;

struct mw_args {
  const mw_command *command;
  const char *operand;
  const mw_topic *topic;                 // WHAT, where the command has topics
  const char *value[MW_CMD_MAX_OPTION];  // of option k; flags: "" when given; NULL: not given
  int n_set;
  const char *set[MW_CMD_MAX_SET];  // of --set
  bool json, quiet, help;
  // the command line without --json and --quiet, quoted for a shell, for histories; what is longer
  // ends in ...
  char line[8192];
};

extern const mw_command mw_cmd_analyze, mw_cmd_check, mw_cmd_reduce, mw_cmd_simulate,
    mw_cmd_compare, mw_cmd_modes, mw_cmd_info, mw_cmd_example, mw_cmd_bench, mw_cmd_merge,
    mw_cmd_export, mw_cmd_manual, mw_cmd_completion, mw_cmd_frf, mw_cmd_map, mw_cmd_lobes,
    mw_cmd_import, mw_cmd_study;
extern const mw_command *const mw_commands[];  // all commands in the order of the help text, NULL

// Option k of a command: its own, then the common ones; NULL behind them.
const mw_option *mw_command_option(const mw_command *c, int k);

// Value of an option by name, NULL when not given.
const char *mw_args_value(const mw_args *a, const char *name);
// Numbers given to options: MW_ERR_INPUT when there is something else. Untouched when the option is
// not given.
MW_MUST_USE mw_code mw_args_f64(const mw_args *a, const char *name, double lo, double hi, double *x,
                                mw_error *err);
MW_MUST_USE mw_code mw_args_int(const mw_args *a, const char *name, int lo, int hi, int *x,
                                mw_error *err);

// The option --set of commands that read models, for their tables.
#define MW_OPTION_SET                                                                              \
  {                                                                                                \
    0, "set", "PATH=VALUE", "changes the model as it is read: --set bodies.beam.density=7800",     \
        MW_OPT_SET                                                                                 \
  }
#define MW_OPTION_SCENARIO_HELP "a scenario of the model, or FILE:NAME of a file of scenarios"
// The model at path with what --set and a FILE: before the name of --scenario change. name: of the
// scenario, NULL when the command has none; may be NULL.
MW_MUST_USE mw_code mw_args_case(const mw_args *a, const char *path, mw_case *c, const char **name,
                                 mw_error *err);
// The reduced model that is the operand; with --set it takes damping, friction and stops as its
// model, which is read for that, has them then, and kept parameters that --set changes; others stay
// in the middle of their ranges.
MW_MUST_USE mw_code mw_args_rom(const mw_args *a, mw_rom_file *rom, mw_error *err);
// As mw_args_case with --set alone, as its reduced model is made (case.h).
MW_MUST_USE mw_code mw_args_case_middle(const mw_args *a, const char *path, mw_case *c,
                                        mw_error *err);

// ---- cmd_kept.c ----
// Puts kept parameters of f, which has the values of edited, a model as --set changes it, back to
// the middle of their ranges where --set neither names nor changes them.
MW_MUST_USE mw_code mw_cmd_kept_left(const mw_args *a, const mw_model *edited, mw_rom_file *f,
                                     mw_error *err);
// Says on stderr which values of --set a reduction does not take, for it keeps their parameters.
void mw_cmd_kept_note(const mw_args *a, const mw_model *m);
// ---- cmd.c ----
// Path of the model that a reduced model was made from, which is there, into model [n].
MW_MUST_USE mw_code mw_cmd_model_of(const char *rom_path, char *model, size_t n, mw_error *err);

// What reduce and merge share: the reduction, its result as text or JSON, the exit status.
int mw_cmd_reduce_run(const mw_args *a, bool merge);

enum { MW_NOTE_SIZE = 1536 };  // characters
// The k-th thing that a reduced model leaves out, or that was chosen for the user; false: there is
// none. As an array of a JSON object: all of them.
bool mw_cmd_rom_note(const mw_rom_file *f, int k, char text[MW_NOTE_SIZE]);
void mw_cmd_json_notes(const mw_rom_file *f, mw_json *j);
// ---- modes_sweep.c ----
// modeway modes --sweep: n frequencies a point, how as of mw_direct_modes.
MW_MUST_USE mw_code mw_cmd_modes_sweep(const mw_args *a, const mw_case *c, int n, int how,
                                       mw_error *err);
// ---- info_component.c ----
// Prints what is seen of a component.
MW_MUST_USE mw_code mw_cmd_info_component(const char *file, bool json, mw_error *err);
// Direct modes of m leave out the stiffness of its weight: says so where components are why.
void mw_cmd_weight_note(const mw_mech *m);
// Says on stderr where the value of a cyclic angle of --at lies more than a turn outside of its
// range [lo, hi], rad: it is taken as it is, but may be meant in degrees.
void mw_cmd_turns_note(const char *name, double value, double lo, double hi);
// Reads --at for a reduced model, as mw_rom_theta_read, with this note.
// Unit of coordinate i, "" where the file says none.
const char *mw_cmd_unit(const mw_rom_file *f, int i);
MW_MUST_USE mw_code mw_cmd_rom_theta(const mw_rom_file *f, const char *text, double *theta,
                                     mw_error *err);
// The warnings and notes of a run: on stderr, as arrays of a JSON object. rom: what the path gmp
// ran.
void mw_cmd_warnings(const mw_run *r, const char *path);
void mw_cmd_json_warnings(const mw_run *r, const mw_rom_file *rom, mw_json *j);
// Fails with MW_ERR_NUMERIC where a run is by something whose certificate is missed; out: its file
// or folder, which is written all the same.
MW_MUST_USE mw_code mw_cmd_judge_run(const mw_run *r, const char *out, mw_error *err);
// Warns on stderr of a reduced model that misses its certificate.
void mw_cmd_warn_missed(const mw_rom_file *f, const char *path);
// Fills a from argv (argv[0] is the program, argv[1] the command). MW_ERR_INPUT: wrong usage.
MW_MUST_USE mw_code mw_args_read(const mw_command *c, int argc, char **argv, mw_args *a,
                                 mw_error *err);
// Before any work: no output may be an input (operand, options, what the model is read from, the
// model that a reduced one names; the same file by whatever name) or another output
// (MW_ERR_INPUT, naming both), a folder where a file is to be, a file where a folder is to be, or
// in a folder that is not there or cannot be written to (MW_ERR_INPUT, naming it).
MW_MUST_USE mw_code mw_outputs_check(const mw_args *a, mw_error *err);
void mw_command_print_help(const mw_command *c, FILE *f);
// Prints the error, one without a text is told elsewhere, and gives the exit status.
int mw_cmd_fail(const mw_error *err);
// ---- ranks.c ----
// Where all ranks of mpirun have come to the same place: MW_OK where rc is that on each, else the
// code of the first with another, on all. The error has its text on that rank alone.
MW_MUST_USE mw_code mw_cmd_agree(mw_code rc, mw_error *err);
typedef struct mw_cmd_ranks {
  int n;        // ranks, 1: no mpirun
  bool joined;  // they make the run together, as team
  bool idle;    // this one has nothing to do: rank 0 makes the run
  mw_team team;
  char why[160];  // not joined: why
} mw_cmd_ranks;
// The ranks of a run by path rigid; called by all of them. MW_ERR_INPUT: they have different
// models. Released by mw_cmd_ranks_close.
MW_MUST_USE mw_code mw_cmd_ranks_open(const mw_case *c, const mw_scenario *sc,
                                      const mw_rigid_in *in, mw_cmd_ranks *out, mw_error *err);
void mw_cmd_ranks_close(mw_cmd_ranks *k);
// After a run that failed: rank 0 tells what all ranks found, any what it alone did; one without
// memory ends all. The exit status.
int mw_cmd_ranks_fail(mw_error *err);
#endif
