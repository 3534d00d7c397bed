// SPDX-License-Identifier: BSD-3-Clause
// cmd_frf.c: modeway frf: frequency responses of a reduced model at one configuration or along a
// coordinate.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd_layer.h"
#include "frf/frf_layer.h"
#include "reduction/certificate.h"
#include "response_priv.h"
#include "rom_places_priv.h"

// Of the highest frequency shown over what the certificate judges.
static const double BEYOND = 1.25;

typedef struct job {
  mw_response r;
  mw_frf_table t;
  double *hz, *size;  // [n_hz]
  mw_frf *frf;
  mw_frf_poles pole;  // at the last place
  double rest;        // largest acceleration at rest of a coordinate that is free, anywhere
  int rest_of;
} job;

// ---- what is asked for --------------------------------------------------------------------------

// --sweep: the places, which differ in that coordinate; else one place.
static mw_code read_places(job *q, mw_error *err)
{
  enum { N_DEFAULT = 21, N_MAX = 100000 };
  const char *text = mw_args_value(q->r.a, "sweep");
  double theta[MW_ROM_MAX_S] = { 0 };
  mw_rom_axis axis = { .n = 1 };
  int n_axis = text != NULL;
  mw_code rc = MW_OK;
  if (text) rc = mw_rom_axis_read(&q->r.f, "sweep", text, N_DEFAULT, N_MAX, &axis, err);
  if (rc == MW_OK) rc = mw_rom_place(q->r.a, &q->r.f, n_axis, &axis, theta, err);
  if (rc != MW_OK) return rc;
  q->t.n_theta = axis.n;
  q->t.theta = mw_arena_f64(&q->r.mem, (size_t)axis.n * MW_ROM_MAX_S);
  rc = mw_arena_check(&q->r.mem, err);
  for (int p = 0; rc == MW_OK && p < axis.n; p++) {
    if (text) theta[axis.along] = mw_rom_axis_value(&axis, p);
    memcpy(q->t.theta + p * q->r.f.rom.s, theta, (size_t)q->r.f.rom.s * sizeof *theta);
  }
  return rc;
}

// Frequencies from --lo to --hi, by default to a quarter beyond what the certificate judges.
static mw_code read_band(job *q, mw_error *err)
{
  int n = 1000;
  double hi = mw_response_highest(&q->r, BEYOND), lo = -1.0;
  mw_code rc = mw_args_int(q->r.a, "count", 2, 10000000, &n, err);
  if (rc == MW_OK) rc = mw_args_f64(q->r.a, "hi", 0.0, 1e12, &hi, err);
  if (rc == MW_OK && !(hi > 0.0))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--hi: found %g Hz, expected a frequency above 0 (the reduced model has none to "
                 "choose by)",
                 hi);
  if (rc == MW_OK) rc = mw_args_f64(q->r.a, "lo", 0.0, hi, &lo, err);
  if (rc != MW_OK) return rc;
  if (lo < 0.0) lo = hi / n;
  if (!(lo < hi))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--lo: found %g Hz, expected less than %g", lo,
                   hi);
  q->size = mw_arena_f64(&q->r.mem, (size_t)n);
  return mw_response_band(&q->r, lo, hi, n, &q->t.in, err);
}

static mw_code read_all(void *job_, mw_error *err)
{
  job *q = job_;
  mw_frf_in *in = &q->t.in;
  q->t.bandwidth = q->r.bandwidth;
  mw_code rc = mw_rom_kind_read(mw_args_value(q->r.a, "as"), &in->kind, err);
  if (rc == MW_OK)
    rc = mw_response_ends(&q->r, mw_args_value(q->r.a, "to"), mw_args_value(q->r.a, "from"), in,
                          err);
  if (rc == MW_OK) rc = read_places(q, err);
  return rc == MW_OK ? read_band(q, err) : rc;
}

// ---- the responses ------------------------------------------------------------------------------

