// SPDX-License-Identifier: BSD-3-Clause
// bench_object.c: exported C as compilers make it: bytes of its sections, stack of its calls.
//
// gcc -fcallgraph-info=su writes the graph of calls with the frame of each function (VCG):
//   node: { title: "F" label: "name\nfile:line:column\n48 bytes (static)" }
//   edge: { sourcename: "F" targetname: "G" label: … }
// The stack of F is its frame and the deepest of what it calls; functions of other files have no
// frame there. Two functions call themselves, once for each coordinate that is left (rom_eval.c,
// rom_second.c): they have s − 3 frames, at least none, and s − 1, at least one. Sections are
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_export_layer.h"

enum { MAX_FLAG = 4, MAX_COMPILER = 2, MAX_ARG = 16, NO_BOUND = -1 };

typedef struct processor {
  const char *name;
  const char *compiler[MAX_COMPILER];  // the first that is there
  const char *flag[MAX_FLAG];
  bool single;
} processor;

static const processor processors[MW_BENCH_TARGETS] = {
  { "Cortex-M4F",
    { "arm-none-eabi-gcc" },
    { "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard" },
    true },
  { "Cortex-M7",
    { "arm-none-eabi-gcc" },
    { "-mcpu=cortex-m7", "-mfpu=fpv5-d16", "-mfloat-abi=hard" },
    false },
#ifdef __aarch64__
  { "Cortex-A53", { "aarch64-linux-gnu-gcc", "gcc" }, { "-mcpu=cortex-a53" }, false },
  { "x86-64", { "x86_64-linux-gnu-gcc" }, { "-march=x86-64" }, false },
#else
  { "Cortex-A53",
    { "aarch64-linux-gnu-gcc", "aarch64-none-elf-gcc" },
    { "-mcpu=cortex-a53" },
    false },
  { "x86-64", { "x86_64-linux-gnu-gcc", "gcc" }, { "-march=x86-64" }, false },
#endif
};

// ---- files --------------------------------------------------------------------------------------

// All bytes of a file, a zero behind them, of mem; NULL: it cannot be read.
static char *read_all(const char *path, mw_arena *mem, size_t *n)
{
  FILE *f = fopen(path, "rb");
  long size = -1;
  if (f && fseek(f, 0, SEEK_END) == 0) size = ftell(f);
  char *text = size >= 0 ? mw_arena_alloc(mem, (size_t)size + 1, 1) : NULL;
  bool fine = text && fseek(f, 0, SEEK_SET) == 0 && fread(text, 1, (size_t)size, f) == (size_t)size;
  if (f) fclose(f);
  *n = fine ? (size_t)size : 0;
  return fine ? text : NULL;
}

// ---- sections -----------------------------------------------------------------------------------

static unsigned long long number(const char *b, size_t n)
{
  unsigned long long x = 0;
  for (size_t i = n; i-- > 0;) x = x << 8 | (unsigned char)b[i];
  return x;
}

// Bytes of the loaded sections of a little-endian ELF object; false: it is none.
static bool sections(const char *b, size_t n, long *flash, long *ram)
{
  enum { HEADER = 64, WIDE = 2, WRITE = 1, ALLOC = 2, NOBITS = 8 };
  *flash = *ram = 0;
  if (n < HEADER || memcmp(b, "\177ELF", 4) != 0 || b[5] != 1) return false;
  bool wide = b[4] == WIDE;
  size_t word = wide ? 8 : 4, first = (size_t)number(b + (wide ? 40 : 32), word),
         each = (size_t)number(b + (wide ? 58 : 46), 2),
         count = (size_t)number(b + (wide ? 60 : 48), 2);
  if (each < (wide ? 40u : 24u) || first > n || count > (n - first) / each) return false;
  for (size_t k = 0; k < count; k++) {
    const char *s = b + first + k * each;
    unsigned long long flags = number(s + 8, word);
    long size = (long)number(s + (wide ? 32 : 20), word);
    if (!(flags & ALLOC)) continue;
    if (number(s + 4, 4) != NOBITS) *flash += size;
    if (flags & WRITE) *ram += size;
  }
  return true;
}

// ---- stack --------------------------------------------------------------------------------------

typedef struct function {
  const char *title;
  long own, deep;  // bytes; NO_BOUND
  int state;       // 0: not visited, 1: being visited, 2: done
  bool outside;    // of another file
  int first;       // of its calls, -1: none
} function;

