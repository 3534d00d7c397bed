// SPDX-License-Identifier: BSD-3-Clause
// module.c: modeway._modeway: models, reduced models and their online calls for Python.
//
// Models and reduced models are capsules; arrays come and go as contiguous buffers of doubles,
// whose sizes are checked here. States, inputs and so on are rows: n of them in a call, one after
// the other, without the interpreter's lock. modeway/__init__.py says what is what.
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/json.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/case.h"
#include "verdict/certtext_layer.h"

static const char MODEL[] = "modeway.model", ROM[] = "modeway.rom";

// ---- errors -------------------------------------------------------------------------------------

// Raises the exception called name of modeway with the arguments args (stolen); NULL.
static PyObject *raise_named(const char *name, PyObject *args)
{
  PyObject *module = args ? PyImport_ImportModule("modeway") : NULL;
  PyObject *type = module ? PyObject_GetAttrString(module, name) : NULL;
  if (type) PyErr_SetObject(type, args);
  Py_XDECREF(type);
  Py_XDECREF(module);
  Py_XDECREF(args);
  return NULL;
}

static PyObject *raise_error(const mw_error *err)
{
  static const char *const name[] = {
    [MW_ERR_INPUT] = "InputError",     [MW_ERR_MEMORY] = "Error",     [MW_ERR_IO] = "Error",
    [MW_ERR_NUMERIC] = "NumericError", [MW_ERR_RANGE] = "RangeError",
  };
  if (err->code == MW_ERR_MEMORY) return PyErr_NoMemory();
  return raise_named(name[err->code],
                     Py_BuildValue("(ssii)", err->msg, err->file, err->line, err->col));
}

// A call that failed on row `row`, because of index `index`.
static PyObject *raise_code(mw_rom_code code, Py_ssize_t row, int index)
{
  char text[160];
  snprintf(text, sizeof text, "row %zd: %s (index %d)", row, mw_rom_code_name(code), index);
  bool numeric = code == MW_ROM_DIVERGED || code == MW_ROM_SINGULAR || code == MW_ROM_NAN;
  return raise_named(numeric ? "NumericError" : "RangeError",
                     Py_BuildValue("(ssii)", text, "", 0, 0));
}

// ---- buffers ------------------------------------------------------------------------------------

enum { MAX_BUFFER = 8 };
_Static_assert(sizeof(mw_rom_code) == sizeof(int), "codes of rollouts are C's int");

typedef struct buffers {
  Py_buffer view[MAX_BUFFER];
  int n;
} buffers;

static void release(buffers *b)
{
  while (b->n > 0) PyBuffer_Release(&b->view[--b->n]);
}

