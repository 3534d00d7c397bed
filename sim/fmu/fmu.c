// SPDX-License-Identifier: BSD-3-Clause
// fmu.c: a reduced model as a functional mock-up unit: what both versions of the interface share.
//
//   x' = f(x, u) = (thd, deld, acc) ,   y(x) ,   y_dot(x) ,   o(x, u)                          (1)
//   model exchange  f alone, the importer integrates
//   co-simulation   a communication step H is n = ceil(H / step) steps of H / n, u constant     (2)
//   directional     d unknown = (d unknown/dx) dx + (d unknown/du) du ,  adjoint its transpose  (3)
//
// Included by the file that has the model's sizes and names (FMU_N_X, …, fmu_name, fmu_start) and
// its functions (fmu_model_rhs, …). Value references: 0 time, then x, x', u, y, y_dot, o, step, p,
// one after the other.
// Memory is taken with an instance and with the first copy of a state; steps and copies take none.
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FMU_TIME = 0,
  FMU_X = 1,
  FMU_DX = FMU_X + FMU_N_X,
  FMU_U = FMU_DX + FMU_N_X,
  FMU_Y = FMU_U + FMU_N_U,
  FMU_YD = FMU_Y + FMU_N_Y,
  FMU_O = FMU_YD + FMU_N_RATE,
  FMU_STEP = FMU_O + FMU_N_O,
  FMU_P = FMU_STEP + 1,
  FMU_N_VAR = FMU_P + FMU_N_P,
  FMU_N = FMU_N_X / 2
};

// The same numbers in both versions.
enum { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL };

enum {
  FMU_INSTANTIATED = 1,
  FMU_INIT = 2,
  FMU_EVENT = 4,       // model exchange: where it stops for events, of which there are none
  FMU_CONTINUOUS = 8,  // model exchange
  FMU_STEPPING = 16,   // co-simulation
  FMU_TERMINATED = 32,
  FMU_ANY = 63
};

// Log categories, as the standards name them.
static const char *const fmu_category[] = { "logStatusDiscard", "logStatusError" };
enum { FMU_LOG_DISCARD, FMU_LOG_ERROR, FMU_N_CATEGORY };

// All that a copy of the state keeps.
typedef struct fmu_state {
  double time, stop, step;  // s; stop is valid if has_stop
  double x[FMU_N_X];        // theta, delta, thd, deld
  double u[FMU_N_U + 1];    // N or N·m
  double p[FMU_N_P + 1];    // parameters of the model
  int mode, cosim, has_stop;
} fmu_state;

typedef struct fmu {
  fmu_state s;
  int has;                                          // bits of what below belongs to s
  double acc[FMU_N];                                // FMU_HAS_ACC
  double y[FMU_N_Y + 1], y_dot[FMU_N_Y + 1];        // FMU_HAS_Y
  double acc_again[FMU_N], acc_x[FMU_N * FMU_N_X];  // FMU_HAS_ACC_X
  double acc_u[FMU_N * FMU_N_U + 1];
  double Y_x[3 * FMU_N_Y * FMU_N_X + 1];  // FMU_HAS_Y_X: of y, y_dot, y_ddot
  double Y_u[3 * FMU_N_Y * FMU_N_U + 1];
#if FMU_N_O > 0
  double o[FMU_N_O];                                // FMU_HAS_O
  double o_again[FMU_N_O], o_x[FMU_N_O * FMU_N_X];  // FMU_HAS_O_X
  double o_u[FMU_N_O * FMU_N_U + 1];
#endif
  void *env;  // the importer's
  void (*sink)(struct fmu *f, int status, const char *category, const char *text);
  void (*callback)(void);    // of the importer, cast by sink
  unsigned logged;           // bits of categories
  char name[128];            // of the instance
  double laid[FMU_N_P + 1];  // parameters that work keeps the tables of, if is_laid
  int is_laid;
  double work[FMU_WORK];  // of the model
} fmu;