static mw_code one_place(job *q, int p, mw_error *err)
{
  mw_frf_table *t = &q->t;
  size_t n = (size_t)(t->in.n_to * t->in.n_from) * 2 * (size_t)t->in.n_hz;
  double *H = t->H + (size_t)p * n;
  mw_code rc = mw_frf_at(q->frf, t->theta + p * q->r.f.rom.s, H, err);
  if (rc == MW_OK && t->worst)
    rc = mw_frf_worst(&t->in, H, t->worst + (size_t)p * (size_t)t->in.n_hz, err);
  if (rc == MW_OK && (p == 0 || t->in.held + 1u != 1u << q->r.f.rom.s))
    rc = mw_frf_poles_of(q->frf, &q->pole, err);
  for (int i = 0; rc == MW_OK && i < q->r.f.rom.s; i++)
    if (!(t->in.held >> i & 1u) && fabs(q->pole.rest[i]) > q->rest) {
      q->rest = fabs(q->pole.rest[i]);
      q->rest_of = i;
    }
  return rc;
}

static mw_code compute(void *job_, mw_error *err)
{
  job *q = job_;
  mw_frf_table *t = &q->t;
  double places = (double)t->n_theta * t->in.n_hz, n = places * t->in.n_to * t->in.n_from * 2.0;
  if (n > 1e9)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%.3g numbers are too many: fewer places, frequencies or ends", n);
  t->f = &q->r.f;
  t->H = mw_arena_f64(&q->r.mem, (size_t)n);
  if (mw_args_value(q->r.a, "worst")) t->worst = mw_arena_f64(&q->r.mem, (size_t)places);
  mw_code rc = mw_arena_check(&q->r.mem, err);
  if (rc == MW_OK) rc = mw_frf_open(&q->r.f, &t->in, &q->frf, err);
  mw_progress progress = mw_progress_default(q->r.a->quiet || t->n_theta < 2);
  mw_progress_start(&progress, "frequency responses", t->n_theta);
  for (int p = t->n_theta - 1; rc == MW_OK && p >= 0; p--) {  // its poles are those of the first
    rc = one_place(q, p, err);
    mw_progress_step(&progress, t->n_theta - p);
  }
  mw_progress_end(&progress);
  return rc;
}

// ---- what is printed ----------------------------------------------------------------------------

static double *response(const mw_frf_table *t, int place, int e)
{
  size_t n = (size_t)(t->in.n_to * t->in.n_from);
  return t->H + ((size_t)place * n + (size_t)e) * 2 * (size_t)t->in.n_hz;
}

static double modulus(const mw_frf_table *t, const double *H, int k)
{
  return hypot(H[k], H[t->in.n_hz + k]);
}

// Where a response is largest: index of its frequency, -1: nowhere finite.
static int peak(const mw_frf_table *t, const double *H)
{
  int at = -1;
  for (int k = 0; k < t->in.n_hz; k++)
    if (isfinite(modulus(t, H, k)) && (at < 0 || modulus(t, H, k) > modulus(t, H, at))) at = k;
  return at;
}

