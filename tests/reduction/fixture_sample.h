// SPDX-License-Identifier: BSD-3-Clause
// fixture_sample.h: a mechanism with one coordinate at one configuration, and what samples and
// comparisons are made of.
#ifndef MW_TEST_FIXTURE_SAMPLE_H
#define MW_TEST_FIXTURE_SAMPLE_H

#include "../fixture.h"
#include "certify/certificate_layer.h"

typedef struct fixture_sample {
  mw_fixture f;
  mw_blocks *blocks;
  mw_system *sys;
  unsigned char locked[4];
  mw_config q;
  mw_reduction r;  // only what a comparison asks of it
  mw_sample_in in;
  mw_arena mem;
} fixture_sample;

// A beam of mw_fixture_beam, half its mass on it at the coordinate x from 0 to 1
bool fixture_sample_open(const char *kind, int elements, int grid, const char *extra,
                         fixture_sample *b);
void fixture_sample_close(fixture_sample *b);
// Puts the configuration and the system over the mesh at theta.
bool fixture_sample_place(fixture_sample *b, double theta);
// Index of the unit load at an output (−1: not there).
int fixture_sample_load(const fixture_sample *b, const char *output, int axis);

#endif
