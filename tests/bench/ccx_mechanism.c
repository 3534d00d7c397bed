// SPDX-License-Identifier: BSD-3-Clause
// ccx_mechanism.c: bodies as C3D20, joint rows as *EQUATION, springs of runners as SPRING1.
//
//   row with stiffness k:   u_A = g·x ,  ½ k u_A²            A a node of its own along x
//   row without:            g·x = 0 ,  solved for its largest coefficient
// g are the rows that the mechanism has at this configuration; everything else is CalculiX's:
// stiffness, mass, modes, superposition with damping, statics.
#include "ccx_mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_HEX = 20, BESIDE_HZ = 2 };

typedef struct deck {
  const ccx_ask *q;
  FILE *f;
  int n, n_node, n_elem, n_spring, n_held;
  int *node0;   // [n_body]  nodes before those of a body
  int *motion;  // [n]  3 × node + direction of an unknown, nodes from 0
  double *row;  // [n]
} deck;

// ---- bodies -------------------------------------------------------------------------------------

static bool map_motions(deck *d)
{
  const mw_mech *m = d->q->mech;
  const mw_blocks *bl = mw_system_blocks(d->q->sys);
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    d->node0[b] = d->n_node;
    if (body->n_u == 0) continue;
    for (int u = 0; u < body->n_u; u++) {
      int at = body->N.ptr[u];
      if (body->N.ptr[u + 1] != at + 1 || body->N.val[at] != 1.0) return false;
      d->motion[mw_blocks_offset(bl, b) + u] = 3 * d->n_node + body->N.row[at];
    }
    d->n_node += body->n_node;
  }
  return true;
}

static void write_elements(deck *d, int b)
{
  const mw_mesh *mesh = d->q->mech->body[b].mesh;
  fprintf(d->f, "*ELEMENT, TYPE=C3D20, ELSET=BODY%d\n", b);
  for (int e = 0; e < mesh->n_elem; e++) {
    fprintf(d->f, "%d", ++d->n_elem);
    for (int k = 0; k < N_HEX; k++)
      fprintf(d->f, "%s%d", k == 10 ? ",\n" : ", ",
              d->node0[b] + mesh->elem_node[mesh->elem_ptr[e] + k] + 1);
    fprintf(d->f, "\n");
  }
}

// What no unknown moves is fixed.
static void write_supports(deck *d)
{
  bool *moves = calloc(3 * (size_t)d->n_node, sizeof *moves);
  for (int u = 0; moves && u < d->n; u++) moves[d->motion[u]] = true;
  fprintf(d->f, "*BOUNDARY\n");
  for (int k = 0; moves && k < 3 * d->n_node; k++)
    if (!moves[k]) fprintf(d->f, "%d, %d, %d\n", k / 3 + 1, k % 3 + 1, k % 3 + 1);
  free(moves);
}

static void write_bodies(deck *d)
{
  const mw_mech *m = d->q->mech;
  fprintf(d->f, "*NODE, NSET=ALL\n");
  for (int b = 0; b < m->n_body; b++)
    for (int i = 0; m->body[b].n_u > 0 && i < m->body[b].n_node; i++) {
      const double *X = m->body[b].X + 3 * i;
      fprintf(d->f, "%d, %.12g, %.12g, %.12g\n", d->node0[b] + i + 1, X[0], X[1], X[2]);
    }
  for (int b = 0; b < m->n_body; b++) {
    if (m->body[b].n_u == 0) continue;
    const mw_material *s = &m->body[b].part_material[0];
    write_elements(d, b);
    fprintf(d->f,
            "*MATERIAL, NAME=M%d\n*ELASTIC\n%.12g, %.12g\n*DENSITY\n%.12g\n"
            "*SOLID SECTION, ELSET=BODY%d, MATERIAL=M%d\n",
            b, s->E, s->nu, s->rho, b, b);
  }
  write_supports(d);
}

// ---- joints -------------------------------------------------------------------------------------

// Coefficients below are rounding, of the largest.
static const double ROUNDING = 1e-14;

static int count_terms(deck *d, int *largest)
{
  int terms = 0;
  *largest = 0;
  for (int u = 0; u < d->n; u++)
    if (fabs(d->row[u]) > fabs(d->row[*largest])) *largest = u;
  for (int u = 0; u < d->n; u++) {
    if (fabs(d->row[u]) <= ROUNDING * fabs(d->row[*largest])) d->row[u] = 0.0;
    terms += d->row[u] != 0.0;
  }
  return terms;
}

