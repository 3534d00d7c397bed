// SPDX-License-Identifier: BSD-3-Clause
// beam_blow.c: a beam that is struck, as a model and in closed form (beam_blow.h).
#include "beam_blow.h"

#include <math.h>
#include <stdio.h>

bool beam_blow_model(const beam_blow *b, mw_fixture *out)
{
  static const char *const format =
      "modeway: 1\n"
      "name: struck beam\n"
      "strain: linear\n"  // as the theory
      "gravity: [0, 0, 0]\n"
      "materials: { unit: { E: 1e8, nu: 0.0, rho: 1 } }\n"
      "sections: { line: { general: { A: 1, Iy: 1e-8, Iz: 1, It: 1, ky: 0, kz: 0, rotary: false } "
      "} }\n"
      "bodies:\n"
      "  rail: { ground: true, rigid: { mass: 0 }, guides: { x: { points: [[0, 1, 0], [1, 1, 0]], "
      "normal: [0, 0, 1] } } }\n"
      "  cart: { at: [0.5, 1, 0], rigid: { mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] } "
      "}\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], t: [0.3, 0, 0], m: [0.5, 0, 0], b: [1, 0, 0] }\n"
      "      members:\n"
      "        - { from: a, to: t, section: line, material: unit, elements: %d, up: [0, 0, 1] }\n"
      "        - { from: t, to: m, section: line, material: unit, elements: %d, up: [0, 0, 1] }\n"
      "        - { from: m, to: b, section: line, material: unit, elements: %d, up: [0, 0, 1] }\n"
      "    supports:\n"
      "      - { nodes: a, dofs: [x, y, z, rx] }\n"
      "      - { nodes: b, dofs: [y, z] }\n"
      "    frames: { third: { node: t }, mid: { node: m } }\n"
      "joints:\n"
      "  x: { slide: { guide: rail.x, on: cart, orientation: fixed }, coordinate: x, drive: motor "
      "}\n"
      "drives: { blow: { force: { on: beam.third, direction: [0, 0, 1] } } }\n"
      "outputs: { third: { frame: beam.third }, mid: { frame: beam.mid } }\n"
      "reduction:\n"
      "  coordinates: { x: { range: [0.2, 0.8], points: 4 } }\n"
      "  modes: { count: %d }\n"
      "%s"
      "scenarios:\n"
      "  blow:\n"
      "    duration: %.17g\n"
      "    step: %.17g\n"
      "    start: { x: 0.5 }\n"
      "    drives:\n"
      "      motor: { position: 0.5 }\n"
      "      blow: { force: { sine: { amplitude: %.17g, frequency: %.17g, until: %.17g } } }\n";
  char text[8192];
  int n =
      snprintf(text, sizeof text, format, 3 * b->n_elem / 10, 2 * b->n_elem / 10, b->n_elem / 2,
               b->count, b->more ? b->more : "", b->duration, b->step, b->F, 0.5 / b->tau, b->tau);
  return n > 0 && n < (int)sizeof text && mw_fixture_text(text, out);
}

// Response of q̈ + ω² q = sin Ωt from rest, and its rate
static void forced(double w, double W, double t, double *q, double *qd)
{
  double d = 1.0 / (w * w - W * W);
  *q = d * (sin(W * t) - W / w * sin(w * t));
  *qd = d * W * (cos(W * t) - cos(w * t));
}

double beam_blow_at(const beam_blow *b, double x, double t)
{
  enum { TERMS = 200 };  // what is left of a sum of 1/n⁴ is below 1e-7 of it
  double pi = acos(-1.0), W = pi / b->tau, sum = 0.0;
  for (int n = 1; n <= TERMS; n++) {
    double w = n * n * pi * pi, q, qd;
    forced(w, W, fmin(t, b->tau), &q, &qd);
    if (t > b->tau) q = q * cos(w * (t - b->tau)) + qd / w * sin(w * (t - b->tau));
    sum += 2.0 * sin(n * pi * x) * sin(n * pi * 0.3) * q;
  }
  return b->F * sum;
}

void beam_blow_error(const beam_blow *b, const mw_run *r, int o, double *worst, double *peak)
{
  *worst = *peak = 0.0;
  for (int t = 0; t < r->n_t; t++) {
    double w = beam_blow_at(b, o == 0 ? 0.3 : 0.5, r->t[t]);
    *peak = fmax(*peak, fabs(w));
    *worst = fmax(*worst, fabs(r->y[3 * (t * r->n_out + o) + 2] - w));
  }
}