enum {
  FMU_HAS_ACC = 1,
  FMU_HAS_Y = 2,
  FMU_HAS_ACC_X = 4,
  FMU_HAS_Y_X = 8,
  FMU_HAS_O = 16,
  FMU_HAS_O_X = 32
};

// ---- what is said when something is wrong -------------------------------------------------------

// Errors are always told, and end what the instance was doing.
static int fmu_fail(fmu *f, int status, const char *format, ...)
{
  char text[512];
  va_list args;
  int category = status == FMU_DISCARD ? FMU_LOG_DISCARD : FMU_LOG_ERROR;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (status >= FMU_ERROR) f->s.mode = FMU_TERMINATED;
  if (f->sink && (status >= FMU_ERROR || f->logged & 1U << category))
    f->sink(f, status, fmu_category[category], text);
  return status;
}

// The model's own code for a state or a step it refuses; index counts through x and u.
static int fmu_refused(fmu *f, int code, int index)
{
  const char *name = "?";
  if (index >= 0 && index < FMU_N_X) name = fmu_name[FMU_X + index];
  if (index >= FMU_N_X && index < FMU_N_X + FMU_N_U) name = fmu_name[FMU_U + index - FMU_N_X];
  if (code == FMU_CODE_THETA && index >= 0 && index < FMU_N)
    return fmu_fail(f, FMU_DISCARD, "t = %.17g s: %s leaves its range, %.9g to %.9g; it was %.17g",
                    f->s.time, name, fmu_lo[index], fmu_hi[index], f->s.x[index]);
  if (code == FMU_CODE_DELTA && index >= 0 && index < FMU_N)
    return fmu_fail(f, FMU_DISCARD,
                    "t = %.17g s: %s grows beyond what the model is meant for, %.9g; it was %.17g",
                    f->s.time, name, fmu_hi[index], f->s.x[index]);
  return fmu_fail(f, FMU_DISCARD, "t = %.17g s: %s%s%s", f->s.time, fmu_code_name(code),
                  index >= 0 ? ": " : "", index >= 0 ? name : "");
}

static int fmu_allowed(fmu *f, const char *function, int modes)
{
  if (f->s.mode & modes) return FMU_OK;
  return fmu_fail(f, FMU_ERROR, "%s is not allowed here (%s)", function,
                  f->s.mode == FMU_INSTANTIATED ? "instantiated"
                  : f->s.mode == FMU_INIT       ? "initialization"
                  : f->s.mode == FMU_EVENT      ? "event mode"
                  : f->s.mode == FMU_CONTINUOUS ? "continuous time"
                  : f->s.mode == FMU_STEPPING   ? "step mode"
                                                : "terminated");
}

// ---- instances ----------------------------------------------------------------------------------

static void fmu_reset(fmu *f)
{
  int cosim = f->s.cosim;
  memset(&f->s, 0, sizeof f->s);
  f->s.cosim = cosim;
  f->s.mode = FMU_INSTANTIATED;
  f->s.step = fmu_start_step;
  for (int i = 0; i < FMU_N_X; i++) f->s.x[i] = fmu_start_x[i];
#if FMU_N_P > 0
  for (int k = 0; k < FMU_N_P; k++) f->s.p[k] = fmu_start_p[k];
#endif
  f->has = 0;
}

// NULL: no memory.
static fmu *fmu_new(const char *name, int cosim)
{
  fmu *f = (fmu *)calloc(1, sizeof *f);
  if (!f) return NULL;
  (void)snprintf(f->name, sizeof f->name, "%s", name);
  f->s.cosim = cosim;
  fmu_reset(f);
  return f;
}

static int fmu_set_logging(fmu *f, int on, size_t n, const char *const *category)
{
  if (n == 0) f->logged = on ? ~0U : 0U;
  for (size_t k = 0; k < n; k++) {
    int c = 0;
    while (c < FMU_N_CATEGORY && (!category[k] || strcmp(category[k], fmu_category[c]) != 0)) c++;
    if (c == FMU_N_CATEGORY)
      return fmu_fail(f, FMU_ERROR, "there is no log category \"%s\"",
                      category[k] ? category[k] : "");
    f->logged = on ? f->logged | 1U << c : f->logged & ~(1U << c);
  }
  return FMU_OK;
}

