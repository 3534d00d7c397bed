// SPDX-License-Identifier: BSD-3-Clause
// fixture_cad.c: CAD files for tests.
#include "fixture_cad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int fixture_cad_begin(void)
{
  fixture_cad_end();
  return mkdir(FIXTURE_CAD, 0777) != 0 || setenv("MODEWAY_CACHE", FIXTURE_CAD "/cache", 1) != 0 ||
         setenv("MODEWAY_MESHER", MW_MESHER, 1) != 0;
}

void fixture_cad_end(void)
{
  if (system("rm -rf " FIXTURE_CAD) != 0) printf(FIXTURE_CAD " cannot be removed\n");
}

int fixture_cad_write(const char *path, const char *text)
{
  FILE *f = fopen(path, "wb");
  if (f == NULL) return 1;
  bool okay = fputs(text, f) >= 0;
  return fclose(f) != 0 || !okay;
}

int fixture_cad_step(const char *name, const char *script)
{
  char geo[256], text[4096], command[1024];
  snprintf(geo, sizeof geo, FIXTURE_CAD "/%s.geo", name);
  snprintf(text, sizeof text, "SetFactory(\"OpenCASCADE\");\n%s", script);
  snprintf(command, sizeof command, "'" MW_MESHER "' %s -o " FIXTURE_CAD "/%s.step", geo, name);
  return fixture_cad_write(geo, text) != 0 || system(command) != 0;
}

char *fixture_cad_load(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  long size = -1;
  *n = 0;
  if (f == NULL) return NULL;
  if (fseek(f, 0, SEEK_END) == 0) size = ftell(f);
  if (size >= 0 && fseek(f, 0, SEEK_SET) == 0) text = calloc((size_t)size + 1, 1);
  if (text != NULL) *n = fread(text, 1, (size_t)size, f);
  fclose(f);
  return text;
}

int fixture_cad_replace(const char *path, const char *what, const char *with)
{
  size_t n;
  int count = 0;
  char *text = fixture_cad_load(path, &n), *p = text, *hit;
  FILE *f = text ? fopen(path, "wb") : NULL;
  while (f != NULL && (hit = strstr(p, what)) != NULL) {
    fwrite(p, 1, (size_t)(hit - p), f);
    fputs(with, f);
    p = hit + strlen(what);
    count++;
  }
  if (f != NULL) fputs(p, f);
  if (f == NULL || fclose(f) != 0) count = -1;
  free(text);
  return count;
}

void fixture_cad_init(fixture_cad *c, const char *file, double size)
{
  memset(c, 0, sizeof *c);
  fixture_init(&c->f);
  c->cad = (mw_cad_in){ .file = file,
                        .at = { "model.yaml", 7, 5 },
                        .size = size,
                        .order = 2,
                        .group = c->group,
                        .refine = c->refine };
  c->f.body.cad = &c->cad;
}

mw_cad_group_in *fixture_cad_group(fixture_cad *c, const char *name, int dim, double x, double y,
                                   double z)
{
  mw_cad_group_in *g = &c->group[c->cad.n_group];
  int line = 10 + c->cad.n_group++;
  *g = (mw_cad_group_in){
    .name = name, .at = { "model.yaml", line, 9 }, .dim = dim, .x = { x, y, z }
  };
  return g;
}

mw_code fixture_cad_mesh(fixture_cad *c, mw_arena *mem, mw_mesh *mesh, mw_cad_props *props,
                         mw_error *err)
{
  const char *path = NULL;
  mw_code rc = mw_cad_mesh(&c->f.body, mem, &path, props, err);
  if (rc == MW_OK) rc = mw_mesh_read(path, 1.0, mem, mesh, err);
  return rc == MW_OK ? mw_mesh_check(mesh, err) : rc;
}

const mw_mesh_set *fixture_cad_set(const mw_mesh *mesh, const char *name)
{
  for (int k = 0; k < mesh->n_set; k++)
    if (strcmp(mesh->set[k].name, name) == 0) return &mesh->set[k];
  return NULL;
}
