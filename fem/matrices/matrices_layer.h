// SPDX-License-Identifier: BSD-3-Clause
// matrices_layer.h: what the readers of foreign matrices share: lines, nodes, rows, entries.
#ifndef MW_FEM_MATRICES_LAYER_H
#define MW_FEM_MATRICES_LAYER_H

#include <stdbool.h>
#include <stdio.h>

#include "fem/matrices.h"

enum { MX_LINE = 1024 };

typedef struct mx_text {  // a text file, line by line
  const char *path;
  FILE *f;
  int line;           // 1-based number of the line in buf
  bool cut;           // the line is longer than buf, its rest was skipped
  char buf[MX_LINE];  // without its end
  const char *pos;    // next character of buf
} mx_text;

typedef struct mx_node {
  int tag, line;
  double x[3];  // units of the file
} mx_node;

typedef struct mx_set {  // a node set while it grows
  char name[128];
  int n, cap, *tag;  // [n]  node numbers
} mx_set;

// entry of K or M between motions 6 node + direction
typedef struct mx_entry {
  int row, col, line;
  double val;
} mx_entry;

typedef struct mx_list {
  const char *path;
  int n, cap;
  mx_entry *e;
  bool general;  // both triangles are given
} mx_list;

typedef struct mx_reader {
  const mw_matrices_in *in;
  int n_node, cap_node, n_set, cap_set;
  mx_node *node;  // order of the file
  mx_set *set;
  int *order;  // [n_node]  nodes by ascending tag
  int n_row;   // matrices whose rows have numbers: their motions
  int *row;    // [n_row]  6 node + direction, node in the order of the file
  mx_list K, M;
} mx_reader;

// ---- matrices_text.c: lines, words, growing lists ----
MW_MUST_USE mw_code mx_open(const char *path, mx_text *t, mw_error *err);
void mx_close(mx_text *t);
bool mx_next(mx_text *t);       // next line; false at the end of the file
mw_at mx_at(const mx_text *t);  // place of pos
// Skips blanks, tabs and commas; true at the end of the line.
bool mx_blank(mx_text *t);
MW_MUST_USE mw_code mx_int(mx_text *t, const char *what, int *i, mw_error *err);
MW_MUST_USE mw_code mx_real(mx_text *t, const char *what, double *x, mw_error *err);
// Nothing may follow on the line.
MW_MUST_USE mw_code mx_end(mx_text *t, mw_error *err);
// Room for one more of `size` bytes in *list.
MW_MUST_USE mw_code mx_room(void **list, int n, int *cap, size_t size, mw_error *err);
MW_MUST_USE mw_code mx_add_entry(mx_list *l, int row, int col, int line, double val, mw_error *err);
MW_MUST_USE mw_code mx_add_node(mx_reader *r, const mx_text *t, int tag, const double x[3],
                                mw_error *err);
// Sorts the nodes; a number given twice is an error.
MW_MUST_USE mw_code mx_sort_nodes(mx_reader *r, const char *path, mw_error *err);
int mx_find_node(const mx_reader *r, int tag);            // index into node, -1: none
bool mx_ends_with(const char *path, const char *ending);  // any case

// ---- matrices_nodes.c: nodes and rows ----
MW_MUST_USE mw_code mx_read_table(mx_reader *r, const char *path, mw_error *err);
MW_MUST_USE mw_code mx_read_inp(mx_reader *r, const char *path, mw_error *err);
MW_MUST_USE mw_code mx_read_dofs(mx_reader *r, const char *path, mw_error *err);

// ---- matrices_market.c: .sti, .mas and Matrix Market: entries by row numbers ----
MW_MUST_USE mw_code mx_read_triplets(mx_reader *r, const char *path, mx_list *out, mw_error *err);
MW_MUST_USE mw_code mx_read_market(mx_reader *r, const char *path, mx_list *out, mw_error *err);

// ---- matrices_nastran.c: GRID and DMIG ----
MW_MUST_USE mw_code mx_read_grids(mx_reader *r, const char *path, mw_error *err);
// kind 'K' or 'M': which matrix to take where a file has several
MW_MUST_USE mw_code mx_read_dmig(mx_reader *r, const char *path, char kind, mx_list *out,
                                 mw_error *err);

// ---- matrices_moments.c: the moments of two nodes, equations there ----
typedef struct mx_pair {
  double mu;                // kg
  double c_ij[3], c_ji[3];  // kg·m
  double Y[9];              // kg·m², row-major
} mx_pair;
// B [6 × 6] row-major: rows of node i, columns of node j; known [36]: which entries the file has
void mx_pair_build(const double B[36], const char known[36], mx_pair *out);
void mx_pair_model(const mx_pair *p, double S[36]);  // (3), [6 × 6]
void mx_pair_transpose(const mx_pair *p, mx_pair *out);
void mx_pair_moment(const mx_pair *p, int al, int be, double A[36]);  // (2), [6 × 6]
void mx_pair_h(const mx_pair *p, const double X_i[3], int al, int be, double h[6]);  // [6]

#endif