static int fmu_enter_init(fmu *f, double start, int has_stop, double stop)
{
  if (!(fabs(start) < INFINITY)) return fmu_fail(f, FMU_ERROR, "the start time is not finite");
  if (has_stop && !(stop >= start))
    return fmu_fail(f, FMU_ERROR, "the stop time %.17g s is before the start, %.17g s", stop,
                    start);
  f->s.time = start;
  f->s.stop = stop;
  f->s.has_stop = has_stop;
  f->s.mode = FMU_INIT;
  return FMU_OK;
}

// Lays down the tables at the state's parameters where others were.
static int fmu_lay(fmu *f)
{
#if FMU_N_P > 0
  if (f->is_laid && memcmp(f->laid, f->s.p, sizeof f->laid) == 0) return 0;
  int code = fmu_model_set(f->s.p, f->work);
  memcpy(f->laid, f->s.p, sizeof f->laid);
  f->is_laid = code == 0;
  return code;
#else
  (void)f;
  return 0;
#endif
}

// ---- the model at the state ---------------------------------------------------------------------

static int fmu_need(fmu *f, int what)
{
  int code = fmu_lay(f), index = -1;
  if (code == 0 && what & ~f->has & FMU_HAS_ACC)
    code = fmu_model_rhs(f->s.x, f->s.u, f->acc, f->work, &index);
  if (code == 0 && what & ~f->has & FMU_HAS_Y)
    code = fmu_model_outputs(f->s.x, f->y, f->y_dot, f->work, &index);
  if (code == 0 && what & ~f->has & FMU_HAS_ACC_X)
    code = fmu_model_jacobian(f->s.x, f->s.u, f->acc_again, f->acc_x, f->acc_u, f->work, &index);
  if (code == 0 && what & ~f->has & FMU_HAS_Y_X)
    code = fmu_model_outputs_jacobian(f->s.x, f->s.u, f->Y_x, f->Y_u, f->work, &index);
#if FMU_N_O > 0
  if (code == 0 && what & ~f->has & FMU_HAS_O)
    code = fmu_model_observe(f->s.x, f->s.u, f->o, f->work, &index);
  if (code == 0 && what & ~f->has & FMU_HAS_O_X)
    code = fmu_model_observe_jacobian(f->s.x, f->s.u, f->o_again, f->o_x, f->o_u, f->work, &index);
#endif
  if (code != 0) {
    f->has = 0;
    return fmu_refused(f, code, index);
  }
  f->has |= what;
  return FMU_OK;
}

// x' (1)
static int fmu_derivatives(fmu *f, double *dx)
{
  int status = fmu_need(f, FMU_HAS_ACC);
  if (status != FMU_OK) return status;
  memcpy(dx, f->s.x + FMU_N, sizeof f->acc);
  memcpy(dx + FMU_N, f->acc, sizeof f->acc);
  return FMU_OK;
}

static int fmu_get(fmu *f, uint32_t vr, double *value)
{
  int status = FMU_OK;
  if (vr >= FMU_N_VAR)
    return fmu_fail(f, FMU_ERROR, "there is no variable with value reference %lu",
                    (unsigned long)vr);
  if (vr >= FMU_DX + FMU_N && vr < FMU_U) status = fmu_need(f, FMU_HAS_ACC);
  if (vr >= FMU_Y && vr < FMU_O) status = fmu_need(f, FMU_HAS_Y);
#if FMU_N_O > 0
  if (vr >= FMU_O && vr < FMU_STEP) status = fmu_need(f, FMU_HAS_O);
#endif
  if (status != FMU_OK) return status;
  if (vr == FMU_TIME)
    *value = f->s.time;
  else if (vr < FMU_DX)
    *value = f->s.x[vr - FMU_X];
  else if (vr < FMU_DX + FMU_N)
    *value = f->s.x[FMU_N + (int)vr - FMU_DX];
  else if (vr < FMU_U)
    *value = f->acc[(int)vr - FMU_DX - FMU_N];
  else if (vr < FMU_Y)
    *value = f->s.u[vr - FMU_U];
  else if (vr < FMU_YD)
    *value = f->y[vr - FMU_Y];
  else if (vr < FMU_O)
    *value = f->y_dot[fmu_rate[vr - FMU_YD]];
#if FMU_N_O > 0
  else if (vr < FMU_STEP)
    *value = f->o[vr - FMU_O];
#endif
  else if (vr == FMU_STEP)
    *value = f->s.step;
  else
    *value = f->s.p[vr - FMU_P];
  return FMU_OK;
}

