// SPDX-License-Identifier: BSD-3-Clause
// module_export.c: what Python asks of a reduced model as a whole: frequency responses, sources for
// other programs.
#include <stdlib.h>
#include <string.h>

#include "export/export_layer.h"
#include "module_priv.h"
#include "sim/frf.h"

// Raises the error, releases what a call holds; NULL.
static PyObject *fail(const mw_error *err, mw_arena *mem, buffers *b)
{
  mw_arena_free(mem);
  py_release(b);
  return py_raise_error(err);
}

// The names of ends, as a list.
static PyObject *end_names(int n, const mw_frf_end *end)
{
  PyObject *list = PyList_New(0);
  for (int k = 0; list && k < n; k++) {
    PyObject *name = PyUnicode_FromString(end[k].name);
    if (!name || PyList_Append(list, name) != 0) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  return list;
}

// rom_ends(rom, what, text) -> names of the ends that a text says
PyObject *py_rom_ends(PyObject *self, PyObject *args)
{
  PyObject *o;
  const char *what, *text;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  buffers b = { .n = 0 };
  mw_frf_end *end;
  int n;
  (void)self;
  if (!PyArg_ParseTuple(args, "Oss", &o, &what, &text)) return NULL;
  const mw_rom_file *f = py_rom_of(o);
  if (!f) return NULL;
  if (mw_frf_ends(f, what, text, &mem, &n, &end, &err) != MW_OK) return fail(&err, &mem, &b);
  PyObject *names = end_names(n, end);
  mw_arena_free(&mem);
  return names;
}

// rom_frf(rom, to, from, kind, held, rows, theta, n_hz, hz, out): of each row of theta the
// responses [n_to × n_from × 2 × n_hz] of mw_frf_at
PyObject *py_rom_frf(PyObject *self, PyObject *args)
{
  PyObject *o, *theta, *hz, *out;
  const char *to, *from;
  int kind, rows;
  mw_frf_in in = { 0 };
  mw_frf_end *end_to, *end_from;
  mw_frf *w = NULL;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  buffers b = { .n = 0 };
  (void)self;
  if (!PyArg_ParseTuple(args, "OssiIiOiOO", &o, &to, &from, &kind, &in.held, &rows, &theta,
                        &in.n_hz, &hz, &out))
    return NULL;
  const mw_rom_file *f = py_rom_of(o);
  if (!f) return NULL;
  mw_code rc = mw_frf_ends(f, "to", to, &mem, &in.n_to, &end_to, &err);
  if (rc == MW_OK) rc = mw_frf_ends(f, "from_", from, &mem, &in.n_from, &end_from, &err);
  if (rc != MW_OK) return fail(&err, &mem, &b);
  in.to = end_to, in.from = end_from, in.kind = (mw_frf_kind)kind;
  Py_ssize_t n = (Py_ssize_t)in.n_to * in.n_from * 2 * in.n_hz;
  const double *at = py_take(&b, theta, (Py_ssize_t)rows * f->rom.s, false, "theta");
  in.hz = at ? py_take(&b, hz, in.n_hz, false, "hz") : NULL;
  double *H = in.hz ? py_take(&b, out, rows * n, true, "out") : NULL;
  if (!H) {
    mw_arena_free(&mem);
    py_release(&b);
    return NULL;
  }
  rc = mw_frf_open(f, &in, &w, &err);
  for (int k = 0; rc == MW_OK && k < rows; k++)
    rc = mw_frf_at(w, at + (size_t)k * (size_t)f->rom.s, H + k * n, &err);
  mw_frf_close(w);
  if (rc != MW_OK) return fail(&err, &mem, &b);
  mw_arena_free(&mem);
  py_release(&b);
  Py_RETURN_NONE;
}

typedef mw_code (*writer)(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                          mw_arena *mem, mw_export_list *list, mw_error *err);

static writer writer_of(const char *to)
{
  static const struct {
    const char *to;
    writer write;
  } known[] = { { "c", mw_export_c },           { "casadi", mw_export_casadi },
                { "acados", mw_export_acados }, { "table", mw_export_table },
                { "wasm", mw_export_wasm },     { "matlab", mw_export_matlab } };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcmp(to, known[k].to) == 0) return known[k].write;
  return NULL;
}

// rom_export(rom, to, folder, name, step) -> prefix, files; parameters as rom has them
PyObject *py_rom_export(PyObject *self, PyObject *args)
{
  PyObject *o;
  const char *to, *folder;
  mw_export_opt opt = mw_export_opt_default();
  mw_export_list list = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  buffers b = { .n = 0 };
  mw_code rc;
  (void)self;
  if (!PyArg_ParseTuple(args, "Osszd", &o, &to, &folder, &opt.name, &opt.step)) return NULL;
  const mw_rom_file *f = py_rom_of(o);
  if (!f) return NULL;
  writer write = writer_of(to);
  if (!write)
    return PyErr_Format(PyExc_ValueError, "to: found %s, expected c, casadi, acados, table or wasm",
                        to);
  Py_BEGIN_ALLOW_THREADS
  rc = write(f, &opt, folder, &mem, &list, &err);
  Py_END_ALLOW_THREADS
  if (rc != MW_OK) return fail(&err, &mem, &b);
  PyObject *files = PyList_New(0);
  for (int k = 0; files && k < list.n; k++) {
    PyObject *file = PyUnicode_FromString(list.file[k]);
    if (!file || PyList_Append(files, file) != 0) Py_CLEAR(files);
    Py_XDECREF(file);
  }
  PyObject *result = files ? Py_BuildValue("(sN)", list.name, files) : NULL;
  mw_arena_free(&mem);
  return result;
}
