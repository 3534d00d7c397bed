// SPDX-License-Identifier: BSD-3-Clause
// example.c: model files of a size one can choose: where the cost a body shows, with loops and
// without.
#include "sim/example.h"

#include <string.h>

// ---- chain --------------------------------------------------------------------------------------

// Link k = 1 … N: from (k-1, 0, 0) to (k, 0, 0), a uniform square rod 1 m × 0.1 m × 0.1 m of 1 kg:
// m b²/6 about its axis, m (l² + b²)/12 across.
static void chain_bodies(FILE *f, int n)
{
  fprintf(f, "bodies:\n");
  for (int k = 1; k <= n; k++)
    fprintf(f,
            "  link%d: { at: [%d, 0, 0], rigid: { mass: 1, com: [0.5, 0, 0], inertia: [%.17g, "
            "%.17g, %.17g, 0, 0, 0] }, frames: { end: { point: [1, 0, 0] } } }\n",
            k, k - 1, 0.01 / 6.0, 1.01 / 12.0, 1.01 / 12.0);
}

static void chain_joints(FILE *f, int n)
{
  fprintf(f, "\njoints:\n");
  for (int k = 1; k <= n; k++) {
    fprintf(f, "  hinge%d: { revolute: { a: ", k);
    if (k == 1)
      fprintf(f, "ground");
    else
      fprintf(f, "link%d.end", k - 1);
    fprintf(f, ", b: link%d, axis: %s }, coordinate: q%d }\n", k,
            k % 2 == 1 ? "[0, 1, 0]" : "[0, 0, 1]", k);
  }
}

static void write_chain(FILE *f, int n)
{
  fprintf(
      f,
      "# A chain of %d links, 1 m and 1 kg each, hinged about y and z in turn, let go from the\n"
      "# horizontal. Open: no loop, no redundant row, %d degrees of freedom.\n"
      "modeway: 1\nname: chain of %d links\ngravity: [0, 0, -9.81]\n",
      n, n, n);
  chain_bodies(f, n);
  chain_joints(f, n);
  fprintf(f, "\noutputs:\n  tip: { frame: link%d.end }\n", n);
  fprintf(f, "\nscenarios:\n  fall:\n    duration: 1\n    step: 1e-3\n    store: 1e-2\n");
}

// ---- n-four-bar ---------------------------------------------------------------------------------

// Slender links of 1 kg and 1 m: 1/12 kg·m² across. About their own axis, where nothing turns them,
// a small number.
static const char *const SLENDER =
    "rigid: { mass: 1, com: [0.5, 0, 0], inertia: [1e-4, 0.083333333333333333, "
    "0.083333333333333333, 0, 0, 0] }, frames: { end: { point: [1, 0, 0] } }";

// Cranks A_k B_k stand up on A_k = (k, 0), couplers B_k-1 B_k lie on top.
static void four_bar_bodies(FILE *f, int n)
{
  fprintf(f, "bodies:\n  base:\n    ground: true\n    frames:\n");
  for (int k = 0; k <= n; k++) fprintf(f, "      a%d: { point: [%d, 0, 0] }\n", k, k);
  for (int k = 0; k <= n; k++)
    fprintf(f, "  crank%d: { at: [%d, 0, 0], axes: { x: [0, 1, 0], y: [-1, 0, 0] }, %s }\n", k, k,
            SLENDER);
  for (int k = 1; k <= n; k++)
    fprintf(f, "  coupler%d: { at: [%d, 1, 0], %s }\n", k, k - 1, SLENDER);
}

static void four_bar_joints(FILE *f, int n)
{
  fprintf(f,
          "\njoints:\n  a0: { revolute: { a: base.a0, b: crank0, axis: [0, 0, 1] }, "
          "coordinate: phi, start: %.17g }\n",
          1.57079632679489662);
  for (int k = 1; k <= n; k++)
    fprintf(f,
            "  a%d: { revolute: { a: base.a%d, b: crank%d, axis: [0, 0, 1] } }\n"
            "  b%d: { revolute: { a: crank%d.end, b: coupler%d, axis: [0, 0, 1] } }\n"
            "  d%d: { revolute: { a: coupler%d.end, b: crank%d.end, axis: [0, 0, 1] } }\n",
            k, k, k, k, k - 1, k, k, k, k);
}

static void write_four_bar(FILE *f, int n)
{
  fprintf(
      f,
      "# %d windows of four equal bars side by side, %d links of 1 m and 1 kg in a vertical plane "
      "(problem A02 of\n"
      "# the IFToMM benchmark library). The cranks stand upright, the first pin at the top moves "
      "at 1 m/s. As all\n"
      "# cranks stay parallel,\n"
      "#   phi'' = -(g/l) c cos phi ,   c = ((N + 1)/2 + N) / ((N + 1)/3 + N) .\n"
      "# Where they lie flat each window may turn over by itself: there the constraints lose N "
      "more ranks.\n"
      "modeway: 1\nname: %d four-bar windows\ngravity: [0, -9.81, 0]\n",
      n, 2 * n + 1, n);
  four_bar_bodies(f, n);
  four_bar_joints(f, n);
  fprintf(f, "\noutputs:\n  B0: { frame: crank0.end }\n");
  fprintf(f, "\nscenarios:\n  ride:\n    duration: 10\n    step: 2e-3\n    store: 1e-2\n"
             "    start: { phi: { at: 1.5707963267948966, velocity: -1 } }\n"
             "    rigid: { method: rk4 }\n");
}

// ---- the list -----------------------------------------------------------------------------------

typedef struct generator {
  mw_example about;
  void (*write)(FILE *f, int n);
} generator;

static const generator generators[] = {
  { { "chain", "links", "an open chain of hinged links, let go from the horizontal" },
    write_chain },
  { { "n-four-bar", "windows", "four-bar windows side by side, through singular positions" },
    write_four_bar },
};
enum { N_GENERATORS = sizeof generators / sizeof *generators };

const mw_example *mw_example_at(int k)
{
  return k >= 0 && k < N_GENERATORS ? &generators[k].about : NULL;
}

mw_code mw_example_write(FILE *f, const char *name, int n, mw_error *err)
{
  char known[128] = "";
  if (n < 1 || n > MW_EXAMPLE_MAX)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the size of the example is %d, expected 1 to %d",
                   n, MW_EXAMPLE_MAX);
  for (int k = 0; k < N_GENERATORS; k++) {
    if (strcmp(generators[k].about.name, name) == 0) {
      generators[k].write(f, n);
      if (fflush(f) == 0 && !ferror(f)) return MW_OK;
      return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "the example cannot be written");
    }
    size_t used = strlen(known);
    (void)snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "",
                   generators[k].about.name);
  }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "there is no example \"%.64s\"; there are: %s",
                 name, known);
}
