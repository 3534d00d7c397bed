// SPDX-License-Identifier: BSD-3-Clause
// rom_cuda.cu: rollouts on a CUDA device, a thread each, by the text of device.cmake.
//
// The model is one block of device memory, with its pointers turned there. A turn is as many
// rollouts as free memory holds: work, inputs, states, codes. Valid C17 too:
// tests/reduction/cuda_on_host.h stands in for a device where there is none.
// Cost: work of mw_rom_work_bytes a thread, which the threads of a warp do not share cache lines
// of: memory is likely the limit.
#ifdef __CUDACC__
#include <cuda_runtime.h>
#define restrict __restrict__
#define ROM_DEVICE                      static __device__ inline
#define LAUNCH(f, blocks, threads, ...) f<<<blocks, threads>>>(__VA_ARGS__)
#endif

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "rom/cuda.h"

#define ROM_NO_VECTORS
#include "rom_device.inc"

enum { THREADS = 64, STACK_ROOM = 16384 };

struct mw_rom_cuda {
  mw_rom rom;    // its pointers lead to `tables`
  char *tables;  // on the device
  size_t work;   // bytes a rollout
  struct cudaDeviceProp device;
};

// Arrays of one turn, all on the device.
typedef struct turn {
  int n_step, n;
  double h;
  const double *u;
  double *x, *path;  // path NULL: not wanted
  int *code, *done;
  char *work;
  size_t work_bytes;
} turn;

static __global__ void rollouts(mw_rom rom, mw_rom_opt opt, turn t)
{
  int r = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (r >= t.n) return;
  size_t nx = 2 * (size_t)(rom.s + rom.m), nu = (size_t)rom.n_u;
  double *x = t.x + (size_t)r * nx;
  int code = MW_ROM_OK, done = 0;
  mw_rom_call call = { &rom, &opt, t.h, NULL, NULL, t.work + (size_t)r * t.work_bytes, NULL };
  for (; done < t.n_step; done++) {
    size_t k = (size_t)r * (size_t)t.n_step + (size_t)done;
    call.u = t.u + k * nu;
    code = (int)device_rom_step(&call, x);
    if (code != MW_ROM_OK) break;
    for (size_t i = 0; t.path && i < nx; i++) t.path[k * nx + i] = x[i];
  }
  t.code[r] = code;
  t.done[r] = done;
}

static int failed(cudaError_t rc, const char **why)
{
  if (rc != cudaSuccess) *why = cudaGetErrorString(rc);
  return rc != cudaSuccess;
}

// ---- the model ----------------------------------------------------------------------------------

// A block that is measured first (host NULL), then filled on the host for its place on the device.
typedef struct block {
  char *host, *device;
  size_t used;
} block;

// Where the copy of n bytes will lie on the device; NULL stays NULL.
static const void *put(block *b, const void *from, size_t n)
{
  if (!from || n == 0) return NULL;
  size_t at = b->used;
  b->used += (n + 63) / 64 * 64;
  if (!b->host) return NULL;
  memcpy(b->host + at, from, n);
  return b->device + at;
}

static const double *put_reals(block *b, const double *from, size_t n)
{
  return (const double *)put(b, from, n * sizeof *from);
}

static const int *put_ints(block *b, const int *from, size_t n)
{
  return (const int *)put(b, from, n * sizeof *from);
}

// A train whose arrays lie on the device.
static mw_rom_train put_train(block *b, const mw_rom *rom, const mw_rom_train *from)
{
  mw_rom_train t = *from;
  size_t rank = 1;
  for (int i = 0; i < rom->s; i++) {
    t.core[i] = NULL;
    if (rom->flat >> i & 1u) continue;
    size_t after = (size_t)from->rank[i], n = (size_t)mw_rom_n_knot(rom, i) * rank * after;
    t.core[i] = put_reals(b, from->core[i], n);
    rank = after;
  }
  t.field = put_reals(b, from->field, rank * (size_t)from->n_field);
  return t;
}