typedef struct call {
  int to, next;
} call;

typedef struct graph {
  int n, n_call;
  int s;        // coordinates of the model
  function *f;  // [n]
  call *call;   // [n_call]
} graph;

// The quoted text behind a key of a line, ended in place; *rest: behind it. NULL: no such key.
static char *quoted(char *line, const char *key, char **rest)
{
  char *at = strstr(line, key);
  char *end = at ? strchr(at + strlen(key), '"') : NULL;
  if (!end) return NULL;
  *end = '\0';
  *rest = end + 1;
  return at + strlen(key);
}

static int find(const graph *g, const char *title)
{
  for (int k = 0; k < g->n; k++)
    if (strcmp(g->f[k].title, title) == 0) return k;
  return -1;
}

// "name\nfile\n48 bytes (static)": the frame; a frame that is dynamic has a bound or none.
static void set_frame(function *f, const char *label)
{
  const char *at = strstr(label, " bytes (");
  f->outside = at == NULL;
  if (!at) return;
  while (at > label && at[-1] >= '0' && at[-1] <= '9') at--;
  f->own = strstr(label, "(dynamic)") ? NO_BOUND : strtol(at, NULL, 10);
}

static void read_line(graph *g, char *line)
{
  char *rest = line;
  if (strncmp(line, "node: ", 6) == 0) {
    char *title = quoted(line, "title: \"", &rest), *label = quoted(rest, "label: \"", &rest);
    if (!title || !label) return;
    g->f[g->n] = (function){ .title = title, .first = -1 };
    set_frame(&g->f[g->n++], label);
  } else if (strncmp(line, "edge: ", 6) == 0) {
    char *from = quoted(line, "sourcename: \"", &rest), *to = quoted(rest, "targetname: \"", &rest);
    int a = from && to ? find(g, from) : -1, b = a >= 0 ? find(g, to) : -1;
    if (b < 0) return;
    g->call[g->n_call] = (call){ .to = b, .next = g->f[a].first };
    g->f[a].first = g->n_call++;
  }
}

// Nodes first: edges may stand before the functions they lead to.
static bool read_graph(const char *text, int s, mw_arena *mem, graph *g)
{
  size_t lines = 1;
  for (const char *c = text; *c; c++) lines += *c == '\n';
  *g = (graph){ .s = s,
                .f = mw_arena_alloc(mem, lines, sizeof *g->f),
                .call = mw_arena_alloc(mem, lines, sizeof *g->call) };
  for (int pass = 0; pass < 2; pass++) {
    char *rest = mw_arena_str(mem, text);
    if (mem->failed) return false;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
      if ((line[0] == 'e') == (pass == 1)) read_line(g, line);
  }
  return true;
}

// Frames of a function that calls itself, at most; 0: it calls others alone. gcc names copies of it
// NAME.part.0 and the like.
static bool calls_itself(const graph *g, const char *title, long *frames)
{
  static const struct {
    const char *name;
    int less, least;  // s − less frames, at least `least`
  } known[] = { { "collapse_many", 3, 0 }, { "second_many", 1, 1 } };
  const char *name = strrchr(title, ':') ? strrchr(title, ':') + 1 : title;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    size_t n = strlen(known[k].name);
    if (strncmp(name, known[k].name, n) != 0 || (name[n] && name[n] != '.')) continue;
    *frames = g->s - known[k].less > known[k].least ? g->s - known[k].less : known[k].least;
    return true;
  }
  return false;
}

// A call by a pointer, and one that comes back to where it began, have no bound.
static long deepest(graph *g, int k)
{
  function *f = &g->f[k];
  long frames = 1, other;
  bool again = calls_itself(g, f->title, &frames);
  if (frames == 0) return 0;
  if (f->state == 1 || strcmp(f->title, "__indirect_call") == 0) return NO_BOUND;
  if (f->state == 2) return f->deep;
  f->state = 1;
  f->deep = f->own;
  long below = 0;
  for (int c = f->first; c >= 0; c = g->call[c].next) {
    if (again && calls_itself(g, g->f[g->call[c].to].title, &other)) continue;
    long d = deepest(g, g->call[c].to);
    below = d < 0 || below < 0 ? NO_BOUND : d > below ? d : below;
  }
  f->deep = f->own < 0 || below < 0 ? NO_BOUND : frames * f->own + below;
  f->state = 2;
  return f->deep;
}