static int fmu_in_range(fmu *f, uint32_t vr, double value)
{
#if FMU_N_P > 0
  double lo = fmu_lo_p[vr - FMU_P], hi = fmu_hi_p[vr - FMU_P];
  if (!(value >= lo && value <= hi))
    return fmu_fail(f, FMU_DISCARD, "%s: %.17g is not within its range, %.9g to %.9g", fmu_name[vr],
                    value, lo, hi);
#else
  (void)f;
  (void)vr;
  (void)value;
#endif
  return FMU_OK;
}

// What may be set: inputs always, states, the step and parameters until the initialization is over.
static int fmu_settable(fmu *f, uint32_t vr, double value)
{
  int is_x = vr >= FMU_X && vr < FMU_DX, is_u = vr >= FMU_U && vr < FMU_Y, is_step = vr == FMU_STEP,
      is_p = vr >= FMU_P;
  if (vr >= FMU_N_VAR)
    return fmu_fail(f, FMU_ERROR, "there is no variable with value reference %lu",
                    (unsigned long)vr);
  if (!is_x && !is_u && !is_step && !is_p)
    return fmu_fail(f, FMU_ERROR, "%s cannot be set", fmu_name[vr]);
  if (!is_u && !(f->s.mode & (FMU_INSTANTIATED | FMU_INIT)))
    return fmu_fail(f, FMU_ERROR, "%s can be set until the initialization is over", fmu_name[vr]);
  if (!(fabs(value) < INFINITY))
    return fmu_fail(f, FMU_DISCARD, "%s: the value to set is not finite", fmu_name[vr]);
  if (is_step && !(value >= FMU_STEP_LEAST && value <= FMU_STEP_MOST))
    return fmu_fail(f, FMU_DISCARD, "%s: %.17g s is not between %g and %g s", fmu_name[vr], value,
                    FMU_STEP_LEAST, FMU_STEP_MOST);
  return is_p ? fmu_in_range(f, vr, value) : FMU_OK;
}

// All or nothing.
static int fmu_set(fmu *f, const uint32_t *vr, size_t n, const double *value)
{
  int status = FMU_OK;
  for (size_t k = 0; status == FMU_OK && k < n; k++) status = fmu_settable(f, vr[k], value[k]);
  for (size_t k = 0; status == FMU_OK && k < n; k++) {
    if (vr[k] < FMU_DX)
      f->s.x[vr[k] - FMU_X] = value[k];
    else if (vr[k] < FMU_Y)
      f->s.u[vr[k] - FMU_U] = value[k];
    else if (vr[k] == FMU_STEP)
      f->s.step = value[k];
    else
      f->s.p[vr[k] - FMU_P] = value[k];
    f->has = 0;
  }
  return status;
}

static int fmu_set_states(fmu *f, const double *x, size_t n)
{
  if (n != FMU_N_X)
    return fmu_fail(f, FMU_ERROR, "there are %d states, not %lu", FMU_N_X, (unsigned long)n);
  for (int i = 0; i < FMU_N_X; i++)
    if (!(fabs(x[i]) < INFINITY))
      return fmu_fail(f, FMU_DISCARD, "%s: the value to set is not finite", fmu_name[FMU_X + i]);
  memcpy(f->s.x, x, sizeof f->s.x);
  f->has = 0;
  return FMU_OK;
}

// ---- a communication step -----------------------------------------------------------------------

// The importer's time may differ from ours by rounding.
static const double FMU_TIME_SLACK = 1e-9;  // of the times compared

