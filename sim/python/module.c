// SPDX-License-Identifier: BSD-3-Clause
// module.c: modeway._modeway: models and reduced models for Python; their online calls are those of
// module_online.c.
//
// Models and reduced models are capsules; arrays come and go as contiguous buffers of doubles,
// whose sizes are checked here. modeway/__init__.py says what is what.
#include "module_priv.h"

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

PyObject *py_raise_error(const mw_error *err)
{
  static const char *const name[] = {
    [MW_ERR_INPUT] = "InputError",     [MW_ERR_MEMORY] = "Error",     [MW_ERR_IO] = "Error",
    [MW_ERR_NUMERIC] = "NumericError", [MW_ERR_RANGE] = "RangeError",
  };
  if (err->code == MW_ERR_MEMORY) return PyErr_NoMemory();
  return raise_named(name[err->code],
                     Py_BuildValue("(ssii)", err->msg, err->file, err->line, err->col));
}

PyObject *py_raise_code(mw_rom_code code, Py_ssize_t row, int index)
{
  char text[160];
  snprintf(text, sizeof text, "row %zd: %s (index %d)", row, mw_rom_code_name(code), index);
  bool numeric = code == MW_ROM_DIVERGED || code == MW_ROM_SINGULAR || code == MW_ROM_NAN;
  return raise_named(numeric ? "NumericError" : "RangeError",
                     Py_BuildValue("(ssii)", text, "", 0, 0));
}

// ---- buffers ------------------------------------------------------------------------------------

void py_release(buffers *b)
{
  while (b->n > 0) PyBuffer_Release(&b->view[--b->n]);
}

double *py_take(buffers *b, PyObject *o, Py_ssize_t count, bool writes, const char *what)
{
  Py_buffer *v = &b->view[b->n];
  if (PyObject_GetBuffer(o, v, writes ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0) return NULL;
  b->n++;
  if (v->len == count * (Py_ssize_t)sizeof(double)) return v->buf;
  PyErr_Format(PyExc_ValueError, "%s: found %zd numbers, expected %zd", what,
               v->len / (Py_ssize_t)sizeof(double), count);
  return NULL;
}

void *py_scratch(size_t bytes)
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
  return py_raise_error(&err);
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
  mw_rom_file of_model = { 0 };  // f with the model's laws and parameters; borrows the rest
  mw_code rc = mw_scenario_find(&c->model, name, &sc, &err);
  if (rc == MW_OK && f) rc = mw_rom_file_match(f, &c->model, "the reduced model", &err);
  if (rc == MW_OK && f) {
    opt.rom = &of_model;
    rc = mw_rom_file_view(f, &of_model, &err);
    if (rc == MW_OK) rc = mw_rom_file_laws(&c->mech, &of_model, &err);
    if (rc == MW_OK) rc = mw_rom_file_parameters(&c->model, &of_model, &err);
  }
  if (rc != MW_OK) {
    mw_arena_free(&of_model.mem);
    return py_raise_error(&err);
  }
  mw_blas_threads before = mw_blas_serial();
  Py_BEGIN_ALLOW_THREADS
  rc = mw_path_run(c, sc, path, &opt, &run, &err);
  Py_END_ALLOW_THREADS
  mw_blas_restore(before);
  if (rc != MW_OK) {
    mw_arena_free(&of_model.mem);
    return own.raised ? NULL : py_raise_error(&err);
  }
  rc = mw_run_write(&run, file, &err);
  PyObject *result = rc != MW_OK
                         ? py_raise_error(&err)
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

mw_rom_file *py_rom_of(PyObject *o) { return PyCapsule_GetPointer(o, ROM); }

// The reduced model that was read or made, or its error.
static PyObject *rom_wrap(mw_rom_file *f, mw_code rc, const mw_error *err)
{
  if (rc == MW_OK) return PyCapsule_New(f, ROM, rom_close);
  free(f);
  return py_raise_error(err);
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
  const mw_rom_file *f = py_rom_of(o);
  mw_error err = { 0 };
  if (!f) return NULL;
  if (mw_rom_file_write(f, path, &err) != MW_OK) return py_raise_error(&err);
  Py_RETURN_NONE;
}

// rom_parameters(rom) -> {name: (value, lo, hi)}
static PyObject *rom_parameters(PyObject *self, PyObject *o)
{
  const mw_rom_file *f = py_rom_of(o);
  (void)self;
  PyObject *all = f ? PyDict_New() : NULL;
  for (int k = 0; all && k < f->n_parameter; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    PyObject *is = Py_BuildValue("(ddd)", p->value, p->lo, p->hi);
    if (!is || PyDict_SetItemString(all, p->name, is) != 0) Py_CLEAR(all);
    Py_XDECREF(is);
  }
  return all;
}

// rom_set_parameter(rom, index, value): no other call may use rom meanwhile
static PyObject *rom_set_parameter(PyObject *self, PyObject *args)
{
  PyObject *o;
  int k;
  double value;
  (void)self;
  if (!PyArg_ParseTuple(args, "Oid", &o, &k, &value)) return NULL;
  mw_rom_file *f = py_rom_of(o);
  mw_error err = { 0 };
  if (!f) return NULL;
  if (mw_rom_set_parameter(f, k, value, &err) != MW_OK) return py_raise_error(&err);
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
  const mw_rom_file *f = py_rom_of(o);
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
  const mw_rom_file *f = py_rom_of(o);
  const double *t = f ? py_take(&b, theta, (Py_ssize_t)n_row * f->rom.s, false, "theta") : NULL;
  double *hz = t ? py_take(&b, out, (Py_ssize_t)n_row * n, true, "out") : NULL;
  mw_error err = { 0 };
  mw_code rc = MW_OK;
  for (int k = 0; hz && rc == MW_OK && k < n_row; k++)
    rc = mw_rom_frequencies(f, t + (size_t)k * (size_t)f->rom.s, free_drives != 0, n,
                            hz + (size_t)k * (size_t)n, &err);
  py_release(&b);
  if (!hz) return NULL;
  if (rc != MW_OK) return py_raise_error(&err);
  Py_RETURN_NONE;
}

// ---- the module --------------------------------------------------------------------------------

static PyMethodDef methods[] = {
  { "model_open", model_open, METH_VARARGS, NULL },
  { "model_names", model_names, METH_O, NULL },
  { "model_simulate", model_simulate, METH_VARARGS, NULL },
  { "rom_open", rom_open, METH_VARARGS, NULL },
  { "rom_reduce", rom_reduce, METH_VARARGS, NULL },
  { "rom_write", rom_write, METH_VARARGS, NULL },
  { "rom_info", rom_info, METH_O, NULL },
  { "rom_parameters", rom_parameters, METH_O, NULL },
  { "rom_set_parameter", rom_set_parameter, METH_VARARGS, NULL },
  { "rom_frequencies", rom_frequencies, METH_VARARGS, NULL },
  { "rom_ends", py_rom_ends, METH_VARARGS, NULL },
  { "rom_frf", py_rom_frf, METH_VARARGS, NULL },
  { "rom_export", py_rom_export, METH_VARARGS, NULL },
  { "online", py_online, METH_VARARGS, NULL },
  { "rollout", py_rollout, METH_VARARGS, NULL },
  { "code_name", py_code_name, METH_VARARGS, NULL },
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
