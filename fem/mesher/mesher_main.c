// SPDX-License-Identifier: BSD-3-Clause
// mesher_main.c: modeway-mesher: a CAD file becomes a mesh. A program of its own, because gmsh
// keeps global state, prints on standard output, may crash on a broken file, and is under the GPL;
// modeway starts
// it (fem/cad.c) and reads the lines it prints:
//
//   solids N · faces N · edges N · volume V · centre x y z · inertia xx yy zz xy xz yz
//   nodes N · elements N · mesh_volume V · straightened N                      m, m³, m⁵, a line
//                                                                              each
//
// volume, centre and inertia are left out where no CAD kernel knows them (a script without
// OpenCASCADE); the last line is that of a mesh alone. One error line on standard error:
// "modeway-mesher: error: ...".
#include <fcntl.h>
#include <gmshc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesher_priv.h"

#if defined(__SANITIZE_ADDRESS__) || defined(MW_MESHER_SANITIZE)
// what gmsh and OpenCASCADE keep until the process ends is not ours
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libgmsh\nleak:libTK\nleak:libstdc++\n";
}
#endif

// m NULL: without a mesh
static void print_facts(FILE *f, const cad *c, const mesh_facts *m)
{
  const double *I = c->inertia;
  fprintf(f, "solids %d\nfaces %d\nedges %d\n", c->n_solid, c->n_face, c->n_edge);
  if (c->known)
    fprintf(
        f, "volume %.17g\ncentre %.17g %.17g %.17g\ninertia %.17g %.17g %.17g %.17g %.17g %.17g\n",
        c->volume, c->centre[0], c->centre[1], c->centre[2], I[0], I[1], I[2], I[3], I[4], I[5]);
  if (m == NULL) return;
  fprintf(f, "nodes %d\nelements %d\nmesh_volume %.17g\nstraightened %d\n", m->n_node, m->n_elem,
          m->volume, m->n_straight);
}

// gmsh and OpenCASCADE print on descriptor 1: the results go to a copy of it, the chatter nowhere.
static FILE *keep_stdout(bool verbose)
{
  int copy = dup(STDOUT_FILENO);
  int sink = verbose ? dup(STDERR_FILENO) : open("/dev/null", O_WRONLY);
  if (copy < 0 || sink < 0 || dup2(sink, STDOUT_FILENO) < 0) return NULL;
  close(sink);
  return fdopen(copy, "w");
}

static mw_code run(job *j, FILE *out, mw_error *err)
{
  int ierr;
  cad c = { 0 };
  mesh_facts facts = { 0 };
  mw_code rc;
  // gmsh's window toolkit leaves a folder .fltk in a home that can be written
  (void)setenv("HOME", "/dev/null", 1);
  gmshInitialize(0, NULL, 0, &ierr);
  if (ierr) return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "gmsh does not start");
  gmshOptionSetNumber("General.Terminal", j->verbose ? 1 : 0, &ierr);
  gmshOptionSetNumber("General.NumThreads", 1, &ierr);
  gmshLoggerStart(&ierr);
  if (j->convert) {
    rc = cad_convert(j, err);
  } else {
    rc = cad_read(j, &c, err);
    if (rc == MW_OK) rc = cad_groups(j, &c, err);
    if (rc == MW_OK) rc = j->parts ? parts_write(j, &c, err) : mesh_build(j, &c, &facts, err);
    if (rc == MW_OK) print_facts(out, &c, j->parts ? NULL : &facts);
  }
  gmshLoggerStop(&ierr);
  gmshFinalize(&ierr);
  return rc;
}

int main(int argc, char **argv)
{
  job j = { 0 };
  mw_error err = { 0 };
  if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    job_print_help(stdout);
    return EXIT_SUCCESS;
  }
  if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
    puts("modeway-mesher " MW_VERSION " gmsh " GMSH_API_VERSION);
    return EXIT_SUCCESS;
  }
  mw_code rc = job_read(argc, argv, &j, &err);
  if (rc == MW_OK) {
    FILE *out = keep_stdout(j.verbose);
    if (out == NULL) rc = mw_fail(&err, MW_ERR_IO, MW_NOWHERE, "no standard output");
    if (rc == MW_OK) rc = run(&j, out, &err);
    if (out != NULL && fclose(out) != 0 && rc == MW_OK)
      rc = mw_fail(&err, MW_ERR_IO, MW_NOWHERE, "standard output cannot be written");
  }
  if (rc != MW_OK) fprintf(stderr, "modeway-mesher: error: %s\n", err.msg);
  mw_arena_free(&j.mem);
  return rc == MW_OK ? EXIT_SUCCESS : rc == MW_ERR_NUMERIC ? EXIT_FAILURE : 2;
}
