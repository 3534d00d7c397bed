// SPDX-License-Identifier: BSD-3-Clause
// tree_machine.c: see tree_machine.h.
#include "tree_machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigid_problems.h"

// ---- a tree with loops --------------------------------------------------------------------------

static unsigned arbitrary(unsigned *seed, unsigned n)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % n;
}

typedef struct link {
  int on;                        // link at whose end it is hinged, −1: the ground
  double R[9];                   // its axes as rows, ground axes
  double at[3], end[3], top[3];  // m, ground axes
  double top_own[3];             // m, its own axes
} link;

// In any direction, for links in one line or plane are in a singular position where loops close.
static void place(link *l, int i, unsigned *seed)
{
  enum { BACK = 10 };
  static const double STEP = 0.1;  // rad, m
  link *k = &l[i];
  k->on = i == 0 ? -1 : i - 1 - (int)arbitrary(seed, (unsigned)(i < BACK ? i : BACK));
  double a = STEP * arbitrary(seed, 63), b = STEP * arbitrary(seed, 15), c = cos(b), s = sin(b);
  const double R[9] = {
    cos(a) * c, sin(a) * c, s, -sin(a), cos(a), 0.0, -cos(a) * s, -sin(a) * s, c
  };
  const double top[3] = { 0.5, STEP * arbitrary(seed, 7), 0.5 + STEP * arbitrary(seed, 7) };
  memcpy(k->R, R, sizeof R);
  memcpy(k->top_own, top, sizeof top);
  for (int x = 0; x < 3; x++) {
    k->at[x] = i == 0 ? 0.0 : l[k->on].end[x];
    k->end[x] = k->at[x] + R[x];
    k->top[x] = k->at[x] + top[0] * R[x] + top[1] * R[3 + x] + top[2] * R[6 + x];
  }
}

static void print3(FILE *to, const char *before, const double *x)
{
  fprintf(to, "%s[%.17g, %.17g, %.17g]", before, x[0], x[1], x[2]);
}

static void print_link(FILE *to, const link *k, int i)
{
  fprintf(to, "  link%d: { ", i);
  print3(to, "at: ", k->at);
  print3(to, ", axes: { x: ", k->R);
  print3(to, ", y: ", k->R + 3);
  fprintf(to,
          " }, rigid: { mass: %g, com: [0.5, 0.1, 0], inertia: [2e-2, 0.085, 0.09, 0, 0, 0] }, "
          "frames: { end: { point: [1, 0, 0] }, ",
          1.0 + 0.1 * (i % 3));
  print3(to, "top: { point: ", k->top_own);
  fputs(" } } }\n", to);
}

static void print_rod(FILE *to, const link *a, const link *b, int i)
{
  double d[3], mid[3];
  for (int x = 0; x < 3; x++) {
    d[x] = b->top[x] - a->top[x];
    mid[x] = 0.5 * d[x];
  }
  fprintf(to, "  rod%d: { ", i);
  print3(to, "at: ", a->top);
  print3(to, ", rigid: { mass: 0.5, com: ", mid);
  print3(to, ", inertia: [2e-2, 0.03, 0.04, 0, 0, 0] }, frames: { end: { point: ", d);
  fputs(" } } }\n", to);
}

// Links of 1 m, each hinged at the end of one of the ten before it, about its y or z; for every
// eighth a rod with ball joints between the tops of links near each other closes a loop.
static void print_tree(FILE *to, const link *l, int n)
{
  enum { LOOP = 8 };
  fputs("modeway: 1\nname: tree\ngravity: [0, 1, -9.81]\nbodies:\n", to);
  for (int i = 0; i < n; i++) print_link(to, &l[i], i);
  for (int i = LOOP; i < n; i += LOOP) print_rod(to, &l[i], &l[i - LOOP + 1], i);
  fputs("joints:\n  h0: { revolute: { a: ground, b: link0, axis: [0, 0, 1] } }\n", to);
  for (int i = 1; i < n; i++)
    fprintf(to, "  h%d: { revolute: { a: link%d.end, b: link%d, axis: %s } }\n", i, l[i].on, i,
            i % 2 ? "[0, 1, 0]" : "[0, 0, 1]");
  for (int i = LOOP; i < n; i += LOOP)
    fprintf(to,
            "  s%d: { spherical: { a: link%d.top, b: rod%d } }\n"
            "  e%d: { spherical: { a: rod%d.end, b: link%d.top } }\n",
            i, i, i, i, i, i - LOOP + 1);
}

