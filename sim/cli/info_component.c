// SPDX-License-Identifier: BSD-3-Clause
// info_component.c: modeway info of a component: what is seen of it from outside, nothing else.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_layer.h"
#include "fem/component.h"

typedef struct seen {
  const mw_component_calls *call;
  const void *one;
  const char *maker;
  mw_component_size n;
} seen;

// Lines of the certificate of its inside.
static void print_promise(const char *lines)
{
  for (const char *at = lines; at && *at;) {
    int n = (int)strcspn(at, "\n");
    printf("  %.*s\n", n, at);
    at += n + (at[n] == '\n');
  }
}

static void print_text(const char *file, const seen *s)
{
  const mw_component_size *n = &s->n;
  mw_component_port p;
  mw_component_drive d;
  mw_component_output o;
  mw_component_parameter a;
  printf("%s\n  kind       component, version %d of the interface\n  made by    %s\n"
         "  made from  %s\n",
         file, MW_COMPONENT_VERSION, s->maker, n->hash);
  printf("  %d frames, %d of them at its border, %d states, %d independent rows of joints, %zu "
         "bytes remembered\n",
         n->n_frame, n->n_border, 24 * n->n_frame, n->n_row, n->n_memory);
  if (n->n_state > 0)
    printf("  a reduced model of %d coordinates, by steps of %.3g s or less\n", n->n_state,
           n->step);
  printf("  %s, %s\n", n->springs ? "something inside is elastic" : "nothing inside is elastic",
         n->grounded ? "it hangs on the ground" : "its ports alone hold it");
  for (int k = 0; k < n->n_port; k++) {
    s->call->port(s->one, k, &p);
    printf("  port %s of frame %d\n", p.name, p.frame + 1);
  }
  for (int k = 0; k < n->n_drive; k++) {
    s->call->drive(s->one, k, &d);
    printf("  drive %s of coordinate %s, %s%s\n", d.name, d.coordinate, d.angle ? "N m" : "N",
           d.rotor ? ", behind an elastic transmission" : "");
  }
  for (int k = 0; k < n->n_output; k++) {
    s->call->output(s->one, k, &o);
    printf("  output %s, %s%s%s\n", o.name, o.kind, o.of ? " of " : "", o.of ? o.of : "");
  }
  for (int k = 0; k < n->n_parameter; k++) {
    s->call->parameter(s->one, k, &a);
    printf("  parameter %s, %s unless it is set\n", a.name, a.value);
  }
  print_promise(n->promise);
}

static void print_json(const char *file, const seen *s)
{
  const mw_component_size *n = &s->n;
  mw_json j = { .f = stdout };
  mw_component_port p;
  mw_component_drive d;
  mw_component_output o;
  mw_component_parameter a;
  mw_json_object(&j, NULL);
  mw_json_str(&j, "kind", "component");
  mw_json_str(&j, "file", file);
  mw_json_num(&j, "version", MW_COMPONENT_VERSION);
  mw_json_str(&j, "made_by", s->maker);
  mw_json_str(&j, "hash", n->hash);
  mw_json_num(&j, "frames", n->n_frame);
  mw_json_num(&j, "border", n->n_border);
  mw_json_num(&j, "states", 24 * n->n_frame);
  mw_json_num(&j, "rows", n->n_row);
  if (n->n_state > 0) {
    mw_json_num(&j, "coordinates", n->n_state);
    mw_json_num(&j, "longest_step", n->step);
  }
  mw_json_num(&j, "memory_bytes", (double)n->n_memory);
  mw_json_array(&j, "ports");
  for (int k = 0; k < n->n_port; k++) {
    s->call->port(s->one, k, &p);
    mw_json_str(&j, NULL, p.name);
  }
  mw_json_end(&j, ']');
  mw_json_array(&j, "drives");
  for (int k = 0; k < n->n_drive; k++) {
    s->call->drive(s->one, k, &d);
    mw_json_object(&j, NULL);
    mw_json_str(&j, "name", d.name);
    mw_json_str(&j, "coordinate", d.coordinate);
    mw_json_str(&j, "unit", d.angle ? "N m" : "N");
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_array(&j, "outputs");
  for (int k = 0; k < n->n_output; k++) {
    s->call->output(s->one, k, &o);
    mw_json_str(&j, NULL, o.name);
  }
  mw_json_end(&j, ']');
  mw_json_object(&j, "parameters");
  for (int k = 0; k < n->n_parameter; k++) {
    s->call->parameter(s->one, k, &a);
    mw_json_str(&j, a.name, a.value);
  }
  mw_json_end(&j, '}');
  if (n->promise) mw_json_str(&j, "promise", n->promise);
  mw_json_end(&j, '}');
}

mw_code mw_cmd_info_component(const char *file, bool json, mw_error *err)
{
  const mw_component_in here = { .look = 1, .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  const mw_at at = { .file = file };
  mw_component *c = NULL;
  void *one = NULL;
  mw_code rc = mw_component_open(file, at, &c, err);
  if (rc == MW_OK) rc = mw_component_instance(c, &here, at, &one, err);
  if (rc == MW_OK) {
    seen s = { .call = mw_component_calls_of(c), .one = one, .maker = mw_component_maker(c) };
    s.call->size(one, &s.n);
    if (json)
      print_json(file, &s);
    else
      print_text(file, &s);
    s.call->close(one);
  }
  mw_component_close(c);
  return rc;
}
