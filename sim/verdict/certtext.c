// SPDX-License-Identifier: BSD-3-Clause
// certtext.c: the certificate of a reduced model in words and as JSON, the same for every command.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "certtext_layer.h"
#include "rangetext_layer.h"
#include "reduction/certificate.h"
#include "view/rompicture_layer.h"

void mw_verdict_where(const mw_rom_file *f, const mw_verdict *v, char *text, size_t n)
{
  text[0] = '\0';
  if (v->theta) mw_rom_theta_text(f, v->theta, 0, text, n);
  size_t used = strlen(text);
  if (v->at) snprintf(text + used, n - used, "%s%s", used ? "; " : "", v->at);
}

bool mw_certificate_missed_text(const mw_certificate *c, char *text, size_t n)
{
  mw_verdict v[MW_VERDICTS];
  int count = mw_certificate_verdicts(c, v), more = 0;
  enum { TAIL = sizeof ", and 2147483647 more" };
  text[0] = '\0';
  for (int i = 0; i < count; i++) {
    size_t at = strlen(text), room = n - TAIL - at;
    if (v[i].met) continue;
    int took = snprintf(text + at, room, "%s%s by %.2e%s (tolerance %.2e)", at ? ", " : "",
                        v[i].name, v[i].error, v[i].unit[0] ? " m" : "", v[i].tolerance);
    if (took < 0 || (size_t)took >= room) {
      text[at] = '\0';
      more++;
    }
  }
  if (more > 0) snprintf(text + strlen(text), TAIL, ", and %d more", more);
  return text[0] != '\0';
}

static void print_receptance(const mw_certificate *c)
{
  if (c->n_io == 0 || c->n_band == 0) return;
  printf("    receptances: 0 to %.4g Hz", c->band[c->n_band - 1]);
  if (c->io && c->worst_io >= 0 && c->worst_io < c->n_io)
    printf(", largest of %s at %.4g Hz", c->io[c->worst_io], c->worst_hz);
  printf(", modal damping %.3g%s", c->zeta,
         c->receptance_tolerance > 0.0 ? "" : ", tolerance that of frequencies over it");
  if (c->receptance_bound > 0.0) printf("; direct ones to %.1e", c->receptance_bound);
  printf("\n");
}

static void print_forces(const mw_certificate *c)
{
  if (c->n_force == 0) return;
  printf("    forces: at %d configurations, ", c->n_force);
  if (c->n_force_random > 0)
    printf(
        "%d of them random (no larger in %.1f %% of the work space, with %.0f %% confidence), the "
        "others where more is to be feared",
        c->n_force_random, 100.0 * mw_certificate_covered_forces(c), 100.0 * MW_CONFIDENCE);
  else
    printf("random or where more is to be feared");
  printf(", over those of the largest deflection%s%s\n",
         c->force_assumed ? "; assumed, for none is declared: " : "",
         c->force_assumed ? c->force_assumed : "");
}

static void print_runs(const mw_run_proofs *p)
{
  for (int i = 0; i < p->n; i++) {
    if (p->trouble[i][0]) {
      printf("    run %s: not compared: %s\n", p->scenario[i], p->trouble[i]);
      continue;
    }
    printf("    run %s, %.6g s by %.3g s, errors without the paths' own in time:", p->scenario[i],
           p->end[i], p->step[i]);
    for (int k = 0; k < p->n_quantity; k++) {
      int at = i * p->n_quantity + k;
      bool below = p->error[at] <= p->known[at];
      printf("%s %s %.1e (own %.1e", k > 0 ? "," : "", p->quantity[k], p->error[at], p->own[at]);
      if (p->own_reduced) printf(", the reduced one's %.1e", p->own_reduced[at]);
      if (below) printf("; below what is known, %.1e", p->known[at]);
      printf(")");
    }
    printf("\n");
  }
}

