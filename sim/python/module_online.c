// SPDX-License-Identifier: BSD-3-Clause
// module_online.c: the online calls of reduced models for Python.
//
// States, inputs and so on are rows: n of them in a call, one after the other, without the
// interpreter's lock.
#include "module_priv.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(mw_rom_code) == sizeof(int), "codes of rollouts are C's int");

// What an online call on n rows is made of: arrays of n times `width` numbers, in the order of the
// call's own arguments.
typedef struct online {
  const mw_rom *rom;
  mw_rom_opt opt;
  mw_rom_call call;
  mw_rom_info info;
  Py_ssize_t n;
  const double *x, *u, *thdd;
  double *out[3];
  Py_ssize_t width[3];
} online;

typedef mw_rom_code online_fn(online *c, Py_ssize_t row);

static double *at_row(const online *c, int k, Py_ssize_t row)
{
  return c->out[k] ? c->out[k] + row * c->width[k] : NULL;
}

static mw_rom_code do_rhs(online *c, Py_ssize_t row)
{
  return mw_rom_rhs(&c->call, c->x + row * 2 * (c->rom->s + c->rom->m), at_row(c, 0, row));
}

static mw_rom_code do_jacobian(online *c, Py_ssize_t row)
{
  return mw_rom_jacobian(&c->call, c->x + row * 2 * (c->rom->s + c->rom->m), at_row(c, 0, row),
                         at_row(c, 1, row), at_row(c, 2, row));
}

static mw_rom_code do_step(online *c, Py_ssize_t row)
{
  double *x = at_row(c, 0, row);
  memcpy(x, c->x + row * c->width[0], (size_t)c->width[0] * sizeof *x);
  return mw_rom_step(&c->call, x);
}

static mw_rom_code do_step_sens(online *c, Py_ssize_t row)
{
  double *x = at_row(c, 0, row);
  memcpy(x, c->x + row * c->width[0], (size_t)c->width[0] * sizeof *x);
  return mw_rom_step_sens(&c->call, x, at_row(c, 1, row), at_row(c, 2, row));
}

static mw_rom_code do_outputs(online *c, Py_ssize_t row)
{
  return mw_rom_outputs(c->rom, c->x + row * 2 * (c->rom->s + c->rom->m), at_row(c, 0, row),
                        at_row(c, 1, row), c->call.work, &c->info);
}

static mw_rom_code do_outputs_jacobian(online *c, Py_ssize_t row)
{
  mw_rom_outputs_sens out = { .Y = at_row(c, 0, row),
                              .Y_x = at_row(c, 1, row),
                              .Y_u = at_row(c, 2, row) };
  return mw_rom_outputs_jacobian(&c->call, c->x + row * 2 * (c->rom->s + c->rom->m), &out);
}

static mw_rom_code do_energy(online *c, Py_ssize_t row)
{
  return mw_rom_energy(&c->call, c->x + row * 2 * (c->rom->s + c->rom->m), at_row(c, 0, row),
                       at_row(c, 1, row), at_row(c, 2, row));
}

static mw_rom_code do_static(online *c, Py_ssize_t row)
{
  return mw_rom_static(c->rom, c->x + row * c->rom->s, c->call.u, at_row(c, 0, row), c->call.work,
                       &c->info);
}

// Kinds of calls; the names are those of modeway/_rom.py, in its order.
enum { RHS, JACOBIAN, STEP, STEP_SENS, OUTPUTS, OUTPUTS_JACOBIAN, ENERGY, STATIC, KINDS };
static const struct {
  const char *name;
  online_fn *fn;
} kind_of[KINDS] = {
  [RHS] = { "rhs", do_rhs },
  [JACOBIAN] = { "jacobian", do_jacobian },
  [STEP] = { "step", do_step },
  [STEP_SENS] = { "step_sens", do_step_sens },
  [OUTPUTS] = { "outputs", do_outputs },
  [OUTPUTS_JACOBIAN] = { "outputs_jacobian", do_outputs_jacobian },
  [ENERGY] = { "energy", do_energy },
  [STATIC] = { "static", do_static },
};

static void widths(int kind, const mw_rom *r, Py_ssize_t width[3])
{
  Py_ssize_t n = r->s + r->m, state = 2 * n, u = r->n_u, y = r->n_y;
  const Py_ssize_t of[KINDS][3] = {
    [RHS] = { n, 0, 0 },      [JACOBIAN] = { n, n * state, n * u },
    [STEP] = { state, 0, 0 }, [STEP_SENS] = { state, state * state, state * u },
    [OUTPUTS] = { y, y, 0 },  [OUTPUTS_JACOBIAN] = { 3 * y, 3 * y * state, 3 * y * u },
    [ENERGY] = { 1, 1, 1 },   [STATIC] = { r->m, 0, 0 },
  };
  memcpy(width, of[kind], sizeof of[kind]);
}

// All rows; *failed: the one that failed.
static mw_rom_code all_rows(online *c, online_fn *fn, Py_ssize_t *failed)
{
  const mw_rom *r = c->rom;
  for (Py_ssize_t row = 0; row < c->n; row++) {
    c->call.u = c->u + row * r->n_u;
    c->call.thdd_p = c->thdd ? c->thdd + row * r->s : NULL;
    mw_rom_code code = fn(c, row);
    *failed = row;
    if (code != MW_ROM_OK) return code;
  }
  return MW_ROM_OK;
}