// The doubles of an argument that holds `count` of them; NULL with an exception where it does not.
// None, where optional: NULL without one.
static double *take(buffers *b, PyObject *o, Py_ssize_t count, bool writes, const char *what)
{
  Py_buffer *v = &b->view[b->n];
  if (PyObject_GetBuffer(o, v, writes ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0) return NULL;
  b->n++;
  if (v->len == count * (Py_ssize_t)sizeof(double)) return v->buf;
  PyErr_Format(PyExc_ValueError, "%s: found %zd numbers, expected %zd", what,
               v->len / (Py_ssize_t)sizeof(double), count);
  return NULL;
}

static void *scratch(size_t bytes)
{
  void *work = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
  if (!work) (void)PyErr_NoMemory();
  return work;
}

// The texts that n structs of `size` bytes have at `offset`.
static PyObject *names_of(int n, const void *list, size_t size, size_t offset)
{
  PyObject *names = PyList_New(0);
  for (int k = 0; names && k < n; k++) {
    const char *name;
    memcpy(&name, (const char *)list + (size_t)k * size + offset, sizeof name);
    PyObject *s = PyUnicode_FromString(name ? name : "");
    if (!s || PyList_Append(names, s) != 0) Py_CLEAR(names);
    Py_XDECREF(s);
  }
  return names;
}

static PyObject *text_list(int n, const char *const *text)
{
  return names_of(n, text, sizeof *text, 0);
}

static PyObject *numbers(int n, const double *x)
{
  PyObject *list = PyList_New(0);
  for (int k = 0; list && k < n; k++) {
    PyObject *v = PyFloat_FromDouble(x[k]);
    if (!v || PyList_Append(list, v) != 0) Py_CLEAR(list);
    Py_XDECREF(v);
  }
  return list;
}

// ---- models -------------------------------------------------------------------------------------

static void model_close(PyObject *capsule)
{
  mw_case *c = PyCapsule_GetPointer(capsule, MODEL);
  mw_case_free(c);
  free(c);
}

static mw_case *model_of(PyObject *o) { return PyCapsule_GetPointer(o, MODEL); }

// model_open(path, changes, scenarios)
static PyObject *model_open(PyObject *self, PyObject *args)
{
  enum { MAX_SET = 64 };
  const char *path, *set[MAX_SET];
  PyObject *changes;
  mw_model_edit edit = { .set = set };
  (void)self;
  if (!PyArg_ParseTuple(args, "sO!z", &path, &PyList_Type, &changes, &edit.scenarios)) return NULL;
  Py_ssize_t n = PyList_Size(changes);
  if (n > MAX_SET) return PyErr_Format(PyExc_ValueError, "at most %d changes", MAX_SET);
  for (; edit.n_set < n; edit.n_set++) {
    set[edit.n_set] = PyUnicode_AsUTF8AndSize(PyList_GetItem(changes, edit.n_set), NULL);
    if (!set[edit.n_set]) return NULL;
  }
  mw_case *c = calloc(1, sizeof *c);
  if (!c) return PyErr_NoMemory();
  mw_error err = { 0 };
  mw_code rc;
  mw_blas_threads before = mw_blas_serial();
  Py_BEGIN_ALLOW_THREADS
  rc = mw_case_read_edited(path, &edit, c, &err);
  Py_END_ALLOW_THREADS
  mw_blas_restore(before);
  if (rc == MW_OK) return PyCapsule_New(c, MODEL, model_close);
  free(c);
  return raise_error(&err);
}

// model_names(model) -> name, scenarios, outputs, drives
static PyObject *model_names(PyObject *self, PyObject *o)
{
  const mw_case *c = model_of(o);
  (void)self;
  if (!c) return NULL;
  const mw_model *m = &c->model;
  return Py_BuildValue(
      "(sNNN)", m->name,
      names_of(m->n_scenario, m->scenario, sizeof *m->scenario, offsetof(mw_scenario, name)),
      names_of(m->n_output, m->output, sizeof *m->output, offsetof(mw_output_in, name)),
      names_of(m->n_drive, m->drive, sizeof *m->drive, offsetof(mw_drive_in, name)));
}

// A controller in Python: call(t, s, s_dot, u) with lists of the drives' coordinates, rates and
// held forces gives the forces to hold.
typedef struct controller {
  PyObject *call;
  int n;        // drives
  bool raised;  // the call did: its exception is kept for the caller of the run
} controller;

static mw_code control(void *ctx, double t, const double *s, const double *s_dot, double *u,
                       mw_error *err)
{
  controller *c = ctx;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *found = NULL, *args = Py_BuildValue("(dNNN)", t, numbers(c->n, s), numbers(c->n, s_dot),
                                                numbers(c->n, u));
  if (args) found = PyObject_CallObject(c->call, args);
  Py_XDECREF(args);
  PyObject *forces = found ? PySequence_List(found) : NULL;
  if (forces && PyList_Size(forces) != c->n)
    PyErr_Format(PyExc_ValueError, "the controller gave %zd forces, expected %d",
                 PyList_Size(forces), c->n);
  for (int k = 0; forces && !PyErr_Occurred() && k < c->n; k++)
    u[k] = PyFloat_AsDouble(PyList_GetItem(forces, k));
  c->raised = PyErr_Occurred() != NULL;
  Py_XDECREF(forces);
  Py_XDECREF(found);
  PyGILState_Release(lock);
  return c->raised ? mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the controller raised an exception")
                   : MW_OK;
}

// model_simulate(model, scenario, path, rom, step, controller, file) -> event, warnings, notes
static PyObject *model_simulate(PyObject *self, PyObject *args)
{
  PyObject *model, *rom;
  const char *name, *path, *file;
  mw_path_opt opt = { 0 };
  controller own = { 0 };
  const mw_controller by = { control, &own };
  (void)self;
  if (!PyArg_ParseTuple(args, "OssOdOs", &model, &name, &path, &rom, &opt.step, &own.call, &file))
    return NULL;
  const mw_case *c = model_of(model);
  if (!c) return NULL;
  own.n = c->model.n_drive;
  if (own.call != Py_None) opt.controller = &by;
  const mw_rom_file *f = rom == Py_None ? NULL : PyCapsule_GetPointer(rom, ROM);
  if (rom != Py_None && !f) return NULL;
  const mw_scenario *sc;
  mw_error err = { 0 };
  mw_run run;
  mw_rom_file of_model = { 0 };  // f with the model's damping, friction and stops; borrows the rest
  mw_code rc = mw_scenario_find(&c->model, name, &sc, &err);
  if (rc == MW_OK && f) rc = mw_rom_file_match(f, &c->model, "the reduced model", &err);
  if (rc == MW_OK && f) {
    of_model = *f;
    of_model.mem = (mw_arena){ 0 };
    opt.rom = &of_model;
    rc = mw_rom_file_laws(&c->mech, &of_model, &err);
  }
  if (rc != MW_OK) {
    mw_arena_free(&of_model.mem);
    return raise_error(&err);
  }
  mw_blas_threads before = mw_blas_serial();
  Py_BEGIN_ALLOW_THREADS
  rc = mw_path_run(c, sc, path, &opt, &run, &err);
  Py_END_ALLOW_THREADS
  mw_blas_restore(before);
  if (rc != MW_OK) {
    mw_arena_free(&of_model.mem);
    return own.raised ? NULL : raise_error(&err);
  }
  rc = mw_run_write(&run, file, &err);
  PyObject *result = rc != MW_OK
                         ? raise_error(&err)
                         : Py_BuildValue("(zNN)", run.event, text_list(run.n_warning, run.warning),
                                         text_list(run.n_note, run.note));
  mw_run_free(&run);
  mw_arena_free(&of_model.mem);
  return result;
}

// ---- reduced models -----------------------------------------------------------------------------

static void rom_close(PyObject *capsule)
{
  mw_rom_file *f = PyCapsule_GetPointer(capsule, ROM);
  mw_rom_file_free(f);
  free(f);
}

static mw_rom_file *rom_of(PyObject *o) { return PyCapsule_GetPointer(o, ROM); }

// The reduced model that was read or made, or its error.
static PyObject *rom_wrap(mw_rom_file *f, mw_code rc, const mw_error *err)
{
  if (rc == MW_OK) return PyCapsule_New(f, ROM, rom_close);
  free(f);
  return raise_error(err);
}

// rom_open(path)
static PyObject *rom_open(PyObject *self, PyObject *args)
{
  const char *path;
  (void)self;
  if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
  mw_rom_file *f = calloc(1, sizeof *f);
  if (!f) return PyErr_NoMemory();
  mw_error err = { 0 };
  mw_code rc = mw_rom_file_read(path, f, &err);
  return rom_wrap(f, rc, &err);
}

// rom_reduce(model, quiet)
static PyObject *rom_reduce(PyObject *self, PyObject *args)
{
  PyObject *model;
  int quiet;
  (void)self;
  if (!PyArg_ParseTuple(args, "Op", &model, &quiet)) return NULL;
  const mw_case *c = model_of(model);
  if (!c) return NULL;
  mw_rom_file *f = calloc(1, sizeof *f);
  if (!f) return PyErr_NoMemory();
  mw_progress progress = mw_progress_default(quiet != 0);
  mw_reduce_opt opt = { .progress = &progress };
  mw_error err = { 0 };
  mw_code rc;
  mw_blas_threads before = mw_blas_serial();
  Py_BEGIN_ALLOW_THREADS
  rc = mw_reduce(&c->model, &c->mech, &opt, f, &err);
  Py_END_ALLOW_THREADS
  mw_blas_restore(before);
  return rom_wrap(f, rc, &err);
}

// rom_write(rom, path)
static PyObject *rom_write(PyObject *self, PyObject *args)
{
  PyObject *o;
  const char *path;
  (void)self;
  if (!PyArg_ParseTuple(args, "Os", &o, &path)) return NULL;
  const mw_rom_file *f = rom_of(o);
  mw_error err = { 0 };
  if (!f) return NULL;
  if (mw_rom_file_write(f, path, &err) != MW_OK) return raise_error(&err);
  Py_RETURN_NONE;
}

// What info --json says of the certificate, as text.
static PyObject *certificate(const mw_rom_file *f)
{
  char *text = NULL;
  size_t n = 0;
  FILE *stream = open_memstream(&text, &n);
  if (!stream) return PyErr_NoMemory();
  mw_json j = { .f = stream };
  mw_json_object(&j, NULL);
  mw_certificate_json(&j, f);
  mw_json_end(&j, '}');
  PyObject *result =
      fclose(stream) == 0 ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)n) : PyErr_NoMemory();
  free(text);
  return result;
}

