// SPDX-License-Identifier: BSD-3-Clause
// test_component_refused.c: objects of components say nothing of what is inside; damaged, foreign
// and newer objects, what components do not do, and sources that they cannot hide are refused by
// name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fem/component.h"
#include "leg_cart.h"
#include "mw_test.h"
#include "sim/rigidrun.h"

static bool has(const char *bytes, long n, const char *word)
{
  size_t m = strlen(word);
  for (long i = 0; i + (long)m <= n; i++)
    if (memcmp(bytes + i, word, m) == 0) return true;
  return false;
}

static char *bytes_of(const char *name, long *n)
{
  char path[160], *b = NULL;
  FILE *f = fopen(mw_leg_path(name, path), "rb");
  if (!MW_CHECK(f != NULL)) return NULL;
  (void)fseek(f, 0, SEEK_END);
  *n = ftell(f);
  rewind(f);
  b = malloc((size_t)*n);
  if (!MW_CHECK(b != NULL && fread(b, 1, (size_t)*n, f) == (size_t)*n)) *n = 0;
  fclose(f);
  return b;
}

static void names_of_the_inside_are_not_in_the_object(void)
{
  long n = 0;
  char *b = bytes_of("leg.so", &n);
  MW_CHECK(b && !has(b, n, "hip_of_the_leg") && !has(b, n, "thigh") && !has(b, n, "leg.yaml"));
  free(b);
}

// ---- what is refused ----------------------------------------------------------------------------

static void refused(const char *name, const char *path, const char *want)
{
  mw_case c = { .body = NULL };
  mw_run r = { 0 };
  mw_error err = { 0 };
  char text[800], file[160];
  mw_path_opt opt = { 0 };
  mw_code rc = mw_case_read(mw_leg_path(name, file), &c, &err);
  if (rc == MW_OK) rc = mw_path_run(&c, &c.model.scenario[0], path, &opt, &r, &err);
  MW_CHECK(rc == MW_ERR_INPUT);
  mw_error_print(&err, text, sizeof text);
  if (!MW_CHECK(strstr(text, want) != NULL)) printf("found %s, wanted %s\n", text, want);
  mw_run_free(&r);
  mw_case_free(&c);
}

static void cut(const char *name, const char *from, long less, long flip)
{
  long n = 0;
  char path[160], *b = bytes_of(from, &n);
  if (b && flip >= 0) b[flip < n ? flip : n - 1] ^= 1;
  MW_CHECK(b && mw_test_write(mw_leg_path(name, path), b, (size_t)(n - less)));
  free(b);
}

static void damaged_and_foreign_objects_are_refused(void)
{
  struct {
    const char *file, *want;
  } bad[] = { { "cut.so", "object.yaml:7:25: error: component " },
              { "short.so", "found nothing behind the object" },
              { "flip.so", "found bytes that are not those of its digest" },
              { "tail.so", "found bytes that are not those of its digest" },
              { "none.so", "cannot open the file" },
              { "text.yaml", "found no key modeway" },
              { MW_FOREIGN, "without mw_component_interface" },
              { MW_NEWER, "found version 4 of the interface, made by a later program" } };
  long n = 0;
  char *b = bytes_of("leg.so", &n), use[300];
  free(b);
  cut("cut.so", "leg.so", n - 2000, -1);
  cut("short.so", "leg.so", 100, -1);
  cut("flip.so", "leg.so", 0, n / 3);
  cut("tail.so", "leg.so", 0, n - 200);
  mw_leg_put("text.yaml", "nothing: 1\n");
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    snprintf(use, sizeof use, "component: \"%s\"", bad[k].file);
    mw_leg_put_cart("object.yaml", use, "rk4");
    refused("object.yaml", "rigid", bad[k].want);
  }
}

