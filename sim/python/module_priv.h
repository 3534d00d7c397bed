// SPDX-License-Identifier: BSD-3-Clause
// module_priv.h: what the files of the module share: buffers of arguments, exceptions of calls.
#ifndef MW_SIM_PYTHON_MODULE_PRIV_H
#define MW_SIM_PYTHON_MODULE_PRIV_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdbool.h>

#include "reduction/romfile.h"
#include "rom/step.h"

enum { MAX_BUFFER = 8 };

typedef struct buffers {
  Py_buffer view[MAX_BUFFER];
  int n;
} buffers;

void py_release(buffers *b);
// Returns the doubles of an argument that holds `count` of them; NULL with an exception where it
// does not.
double *py_take(buffers *b, PyObject *o, Py_ssize_t count, bool writes, const char *what);
// Allocates the work memory of a call, freed by the caller; NULL with an exception.
void *py_scratch(size_t bytes);
// The reduced model of a capsule; NULL with an exception where it is none.
mw_rom_file *py_rom_of(PyObject *o);
// Raises the exception that err calls for; NULL.
PyObject *py_raise_error(const mw_error *err);
// Raises the exception of a call that failed on row `row`, because of index `index`; NULL.
PyObject *py_raise_code(mw_rom_code code, Py_ssize_t row, int index);

// Functions of the module.
PyObject *py_online(PyObject *self, PyObject *args);
PyObject *py_rollout(PyObject *self, PyObject *args);
PyObject *py_code_name(PyObject *self, PyObject *args);
PyObject *py_rom_ends(PyObject *self, PyObject *args);
PyObject *py_rom_frf(PyObject *self, PyObject *args);
PyObject *py_rom_export(PyObject *self, PyObject *args);

#endif