// rom_info(rom) -> m, model's name, coordinates, columns, fields, inputs, lo, hi, certificate
// (JSON), met
static PyObject *rom_info(PyObject *self, PyObject *o)
{
  const mw_rom_file *f = rom_of(o);
  (void)self;
  if (!f) return NULL;
  const mw_rom *r = &f->rom;
  return Py_BuildValue("(izNNNNNNNi)", r->m, f->model_name, text_list(r->s, f->coordinate),
                       text_list(r->m, f->column), text_list(r->n_y, f->field),
                       text_list(r->n_u, f->input), numbers(r->s, r->lo), numbers(r->s, r->hi),
                       certificate(f), mw_certificate_met(&f->certificate) ? 1 : 0);
}

// rom_frequencies(rom, theta, free, out)
static PyObject *rom_frequencies(PyObject *self, PyObject *args)
{
  PyObject *o, *theta, *out;
  int n_row, n, free_drives;
  buffers b = { .n = 0 };
  (void)self;
  if (!PyArg_ParseTuple(args, "OiOpiO", &o, &n_row, &theta, &free_drives, &n, &out)) return NULL;
  const mw_rom_file *f = rom_of(o);
  const double *t = f ? take(&b, theta, (Py_ssize_t)n_row * f->rom.s, false, "theta") : NULL;
  double *hz = t ? take(&b, out, (Py_ssize_t)n_row * n, true, "out") : NULL;
  mw_error err = { 0 };
  mw_code rc = MW_OK;
  for (int k = 0; hz && rc == MW_OK && k < n_row; k++)
    rc = mw_rom_frequencies(f, t + (size_t)k * (size_t)f->rom.s, free_drives != 0, n,
                            hz + (size_t)k * (size_t)n, &err);
  release(&b);
  if (!hz) return NULL;
  if (rc != MW_OK) return raise_error(&err);
  Py_RETURN_NONE;
}

