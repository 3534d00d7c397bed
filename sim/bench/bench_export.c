// SPDX-License-Identifier: BSD-3-Clause
// bench_export.c: operations of the calls of an exported model, and the table of what it costs.
//
// What is exported is what bench_count.c counts: the same sources. Loops have lengths that the
// model sets, so that a call makes the same operations at every state, but for friction, end stops
// and what trains and mirror images branch on; the least and the most of a set of states are told.
#include <string.h>

#include "bench_export_layer.h"

enum { N_STATE = 12 };

static const char *const names[MW_BENCH_CALLS] = { "rhs",       "step",    "jacobian",
                                                   "step_sens", "outputs", "outputs_jacobian" };
static const mw_count_call counted[MW_BENCH_COUNTED] = { MW_COUNT_RHS, MW_COUNT_EXPONENTIAL,
                                                         MW_COUNT_JACOBIAN, MW_COUNT_SENS };

const char *mw_bench_export_call(int k) { return names[k]; }

static long long total(mw_flops f) { return f.add + f.mul + f.div + f.root; }

// ---- counting -----------------------------------------------------------------------------------

// A share of [0, 1), spread evenly over k for each i: multiples of the golden section's powers.
static double share(int k, int i)
{
  static const double GOLDEN = 0.6180339887498949, SILVER = 0.4142135623730951;
  double x = 0.5 + k * (i % 2 == 0 ? GOLDEN : SILVER) + 0.37 * i;
  return x - (double)(long)x;
}

// State k: coordinates over their range, the first two beside its lower and its upper ends; rates
// of both signs up to a tenth of the range in 1 s; deflections and inputs small.
static void set_state(const mw_rom *r, int k, double *x, double *u)
{
  static const double SMALL = 0.01;   // of the largest deflection
  static const double BESIDE = 1e-6;  // of the range: what a step that starts at an end would leave
  int n = r->s + r->m;
  for (int i = 0; i < r->s; i++) {
    double width = r->hi[i] - r->lo[i];
    double at = k == 0 ? BESIDE : k == 1 ? 1.0 - BESIDE : share(k, i);
    double rate = 0.2 * (share(k, i + 1) - 0.5) * width;
    if (r->rate_max && !(rate * rate <= 0.25 * r->rate_max[i] * r->rate_max[i]))
      rate = 0.5 * r->rate_max[i] * (rate < 0.0 ? -1.0 : 1.0);
    x[i] = r->lo[i] + at * width;
    x[n + i] = k == 0 ? 0.0 : k == 1 ? -0.0 : rate;
  }
  for (int a = 0; a < r->m; a++) {
    double most = r->delta_max ? r->delta_max[a] : 0.0;
    x[r->s + a] = most < 1e300 ? SMALL * (share(k, a + 2) - 0.5) * most : 0.0;
    x[n + r->s + a] = 0.0;
  }
  for (int i = 0; i < r->n_u; i++) u[i] = share(k, i + 3) - 0.5;
}

static void widen(mw_bench_range *r, mw_flops n, bool first)
{
  if (first || total(n) < total(r->least)) r->least = n;
  if (first || total(n) > total(r->most)) r->most = n;
}

// All calls at state x; *fine: none of them leaves the model's range.
static mw_code count_state(const mw_rom_file *f, const double *x, const double *u,
                           mw_bench_export *b, bool *fine, mw_error *err)
{
  mw_flops n[MW_BENCH_COUNTED];
  mw_rom_opt opt = mw_rom_opt_default();
  opt.inertia = f->inertia;
  *fine = true;
  for (int k = 0; k < MW_BENCH_COUNTED; k++) {
    mw_code rc = mw_count_flops(&f->rom, &opt, counted[k], b->h, x, u, &n[k], err);
    *fine = *fine && rc == MW_OK;
    if (rc == MW_ERR_NUMERIC) return MW_OK;
    if (rc != MW_OK) return rc;
  }
  for (int k = 0; k < MW_BENCH_COUNTED; k++) widen(&b->call[k], n[k], b->n_state == 0);
  b->n_state++;
  return MW_OK;
}

mw_code mw_bench_export_count(const mw_rom_file *rom, const char *name, const mw_kept *kept,
                              mw_arena *mem, mw_bench_export *out, mw_error *err)
{
  // s: a step's operations do not depend on it; so short that no state leaves the range by it
  static const double STEP = 1e-9;
  const mw_rom *r = &rom->rom;
  mw_error why = { 0 };
  *out = (mw_bench_export){ .name = mw_arena_str(mem, name), .s = r->s, .h = STEP };
  mw_export_work(r, kept, &out->work, &out->sens);
  double *x = mw_arena_f64(mem, 2 * (size_t)(r->s + r->m)), *u = mw_arena_f64(mem, (size_t)r->n_u);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < N_STATE; k++) {
    bool fine;
    set_state(r, k, x, u);
    rc = count_state(rom, x, u, out, &fine, &why);
  }
  if (rc == MW_OK && out->n_state == 0) rc = MW_ERR_NUMERIC;
  if (rc != MW_OK) return mw_fail(err, rc, MW_NOWHERE, "operations of a call: %s", why.msg);
  return MW_OK;
}

// ---- the table ----------------------------------------------------------------------------------