static int fmu_step_refused(fmu *f, double t, double H)
{
  double slack = FMU_TIME_SLACK * (fabs(t) + fabs(H));
  if (!(H > 0.0) || !(H < INFINITY))
    return fmu_fail(f, FMU_ERROR, "a communication step of %.17g s, must be positive and finite",
                    H);
  if (!(fabs(t - f->s.time) <= slack))
    return fmu_fail(f, FMU_ERROR,
                    "the communication point %.17g s is not where the last step ended, %.17g s", t,
                    f->s.time);
  if (f->s.has_stop && t + H > f->s.stop + slack)
    return fmu_fail(
        f, FMU_ERROR,
        "a communication step from %.17g s to %.17g s ends after the stop time, %.17g s", t, t + H,
        f->s.stop);
  if (H / f->s.step > FMU_STEPS_MOST)
    return fmu_fail(f, FMU_ERROR,
                    "a communication step of %.17g s takes more than %g steps of %.17g s", H,
                    FMU_STEPS_MOST, f->s.step);
  return FMU_OK;
}

// (2); refused as a whole if the model refuses a part of it: the state is then that before the
// call.
static int fmu_do_step(fmu *f, double t, double H)
{
  double x[FMU_N_X];
  int code = 0, index = -1, status = fmu_step_refused(f, t, H);
  if (status != FMU_OK) return status;
  code = fmu_lay(f);
  // a step longer by rounding is not cut in two
  long n = (long)ceil(H / f->s.step - 1e-6);
  if (n < 1) n = 1;
  double h = H / (double)n;
  memcpy(x, f->s.x, sizeof x);
  for (long k = 0; code == 0 && k < n; k++) code = fmu_model_step(h, f->s.u, x, f->work, &index);
  if (code != 0) return fmu_refused(f, code, index);
  memcpy(f->s.x, x, sizeof x);
  f->s.time = t + H;
  f->has = 0;
  return FMU_OK;
}

// ---- derivatives (3) ----------------------------------------------------------------------------

// d unknown/dx [FMU_N_X] and d unknown/du [FMU_N_U]
static int fmu_row(fmu *f, uint32_t unknown, double *row_x, double *row_u)
{
  int status = FMU_OK;
  const double *from_x = NULL, *from_u = NULL;
  for (int i = 0; i < FMU_N_X; i++) row_x[i] = 0.0;
  for (int i = 0; i < FMU_N_U; i++) row_u[i] = 0.0;
  if (unknown >= FMU_DX && unknown < FMU_DX + FMU_N) {
    row_x[FMU_N + (int)unknown - FMU_DX] = 1.0;
  } else if (unknown >= FMU_DX + FMU_N && unknown < FMU_U) {
    int i = (int)unknown - FMU_DX - FMU_N;
    status = fmu_need(f, FMU_HAS_ACC_X);
    from_x = f->acc_x + i * FMU_N_X;
    from_u = f->acc_u + i * FMU_N_U;
#if FMU_N_O > 0
  } else if (unknown >= FMU_O && unknown < FMU_STEP) {
    int i = (int)unknown - FMU_O;
    status = fmu_need(f, FMU_HAS_O_X);
    from_x = f->o_x + i * FMU_N_X;
    from_u = f->o_u + i * FMU_N_U;
#endif
  } else if (unknown >= FMU_Y && unknown < FMU_O) {
    int i = unknown < FMU_YD ? (int)unknown - FMU_Y : FMU_N_Y + fmu_rate[unknown - FMU_YD];
    status = fmu_need(f, FMU_HAS_Y_X);
    from_x = f->Y_x + i * FMU_N_X;
  } else {
    return fmu_fail(f, FMU_ERROR, "derivatives of %s are not provided",
                    unknown < FMU_N_VAR ? fmu_name[unknown] : "a variable that does not exist");
  }
  for (int i = 0; from_x && status == FMU_OK && i < FMU_N_X; i++) row_x[i] = from_x[i];
  for (int i = 0; from_u && status == FMU_OK && i < FMU_N_U; i++) row_u[i] = from_u[i];
  return status;
}