// ---- online -------------------------------------------------------------------------------------

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
static PyObject *online_call(PyObject *self, PyObject *args)
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
  const mw_rom_file *f = rom_of(o);
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
  bool ok = (c.x = take(&b, x, c.n * (kind == STATIC ? r->s : 2 * (r->s + r->m)), false, "x")) &&
            (c.u = take(&b, u, c.n * r->n_u, false, "u")) &&
            (thdd == Py_None || (c.thdd = take(&b, thdd, c.n * r->s, false, "thdd")));
  for (int k = 0; ok && k < 3; k++)
    if (out[k] != Py_None && c.width[k] > 0)
      ok = (c.out[k] = take(&b, out[k], c.n * c.width[k], true, kind_of[kind].name)) != NULL;
  if (ok) ok = (c.call.work = scratch(mw_rom_sens_bytes(r))) != NULL;
  mw_rom_code code = MW_ROM_OK;
  Py_ssize_t failed = 0;
  if (ok) {
    Py_BEGIN_ALLOW_THREADS
    code = all_rows(&c, kind_of[kind].fn, &failed);
    Py_END_ALLOW_THREADS
  }
  free(c.call.work);
  release(&b);
  if (!ok) return NULL;
  if (code != MW_ROM_OK) return raise_code(code, failed, c.info.index);
  Py_RETURN_NONE;
}