static void write_terms(deck *d, int first, double factor)
{
  for (int u = 0; u < d->n; u++)
    if (u != first && d->row[u] != 0.0)
      fprintf(d->f, "%d, %d, %.12e\n", d->motion[u] / 3 + 1, d->motion[u] % 3 + 1,
              factor * d->row[u]);
}

static void write_row(deck *d, double k)
{
  int pivot, terms = count_terms(d, &pivot);
  if (!isfinite(k)) {
    d->n_held++;
    fprintf(d->f, "*EQUATION\n%d\n%d, %d, %.12e\n", terms, d->motion[pivot] / 3 + 1,
            d->motion[pivot] % 3 + 1, d->row[pivot]);
    write_terms(d, pivot, 1.0);
    return;
  }
  int node = d->n_node + ++d->n_spring;
  fprintf(d->f, "*NODE\n%d, 0, 0, 0\n*EQUATION\n%d\n%d, 1, 1.0\n", node, terms + 1, node);
  write_terms(d, -1, -1.0);
  fprintf(d->f,
          "*ELEMENT, TYPE=SPRING1, ELSET=K%d\n%d, %d\n*SPRING, ELSET=K%d\n1\n%.12e\n*BOUNDARY\n"
          "%d, 2, 3\n",
          d->n_spring, ++d->n_elem, node, d->n_spring, k, node);
}

// Rows but those that say what a free coordinate is.
static mw_code write_joints(deck *d, mw_error *err)
{
  const mw_mech *m = d->q->mech;
  mw_code rc = MW_OK;
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++)
    for (int i = 0; rc == MW_OK && i < m->joint[j].n_row; i++) {
      const mw_joint *joint = &m->joint[j];
      if (i == joint->coord_row && !d->q->locked[joint->coord]) continue;
      rc = mw_system_load_row(d->q->sys, joint->row0 + i, d->row, err);
      if (rc == MW_OK) write_row(d, joint->k[i]);
    }
  // one equation at most shares no unknown that another is solved for
  if (rc == MW_OK && d->n_held > 1)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%d rows without stiffness, expected one at most",
                 d->n_held);
  return rc;
}

// ---- steps --------------------------------------------------------------------------------------

static void write_force(deck *d, int load)
{
  const double *f = d->q->F + (size_t)load * (size_t)d->n;
  fprintf(d->f, "*CLOAD, OP=NEW\n");
  for (int u = 0; u < d->n; u++)
    if (f[u] != 0.0)
      fprintf(d->f, "%d, %d, %.12e\n", d->motion[u] / 3 + 1, d->motion[u] % 3 + 1, f[u]);
}

// Nodes that ends look at.
static void write_seen(deck *d)
{
  bool *seen = calloc((size_t)d->n_node, sizeof *seen);
  for (int e = 0; seen && e < d->q->n_end; e++)
    for (int u = 0; u < d->n; u++)
      if (d->q->F[(size_t)e * (size_t)d->n + (size_t)u] != 0.0) seen[d->motion[u] / 3] = true;
  fprintf(d->f, "*NSET, NSET=SEEN\n");
  for (int i = 0; seen && i < d->n_node; i++)
    if (seen[i]) fprintf(d->f, "%d,\n", i + 1);
  free(seen);
}

static void write_steps(deck *d)
{
  static const char *const end = "*NODE PRINT, NSET=SEEN\nU\n*END STEP\n";
  const ccx_ask *q = d->q;
  fprintf(d->f, "*STEP\n*FREQUENCY, STORAGE=YES\n%d\n%s", q->n_mode, end);
  for (int l = 0; l < q->n_load; l++) {
    fprintf(d->f, "*STEP\n*STEADY STATE DYNAMICS\n%.14g, %.14g, %d\n", q->hz, q->hz * (1.0 + 1e-9),
            BESIDE_HZ);
    if (q->zeta > 0.0)
      fprintf(d->f, "*MODAL DAMPING\n1, %d, %.12g\n", q->n_mode, q->zeta);
    else
      fprintf(d->f, "*MODAL DAMPING, RAYLEIGH\n,, 0, %.12g\n", q->beta);
    write_force(d, l);
    fputs(end, d->f);
  }
  for (int l = 0; l < q->n_load; l++) {
    fprintf(d->f, "*STEP\n*STATIC\n");
    write_force(d, l);
    fputs(end, d->f);
  }
}