static int fmu_is_known(fmu *f, uint32_t vr)
{
  if ((vr >= FMU_X && vr < FMU_DX) || (vr >= FMU_U && vr < FMU_Y) || vr == FMU_TIME) return FMU_OK;
  return fmu_fail(f, FMU_ERROR, "derivatives for %s are not provided",
                  vr < FMU_N_VAR ? fmu_name[vr] : "a variable that does not exist");
}

// Place of a known in (x, u), −1: time, on which nothing depends.
static int fmu_place(uint32_t vr)
{
  if (vr == FMU_TIME) return -1;
  return (int)(vr < FMU_DX ? vr - FMU_X : vr - FMU_U + FMU_N_X);
}

// adjoint 0: out [n_unknown] = J seed [n_known];  1: out [n_known] = Jᵀ seed [n_unknown]
static int fmu_differentiate(fmu *f, const uint32_t *unknown, size_t n_unknown,
                             const uint32_t *known, size_t n_known, const double *seed, double *out,
                             int adjoint)
{
  double row[FMU_N_X + FMU_N_U];
  int status = FMU_OK;
  for (size_t k = 0; status == FMU_OK && k < n_known; k++) status = fmu_is_known(f, known[k]);
  for (size_t k = 0; status == FMU_OK && adjoint && k < n_known; k++) out[k] = 0.0;
  for (size_t i = 0; status == FMU_OK && i < n_unknown; i++) {
    status = fmu_row(f, unknown[i], row, row + FMU_N_X);
    double sum = 0.0;
    for (size_t k = 0; status == FMU_OK && k < n_known; k++) {
      int place = fmu_place(known[k]);
      double d = place < 0 ? 0.0 : row[place];
      if (adjoint)
        out[k] += d * seed[i];
      else
        sum += d * seed[k];
    }
    if (!adjoint) out[i] = sum;
  }
  return status;
}

// ---- copies of the state ------------------------------------------------------------------------

static int fmu_copy_state(fmu *f, void **copy)
{
  if (!*copy) *copy = malloc(sizeof f->s);
  if (!*copy) return fmu_fail(f, FMU_ERROR, "no memory for a copy of the state");
  memcpy(*copy, &f->s, sizeof f->s);
  return FMU_OK;
}

static int fmu_restore_state(fmu *f, const void *copy)
{
  if (!copy) return fmu_fail(f, FMU_ERROR, "there is no state to set");
  if (((const fmu_state *)copy)->cosim != f->s.cosim)
    return fmu_fail(f, FMU_ERROR, "the state is of another interface type");
  memcpy(&f->s, copy, sizeof f->s);
  f->has = 0;
  return FMU_OK;
}

// As bytes: the token of the model, then the copy. For this machine and this file alone.
enum { FMU_BYTES = sizeof FMU_TOKEN + sizeof(fmu_state) };

static int fmu_write_state(fmu *f, const void *copy, void *bytes, size_t n)
{
  if (!copy || n < FMU_BYTES)
    return fmu_fail(f, FMU_ERROR, "a state takes %d bytes, not %lu", (int)FMU_BYTES,
                    (unsigned long)n);
  memcpy(bytes, FMU_TOKEN, sizeof FMU_TOKEN);
  memcpy((char *)bytes + sizeof FMU_TOKEN, copy, sizeof(fmu_state));
  return FMU_OK;
}

static int fmu_read_state(fmu *f, const void *bytes, size_t n, void **copy)
{
  if (!bytes || n < FMU_BYTES || memcmp(bytes, FMU_TOKEN, sizeof FMU_TOKEN) != 0)
    return fmu_fail(f, FMU_ERROR, "these %lu bytes are no state of this model", (unsigned long)n);
  if (!*copy) *copy = malloc(sizeof f->s);
  if (!*copy) return fmu_fail(f, FMU_ERROR, "no memory for a copy of the state");
  memcpy(*copy, (const char *)bytes + sizeof FMU_TOKEN, sizeof f->s);
  return FMU_OK;
}