// online(kind, rom, n, x, u, thdd or None, prescribed, method, h, out0, out1 or None, out2 or None)
PyObject *py_online(PyObject *self, PyObject *args)
{
  PyObject *o, *x, *u, *thdd, *out[3];
  online c = { .n = 0 };
  buffers b = { .n = 0 };
  int kind, method;
  unsigned prescribed;
  (void)self;
  if (!PyArg_ParseTuple(args, "iOnOOOIidOOO", &kind, &o, &c.n, &x, &u, &thdd, &prescribed, &method,
                        &c.call.h, &out[0], &out[1], &out[2]))
    return NULL;
  const mw_rom_file *f = py_rom_of(o);
  if (!f) return NULL;
  if (kind < 0 || kind >= KINDS || method < 0 || method >= MW_ROM_N_METHOD || c.n < 0)
    return PyErr_Format(PyExc_ValueError, "no such call");
  const mw_rom *r = c.rom = &f->rom;
  c.opt = mw_rom_opt_default();
  c.opt.prescribed = prescribed;
  c.opt.method = (mw_rom_method)method;
  c.call.rom = r;
  c.call.opt = &c.opt;
  c.call.info = &c.info;
  widths(kind, r, c.width);
  bool ok = (c.x = py_take(&b, x, c.n * (kind == STATIC ? r->s : 2 * (r->s + r->m)), false, "x")) &&
            (c.u = py_take(&b, u, c.n * r->n_u, false, "u")) &&
            (thdd == Py_None || (c.thdd = py_take(&b, thdd, c.n * r->s, false, "thdd")));
  for (int k = 0; ok && k < 3; k++)
    if (out[k] != Py_None && c.width[k] > 0)
      ok = (c.out[k] = py_take(&b, out[k], c.n * c.width[k], true, kind_of[kind].name)) != NULL;
  if (ok) ok = (c.call.work = py_scratch(mw_rom_sens_bytes(r))) != NULL;
  mw_rom_code code = MW_ROM_OK;
  Py_ssize_t failed = 0;
  if (ok) {
    Py_BEGIN_ALLOW_THREADS
    code = all_rows(&c, kind_of[kind].fn, &failed);
    Py_END_ALLOW_THREADS
  }
  free(c.call.work);
  py_release(&b);
  if (!ok) return NULL;
  if (code != MW_ROM_OK) return py_raise_code(code, failed, c.info.index);
  Py_RETURN_NONE;
}

// rollout(rom, first, n, n_all, n_step, h, prescribed, u, x, path or None, code, done): rows first
// … of n_all; code and done are arrays of C's int
PyObject *py_rollout(PyObject *self, PyObject *args)
{
  PyObject *o, *u, *x, *path, *code, *done;
  int first, n, n_all, n_step;
  double h;
  unsigned prescribed;
  buffers b = { .n = 0 };
  Py_buffer ints[2];
  int n_int = 0;
  (void)self;
  if (!PyArg_ParseTuple(args, "OiiiidIOOOOO", &o, &first, &n, &n_all, &n_step, &h, &prescribed, &u,
                        &x, &path, &code, &done))
    return NULL;
  const mw_rom_file *f = py_rom_of(o);
  if (!f) return NULL;
  const mw_rom *r = &f->rom;
  Py_ssize_t all = n_all, steps = n_step, state = 2 * (r->s + r->m);
  mw_rom_batch batch = { .n_step = n_step, .h = h };
  mw_rom_opt opt = mw_rom_opt_default();
  opt.prescribed = prescribed;
  if (first < 0 || n < 0 || first > n_all - n || n_step < 0)
    return PyErr_Format(PyExc_ValueError, "rollouts %d to %d of %d", first, first + n, n_all);
  bool ok =
      (batch.u = py_take(&b, u, all * steps * r->n_u, false, "u")) &&
      (batch.x = py_take(&b, x, all * state, true, "x")) &&
      (path == Py_None || (batch.path = py_take(&b, path, all * steps * state, true, "path")));
  PyObject *const given[2] = { code, done };
  for (; ok && n_int < 2; n_int++) {
    ok = PyObject_GetBuffer(given[n_int], &ints[n_int], PyBUF_WRITABLE) == 0;
    if (!ok) break;
    if (ints[n_int].len != all * (Py_ssize_t)sizeof(int)) {
      ok = false;
      PyErr_SetString(PyExc_ValueError, "code, done: expected an int a rollout");
    }
  }
  void *work = ok ? py_scratch(mw_rom_batch_bytes(r)) : NULL;
  if (work) {
    batch.code = ints[0].buf;
    batch.done = ints[1].buf;
    Py_BEGIN_ALLOW_THREADS
    mw_rom_batch_run(r, &opt, &batch, first, n, work);
    Py_END_ALLOW_THREADS
  }
  ok = work != NULL;
  free(work);
  while (n_int > 0) PyBuffer_Release(&ints[--n_int]);
  py_release(&b);
  if (!ok) return NULL;
  Py_RETURN_NONE;
}

PyObject *py_code_name(PyObject *self, PyObject *args)
{
  int code;
  (void)self;
  if (!PyArg_ParseTuple(args, "i", &code)) return NULL;
  return PyUnicode_FromString(mw_rom_code_name((mw_rom_code)code));
}