// ---- results ------------------------------------------------------------------------------------

// Where block number k of printed displacements goes, NULL: nowhere.
static double *block(const ccx_ask *q, const ccx_answer *a, int k)
{
  size_t n = (size_t)q->n_end;
  if (k < q->n_mode) return a->b + (size_t)k * n;
  k -= q->n_mode;
  if (k < 2 * BESIDE_HZ * q->n_load) {
    int load = k / (2 * BESIDE_HZ), part = k % (2 * BESIDE_HZ);
    return part < 2 ? a->H + (size_t)(2 * load + part) * n : NULL;
  }
  k -= 2 * BESIDE_HZ * q->n_load;
  return k < q->n_load ? a->C + (size_t)k * n : NULL;
}

static void add_node(const deck *d, int node, const double *u, double *end)
{
  for (int i = 0; i < d->n; i++)
    if (d->motion[i] / 3 == node - 1)
      for (int e = 0; e < d->q->n_end; e++)
        end[e] += d->q->F[(size_t)e * (size_t)d->n + (size_t)i] * u[d->motion[i] % 3];
}

static bool read_results(const deck *d, const char *path, const ccx_answer *a)
{
  const ccx_ask *q = d->q;
  char line[256];
  int k = -1, mode = 0, node;
  double *end = NULL, u[5];
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f)) {
    if (strstr(line, "displacements"))
      end = block(q, a, ++k);
    else if (k < 0 && mode < q->n_mode &&
             sscanf(line, "%d %lf %lf %lf %lf", &node, u, u + 1, u + 2, u + 3) == 5 &&
             node == mode + 1)
      a->lambda[mode++] = u[0];
    else if (end && sscanf(line, "%d %lf %lf %lf %lf", &node, u, u + 1, u + 2, u + 3) == 4)
      add_node(d, node, u, end);
  }
  if (f) fclose(f);
  return mode == q->n_mode && k + 1 == q->n_mode + (2 * BESIDE_HZ + 1) * q->n_load;
}

// ---- the whole ----------------------------------------------------------------------------------

static mw_code write_deck(deck *d, const char *path, mw_error *err)
{
  if (!map_motions(d))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "bodies must have a node's motion an unknown");
  d->f = fopen(path, "w");
  if (!d->f) return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "cannot write %s", path);
  write_bodies(d);
  mw_code rc = write_joints(d, err);
  if (rc == MW_OK) {
    write_seen(d);
    write_steps(d);
  }
  if (fclose(d->f) != 0 && rc == MW_OK)
    rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE, "cannot write %s", path);
  return rc;
}

bool ccx_mechanism(const ccx_ask *q, const char *dir, mw_arena *mem, ccx_answer *out)
{
  char path[512], command[640];
  mw_error err = { 0 };
  size_t ends = (size_t)q->n_end, loads = (size_t)q->n_load;
  deck d = { .q = q, .n = mw_blocks_size(mw_system_blocks(q->sys)) };
  d.node0 = mw_arena_int(mem, (size_t)q->mech->n_body);
  d.motion = mw_arena_int(mem, (size_t)d.n);
  d.row = mw_arena_f64(mem, (size_t)d.n);
  ccx_answer a = { mw_arena_f64(mem, (size_t)q->n_mode),
                   mw_arena_f64(mem, (size_t)q->n_mode * ends), mw_arena_f64(mem, 2 * loads * ends),
                   mw_arena_f64(mem, loads * ends) };
  mw_code rc = mw_arena_check(mem, &err);
  snprintf(path, sizeof path, "%s/mechanism.inp", dir);
  if (rc == MW_OK) rc = write_deck(&d, path, &err);
  if (rc != MW_OK) {
    fprintf(stderr, "%s\n", err.msg);
    return false;
  }
  snprintf(path, sizeof path, "%s/mechanism.dat", dir);
  remove(path);
  snprintf(command, sizeof command, "cd '%s' && OMP_NUM_THREADS=1 ccx mechanism > ccx.log 2>&1",
           dir);
  if (system(command) != 0 || !read_results(&d, path, &a)) {
    fprintf(stderr, "no results of ccx: see %s/ccx.log\n", dir);
    return false;
  }
  *out = a;
  return true;
}
