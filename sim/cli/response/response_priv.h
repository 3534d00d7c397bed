// SPDX-License-Identifier: BSD-3-Clause
// response_priv.h: what the commands on frequency responses have in common: the reduced model that
// they read, ends, band, and the order of their stages.
#ifndef MW_SIM_CLI_RESPONSE_PRIV_H
#define MW_SIM_CLI_RESPONSE_PRIV_H

#include "cli/cmd_layer.h"
#include "sim/frf.h"

// Begins the job of a command.
typedef struct mw_response {
  const mw_args *a;
  mw_rom_file f;
  double bandwidth;  // Hz up to which the certificate judges receptances, 0: it judges none
  mw_arena mem;      // of all that the job points to
} mw_response;

// The stages of a command on its job, which begins with a mw_response, in this order.
typedef struct mw_response_stages {
  mw_code (*read)(void *job, mw_error *err);  // its options
  mw_code (*compute)(void *job, mw_error *err);
  mw_code (*write)(const void *job, const char *path, mw_error *err);    // --output
  mw_code (*picture)(const void *job, const char *path, mw_error *err);  // --picture
  void (*json)(const void *job);
  void (*text)(const void *job);
  void (*close)(void *job);  // also after a failure, whatever is open then
} mw_response_stages;

// Reads the operand of a, runs the stages that are asked for, and frees what r holds. job: begins
// with a mw_response and is else {0}. Gives the exit status.
int mw_response_run(const mw_args *a, const mw_response_stages *stages, void *job);

// Reads ends to, from (NULL: as to) and --free into in; they stay in r->mem.
MW_MUST_USE mw_code mw_response_ends(mw_response *r, const char *to, const char *from,
                                     mw_frf_in *in, mw_error *err);

// The highest frequency where --hi is not given, Hz: beyond times what the certificate judges, or
// where it judges none, times the largest frequency of the modes; 0 where there are none.
double mw_response_highest(const mw_response *r, double beyond);
// n frequencies from lo to hi, evenly spaced, into in; they stay in r->mem.
MW_MUST_USE mw_code mw_response_band(mw_response *r, double lo, double hi, int n, mw_frf_in *in,
                                     mw_error *err);

// Writes the values of parameters that the reduced model keeps, where it keeps some.
void mw_response_json_parameters(const mw_response *r, mw_json *j);

// Said where the certificate judges no receptances.
extern const char mw_response_not_judged[];
// Said where laws of friction and end stops are left out.
extern const char mw_response_no_laws[];

// Options that several of the commands have.
#define MW_OPTION_SET_ROM                                                                          \
  {                                                                                                \
    0, "set", "PATH=VALUE",                                                                        \
        "with another value of what the reduced model keeps, as --set parameters.load=2, or of "   \
        "damping of joint coordinates, from its model",                                            \
        MW_OPT_SET                                                                                 \
  }
#define MW_OPTION_FROM                                                                             \
  {                                                                                                \
    0, "from", "tool.x,…", "ends that forces act on (default: those that move)", 0                 \
  }
#define MW_OPTION_FREE                                                                             \
  {                                                                                                \
    0, "free", "x,…", "coordinates that are free instead of held, or all", 0                       \
  }
#define MW_OPTION_PLACE                                                                            \
  {                                                                                                \
    'a', "at", "x=0.3,y=0.1", "where: every coordinate but that of --sweep, m or rad", 0           \
  }
#define MW_OPTION_SWEEP                                                                            \
  {                                                                                                \
    0, "sweep", "x=0:0.5:21", "at so many places along a coordinate (default: 21 over its range)", \
        0                                                                                          \
  }

#endif
