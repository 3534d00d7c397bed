// SPDX-License-Identifier: BSD-3-Clause
// check_print.c: what modeway check found, as text and as JSON.
#include <math.h>
#include <string.h>

#include "check/check_layer.h"
#include "cmd_layer.h"
#include "fem/cad.h"
#include "fem/joint.h"
#include "verdict/wholetext_layer.h"

// Rows of a joint that hold something; *elastic: those of them with a stiffness.
static int rows_of(const mw_joint *j, int *elastic)
{
  int n = 0;
  *elastic = 0;
  for (int i = 0; i < j->n_list; i++) {
    int rows = j->list[i].kind == MW_ROW_POINT ? 3 : 1;
    n += rows;
    if (isfinite(j->list[i].k)) *elastic += rows;
  }
  return n + mw_joint_class_of(j->in)->n_own;
}

// A drive's coordinate inside of a component has its rows there, where nobody counts them.
static const char *kind_of(const mw_mech *m, int joint)
{
  return mw_model_component_inside(m->model, joint) ? "inside"
                                                    : mw_joint_key(m->joint[joint].in->kind);
}

static void json_notes(mw_json *j, const mw_mech *m, int joint)
{
  char text[256];
  mw_json_array(j, "notes");
  for (int k = 0; mw_slide_note(m, joint, k, text, sizeof text); k++) mw_json_str(j, NULL, text);
  mw_json_end(j, ']');
}

