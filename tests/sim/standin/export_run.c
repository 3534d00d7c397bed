// SPDX-License-Identifier: BSD-3-Clause
// export_run.c: steps of an exported model in a program of its own: export_run IN OUT.
//
// IN: 8-byte reals n_step, h, x [N_X], u [n_step × N_U]. OUT: states after each step. Exit status 0
// when all was done.
#include <stdio.h>

#include "it.h"

int main(int argc, char **argv)
{
  static double x[IT_N_X], u[IT_N_U], work[IT_WORK], head[2];
  FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL, *out = in ? fopen(argv[2], "wb") : NULL;
  int bad =
      !out || fread(head, sizeof *head, 2, in) != 2 || fread(x, sizeof *x, IT_N_X, in) != IT_N_X;
  for (int k = 0; !bad && k < (int)head[0]; k++)
    bad = fread(u, sizeof *u, IT_N_U, in) != IT_N_U ||
          it_step(head[1], u, x, work, NULL) != IT_OK ||
          fwrite(x, sizeof *x, IT_N_X, out) != IT_N_X;
  if (in) (void)fclose(in);
  return bad || fclose(out) != 0;
}