// `to` with the arrays of `from` on the device; trains: scratch of n_train.
static void put_model(block *b, const mw_rom *from, mw_rom_train *trains, mw_rom *to)
{
  size_t s = (size_t)from->s, m = (size_t)from->m, sy = s * (size_t)from->n_y;
  *to = *from;
  to->y_slope = put_reals(b, from->y_slope, sy);
  to->y_shift = put_reals(b, from->y_shift, sy);
  to->mirror = put_ints(b, from->mirror, s * m);
  to->mirror_y = put_ints(b, from->mirror_y, sy);
  to->u_field = put_ints(b, from->u_field, (size_t)from->n_u);
  to->c_theta = put_reals(b, from->c_theta, s);
  to->delta_max = put_reals(b, from->delta_max, m);
  to->rate_max = put_reals(b, from->rate_max, s);
  to->u_max = put_reals(b, from->u_max, (size_t)from->n_u);
  to->Y_field = put_ints(b, from->Y_field, (size_t)from->n_Y);
  to->law = (const mw_rom_law *)put(b, from->law, (size_t)from->n_law * sizeof *from->law);
  to->coef = put_reals(b, from->coef, mw_rom_bytes(from) / sizeof(double));
  for (int k = 0; k < from->n_train; k++) trains[k] = put_train(b, from, &from->train[k]);
  to->train = NULL;
  if (from->n_train > 0)
    to->train = (const mw_rom_train *)put(b, trains, (size_t)from->n_train * sizeof *trains);
}

static int copy_model(mw_rom_cuda *gpu, const mw_rom *rom, const char **why)
{
  block b = { NULL, NULL, 0 };
  int rc = -1;
  mw_rom_train *trains =
      (mw_rom_train *)calloc((size_t)(rom->n_train > 0 ? rom->n_train : 1), sizeof *trains);
  *why = "out of memory";
  if (!trains) return -1;
  put_model(&b, rom, trains, &gpu->rom);
  b.host = (char *)calloc(b.used, 1);
  if (b.host && !failed(cudaMalloc((void **)&gpu->tables, b.used), why)) {
    b.device = gpu->tables;
    b.used = 0;
    put_model(&b, rom, trains, &gpu->rom);
    rc = failed(cudaMemcpy(gpu->tables, b.host, b.used, cudaMemcpyHostToDevice), why) ? -1 : 0;
  }
  free(b.host);
  free(trains);
  return rc;
}

// The deepest call's frame, and room for one axis after the other (collapse_many calls itself).
static int set_stack(const char **why)
{
  struct cudaFuncAttributes a;
  if (failed(cudaFuncGetAttributes(&a, rollouts), why)) return -1;
  return failed(cudaDeviceSetLimit(cudaLimitStackSize, a.localSizeBytes + STACK_ROOM), why) ? -1
                                                                                            : 0;
}

mw_rom_cuda *mw_rom_cuda_open(const mw_rom *rom, const char **name, const char **why)
{
  int n = 0;
  if (failed(cudaGetDeviceCount(&n), why)) return NULL;
  *why = n < 1 ? "there is no CUDA device" : "out of memory";
  mw_rom_cuda *gpu = n < 1 ? NULL : (mw_rom_cuda *)calloc(1, sizeof *gpu);
  if (!gpu) return NULL;
  gpu->work = mw_rom_work_bytes(rom);
  if (failed(cudaGetDeviceProperties(&gpu->device, 0), why) || set_stack(why) != 0 ||
      copy_model(gpu, rom, why) != 0) {
    mw_rom_cuda_close(gpu);
    return NULL;
  }
  if (name) *name = gpu->device.name;
  return gpu;
}

void mw_rom_cuda_close(mw_rom_cuda *gpu)
{
  if (!gpu) return;
  if (gpu->tables) (void)cudaFree(gpu->tables);
  free(gpu);
}

// ---- rollouts -----------------------------------------------------------------------------------

static char *take(char *base, size_t *used, size_t n)
{
  char *at = base ? base + *used : NULL;
  *used += (n + 63) / 64 * 64;
  return at;
}

// A turn's arrays behind base; the bytes they need.
static size_t lay_turn(const mw_rom_cuda *gpu, const mw_rom_batch *b, int n, char *base, turn *t)
{
  size_t used = 0, nx = 2 * (size_t)(gpu->rom.s + gpu->rom.m), rolls = (size_t)n;
  size_t steps = rolls * (size_t)b->n_step;
  t->n_step = b->n_step;
  t->n = n;
  t->h = b->h;
  t->work_bytes = gpu->work;
  t->work = take(base, &used, rolls * gpu->work);
  t->u = (const double *)(void *)take(base, &used, steps * (size_t)gpu->rom.n_u * sizeof(double));
  t->x = (double *)(void *)take(base, &used, rolls * nx * sizeof(double));
  t->path = NULL;
  if (b->path) t->path = (double *)(void *)take(base, &used, steps * nx * sizeof(double));
  t->code = (int *)(void *)take(base, &used, rolls * sizeof(int));
  t->done = (int *)(void *)take(base, &used, rolls * sizeof(int));
  return used;
}