// rollout(rom, first, n, n_all, n_step, h, prescribed, u, x, path or None, code, done): rows first
// … of n_all; code and done are arrays of C's int
static PyObject *rollout(PyObject *self, PyObject *args)
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
  const mw_rom_file *f = rom_of(o);
  if (!f) return NULL;
  const mw_rom *r = &f->rom;
  Py_ssize_t all = n_all, steps = n_step, state = 2 * (r->s + r->m);
  mw_rom_batch batch = { .n_step = n_step, .h = h };
  mw_rom_opt opt = mw_rom_opt_default();
  opt.prescribed = prescribed;
  if (first < 0 || n < 0 || first > n_all - n || n_step < 0)
    return PyErr_Format(PyExc_ValueError, "rollouts %d to %d of %d", first, first + n, n_all);
  bool ok = (batch.u = take(&b, u, all * steps * r->n_u, false, "u")) &&
            (batch.x = take(&b, x, all * state, true, "x")) &&
            (path == Py_None || (batch.path = take(&b, path, all * steps * state, true, "path")));
  PyObject *const given[2] = { code, done };
  for (; ok && n_int < 2; n_int++) {
    ok = PyObject_GetBuffer(given[n_int], &ints[n_int], PyBUF_WRITABLE) == 0;
    if (!ok) break;
    if (ints[n_int].len != all * (Py_ssize_t)sizeof(int)) {
      ok = false;
      PyErr_SetString(PyExc_ValueError, "code, done: expected an int a rollout");
    }
  }
  void *work = ok ? scratch(mw_rom_batch_bytes(r)) : NULL;
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
  release(&b);
  if (!ok) return NULL;
  Py_RETURN_NONE;
}

static PyObject *code_name(PyObject *self, PyObject *args)
{
  int code;
  (void)self;
  if (!PyArg_ParseTuple(args, "i", &code)) return NULL;
  return PyUnicode_FromString(mw_rom_code_name((mw_rom_code)code));
}

static PyMethodDef methods[] = {
  { "model_open", model_open, METH_VARARGS, NULL },
  { "model_names", model_names, METH_O, NULL },
  { "model_simulate", model_simulate, METH_VARARGS, NULL },
  { "rom_open", rom_open, METH_VARARGS, NULL },
  { "rom_reduce", rom_reduce, METH_VARARGS, NULL },
  { "rom_write", rom_write, METH_VARARGS, NULL },
  { "rom_info", rom_info, METH_O, NULL },
  { "rom_frequencies", rom_frequencies, METH_VARARGS, NULL },
  { "online", online_call, METH_VARARGS, NULL },
  { "rollout", rollout, METH_VARARGS, NULL },
  { "code_name", code_name, METH_VARARGS, NULL },
  { NULL, NULL, 0, NULL },
};

static struct PyModuleDef definition = {
  .m_base = PyModuleDef_HEAD_INIT, .m_name = "modeway._modeway", .m_size = -1, .m_methods = methods
};

PyMODINIT_FUNC PyInit__modeway(void);
PyMODINIT_FUNC PyInit__modeway(void)
{
  PyObject *m = PyModule_Create(&definition);
  if (m) (void)PyModule_AddStringConstant(m, "version", mw_version());
  return m;
}