static void json_runs(mw_json *j, const mw_run_proofs *p)
{
  if (p->n == 0) return;
  mw_json_array(j, "runs");
  for (int i = 0; i < p->n; i++) {
    mw_json_object(j, NULL);
    mw_json_str(j, "scenario", p->scenario[i]);
    mw_json_str(j, "hash", p->hash[i]);
    if (p->trouble[i][0]) mw_json_str(j, "trouble", p->trouble[i]);
    mw_json_num(j, "step_s", p->step[i]);
    mw_json_num(j, "end_s", p->end[i]);
    mw_json_object(j, "error");
    for (int k = 0; k < p->n_quantity; k++) {
      int at = i * p->n_quantity + k;
      mw_json_object(j, p->quantity[k]);
      mw_json_num(j, "error", p->error[at]);
      mw_json_num(j, "own", p->own[at]);
      if (p->own_reduced) mw_json_num(j, "own_reduced", p->own_reduced[at]);
      mw_json_num(j, "known", p->known[at]);
      mw_json_end(j, '}');
    }
    mw_json_end(j, '}');
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
}

void mw_certificate_samples_text(const mw_certificate *c, char *text, size_t n)
{
  int spread = mw_certificate_samples(c, MW_POINT_SPREAD),
      random = mw_certificate_samples(c, MW_POINT_RANDOM),
      sought = mw_certificate_samples(c, MW_POINT_SOUGHT);
  if (spread + random + sought == 0)
    snprintf(text, n, "worst of %d samples on the meshes, off the grid", c->n);
  else
    snprintf(text, n,
             "worst of %d samples off the grid: %d on the meshes; on the bodies' bases %d spread "
             "evenly, %d random, %d where it errs most",
             c->n, c->n_mesh, spread, random, sought);
}

void mw_certificate_covered_text(const mw_certificate *c, char *text, size_t n)
{
  double covered = mw_certificate_covered(c);
  if (covered > 0.0)
    snprintf(text, n,
             "what samples compare errs by no more in %.1f %% of the work space, with %.0f %% "
             "confidence by the random samples alone",
             100.0 * covered, 100.0 * MW_CONFIDENCE);
  else
    snprintf(text, n,
             "there are no random samples: no share of the work space is known where it errs by no "
             "more than that");
}

bool mw_certificate_gap_text(const mw_verdict *v, char *text, size_t n)
{
  if (!(v->gap > MW_GAP_TOLD)) return false;
  snprintf(text, n,
           "%s: at the same points samples on the bodies' bases err otherwise than those on the "
           "meshes by up to %.2g of the tolerance; a lower reduction.bodies.tolerance or a higher "
           "band would bring them together",
           v->name, v->gap);
  return true;
}

bool mw_certificate_solvers_text(const mw_certificate *c, char *text, size_t n)
{
  int by = mw_certificate_solved(c, MW_SOLVER_ARPACK),
      few = mw_certificate_solved(c, MW_SOLVER_TOO_FEW),
      spent = mw_certificate_solved(c, MW_SOLVER_EXHAUSTED);
  char name[64], missed[80] = "none was missed";
  if (by + few + spent <= 0) return false;
  snprintf(name, sizeof name, "ARPACK-NG %s", c->arpack && c->arpack[0] ? c->arpack : "");
  if (c->arpack_missed > 0)
    snprintf(missed, sizeof missed, "%d that its first runs missed are among them",
             c->arpack_missed);
  int used = 0;
  if (by > 0)
    used =
        snprintf(text, n,
                 "%d of the %d samples on the meshes by %s, their lowest %d modes proved complete "
                 "by inertia counts, %s; frequencies differ from those of block Lanczos by %.1e",
                 by, c->n_mesh, name, c->arpack_proved, missed, c->arpack_apart);
  if (few + spent > 0 && used >= 0 && (size_t)used < n)
    snprintf(text + used, n - (size_t)used,
             "%s%d by block Lanczos alone, %s cannot: too few unknowns at %d, all motions found at "
             "%d",
             by > 0 ? "; " : "", few + spent, name, few, spent);
  return true;
}

// What the samples do not say by themselves.
static void print_samples(const mw_certificate *c, int n, const mw_verdict *v)
{
  char text[480];
  if (mw_certificate_solvers_text(c, text, sizeof text)) printf("    eigensolvers: %s\n", text);
  mw_certificate_covered_text(c, text, sizeof text);
  if (c->n > 0) printf("    %s\n", text);
  for (int i = 0; i < n; i++)
    if (mw_certificate_gap_text(&v[i], text, sizeof text)) printf("    %s\n", text);
}

// Where parameters are judged over their ranges, and what of them is not.
static void print_values(const mw_rom_file *f)
{
  const mw_range_proof *p = &f->certificate.range;
  if (p->n == 0) return;
  printf("    over parameters: judged at");
  for (int i = 0; i < p->n; i++) {
    printf("%s", i ? "; " : " ");
    for (int k = 0; k < p->n_parameter; k++)
      printf("%s%s = %.4g", k ? ", " : "", f->parameter[k].name, p->value[i * p->n_parameter + k]);
  }
  printf(
      " (the ends on the meshes, too), against bodies built there; patterns lost, tables at grid "
      "points, stress stiffness and mass of columns left out are judged in the middle alone, and "
      "so are amplitudes up to which the model holds\n");
}

static void json_values(mw_json *j, const mw_rom_file *f)
{
  const mw_range_proof *p = &f->certificate.range;
  if (p->n_parameter == 0) return;
  mw_json_array(j, "parameter_values");
  for (int i = 0; i < p->n; i++) {
    mw_json_object(j, NULL);
    for (int k = 0; k < p->n_parameter; k++)
      mw_json_num(j, f->parameter[k].name, p->value[i * p->n_parameter + k]);
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
}

void mw_certificate_print(const mw_rom_file *f)
{
  const mw_certificate *c = &f->certificate;
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  char samples[320];
  mw_certificate_samples_text(c, samples, sizeof samples);
  printf("  certificate: %s; %s\n", mw_certificate_met(c) ? "met" : "missed", samples);
  for (int i = 0; i < n; i++) {
    char at[192];
    mw_verdict_where(f, &v[i], at, sizeof at);
    printf("    %-28s %8.2e%s (tolerance %.2e%s: %s)", v[i].name, v[i].error,
           v[i].unit[0] ? " m" : "", v[i].tolerance, v[i].unit[0] ? " m" : "",
           v[i].met ? "met" : "missed");
    if (at[0])
      printf("  worst at %s", at);
    else if (c->n_motion > 0 && v[i].unit[0])
      printf("  largest at %d random points", c->n_motion);
    printf("\n");
  }
  print_samples(c, n, v);
  print_values(f);
  print_receptance(c);
  char range[MW_RANGE_SIZE];
  for (int k = 0; mw_range_text(f, k, range); k++) printf("    %s\n", range);
  print_runs(&c->runs);
  for (int i = 0; i < c->outside.n; i++)
    printf("    nothing is promised for scenario %s: %s\n", c->outside.scenario[i],
           c->outside.why[i]);
  print_forces(c);
  if (c->stretch_load)
    printf(
        "    stretching: under %s members of body %s that are held at both ends would carry %.1e "
        "of "
        "the load (%.3g m across it)\n",
        c->stretch_load, c->stretch_body, c->stretch_error, c->stretch_deflection);
  if (c->third_load && c->third_hz < 0.0)
    printf(
        "    third order: %s bend body %s by up to %.3g m, and there outputs err by %.1e of that "
        "as long as they stay\n",
        c->third_load, c->third_body, c->third_deflection, 2.0 * c->third_error);
  else if (c->third_load && !(c->third_hz > 0.0))
    printf("    third order: %s turns body %s by up to %.3g rad: what rates load outputs by turns "
           "with it, and errs by %.1e\n",
           c->third_load, c->third_body, c->third_deflection, 2.0 * c->third_error);
  else if (c->third_load && fabs(c->third_shift) < c->third_error) {
    if (c->third_deflection > 0.0)
      printf("    third order: %s swings body %s as far as %.3g m", c->third_load, c->third_body,
             c->third_deflection);
    else
      printf("    third order: %s turns bodies", c->third_load);
    printf(" in a mode of %.4g Hz, so far that outputs err by %.1e of what it moves them\n",
           c->third_hz, 2.0 * c->third_error);
  } else if (c->third_load)
    printf(
        "    third order: %s lets body %s swing as far as %.3g m, where a frequency of %.4g Hz "
        "changes by %.1e "
        "of it, which the model does not know: of the radians that it swings, so many go wrong\n",
        c->third_load, c->third_body, c->third_deflection, c->third_hz, c->third_shift);
  if (c->third_load && c->third_time > 0.0 && c->third_phase > 0.0)
    printf("    third order: coordinates run free: that mode's phase errs by up to %.1e rad within "
           "%g s, the longest scenario that leaves one free\n",
           c->third_phase, c->third_time);
  if (c->free_hz > 0.0)
    printf(
        "    coordinates free: columns leave out %.1e of a frequency of %.4g Hz, a phase of %.1e "
        "rad at most within %g s, the longest scenario that leaves one free\n",
        c->free_shift, c->free_hz, c->free_phase, c->third_time);
  if (c->third_taken)
    printf("    third order and stretching: not declared but taken from the scenarios: %s\n",
           c->third_taken);
  if (c->undeclared)
    printf("    third order and stretching: judged as far as loads deflect that are declared or in "
           "scenarios; in neither: %s\n",
           c->undeclared);
  if (c->energy_left)
    printf("    strain energy of loads combined that the columns leave out: up to %.1e\n",
           c->max_energy_left);
}

static void json_solvers(mw_json *j, const mw_certificate *c)
{
  if (!c->solver) return;
  mw_json_object(j, "arpack");
  mw_json_str(j, "version", c->arpack ? c->arpack : "");
  mw_json_num(j, "points", mw_certificate_solved(c, MW_SOLVER_ARPACK));
  mw_json_num(j, "points_too_few_unknowns", mw_certificate_solved(c, MW_SOLVER_TOO_FEW));
  mw_json_num(j, "points_invariant_space", mw_certificate_solved(c, MW_SOLVER_EXHAUSTED));
  mw_json_num(j, "modes_missed_at_first", c->arpack_missed);
  mw_json_num(j, "modes_proved", c->arpack_proved);
  mw_json_num(j, "frequency_difference", c->arpack_apart);
  mw_json_end(j, '}');
}

void mw_certificate_json(mw_json *j, const mw_rom_file *f)
{
  const mw_certificate *c = &f->certificate;
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  mw_json_object(j, "certificate");
  mw_json_bool(j, "met", mw_certificate_met(c));
  mw_json_num(j, "points", c->n);
  mw_json_num(j, "points_on_meshes", c->n_mesh);
  mw_json_num(j, "points_spread", mw_certificate_samples(c, MW_POINT_SPREAD));
  mw_json_num(j, "points_random", mw_certificate_samples(c, MW_POINT_RANDOM));
  mw_json_num(j, "points_sought", mw_certificate_samples(c, MW_POINT_SOUGHT));
  json_solvers(j, c);
  mw_json_num(j, "covered", mw_certificate_covered(c));
  mw_json_num(j, "confidence", MW_CONFIDENCE);
  mw_json_num(j, "rigid_position_points", c->n_motion);
  mw_json_num(j, "force_points", c->n_force);
  mw_json_num(j, "force_points_random", c->n_force_random);
  mw_json_num(j, "covered_by_forces", mw_certificate_covered_forces(c));
  mw_json_str(j, "assumed_ranges", c->force_assumed ? c->force_assumed : "");
  mw_json_str(j, "undeclared", c->undeclared ? c->undeclared : "");
  mw_json_str(j, "from_scenarios", c->third_taken ? c->third_taken : "");
  mw_json_num(j, "tolerance", c->tolerance);
  mw_json_num(j, "min_mac", c->min_mac);
  mw_json_num(j, "max_energy_left", c->max_energy_left);
  json_values(j, f);
  mw_json_object(j, "quantities");
  for (int i = 0; i < n; i++) {
    mw_json_object(j, v[i].key);
    mw_json_num(j, "error", v[i].error);
    mw_json_num(j, "tolerance", v[i].tolerance);
    mw_json_bool(j, "met", v[i].met);
    if (v[i].gap >= 0.0) mw_json_num(j, "gap", v[i].gap);
    if (v[i].theta) {
      mw_json_object(j, "worst");
      for (int k = 0; k < f->rom.s; k++) mw_json_num(j, f->coordinate[k], v[i].theta[k]);
      mw_json_end(j, '}');
    }
    if (v[i].at) mw_json_str(j, "at", v[i].at);
    mw_json_end(j, '}');
  }
  mw_json_end(j, '}');
  json_runs(j, &c->runs);
  mw_json_object(j, "not_promised");
  for (int i = 0; i < c->outside.n; i++) mw_json_str(j, c->outside.scenario[i], c->outside.why[i]);
  mw_json_end(j, '}');
  mw_ranges_json(j, f);
  mw_json_end(j, '}');
}