// Host arrays of codes and counts: they are known to be good before anything is written to the
// batch.
typedef struct ends {
  int *code, *done;
} ends;

static int run_turn(const mw_rom_cuda *gpu, const mw_rom_opt *opt, const mw_rom_batch *b, int first,
                    const turn *t, const ends *e, const char **why)
{
  size_t nx = 2 * (size_t)(gpu->rom.s + gpu->rom.m), steps = (size_t)b->n_step;
  size_t r = (size_t)first, n = (size_t)t->n, nu = (size_t)gpu->rom.n_u;
  const size_t ux = n * steps * nu * sizeof(double), xx = n * nx * sizeof(double);
  if (ux > 0 &&
      failed(cudaMemcpy((void *)t->u, b->u + r * steps * nu, ux, cudaMemcpyHostToDevice), why))
    return -1;
  if (failed(cudaMemcpy(t->x, b->x + r * nx, xx, cudaMemcpyHostToDevice), why)) return -1;
  // a rollout that stops leaves the rest of its path as it was
  if (t->path &&
      failed(cudaMemcpy(t->path, b->path + r * steps * nx, xx * steps, cudaMemcpyHostToDevice),
             why))
    return -1;
  unsigned blocks = (unsigned)((t->n + THREADS - 1) / THREADS);
  LAUNCH(rollouts, blocks, THREADS, gpu->rom, *opt, *t);
  if (failed(cudaGetLastError(), why) || failed(cudaDeviceSynchronize(), why) ||
      failed(cudaMemcpy(e->code, t->code, n * sizeof(int), cudaMemcpyDeviceToHost), why) ||
      failed(cudaMemcpy(e->done, t->done, n * sizeof(int), cudaMemcpyDeviceToHost), why))
    return -1;
  if (t->path &&
      failed(cudaMemcpy(b->path + r * steps * nx, t->path, xx * steps, cudaMemcpyDeviceToHost),
             why))
    return -1;
  if (failed(cudaMemcpy(b->x + r * nx, t->x, xx, cudaMemcpyDeviceToHost), why)) return -1;
  for (size_t k = 0; k < n; k++) {
    b->code[r + k] = (mw_rom_code)e->code[k];
    b->done[r + k] = e->done[k];
  }
  return 0;
}

// Rollouts a turn: what three quarters of the free memory hold, n at most.
static int turn_size(const mw_rom_cuda *gpu, const mw_rom_batch *b, int n, const char **why)
{
  turn t;
  size_t room = 0, all = 0;
  if (failed(cudaMemGetInfo(&room, &all), why)) return 0;
  room = room / 4 * 3;
  while (n > 0 && lay_turn(gpu, b, n, NULL, &t) > room) n /= 2;
  if (n < 1) *why = "one rollout does not fit the device's free memory";
  return n;
}

int mw_rom_cuda_batch_run(mw_rom_cuda *gpu, const mw_rom_opt *opt, const mw_rom_batch *batch,
                          int first, int n, const char **why)
{
  if (n < 1) return 0;
  turn t;
  char *arrays = NULL;
  int rc = -1, size = turn_size(gpu, batch, n, why);
  if (size < 1) return -1;
  ends e = { (int *)calloc((size_t)size, sizeof(int)), (int *)calloc((size_t)size, sizeof(int)) };
  *why = "out of memory";
  if (e.code && e.done &&
      !failed(cudaMalloc((void **)&arrays, lay_turn(gpu, batch, size, NULL, &t)), why)) {
    rc = 0;
    for (int k = first; rc == 0 && k < first + n; k += size) {
      int now = first + n - k < size ? first + n - k : size;
      (void)lay_turn(gpu, batch, now, arrays, &t);
      rc = run_turn(gpu, opt, batch, k, &t, &e, why);
    }
  }
  if (arrays) (void)cudaFree(arrays);
  free(e.code);
  free(e.done);
  return rc;
}