bool tree_loops_open(int n, mw_fixture *f)
{
  char *text = NULL;
  size_t size;
  unsigned seed = 3;
  link *l = calloc((size_t)n + 1, sizeof *l);
  FILE *to = l ? open_memstream(&text, &size) : NULL;
  for (int i = 0; to && i < n; i++) place(l, i, &seed);
  if (to) print_tree(to, l, n);
  bool fine = to && fclose(to) == 0 && mw_fixture_text(text, f);
  free(text);
  free(l);
  return fine;
}

// ---- a chain ------------------------------------------------------------------------------------

// A chain of n links in pieces of a definition, for a text of all links is longer than a model may
// be. Each piece runs back along the one before it.
static bool open_pieces(int n, mw_fixture *f)
{
  enum { PIECE = 1000 };
  static const double LINK = 0.1;  // m
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return false;
  fputs("modeway: 1\nname: chain in pieces\ngravity: [0, 1, -9.81]\n"
        "definitions:\n  piece:\n    bodies:\n",
        to);
  for (int i = 0; i < PIECE; i++)
    fprintf(
        to,
        "      l%d: { at: [%g, 0, 0], rigid: { mass: 1, com: [0.05, 0, 0], inertia: [1e-4, 1e-3, "
        "1e-3, 0, 0, 0] }, frames: { end: { point: [%g, 0, 0] } } }\n",
        i, LINK * i, LINK);
  fputs("    joints:\n", to);
  for (int i = 1; i < PIECE; i++)
    fprintf(to, "      h%d: { revolute: { a: l%d.end, b: l%d, axis: [0, %d, %d] } }\n", i, i - 1, i,
            i % 2, 1 - i % 2);
  fputs("assemblies:\n", to);
  for (int k = 0; k < n / PIECE; k++)
    fprintf(to, "  p%d: { use: piece, at: [%g, 0, 0], axes: { x: [%d, 0, 0], y: [0, 1, 0] } }\n", k,
            k % 2 ? LINK * PIECE : 0.0, k % 2 ? -1 : 1);
  fputs("joints:\n  h0: { revolute: { a: ground, b: p0.l0, axis: [0, 0, 1] } }\n", to);
  for (int k = 1; k < n / PIECE; k++)
    fprintf(to, "  h%d: { revolute: { a: p%d.l%d.end, b: p%d.l0, axis: [0, 0, 1] } }\n", k, k - 1,
            PIECE - 1, k);
  bool fine = fclose(to) == 0 && mw_fixture_text(text, f);
  free(text);
  return fine;
}

bool tree_chain_open(int n, mw_fixture *f)
{
  enum { MANY = 20000 };
  const mw_problem p = { .example = "chain", .n = n };
  return n < MANY ? mw_problem_open(&p, f) : open_pieces(n, f);
}

mw_code tree_move(const mw_rigid *r, mw_rigid_work *w, const mw_mech *m, mw_arena *mem, double *q,
                  double *v, mw_error *err)
{
  int n = mw_rigid_sizes(r).n_u;
  double *u = mw_arena_f64(mem, (size_t)n);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < n; i++) u[i] = 1e-3 * sin(1.7 * i + 0.3);
  mw_rigid_from_frames(r, m->p0, q);
  mw_rigid_move(r, q, u, q);
  rc = mw_rigid_assemble(r, w, 0.0, q, 1e-12, err);
  if (rc != MW_OK) return rc;
  mw_rigid_accept(r, w, q);
  mw_rigid_rates(r, q, u, v);
  return mw_rigid_project_v(r, w, 0.0, q, v, true, err);
}
