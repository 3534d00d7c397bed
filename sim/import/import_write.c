// SPDX-License-Identifier: BSD-3-Clause
// import_write.c: the model file of what was imported. Numbers in as few digits
// as give the same double back.
#include <stdlib.h>
#include <string.h>

#include "import_priv.h"

static void number(FILE *f, double x)
{
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x + 0.0);
    if (strtod(text, NULL) == x) break;
  }
  fputs(text, f);
}

static void list(FILE *f, const char *key, const double *x, int n)
{
  fprintf(f, "%s: [", key);
  for (int k = 0; k < n; k++) {
    if (k > 0) fputs(", ", f);
    number(f, x[k]);
  }
  fputc(']', f);
}

static bool is_zero(const double *x, int n)
{
  for (int k = 0; k < n; k++)
    if (x[k] != 0.0) return false;
  return true;
}

// In double quotes.
static void quoted(FILE *f, const char *s)
{
  fputc('"', f);
  for (; *s != '\0'; s++) {
    if (*s == '"' || *s == '\\') fputc('\\', f);
    fputc((unsigned char)*s < 0x20 ? ' ' : *s, f);
  }
  fputc('"', f);
}

static void write_frames(FILE *f, const import_model *m, int b)
{
  bool any = false;
  for (int k = 0; k < m->n_frame; k++) {
    const import_frame *p = &m->frame[k];
    if (p->body != b) continue;
    if (!any) fputs("    frames:\n", f);
    any = true;
    fprintf(f, "      %s: { ", p->name);
    list(f, "point", p->x, 3);
    fputs(" }\n", f);
  }
}

static void write_body(FILE *f, const import_model *m, int b)
{
  const import_body *p = &m->body[b];
  const double *R = p->place.R, x[3] = { R[0], R[3], R[6] }, y[3] = { R[1], R[4], R[7] };
  bool unphysical = false;
  fprintf(f, "  %s:", p->name);
  if (p->comment) fprintf(f, "  # %s", p->comment);
  fputc('\n', f);
  if (p->ground) fputs("    ground: true\n", f);
  if (!is_zero(p->place.x, 3)) {
    fputs("    ", f);
    list(f, "at", p->place.x, 3);
    fputc('\n', f);
  }
  if (memcmp(R, import_here.R, sizeof import_here.R) != 0) {
    fputs("    axes: { ", f);
    list(f, "x", x, 3);
    fputs(", ", f);
    list(f, "y", y, 3);
    fputs(" }\n", f);
  }
  if (p->mass.m > 0.0) {
    fputs("    rigid: { mass: ", f);
    number(f, p->mass.m);
    if (!is_zero(p->mass.com, 3)) {
      fputs(", ", f);
      list(f, "com", p->mass.com, 3);
    }
    fputs(", ", f);
    list(f, "inertia", p->mass.inertia, 6);
    // checked where it was read
    if (import_mass_check(&p->mass, "", p->at, &unphysical, NULL) == MW_OK && unphysical)
      fputs(", unphysical_inertia: true", f);
    fputs(" }\n", f);
  }
  write_frames(f, m, b);
}

// body, or body.frame
static void write_ref(FILE *f, const import_model *m, const char *key, int body, const char *frame)
{
  fprintf(f, "%s: %s%s%s", key, m->body[body].name, frame ? "." : "", frame ? frame : "");
}

static void write_joint(FILE *f, const import_model *m, const import_joint *j)
{
  fprintf(f, "  %s:\n    %s: { ", j->name, j->kind);
  write_ref(f, m, "a", j->a, j->frame_a);
  fputs(", ", f);
  write_ref(f, m, "b", j->b, j->frame_b);
  if (j->hold) {
    fputs(", ", f);
    list(f, "z", j->axis, 3);
    fputs(", ", f);
    list(f, "x", j->across, 3);
    fprintf(f, ", hold: [%s]", j->hold);
  } else if (!is_zero(j->axis, 3)) {
    fputs(", ", f);
    list(f, strcmp(j->kind, "planar") == 0 ? "normal" : "axis", j->axis, 3);
  }
  if (!is_zero(j->axis_b, 3)) {
    fputs(", ", f);
    list(f, "axis_b", j->axis_b, 3);
  }
  fputs(" }\n", f);
  if (!j->coordinate) return;
  fprintf(f, "    coordinate: %s\n    drive: %s\n", j->name, j->name);
  if (j->damping > 0.0) {
    fputs("    damping: ", f);
    number(f, j->damping);
    fputc('\n', f);
  }
  if (j->friction > 0.0) {
    fputs("    drive_friction: { coulomb: ", f);
    number(f, j->friction);
    fputs(" }\n", f);
  }
  const double range[2] = { j->lo, j->hi };
  if (j->limited) {
    fputs("    ", f);
    list(f, "limits", range, 2);
    fputc('\n', f);
  }
}

