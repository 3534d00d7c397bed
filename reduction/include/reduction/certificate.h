// SPDX-License-Identifier: BSD-3-Clause
// certificate.h: was the accuracy asked for met, and what would help.
#ifndef MW_REDUCTION_CERTIFICATE_H
#define MW_REDUCTION_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/api.h"
#include "reduction/romfile.h"

MW_API_BEGIN

// A quantity that a certificate judges: its largest error over the samples against what it may be.
typedef struct mw_verdict {
  const char *key;   // in JSON: "frequencies", "shapes", "static_compliance", …
  const char *name;  // in sentences, plural
  const char *unit;  // "m", or "" where it is relative
  double error, tolerance;
  const double *theta;  // [c->s]  where the error is largest, NULL: not known
  const char *at;       // what else says where, NULL: nothing
  bool met;
  // largest difference of errors on bases and on meshes, over the tolerance; −1: not compared at
  // samples
  double gap;
} mw_verdict;

// The last are those over parameters that the model keeps.
enum { MW_VERDICTS_ONE = 24 + MW_MOTIONS, MW_VERDICTS = 2 * MW_VERDICTS_ONE };

// Name of a row of c->force_error, MW_MOTION_…, as in mw_verdict.key.
const char *mw_certificate_motion_key(int motion);
// The quantities judged, in the order people read them; returns their number. Tolerances:
// verdict.c.
int mw_certificate_verdicts(const mw_certificate *c, mw_verdict out[MW_VERDICTS]);
// Largest errors of one sample over their tolerances, by MW_ERROR_… (romfile.h); 0: not compared.
void mw_certificate_errors(const mw_certificate *c, int point, double e[MW_ERROR_KINDS]);
// Samples of a kind (MW_POINT_…).
int mw_certificate_samples(const mw_certificate *c, int kind);
// Samples that a solver (MW_SOLVER_…) did; -1: what did them is not known (files of older
// versions).
int mw_certificate_solved(const mw_certificate *c, int solver);
// Share of the work space in which no quantity compared errs by more than it does at the worst
// sample, with a confidence of MW_CONFIDENCE; 0: no random samples. Verdict by verdict.
#define MW_CONFIDENCE 0.95
double mw_certificate_covered(const mw_certificate *c);
double mw_certificate_covered_forces(const mw_certificate *c);  // of the forces of motion
// From here on, over the tolerance, the difference of errors on bases and meshes is reported.
#define MW_GAP_TOLD 0.1
// What 1 - assurance may be with the tolerance eps of frequencies.
double mw_certificate_shape_tolerance(double eps);
// What static compliances may err by.
double mw_certificate_static_tolerance(const mw_certificate *c);
// What receptances may err by: as asked for, else by what the frequencies' tolerance comes to at a
// peak.
double mw_certificate_receptance_tolerance(const mw_certificate *c);
// Frequency up to which inputs may have content, Hz: up to there receptances err by no more than
// they may, at every sample; where none are compared, the highest mode that is, wherever it is
// lowest. 0: neither is known.
double mw_certificate_bandwidth(const mw_certificate *c);
// What a quantity of that unit (runs.h) may err by in a run.
double mw_certificate_run_tolerance(const mw_certificate *c, const char *unit);
// Deflection, m, from which on an output is one that deflects: what the largest of a run, `most`,
// may err by. Outputs below go with the coordinates.
double mw_certificate_least_deflection(const mw_certificate *c, double most);
// The run of a scenario of that hash, -1: the certificate has none.
int mw_certificate_run(const mw_certificate *c, const char *hash);
// What quantity k in that run (-1: in any other) errs by at most: its tolerance where all is met,
// else what it erred by, where that is known, or its tolerance if that is more; NaN: nothing is
// promised.
double mw_certificate_promise(const mw_certificate *c, int run, int k, const char *unit);
// Are all of them met?
bool mw_certificate_met(const mw_certificate *c);

// A sentence on what would help where it was not met: more grid points on a coordinate, more modes
// or patterns, finer bases of the bodies; "" where it was met. Written to text, at most n bytes
// with the closing zero.
void mw_certificate_advice(const mw_rom_file *f, char *text, size_t n);

MW_API_END

#endif
