// SPDX-License-Identifier: BSD-3-Clause
// romfile_drawn.c: the columns at drawn nodes (drawn.h) in rom.nc.
#include "romfile_priv.h"

void mw_romfile_write_drawn(mw_ncw *w, const mw_rom_file *f)
{
  const mw_drawn *d = &f->drawn;
  if (d->n_body == 0 || d->n == 0) return;
  int body = mw_ncw_dim(w, "drawn_body", d->n_body), axis = mw_ncw_dim_id(w, "coordinate");
  int node = mw_ncw_dim(w, "drawn_node_number", d->n_node_all);
  int value = mw_ncw_dim(w, "drawn_value", d->n_value);
  int of[3] = { mw_ncw_dim(w, "drawn_point", d->n_point), mw_ncw_dim_id(w, "column"),
                mw_ncw_dim(w, "drawn_number", d->n) };
  mw_ncw_int(w, "drawn_grid", 1, &axis,
             "points an axis of drawn_amplitude, lo to hi, last axis fastest", d->n_grid);
  mw_ncw_int(w, "drawn_shapes", 1, &body,
             "shapes of each body; rigid ones have 6 that are not stored: translation, rotation",
             d->n_shape);
  mw_ncw_int(w, "drawn_nodes", 1, &body, "drawn nodes of each body, 0: it is rigid", d->n_node);
  mw_ncw_int(w, "drawn_node", 1, &node, "node in its body, behind its nodes its frames", d->node);
  mw_ncw_f32(w, "drawn_shape", 1, &value, "1",
             "displacements x, y, z of the nodes in body axes, shape after shape", d->shape);
  mw_ncw_f32(w, "drawn_amplitude", 3, of, NULL, "of the bodies' shapes for a unit of each column",
             d->amplitude);
}

// Counts the numbers that the bodies have together; a failure where they cannot be.
static void count(mw_ncr *r, mw_drawn *d)
{
  double n = 0.0, nodes = 0.0, values = 0.0;
  for (int b = 0; b < d->n_body; b++) {
    if (d->n_shape[b] < 0 || d->n_node[b] < 0 || (d->n_node[b] == 0 && d->n_shape[b] > 6)) {
      mw_ncr_fail(r, "body %d has %d shapes of %d nodes to draw", b + 1, d->n_shape[b],
                  d->n_node[b]);
      return;
    }
    n += d->n_shape[b];
    nodes += d->n_node[b];
    values += 3.0 * d->n_shape[b] * d->n_node[b];
  }
  if (n != d->n || nodes != d->n_node_all || values != d->n_value)
    mw_ncr_fail(r, "bodies have %g shapes, %g nodes, %g values to draw, found %d, %d, %d", n, nodes,
                values, d->n, d->n_node_all, d->n_value);
}

void mw_romfile_read_drawn(mw_ncr *r, mw_rom_file *f)
{
  mw_drawn d = { .n_body = mw_ncr_dim(r, "drawn_body") };
  double points = 1.0;
  if (!mw_ncr_has(r, "drawn_amplitude") || r->e.code != MW_OK) return;
  d.n_point = mw_ncr_dim(r, "drawn_point");
  d.n = mw_ncr_dim(r, "drawn_number");
  d.n_node_all = mw_ncr_dim(r, "drawn_node_number");
  d.n_value = mw_ncr_dim(r, "drawn_value");
  const int *grid = mw_ncr_int(r, "drawn_grid", 1, &f->rom.s);
  d.n_shape = mw_ncr_int(r, "drawn_shapes", 1, &d.n_body);
  d.n_node = mw_ncr_int(r, "drawn_nodes", 1, &d.n_body);
  if (d.n_node_all > 0) d.node = mw_ncr_int(r, "drawn_node", 1, &d.n_node_all);
  if (d.n_value > 0) d.shape = mw_ncr_f32(r, "drawn_shape", 1, &d.n_value);
  int len[3] = { d.n_point, f->rom.m, d.n };
  d.amplitude = mw_ncr_f32(r, "drawn_amplitude", 3, len);
  for (int i = 0; r->e.code == MW_OK && i < f->rom.s; i++) {
    d.n_grid[i] = grid[i];
    points *= grid[i];
    if (grid[i] < 1) mw_ncr_fail(r, "axis %d has %d points of drawn shapes", i + 1, grid[i]);
  }
  if (r->e.code == MW_OK && points != d.n_point)
    mw_ncr_fail(r, "the grid has %g points, there are drawn shapes for %d", points, d.n_point);
  if (r->e.code == MW_OK) count(r, &d);
  for (int k = 0; r->e.code == MW_OK && k < d.n_node_all; k++)
    if (d.node[k] < 0) mw_ncr_fail(r, "node %d is to be drawn", d.node[k]);
  if (r->e.code == MW_OK) f->drawn = d;
}