static void what_components_do_not_do_is_refused_by_name(void)
{
  char text[MW_LEG_CART], *at;
  static const char *const methods[] = { "alpha", "midpoint", "cvode", "ida" };
  static const char *const paths[] = { "full", "body" };
  for (int k = 0; k < 4; k++) {
    mw_leg_put_cart("object.yaml", "component: leg.so", methods[k]);
    refused("object.yaml", "rigid", "component left.leg: its inside is not known here");
  }
  mw_leg_put_cart("object.yaml", "component: leg.so", "rk4");
  for (int k = 0; k < 2; k++)
    refused("object.yaml", paths[k],
            "the rotor of drive left.leg.lift is known to the rigid path only (--path rigid)");
  mw_case c = { .body = NULL };
  char why[160] = "";
  if (mw_leg_get("object.yaml", &c)) MW_CHECK(!mw_rigid_run_shares(&c.mech, why, sizeof why));
  MW_CHECK(strstr(why, "the mechanism has component left.leg, with which it is not cut") != NULL);
  mw_case_free(&c);
  mw_leg_put_cart("object.yaml", "component: leg.so, use: leg.yaml", "rk4");
  refused("object.yaml", "rigid", "found component beside use, expected one of them");
  mw_leg_cart("component: leg.so", "rk4", text);
  at = strstr(text, "load:");
  if (MW_CHECK(at != NULL)) memcpy(at, "lodd:", 5);
  mw_leg_put("object.yaml", text);
  refused("object.yaml", "rigid", "has no parameter \"lodd\", did you mean \"load\"?");
  mw_leg_cart("component: leg.so", "rk4", text);
  at = strstr(text, "leg.tip }");
  if (MW_CHECK(at != NULL)) memcpy(at, "leg.toe }", 9);
  mw_leg_put("object.yaml", text);
  refused("object.yaml", "rigid", "port left.tip: found nothing called left.leg.toe");
  // nearest to what it hides, which is not told
  mw_leg_cart("component: leg.so", "rk4", text);
  at = strstr(text, "body: bar, point: [0.1, 0, 0]");
  if (MW_CHECK(at != NULL)) memcpy(at, "body: left.leg.1             ", 29);
  mw_leg_put("object.yaml", text);
  refused("object.yaml", "rigid",
          "assembly left.leg has no body or port \"1\", did you mean \"tip\"");
}

// Sources with what components cannot hide are not written.
static void sources_are_refused_where_they_stand(void)
{
  struct {
    const char *from, *to, *want;
  } bad[] = {
    { "play: { gap: 0.1, middle: 0.02, stiffness: 30, damping: 0.1 }", "limits: [-1, 1]",
      "found limits of a coordinate that no drive is seen by, expected rigid bodies" },
    { "ports: { mount: hip_of_the_leg.mount, tip: toe.tip }", "\n\n\n\n", "found no ports" },
    { "tip: toe.tip }", "tip: phi     }", "found port tip, phi, which is no body or frame" }
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char text[MW_LEG], path[160], out[160], said[800];
    mw_error err = { 0 };
    memcpy(text, mw_leg, strlen(mw_leg) + 1);
    char *at = strstr(text, bad[k].from);
    if (!MW_CHECK(at != NULL)) continue;
    memset(at, ' ', strlen(bad[k].from));
    memcpy(at, bad[k].to, strlen(bad[k].to));
    mw_leg_put("bad.yaml", text);
    MW_FAILS(mw_component_write(mw_leg_path("bad.yaml", path), mw_leg_path("bad.so", out), &err),
             MW_ERR_INPUT);
    mw_error_print(&err, said, sizeof said);
    if (!MW_CHECK(strstr(said, bad[k].want) != NULL))
      printf("found %s, wanted %s\n", said, bad[k].want);
    MW_CHECK(access(out, F_OK) != 0);
  }
}

// The object is opened anew for a run: it is another one by then.
static void an_object_that_changed_since_the_model_was_read_is_refused(void)
{
  static const char *const paths[] = { "rigid", "full" };
  mw_leg_put_cart("object.yaml", "component: leg.so", "rk4");
  for (int k = 0; k < 2; k++) {
    mw_case c = { .body = NULL };
    mw_run r = { 0 };
    mw_error err = { 0 };
    mw_path_opt opt = { 0 };
    if (!MW_CHECK(mw_leg_get("object.yaml", &c))) continue;
    c.model.component[0].hash = "that of another";
    c.model.n_drive = k == 0 ? c.model.n_drive : 0;  // path full knows none with a rotor
    MW_FAILS(mw_path_run(&c, &c.model.scenario[0], paths[k], &opt, &r, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "leg.so changed since the model was read") != NULL);
    mw_run_free(&r);
    mw_case_free(&c);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "names_of_the_inside_are_not_in_the_object", names_of_the_inside_are_not_in_the_object },
    { "damaged_and_foreign_objects_are_refused", damaged_and_foreign_objects_are_refused },
    { "what_components_do_not_do_is_refused_by_name",
      what_components_do_not_do_is_refused_by_name },
    { "an_object_that_changed_since_the_model_was_read_is_refused",
      an_object_that_changed_since_the_model_was_read_is_refused },
    { "sources_are_refused_where_they_stand", sources_are_refused_where_they_stand },
  };
  if (!mw_leg_open("test_component_refused")) return 1;
  int failed = mw_test_run("component_refused", cases, (int)(sizeof cases / sizeof *cases));
  mw_leg_close();
  return failed;
}
