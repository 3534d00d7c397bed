// SPDX-License-Identifier: BSD-3-Clause
// model_cutting.c: the cutting process of a scenario. Its ends are names of a reduced model's
// fields, with weights: they are read where there is one (sim/frf).
#include <math.h>

#include "model_layer.h"

// One end, or two with a comma between them.
static const char *ends_of(mw_reader *rd, const mw_ynode *v)
{
  if (v->kind != MW_Y_LIST) return mw_read_str(rd, v->text);
  const char *first = v->first->text;
  return v->n == 1 ? mw_read_str(rd, first)
                   : mw_arena_printf(rd->mem, "%s,%s", first, v->first->next->text);
}

static mw_code check_count(const mw_reader *rd, const mw_ynode *v, int teeth)
{
  int n = v->kind == MW_Y_LIST ? v->n : 1, want = teeth > 0 ? 2 : 1;
  if (n == want) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, v->at, "found %d end%s, expected %s", n, n == 1 ? "" : "s",
                 want == 2 ? "two: along the feed and normal to it"
                           : "one, along which a tool cuts deeper; or teeth, of milling");
}

static mw_code check(const mw_reader *rd, const mw_ynode *e, const mw_cutting_in *c)
{
  static const char *const of_milling[] = { "radial", "immersion", "down" };
  const mw_ynode *from = mw_y_find(e, "from"), *rpm = mw_y_find(e, "rpm");
  mw_code rc = check_count(rd, mw_y_find(e, "to"), c->teeth);
  if (rc == MW_OK && from) rc = check_count(rd, from, c->teeth);
  for (int k = 0; rc == MW_OK && c->teeth == 0 && k < 3; k++)
    if (mw_y_given(e, of_milling[k]))
      rc = mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, of_milling[k])->key->at,
                   "%s is of milling: expected teeth beside it, found none", of_milling[k]);
  if (rc == MW_OK && rpm && !(c->rpm[0] < c->rpm[1]))
    rc = mw_fail(rd->err, MW_ERR_INPUT, rpm->at,
                 "rpm: found %g and %g, expected the slowest speed, then a faster one", c->rpm[0],
                 c->rpm[1]);
  return rc;
}

mw_code mw_cutting_read(mw_reader *rd, const mw_ynode *scenario, mw_scenario *sc)
{
  const mw_ynode *e = mw_y_find(scenario, "cutting");
  if (!e) return MW_OK;
  const mw_ynode *to = mw_y_find(e, "to"), *from = mw_y_find(e, "from");
  mw_cutting_in *c = mw_arena_alloc(rd->mem, 1, sizeof *c);
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc != MW_OK) return rc;
  *c = (mw_cutting_in){ .at = e->key->at,
                        .to_at = to->at,
                        .from_at = from ? from->at : to->at,
                        .to = ends_of(rd, to),
                        .from = from ? ends_of(rd, from) : NULL,
                        .force = mw_y_num(e, "force"),
                        .teeth = (int)mw_y_num(e, "teeth"),
                        .radial = mw_y_num(e, "radial"),
                        .immersion = mw_y_given(e, "immersion") ? mw_y_num(e, "immersion") : 1.0,
                        .down = mw_y_num(e, "down") > 0.0 };
  mw_y_vec(mw_y_find(e, "rpm"), 2, c->rpm);
  sc->cutting = c;
  rc = mw_arena_check(rd->mem, rd->err);
  return rc == MW_OK ? check(rd, e, c) : rc;
}