static void json_place(const job *q, int p, mw_json *j)
{
  const mw_frf_table *t = &q->t;
  char unit[64];
  mw_json_object(j, NULL);
  mw_json_object(j, "at");
  for (int i = 0; i < q->r.f.rom.s; i++)
    mw_json_num(j, q->r.f.coordinate[i], t->theta[p * q->r.f.rom.s + i]);
  mw_json_end(j, '}');
  mw_json_array(j, "responses");
  for (int e = 0; e < t->in.n_to * t->in.n_from; e++) {
    int to = e / t->in.n_from, from = e % t->in.n_from;
    const double *H = response(t, p, e);
    mw_json_object(j, NULL);
    mw_json_str(j, "to", t->in.to[to].name);
    mw_json_str(j, "from", t->in.from[from].name);
    mw_json_str(j, "unit", mw_frf_unit(&t->in, to, from, unit));
    for (int part = 0; part < 2; part++) {
      mw_json_array(j, part ? "imag" : "real");
      for (int k = 0; k < t->in.n_hz; k++) mw_json_num(j, NULL, H[part * t->in.n_hz + k]);
      mw_json_end(j, ']');
    }
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
  if (t->worst) {
    mw_json_array(j, "any_direction");
    for (int k = 0; k < t->in.n_hz; k++) mw_json_num(j, NULL, t->worst[p * t->in.n_hz + k]);
    mw_json_end(j, ']');
  }
  mw_json_end(j, '}');
}

static void print_json(const void *job_)
{
  const job *q = job_;
  const mw_frf_table *t = &q->t;
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_response_json_parameters(&q->r, &j);
  mw_json_str(&j, "response", mw_frf_kind_name(t->in.kind));
  mw_json_array(&j, "free");
  for (int i = 0; i < q->r.f.rom.s; i++)
    if (!(t->in.held >> i & 1u)) mw_json_str(&j, NULL, q->r.f.coordinate[i]);
  mw_json_end(&j, ']');
  mw_json_num(&j, "bandwidth_hz", t->bandwidth);
  mw_json_num(&j, "largest_acceleration_at_rest", q->rest);
  mw_json_array(&j, "motions");
  for (int k = 0; k < q->pole.n; k++) {
    mw_json_object(&j, NULL);
    mw_json_num(&j, "hz", q->pole.hz[k]);
    mw_json_num(&j, "damping_ratio", q->pole.zeta[k]);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_num(&j, "other_motions", q->pole.n_other);
  mw_json_array(&j, "hz");
  for (int k = 0; k < t->in.n_hz; k++) mw_json_num(&j, NULL, t->in.hz[k]);
  mw_json_end(&j, ']');
  mw_json_array(&j, "places");
  for (int p = 0; p < t->n_theta; p++) json_place(q, p, &j);
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

static void text_response(const job *q, int p, int e)
{
  const mw_frf_table *t = &q->t;
  const double *H = response(t, p, e);
  char unit[64];
  int to = e / t->in.n_from, from = e % t->in.n_from, at = peak(t, H);
  printf("  %s / %s  ", t->in.to[to].name, t->in.from[from].name);
  if (at < 0) {
    printf("not finite at any frequency\n");
    return;
  }
  mw_frf_unit(&t->in, to, from, unit);
  printf("%.6g %s at %.6g Hz, largest %.6g %s at %.6g Hz\n", modulus(t, H, 0), unit, t->in.hz[0],
         modulus(t, H, at), unit, t->in.hz[at]);
}

// All responses at one place; of several places the first response at each.
static void text_places(const job *q)
{
  enum { MOST = 25 };
  const mw_frf_table *t = &q->t;
  int n = t->in.n_to * t->in.n_from, shown = t->n_theta < MOST ? t->n_theta : MOST;
  for (int p = 0; p < shown; p++) {
    for (int i = 0; i < q->r.f.rom.s; i++)
      printf("%s%s = %g %s", i ? ", " : "at ", q->r.f.coordinate[i], t->theta[p * q->r.f.rom.s + i],
             mw_cmd_unit(&q->r.f, i));
    printf(t->n_theta > 1 ? "" : "\n");
    for (int e = 0; e < (t->n_theta > 1 ? 1 : n); e++) text_response(q, p, e);
  }
  if (t->n_theta > shown) printf("and at %d more places\n", t->n_theta - shown);
  if (t->n_theta > 1 && n > 1)
    printf("the other %d responses are in files (-o) and --json\n", n - 1);
}

static bool damped(const mw_frf_poles *p)
{
  for (int k = 0; k < p->n; k++)
    if (p->zeta[k] < MW_FRF_UNDAMPED) return false;
  return true;
}

static void text_notes(const job *q)
{
  static const double ROUNDING = 1e-9;  // m/s² or rad/s²
  const mw_frf_table *t = &q->t;
  double hi = t->in.hz[t->in.n_hz - 1];
  if (!(t->bandwidth > 0.0))
    printf("%s\n", mw_response_not_judged);
  else if (hi > t->bandwidth)
    printf("the certificate judges up to %.4g Hz; nothing is promised from there to %.4g Hz\n",
           t->bandwidth, hi);
  if (q->r.f.rom.n_law > 0) printf("%s\n", mw_response_no_laws);
  if (q->pole.n > 0 && !damped(&q->pole))
    printf("some motions are not damped: peaks are as high as the frequencies chosen come near\n");
  if (q->rest > ROUNDING && q->rest_of >= 0)
    printf("%s is free and not at rest: it accelerates by up to %.3g %s/s²\n",
           q->r.f.coordinate[q->rest_of], q->rest, mw_cmd_unit(&q->r.f, q->rest_of));
}

static void print_text(const void *job_)
{
  const job *q = job_;
  const mw_frf_table *t = &q->t;
  printf("%s of %s, %d frequencies from %.6g to %.6g Hz\n", mw_frf_kind_name(t->in.kind),
         q->r.f.model_name, t->in.n_hz, t->in.hz[0], t->in.hz[t->in.n_hz - 1]);
  for (int i = 0; i < q->r.f.rom.s; i++)
    if (!(t->in.held >> i & 1u)) printf("  %s is free\n", q->r.f.coordinate[i]);
  text_places(q);
  printf("motions%s:", t->n_theta > 1 ? " at the first place" : "");
  for (int k = 0; k < q->pole.n; k++)
    printf("%s %.6g Hz (%.3g %%)", k ? "," : "", q->pole.hz[k],
           0.0 + 100.0 * q->pole.zeta[k]);  // 0 for −0
  printf(q->pole.n_other ? "%s %d that do not swing\n" : "\n", q->pole.n ? "," : "",
         q->pole.n_other);
  text_notes(q);
}

// ---- the command --------------------------------------------------------------------------------

static mw_code write_file(const void *job_, const char *path, mw_error *err)
{
  return mw_frf_write(&((const job *)job_)->t, path, err);
}

static mw_code draw(const void *job_, const char *path, mw_error *err)
{
  return mw_frf_picture(&((const job *)job_)->t, path, err);
}

static void close_all(void *job_) { mw_frf_close(((job *)job_)->frf); }

static int run(const mw_args *a)
{
  static const mw_response_stages stages = { read_all,   compute,    write_file, draw,
                                             print_json, print_text, close_all };
  job q = { .rest_of = -1 };
  return mw_response_run(a, &stages, &q);
}

const mw_command mw_cmd_frf = {
  .name = "frf",
  .operand = "ROM.nc",
  .summary = "frequency responses of a reduced model, anywhere in its work space",
  .doc =
      "Receptance, mobility or accelerance between ends of a reduced model, linearized at rest.\n"
      "An end is an output and its direction (tool.x), an output for all of its directions, a\n"
      "coordinate or a drive, or a sum of such with numbers: tool.x-bed.x is a relative motion\n"
      "under a pair of forces, 0.6*tool.x+0.8*tool.z a direction. Coordinates are held, unless\n"
      "--free names them. The band that the certificate judges is said, and drawn in colour;\n"
      "beyond it curves are grey.\n\n"
      "-o: .csv with a row a place and frequency, or .nc (theta, hz, real and imag [place x to x\n"
      "from x hz]).\n\n"
      "--json: {\"parameters\": {NAME: value} of those kept,\n"
      "  \"response\", \"free\": [coordinates], \"bandwidth_hz\" (0: not known),\n"
      "  \"largest_acceleration_at_rest\" (of free coordinates), \"motions\" (at the first\n"
      "  place): [{\"hz\", \"damping_ratio\"}], \"other_motions\" (that do not swing),\n"
      "  \"hz\": [..],\n"
      "  \"places\": [{\"at\": {COORDINATE: value}, \"responses\": [{\"to\", \"from\", \"unit\",\n"
      "  \"real\", \"imag\"}], \"any_direction\" (--worst)}]}\n",
  .option = { { 't', "to", "tool.x,…", "ends that move", MW_OPT_REQUIRED },
              MW_OPTION_SET_ROM,
              MW_OPTION_FROM,
              MW_OPTION_PLACE,
              MW_OPTION_SWEEP,
              { 0, "as", "KIND", "receptance (default), mobility or accelerance", 0 },
              MW_OPTION_FREE,
              { 0, "lo", "HZ", "first frequency (default: --hi over their number)", 0 },
              { 0, "hi", "HZ", "last frequency (default: a quarter beyond the certificate's band)",
                0 },
              { 'n', "count", "N", "frequencies (default 1000)", 0 },
              { 0, "worst", NULL, "also the largest in any direction of the ends", 0 },
              { 'o', "output", "FILE", "responses as FILE.csv or FILE.nc", MW_OPT_WRITES },
              { 0, "picture", "FILE", "FILE.svg, .html or .png: moduli and phases",
                MW_OPT_WRITES } },
  .run = run,
};