static void set_stack(graph *g, const char *name, mw_arena *mem, mw_bench_object *o)
{
  o->outside = "";
  for (int c = 0; c < MW_BENCH_CALLS; c++) {
    const char *entry = mw_arena_printf(mem, "%s_%s", name, mw_bench_export_call(c));
    int k = entry ? find(g, entry) : -1;
    o->stack[c] = k < 0 ? NO_BOUND : deepest(g, k);
  }
  for (int k = 0; k < g->n; k++)
    if (g->f[k].outside && g->f[k].state == 2)
      o->outside = mw_arena_printf(mem, "%s%s%s", o->outside ? o->outside : "",
                                   o->outside && *o->outside ? ", " : "", g->f[k].title);
}

// ---- compilers ----------------------------------------------------------------------------------

// Exit status of the compiler; base: of the object and the graph, without their endings.
static int compile(const processor *p, const char *compiler, const char *source, const char *base,
                   const char *single, mw_arena *mem)
{
  const char *const always[] = { "-std=c99", "-O2", "-c", "-fcallgraph-info=su", "-o" };
  char *arg[MAX_ARG] = { NULL };
  int n = 0;
  arg[n++] = mw_arena_str(mem, compiler);
  for (int k = 0; k < MAX_FLAG && p->flag[k]; k++) arg[n++] = mw_arena_str(mem, p->flag[k]);
  if (p->single) arg[n++] = mw_arena_str(mem, single);
  for (size_t k = 0; k < sizeof always / sizeof *always; k++)
    arg[n++] = mw_arena_str(mem, always[k]);
  arg[n++] = mw_arena_printf(mem, "%s.o", base);
  arg[n++] = mw_arena_str(mem, source);
  return mem->failed ? -1 : mw_export_run(arg, true);
}

// The first compiler that starts, its object measured.
static void make_object(const processor *p, const char *source, const char *base,
                        const mw_bench_export *b, const char *single, mw_arena *mem,
                        mw_bench_object *o)
{
  enum { NOT_FOUND = 127 };
  int status = -1;
  *o = (mw_bench_object){ .processor = p->name, .single = p->single || b->single };
  const char *object = mw_arena_printf(mem, "%s.o", base),
             *calls = mw_arena_printf(mem, "%s.ci", base);
  for (int k = 0; k < MAX_COMPILER && p->compiler[k] && !o->compiler; k++) {
    status = compile(p, p->compiler[k], source, base, single, mem);
    if (status != -1 && status != NOT_FOUND) o->compiler = p->compiler[k];
  }
  if (!o->compiler || mem->failed) return;
  size_t n = 0, n_calls = 0;
  graph g;
  char *bytes = status == 0 ? read_all(object, mem, &n) : NULL,
       *text = status == 0 ? read_all(calls, mem, &n_calls) : NULL;
  o->failed = !bytes || !text || !sections(bytes, n, &o->flash, &o->ram);
  if (!o->failed && read_graph(text, b->s, mem, &g)) set_stack(&g, b->name, mem, o);
  (void)unlink(object);
  (void)unlink(calls);
}

mw_code mw_bench_export_compile(const char *dir, const char *only, mw_arena *mem,
                                mw_bench_export *b, mw_error *err)
{
  char single[MW_EXPORT_MAX_NAME + 16] = "-D";
  const char *source = mw_arena_printf(mem, "%s/%s.c", dir, b->name);
  size_t n = 2;
  b->n_object = 0;
  for (const char *c = b->name; *c && n < MW_EXPORT_MAX_NAME + 2; c++)
    single[n++] = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
  memcpy(single + n, "_SINGLE", sizeof "_SINGLE");
  for (int k = 0; k < MW_BENCH_TARGETS; k++) {
    if (only && strcmp(processors[k].name, only) != 0) continue;
    const char *base = mw_arena_printf(mem, "%s/%s.%ld-%d", dir, b->name, (long)getpid(), k);
    mw_code rc = mw_arena_check(mem, err);
    if (rc != MW_OK) return rc;
    make_object(&processors[k], source, base, b, single, mem, &b->object[b->n_object++]);
  }
  return mw_arena_check(mem, err);
}