static void json_joints(mw_json *j, const mw_mech *m, const mw_check *r)
{
  mw_json_array(j, "joints");
  for (int k = 0; k < m->n_joint; k++) {
    const mw_joint *joint = &m->joint[k];
    int elastic, rows = rows_of(joint, &elastic);
    mw_json_object(j, NULL);
    mw_json_str(j, "name", joint->name);
    mw_json_str(j, "kind", kind_of(m, k));
    mw_json_str(j, "a", m->body[joint->a].name);
    mw_json_str(j, "b", m->body[joint->b].name);
    mw_json_num(j, "rows", rows);
    mw_json_num(j, "elastic", elastic);
    mw_json_num(j, "redundant", r->redundant[k]);
    if (joint->coord >= 0) {
      mw_json_str(j, "coordinate", mw_mech_coord_name(m, joint->coord));
      mw_json_num(j, "value", r->s[joint->coord]);
    }
    char text[256];
    if (mw_joint_warning(m, k, r->ripple ? &r->ripple[k] : NULL, text, sizeof text))
      mw_json_str(j, "warning", text);
    if (r->ripple && r->ripple[k].share > 0.0) mw_json_num(j, "ripple", r->ripple[k].share);
    if (joint->in->kind == MW_JOINT_SLIDE) json_notes(j, m, k);
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
}

static void json_assembled(mw_json *j, const mw_mech *m, const mw_check *r)
{
  mw_json_object(j, "assembled");
  mw_json_num(j, "moved_m", r->moved);
  mw_json_num(j, "turned_rad", r->turned);
  mw_json_array(j, "bodies");
  for (int b = 0; b < m->n_body; b++) {
    mw_json_object(j, NULL);
    mw_json_str(j, "name", m->body[b].name);
    mw_json_array(j, "at");
    for (int i = 0; i < 3; i++) mw_json_num(j, NULL, r->p[12 * b + i]);
    mw_json_end(j, ']');
    mw_json_array(j, "axes");
    for (int i = 0; i < 9; i++) mw_json_num(j, NULL, r->p[12 * b + 3 + i]);
    mw_json_end(j, ']');
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
  mw_json_end(j, '}');
}

static void json_numbers(mw_json *j, const char *key, int n, const double *x)
{
  mw_json_array(j, key);
  for (int i = 0; i < n; i++) mw_json_num(j, NULL, x[i]);
  mw_json_end(j, ']');
}

// Numbers that are not known are left out.
static void json_known(mw_json *j, const char *key, double x)
{
  if (isfinite(x)) mw_json_num(j, key, x);
}

static void json_elements(mw_json *j, const mw_body_report *r)
{
  mw_json_object(j, "elements");
  if (r->n_beam > 0) mw_json_num(j, "beam", r->n_beam);
  for (int k = 0; k < MW_ELEM_KINDS; k++)
    if (r->n_elem[k] > 0) mw_json_num(j, mw_elem_info_of((mw_elem_kind)k)->name, r->n_elem[k]);
  mw_json_end(j, '}');
  if (r->quality_elem >= 0) {
    mw_json_object(j, "worst_element");
    mw_json_num(j, "number", r->quality_elem);
    mw_json_num(j, "quality", r->quality);
    json_numbers(j, "at", 3, r->quality_x);
    mw_json_end(j, '}');
  }
  mw_json_num(j, "coincident_nodes", r->n_coincident);
}

static void json_zero(mw_json *j, const mw_zero_modes *z)
{
  if (!z->done) return;
  mw_json_object(j, "zero_modes");
  mw_json_num(j, "found", z->found);
  mw_json_num(j, "expected", z->expected);
  json_known(j, "lowest_hz", z->lowest_hz);
  json_known(j, "condition", z->condition);
  if (z->node >= 0) {
    mw_json_num(j, "node", z->node);
    json_numbers(j, "at", 3, z->x);
  }
  mw_json_end(j, '}');
}

static void json_body(mw_json *j, const mw_body *b, const mw_body_report *r)
{
  char text[256];
  mw_json_object(j, NULL);
  mw_json_str(j, "name", b->name);
  mw_json_num(j, "mass_kg", b->m);
  json_numbers(j, "com", 3, r->com);
  json_numbers(j, "inertia", 6, r->inertia);
  mw_json_num(j, "unknowns", b->n_u);
  mw_json_num(j, "rigid_residual", r->rigid_residual);
  if (r->reference != MW_REFERENCE_NONE) {
    mw_json_object(j, "reference");
    mw_json_str(j, "source", r->reference == MW_REFERENCE_CAD ? "cad" : "expected");
    json_known(j, "mass", r->d_mass);
    json_known(j, "com", r->d_com);
    json_known(j, "inertia", r->d_inertia);
    mw_json_end(j, '}');
  }
  if (b->cad) mw_json_num(j, "straightened", b->cad->n_straight);
  if (b->n_u > 0) {
    json_elements(j, r);
    json_zero(j, &r->zero);
    mw_json_array(j, "warnings");
    for (int k = 0; mw_body_warning(b, r, k, text, sizeof text); k++) mw_json_str(j, NULL, text);
    mw_json_end(j, ']');
  }
  mw_json_end(j, '}');
}

static void json_components(mw_json *j, const mw_model *m)
{
  if (m->n_component == 0) return;
  mw_json_array(j, "components");
  for (int k = 0; k < m->n_component; k++) {
    const mw_component_use *u = &m->component[k];
    mw_json_object(j, NULL);
    mw_json_str(j, "name", u->name);
    mw_json_str(j, "file", u->file);
    mw_json_str(j, "made_from", u->hash);
    mw_json_num(j, "frames", u->size.n_frame);
    mw_json_num(j, "ports", u->size.n_port);
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
  mw_parts_json(m, j);
}

static void json_structure(mw_json *j, const mw_rigid_structure *o)
{
  mw_json_object(j, "structure");
  mw_json_num(j, "nodes", o->n);
  mw_json_num(j, "groups", o->n_group);
  mw_json_num(j, "blocks", o->n_block);
  mw_json_num(j, "fill", o->n_fill);
  mw_json_num(j, "entries", (double)o->entries);
  mw_json_num(j, "fill_entries", (double)o->fill_entries);
  mw_json_end(j, '}');
}

// Friction in proportion to reactions beside redundant rows; false: there is none.
static bool friction_unsure(const mw_mech *m, const mw_check *r, char *text, size_t n)
{
  const mw_joint_in *first = NULL;
  int rows = 0, rub = 0;
  for (int k = 0; k < m->n_joint; k++) {
    rows += r->redundant[k];
    if (!m->model->joint[k].friction.present) continue;
    rub++;
    if (!first) first = &m->model->joint[k];
  }
  if (rows == 0 || !first) return false;
  snprintf(
      text, n,
      "friction of joint %.48s%s follows its reaction: not unique where redundant rows share it",
      first->name, rub > 1 ? " and others" : "");
  return true;
}

void mw_check_print_json(const mw_mech *m, const mw_check *r)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "name", m->model->name);
  mw_json_num(&j, "mass_kg", r->mass);
  mw_json_num(&j, "unknowns", mw_mech_unknowns(m));
  mw_json_num(&j, "mobility", r->mobility);
  char text[256];
  if (mw_gravity_warning(m->model, text, sizeof text)) mw_json_str(&j, "warning", text);
  if (friction_unsure(m, r, text, sizeof text)) mw_json_str(&j, "friction", text);
  if (r->structure) json_structure(&j, r->structure);
  mw_json_array(&j, "redundant");
  for (int k = 0; k < m->n_joint; k++) {
    if (r->redundant[k] == 0) continue;
    mw_json_object(&j, NULL);
    mw_json_str(&j, "joint", m->joint[k].name);
    mw_json_num(&j, "rows", r->redundant[k]);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  json_joints(&j, m, r);
  if (r->unjudged[0]) mw_json_str(&j, "unjudged", r->unjudged);
  if (m->model->assemble) json_assembled(&j, m, r);
  mw_json_array(&j, "scenarios");
  for (int k = 0; k < m->model->n_scenario; k++) {
    if (!r->loop[k].unstable && !r->loop[k].unjudged) continue;
    mw_json_object(&j, NULL);
    mw_json_str(&j, "name", m->model->scenario[k].name);
    if (r->loop[k].unstable) mw_json_str(&j, "warning", r->loop[k].unstable);
    if (r->loop[k].unjudged) mw_json_str(&j, "unjudged", r->loop[k].unjudged);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  json_components(&j, m->model);
  mw_json_array(&j, "bodies");
  for (int b = 0; b < m->n_body; b++)
    if (!mw_model_component_of(m->model, b)) json_body(&j, &m->body[b], &r->body[b]);
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

static int wider(int width, const char *text)
{
  int n = (int)strlen(text);
  return n > width ? n : width;
}

static void text_joints(const mw_mech *m, const mw_check *r)
{
  int w = 16, w_pair = 28;
  for (int k = 0; k < m->n_joint; k++) {
    const mw_joint *j = &m->joint[k];
    int pair = wider(0, m->body[j->a].name) + 2 + wider(0, m->body[j->b].name);
    w = wider(w, j->name);
    if (pair > w_pair) w_pair = pair;
  }
  printf("\n%-*s %-12s %-*s %5s %9s  %s\n", w, "joint", "kind", w_pair, "bodies", "rows",
         "redundant", "coordinate");
  for (int k = 0; k < m->n_joint; k++) {
    const mw_joint *j = &m->joint[k];
    char coordinate[160] = "";
    int elastic, rows = rows_of(j, &elastic), rest;
    rest = w_pair - wider(0, m->body[j->a].name) - 2;
    if (j->coord >= 0)
      snprintf(coordinate, sizeof coordinate, "%.120s = %.6g %s", mw_mech_coord_name(m, j->coord),
               r->s[j->coord], mw_joint_unit(j->in));
    printf("%-*s %-12s %s, %-*s ", w, j->name, kind_of(m, k), m->body[j->a].name, rest,
           m->body[j->b].name);
    if (mw_model_component_inside(m->model, k))
      printf("%5s %9s  %s\n", "-", "-", coordinate);
    else
      printf("%5d %9d  %s%s\n", rows, r->redundant[k], coordinate, elastic > 0 ? " (elastic)" : "");
  }
}

static void text_assembled(const mw_mech *m, const mw_check *r)
{
  int w = 16;
  for (int b = 0; b < m->n_body; b++) w = wider(w, m->body[b].name);
  printf("\nassembled: largest correction %.3g m, %.3g rad\n", r->moved, r->turned);
  for (int b = 0; b < m->n_body; b++) {
    const double *p = r->p + 12 * b;
    if (!m->body[b].ground)
      printf("  %-*s at %.9g %.9g %.9g m\n", w, m->body[b].name, p[0], p[1], p[2]);
  }
}

static void text_elements(const mw_body *b, const mw_body_report *r)
{
  const char *comma = "";
  if (r->n_beam > 0) {
    printf("%d beams", r->n_beam);
    comma = ", ";
  }
  for (int k = 0; k < MW_ELEM_KINDS; k++) {
    if (r->n_elem[k] == 0) continue;
    printf("%s%d × %s", comma, r->n_elem[k], mw_elem_info_of((mw_elem_kind)k)->name);
    comma = ", ";
  }
  if (comma[0] == '\0') printf("matrices of another program");
  if (r->quality_elem >= 0) printf("; worst element %d, quality %.3g", r->quality_elem, r->quality);
  printf("\n");
  if (b->cad && b->cad->n_straight > 0)
    printf("    %d curved elements were made less curved to stay valid\n", b->cad->n_straight);
}

static void text_zero(const mw_body *b, const mw_zero_modes *z)
{
  if (!z->done) return;
  printf("    %d motions without energy, %d expected", z->found, z->expected);
  if (isfinite(z->lowest_hz))
    printf("; then %.6g Hz %s (condition %.1e)", z->lowest_hz, b->ground ? "held" : "free",
           z->condition);
  printf("\n");
  if (z->node >= 0)
    printf("    most in the superfluous one moves node %d, [%.6g, %.6g, %.6g] m\n", z->node,
           z->x[0], z->x[1], z->x[2]);
}

static void text_reference(const mw_body_report *r)
{
  if (r->reference == MW_REFERENCE_NONE) return;
  printf("    relative to %s:",
         r->reference == MW_REFERENCE_CAD ? "the CAD file" : "what is expected");
  if (isfinite(r->d_mass)) printf(" mass %.2g", r->d_mass);
  if (isfinite(r->d_com)) printf(" centre %.2g", r->d_com);
  if (isfinite(r->d_inertia)) printf(" inertia %.2g", r->d_inertia);
  printf("\n");
}

static void text_bodies(const mw_mech *m, const mw_check *r)
{
  int w = 16;
  for (int b = 0; b < m->n_body; b++)
    if (!mw_model_component_of(m->model, b)) w = wider(w, m->body[b].name);
  printf("%-*s %12s %30s %9s %15s\n", w, "body", "mass, kg", "centre of mass, m", "unknowns",
         "rigid residual");
  for (int b = 0; b < m->n_body; b++) {
    char text[64];
    const double *com = r->body[b].com;
    if (mw_model_component_of(m->model, b)) continue;
    snprintf(text, sizeof text, "%.4g %.4g %.4g", com[0], com[1], com[2]);
    printf("%-*s %12.6g %30s %9d %15.2g\n", w, m->body[b].name, m->body[b].m, text, m->body[b].n_u,
           r->body[b].rigid_residual);
  }
  bool any = false;
  for (int b = 0; b < m->n_body; b++) {
    char text[256];
    if (m->body[b].n_u == 0) continue;
    if (!any) printf("\nelastic bodies\n");
    any = true;
    printf("  %s: ", m->body[b].name);
    text_elements(&m->body[b], &r->body[b]);
    text_reference(&r->body[b]);
    text_zero(&m->body[b], &r->body[b].zero);
    for (int k = 0; mw_body_warning(&m->body[b], &r->body[b], k, text, sizeof text); k++)
      printf("    warning: %s\n", text);
  }
}

static void text_components(const mw_model *m)
{
  if (m->n_component > 0) printf("\ncomponents (masses inside are not known)\n");
  for (int k = 0; k < m->n_component; k++) {
    const mw_component_use *u = &m->component[k];
    printf("  %s: %s, %d frames, %d ports, made from %.12s\n", u->name, u->file, u->size.n_frame,
           u->size.n_port, u->hash);
  }
  mw_parts_print(m);
}

static void text_scenarios(const mw_mech *m, const mw_check *r)
{
  bool any = false;
  for (int k = 0; k < m->model->n_scenario; k++) {
    const mw_stability *l = &r->loop[k];
    if (!l->unstable && !l->unjudged) continue;
    if (!any) printf("\nscenarios\n");
    any = true;
    printf("  %s: %s%s\n", m->model->scenario[k].name, l->unstable ? "warning: " : "",
           l->unstable ? l->unstable : l->unjudged);
  }
}

static void text_structure(const mw_rigid_structure *o)
{
  printf("elimination: %d nodes in %d %s, %d blocks below the diagonal, %d of them fill; %ld "
         "numbers, %ld of them fill\n\n",
         o->n, o->n_group, o->n_group == 1 ? "group" : "groups", o->n_block, o->n_fill, o->entries,
         o->fill_entries);
}

void mw_check_print_text(const mw_mech *m, const mw_check *r)
{
  printf("%s\n%d bodies, %d joint%s, %.6g kg, %d unknowns, mobility %d\n\n", m->model->name,
         m->n_body, m->n_joint, m->n_joint == 1 ? "" : "s", r->mass, mw_mech_unknowns(m),
         r->mobility);
  char word[256];
  if (mw_gravity_warning(m->model, word, sizeof word)) printf("warning: %s\n\n", word);
  if (r->structure) text_structure(r->structure);
  text_bodies(m, r);
  text_components(m->model);
  text_joints(m, r);
  if (m->model->assemble) text_assembled(m, r);
  bool any = false;
  for (int k = 0; k < m->n_joint; k++) {
    if (r->redundant[k] == 0) continue;
    if (!any) printf("\nredundant joint rows (the reactions are not unique, motions are)\n");
    any = true;
    printf("  %s: %d\n", m->joint[k].name, r->redundant[k]);
  }
  if (friction_unsure(m, r, word, sizeof word)) printf("  warning: %s\n", word);
  any = false;
  for (int k = 0; k < m->n_joint; k++) {
    char text[256];
    if (!mw_joint_warning(m, k, r->ripple ? &r->ripple[k] : NULL, text, sizeof text)) continue;
    if (!any) printf("\ncoarse meshes under runners\n");
    any = true;
    printf("  %s: warning: %s\n", m->joint[k].name, text);
  }
  if (r->unjudged[0]) printf("\nripple under runners: not judged: %s\n", r->unjudged);
  any = false;
  for (int k = 0; k < m->n_joint; k++) {
    char text[256];
    for (int i = 0; mw_slide_note(m, k, i, text, sizeof text); i++) {
      if (!any) printf("\nslides\n");
      any = true;
      printf("  %s: note: %s\n", m->joint[k].name, text);
    }
  }
  text_scenarios(m, r);
}