static void print_counts(const mw_bench_export *b, FILE *f)
{
  bool same = true;
  fputs("| call | sums, differences | products | quotients | roots | all |\n"
        "|---|---|---|---|---|---|\n",
        f);
  for (int k = 0; k < MW_BENCH_COUNTED; k++) {
    const mw_flops *m = &b->call[k].most;
    long long least = total(b->call[k].least), most = total(*m);
    fprintf(f, "| `%s_%s` | %lld | %lld | %lld | %lld | ", b->name, names[k], m->add, m->mul,
            m->div, m->root);
    if (least < most) fprintf(f, "%lld to ", least);
    fprintf(f, "%lld |\n", most);
    same = same && least == most;
  }
  fprintf(f,
          "\nOperations on real numbers, counted while the calls were made at %d states of the "
          "range, some beside its ends: %s. A fused multiply-add is two of them.\n",
          b->n_state,
          same ? "the same at each" : "the most of them, and the least where they differ");
}

static void print_object(const mw_bench_export *b, const mw_bench_object *o, FILE *f)
{
  size_t real = o->single ? sizeof(float) : sizeof(double);
  fprintf(f, "| %s, %s | ", o->processor, o->single ? "single" : "double");
  if (!o->compiler || o->failed) {
    fprintf(f, "%s%s | | | %zu | %zu", o->compiler ? o->compiler : "no gcc for it here",
            o->compiler ? " does not take the sources" : "", b->work * real, b->sens * real);
    for (int k = 0; k < MW_BENCH_CALLS; k++) fputs(" | ", f);
    fputs(" |\n", f);
    return;
  }
  fprintf(f, "%s | %ld | %ld | %zu | %zu", o->compiler, o->flash, o->ram, b->work * real,
          b->sens * real);
  for (int k = 0; k < MW_BENCH_CALLS; k++)
    if (o->stack[k] < 0)
      fputs(" | no bound", f);
    else
      fprintf(f, " | %ld", o->stack[k]);
  fputs(" |\n", f);
}

static void print_objects(const mw_bench_export *b, FILE *f)
{
  const char *outside = "";
  fputs("\n| processor, numbers | compiler | flash | data | work | work, derivatives |", f);
  for (int k = 0; k < MW_BENCH_CALLS; k++) fprintf(f, " stack: %s |", names[k]);
  fputs("\n|---|---|---|---|---|---|", f);
  for (int k = 0; k < MW_BENCH_CALLS; k++) fputs("---|", f);
  fputs("\n", f);
  for (int k = 0; k < b->n_object; k++) {
    print_object(b, &b->object[k], f);
    if (b->object[k].outside && *b->object[k].outside) outside = b->object[k].outside;
  }
  fputs(
      "\nBytes. Flash: all functions of NAME.h, tables and constants, at -O2; a linker leaves out "
      "functions that nobody calls where the compiler is told -ffunction-sections. RAM: data, the "
      "caller's work and stack. Stack: the deepest chain of calls, by what the compiler says of "
      "each function (-fcallgraph-info=su).\n",
      f);
  if (*outside) fprintf(f, "Besides that: the stack of %s.\n", outside);
}

void mw_bench_export_print(const mw_bench_export *b, FILE *f)
{
  fprintf(f, "# %s: what a call costs\n\n", b->name);
  print_counts(b, f);
  if (b->n_object > 0)
    print_objects(b, f);
  else
    fprintf(f,
            "\nWork: %zu reals, with derivatives %zu. Flash and stack of processors: `modeway "
            "export --to c --cost`.\n",
            b->work, b->sens);
  fputs("\nNot covered: time (cycles of an operation, waits for memory, interrupts), comparisons, "
        "copies and index arithmetic, setting of parameters, outputs besides the fields, other "
        "settings of the compiler; states outside the range, which calls refuse.\n",
        f);
}

static void json_flops(mw_json *j, const char *key, long long least, long long most)
{
  mw_json_object(j, key);
  mw_json_num(j, "least", (double)least);
  mw_json_num(j, "most", (double)most);
  mw_json_end(j, '}');
}

void mw_bench_export_json(const mw_bench_export *b, mw_json *j)
{
  mw_json_object(j, "cost");
  mw_json_num(j, "states", b->n_state);
  mw_json_object(j, "operations");
  for (int k = 0; k < MW_BENCH_COUNTED; k++)
    json_flops(j, names[k], total(b->call[k].least), total(b->call[k].most));
  mw_json_end(j, '}');
  mw_json_num(j, "work", (double)b->work);
  mw_json_num(j, "work_sens", (double)b->sens);
  mw_json_array(j, "processors");
  for (int k = 0; k < b->n_object; k++) {
    const mw_bench_object *o = &b->object[k];
    mw_json_object(j, NULL);
    mw_json_str(j, "processor", o->processor);
    mw_json_bool(j, "single", o->single);
    mw_json_str(j, "compiler", o->compiler && !o->failed ? o->compiler : "");
    mw_json_num(j, "flash", (double)o->flash);
    mw_json_num(j, "data", (double)o->ram);
    mw_json_object(j, "stack");
    for (int c = 0; c < MW_BENCH_CALLS; c++) mw_json_num(j, names[c], (double)o->stack[c]);
    mw_json_end(j, '}');
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
  mw_json_end(j, '}');
}
