// SPDX-License-Identifier: BSD-3-Clause
// run_proof.c: the runs that a certificate judges a reduced model by. What errors are:
// compare.c, compare_time.c; what they may be: reduction/verdict.c.
#include "run_proof_layer.h"

#include <math.h>

#include "compare_layer.h"

// Runs and compares the paths of q; the reason why that is not possible into q->mem, else NULL.
static mw_code run_all(mw_comparison *q, const mw_path_opt *opt, const char **trouble,
                       mw_error *err)
{
  mw_error why = { 0 };
  mw_code rc = MW_OK;
  *trouble = NULL;
  for (int i = 0; rc == MW_OK && i < q->n_path; i++) {
    rc = mw_comparison_run(q, i, opt, &why);
    if (rc != MW_OK) *trouble = mw_arena_printf(&q->mem, "path %s: %s", q->label[i], why.msg);
  }
  if (rc == MW_OK) rc = mw_comparison_build(q, &why);
  if (rc != MW_OK && !*trouble) *trouble = mw_arena_printf(&q->mem, "%s", why.msg);
  for (int i = 0; rc == MW_OK && i < q->n_path; i++)
    if (!q->run[i].event != !q->run[q->full].event)
      *trouble = mw_arena_printf(&q->mem, "path %s %s, path full %s", q->label[i],
                                 q->run[i].event ? q->run[i].event : "does not end",
                                 q->run[q->full].event ? q->run[q->full].event : "does not");
  if (rc == MW_ERR_MEMORY) *err = why;
  return rc == MW_ERR_MEMORY ? rc : mw_arena_check(&q->mem, err);
}

// Errors of run i, a fraction of the quantities' scales; those that cannot be compared are
// INFINITY.
static void put_errors(const mw_comparison *q, bool compared, mw_run_proofs *p, int i)
{
  for (int k = 0; k < p->n_quantity; k++) {
    const mw_quantity *a = &q->quantity[k];
    int at = i * p->n_quantity + k;
    double e = compared ? mw_comparison_error(q, 0, k) : (double)NAN;
    p->error[at] = isnan(e) ? INFINITY : e;
    if (!compared || !(a->scale > 0.0)) continue;
    p->own[at] = a->time[MW_HALVED_FULL].own / a->scale;
    if (!isnan(e)) p->own_reduced[at] = a->time[MW_HALVED_GMP].own / a->scale;
    p->known[at] = mw_comparison_known(q, k) / a->scale;
  }
}

static mw_code allocate(const mw_comparison *q, int n, mw_arena *mem, mw_run_proofs *p,
                        mw_error *err)
{
  size_t nr = (size_t)n, nq = (size_t)q->n_judged;
  *p = (mw_run_proofs){ .n_quantity = q->n_judged };
  p->scenario = mw_arena_alloc(mem, nr, sizeof *p->scenario);
  p->hash = mw_arena_alloc(mem, nr, sizeof *p->hash);
  p->trouble = mw_arena_alloc(mem, nr, sizeof *p->trouble);
  p->step = mw_arena_f64(mem, nr);
  p->end = mw_arena_f64(mem, nr);
  p->quantity = mw_arena_alloc(mem, nq, sizeof *p->quantity);
  p->unit = mw_arena_alloc(mem, nq, sizeof *p->unit);
  p->error = mw_arena_f64(mem, nr * nq);
  p->own = mw_arena_f64(mem, nr * nq);
  p->own_reduced = mw_arena_f64(mem, nr * nq);
  p->known = mw_arena_f64(mem, nr * nq);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < q->n_judged; k++) {
    p->quantity[k] = mw_arena_str(mem, q->quantity[k].name);
    p->unit[k] = mw_arena_str(mem, q->quantity[k].unit);
  }
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

mw_code mw_run_proofs_build(const mw_case *c, mw_rom_file *f, mw_progress *progress, mw_error *err)
{
  const mw_reduction_in *in = &c->model.reduction;
  const mw_path_opt opt = { .rom = f, .progress = progress };
  mw_run_proofs p = { 0 };
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < in->n_judge; i++) {
    mw_comparison q = { .c = c,
                        .sc = &c->model.scenario[in->judge[i]],
                        .n_path = 2,
                        .label = { "gmp", "full" },
                        .full = 1 };
    const char *trouble = NULL;
    mw_comparison_halve(&q);
    rc = mw_comparison_list(&q, err);
    if (rc == MW_OK && i == 0) rc = allocate(&q, in->n_judge, &f->mem, &p, err);
    if (rc == MW_OK) rc = run_all(&q, &opt, &trouble, err);
    if (rc == MW_OK) {
      put_errors(&q, !trouble, &p, i);
      p.scenario[i] = mw_arena_str(&f->mem, q.sc->name);
      p.hash[i] = mw_arena_str(&f->mem, q.sc->hash);
      p.trouble[i] = mw_arena_str(&f->mem, trouble ? trouble : "");
      p.step[i] = trouble ? q.sc->step : q.run[0].step;
      p.end[i] = trouble ? 0.0 : q.run[0].t[q.n_t - 1];
      p.n = i + 1;
      rc = mw_arena_check(&f->mem, err);
    }
    mw_comparison_free(&q);
  }
  if (rc == MW_OK) f->certificate.runs = p;
  return rc;
}
