// SPDX-License-Identifier: BSD-3-Clause
// lobes_process.c: the process of modeway lobes: what options say, else the scenario.
#include <math.h>
#include <string.h>

#include "process_priv.h"

static const double PI = 3.14159265358979323846;

// ---- the scenario -------------------------------------------------------------------------------

// A copy of text that stays, NULL of NULL.
static const char *keep(mw_response *r, const char *text)
{
  return text ? mw_arena_printf(&r->mem, "%s", text) : NULL;
}

// The process of scenario `name` of a model, or MW_ERR_INPUT: it has none.
static mw_code take(mw_response *r, const mw_model *m, const char *name, mw_process *p,
                    mw_error *err)
{
  const mw_scenario *sc = NULL;
  mw_code rc = mw_scenario_find(m, name, &sc, err);
  if (rc != MW_OK) return rc;
  if (!sc->cutting)
    return mw_fail(err, MW_ERR_INPUT, sc->at,
                   "scenario %.64s has no process, expected the key cutting in it", name);
  p->in = *sc->cutting;
  p->in.to = keep(r, p->in.to);
  p->in.from = keep(r, p->in.from);
  p->in.at.file = p->in.to_at.file = p->in.from_at.file = keep(r, p->in.at.file);
  p->scenario = keep(r, name);
  return mw_arena_check(&r->mem, err);
}

static mw_code read_scenario(mw_response *r, mw_process *p, mw_error *err)
{
  char model[1024];
  const char *name = NULL;
  mw_case c;
  if (!mw_args_value(r->a, "scenario")) return MW_OK;
  mw_code rc = mw_cmd_model_of(r->a->operand, model, sizeof model, err);
  if (rc == MW_OK) rc = mw_args_case(r->a, model, &c, &name, err);
  if (rc != MW_OK) return rc;
  // with --set the reduced model was read beside its model already
  if (r->a->n_set == 0) rc = mw_rom_file_match(&r->f, &c.model, model, err);
  if (rc == MW_OK) rc = take(r, &c.model, name, p, err);
  mw_case_free(&c);
  return rc;
}

// ---- options over it ----------------------------------------------------------------------------

// What must be said by an option or the scenario.
static mw_code check_given(const mw_response *r, const mw_process *p, mw_error *err)
{
  static const char *const needed[] = { "to", "force", "rpm" };
  const bool given[] = { p->in.to != NULL, p->in.force > 0.0, p->in.rpm[0] > 0.0 };
  for (int k = 0; k < 3; k++)
    if (!given[k] && !mw_args_value(r->a, needed[k]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "lobes: found no --%s, expected it, or a scenario whose cutting says it "
                     "(--scenario); see modeway lobes --help",
                     needed[k]);
  return MW_OK;
}

// Options of milling go with teeth; up and down exclude each other.
static mw_code check_milling(const mw_response *r, const mw_process *p, mw_error *err)
{
  static const char *const of_milling[] = { "radial", "immersion", "up", "down", "floquet" };
  for (size_t k = 0; k < sizeof of_milling / sizeof *of_milling; k++)
    if (p->cut.teeth == 0 && mw_args_value(r->a, of_milling[k]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--%s is of milling: expected --teeth with it, found none", of_milling[k]);
  if (mw_args_value(r->a, "up") && mw_args_value(r->a, "down"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found --up and --down, expected one of them");
  return MW_OK;
}

// Angles of the immersed part, from the front half's beginning (up) or to its end (down).
static void angles(mw_process *p)
{
  p->cut.entry = p->down ? acos(2.0 * p->immersion - 1.0) : 0.0;
  p->cut.exit = p->down ? PI : acos(1.0 - 2.0 * p->immersion);
}

mw_code mw_process_read(mw_response *r, mw_process *p, mw_error *err)
{
  const mw_args *a = r->a;
  mw_code rc = read_scenario(r, p, err);
  if (rc == MW_OK) rc = check_given(r, p, err);
  if (rc != MW_OK) return rc;
  const mw_cutting_in *in = &p->in;
  p->cut = (mw_cutting){ .force = in->force, .radial = in->radial, .teeth = in->teeth };
  p->immersion = in->teeth > 0 ? in->immersion : 1.0;
  p->down = mw_args_value(a, "down") || (in->down && !mw_args_value(a, "up"));
  memcpy(p->rpm, in->rpm, sizeof p->rpm);
  rc = mw_args_f64(a, "force", 1e-300, 1e300, &p->cut.force, err);
  if (rc == MW_OK) rc = mw_args_int(a, "teeth", 1, 1000, &p->cut.teeth, err);
  if (rc == MW_OK) rc = check_milling(r, p, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "radial", -1e3, 1e3, &p->cut.radial, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "immersion", 1e-9, 1.0, &p->immersion, err);
  angles(p);
  return rc;
}

// Puts the place of the scenario's ends into an error of theirs.
static void place(const mw_process *p, mw_error *err)
{
  bool of_from = p->in.from && strncmp(err->msg, "--from", 6) == 0;
  const mw_at *at = of_from ? &p->in.from_at : &p->in.to_at;
  snprintf(err->file, sizeof err->file, "%s", at->file);
  err->line = at->line;
  err->col = at->col;
}

mw_code mw_process_ends(mw_response *r, const mw_process *p, mw_frf_in *in, mw_error *err)
{
  const char *to = mw_args_value(r->a, "to"), *from = mw_args_value(r->a, "from");
  bool own = !to && !from;
  // with another --to the scenario's from no longer goes
  mw_code rc = mw_response_ends(r, to ? to : p->in.to, from || to ? from : p->in.from, in, err);
  if (rc != MW_OK && own && err) place(p, err);
  return rc;
}