static void write_spring(FILE *f, const import_joint *j)
{
  fprintf(f, "  %s_spring: { coordinate: %s, stiffness: ", j->name, j->name);
  number(f, j->stiffness);
  fputs(", free: ", f);
  number(f, j->free);
  fputs(" }\n", f);
}

// Springs of coordinates; bodies that no joint holds fly: a force of zero says
// that this is meant.
static void write_forces(FILE *f, const import_model *m)
{
  bool any = false;
  for (int k = 0; k < m->n_joint; k++) {
    const import_joint *j = &m->joint[k];
    if (!j->coordinate || !(j->stiffness > 0.0)) continue;
    fputs(any ? "" : "\nforces:\n", f);
    any = true;
    write_spring(f, j);
  }
  for (int b = 0; b < m->n_body; b++) {
    bool joined = m->body[b].ground;
    for (int j = 0; j < m->n_joint; j++)
      joined = joined || m->joint[j].a == b || m->joint[j].b == b;
    if (joined) continue;
    fputs(any ? "" : "\nforces:\n", f);
    any = true;
    fprintf(f, "  %s_flies: { point: { on: %s, direction: [0, 0, 1] }, force: 0 }\n",
            m->body[b].name, m->body[b].name);
  }
}

// Ends of chains.
static void write_outputs(FILE *f, const import_model *m)
{
  bool any = false;
  for (int b = 0; b < m->n_body; b++) {
    bool end = !m->body[b].ground;
    for (int j = 0; j < m->n_joint; j++) end = end && m->joint[j].a != b;
    if (!end) continue;
    fputs(any ? "" : "\noutputs:\n", f);
    any = true;
    fprintf(f, "  %s: { body: %s }\n", m->body[b].name, m->body[b].name);
  }
}

// Let go where it stands; coordinates start within their limits.
static void write_scenario(FILE *f, const import_model *m)
{
  bool any = false;
  fputs("\nscenarios:\n  released:  # no force of any drive\n    duration: 1\n "
        "   initial: undeformed\n",
        f);
  for (int k = 0; k < m->n_joint; k++) {
    const import_joint *j = &m->joint[k];
    if (!j->coordinate || !j->limited || (j->lo <= 0.0 && j->hi >= 0.0)) continue;
    fputs(any ? ", " : "    start: { ", f);
    any = true;
    fprintf(f, "%s: ", j->name);
    number(f, 0.5 * (j->lo + j->hi));
  }
  if (any) fputs(" }\n", f);
}

static void write_model(FILE *f, const import_model *m)
{
  fputs("# Made by modeway import.\n", f);
  if (m->head) fputs(m->head, f);
  fputs("modeway: 1\nname: ", f);
  quoted(f, m->name);
  fputc('\n', f);
  list(f, "gravity", m->gravity, 3);
  fputs("\n\nbodies:\n", f);
  for (int b = 0; b < m->n_body; b++) write_body(f, m, b);
  if (m->n_joint > 0) fputs("\njoints:\n", f);
  for (int j = 0; j < m->n_joint; j++) write_joint(f, m, &m->joint[j]);
  if (m->tail) {
    fputs(m->tail, f);
    return;
  }
  write_forces(f, m);
  write_outputs(f, m);
  write_scenario(f, m);
}

const char *import_text(const import_model *m)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) return NULL;
  write_model(f, m);
  bool okay = fclose(f) == 0;
  const char *kept = okay ? mw_arena_str(m->mem, text) : NULL;
  free(text);
  if (!kept) m->mem->failed = 1;
  return kept;
}
