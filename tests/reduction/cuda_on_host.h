// SPDX-License-Identifier: BSD-3-Clause
// cuda_on_host.h: as much of CUDA as rom_cuda.cu uses, on the host: a device whose memory is
// malloc's and whose threads follow each other. Any call can be made to fail.
#ifndef MW_CUDA_ON_HOST_H
#define MW_CUDA_ON_HOST_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define ROM_DEVICE static inline
#define LAUNCH(f, blocks, threads, ...)                                                            \
  do {                                                                                             \
    blockDim.x = (threads);                                                                        \
    host_launches++;                                                                               \
    for (blockIdx.x = 0; blockIdx.x < (blocks); blockIdx.x++)                                      \
      for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) f(__VA_ARGS__);               \
  } while (0)

typedef enum cudaError_t { cudaSuccess, cudaErrorInjected } cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaLimit { cudaLimitStackSize };
struct cudaDeviceProp {
  char name[64];
};
struct cudaFuncAttributes {
  size_t localSizeBytes;
};
static struct {
  unsigned x;
} blockIdx, blockDim, threadIdx;

// What the tests set: devices there are, bytes that are free, the call that fails (0: none); and
// count.
static int host_devices = 1, host_fail_at, host_calls, host_launches;
static size_t host_room = (size_t)1 << 30;

static cudaError_t host_call(void)
{
  return ++host_calls == host_fail_at ? cudaErrorInjected : cudaSuccess;
}

static const char *cudaGetErrorString(cudaError_t rc)
{
  return rc == cudaSuccess ? "no error" : "made to fail";
}

static cudaError_t cudaGetDeviceCount(int *n)
{
  *n = host_devices;
  return host_call();
}

static cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
  strcpy(p->name, device == 0 ? "host" : "none");
  return host_call();
}

#define cudaFuncGetAttributes(a, f) host_attributes((a), (f) != NULL)
static cudaError_t host_attributes(struct cudaFuncAttributes *a, int is_there)
{
  a->localSizeBytes = 1;
  return is_there ? host_call() : cudaErrorInjected;
}

static cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t n)
{
  return limit == cudaLimitStackSize && n > 0 ? host_call() : cudaErrorInjected;
}

static cudaError_t cudaMemGetInfo(size_t *room, size_t *all)
{
  *room = *all = host_room;
  return host_call();
}

static cudaError_t cudaMalloc(void **at, size_t n)
{
  cudaError_t rc = host_call();
  if (rc != cudaSuccess) return rc;
  *at = aligned_alloc(64, (n + 63) / 64 * 64);
  if (!*at) return cudaErrorInjected;
  memset(*at, 0xff, n);  // NaN: nothing in it may matter
  return cudaSuccess;
}

static cudaError_t cudaFree(void *at)
{
  free(at);
  return cudaSuccess;
}

static cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
  (void)kind;
  cudaError_t rc = host_call();
  if (rc == cudaSuccess) memcpy(to, from, n);
  return rc;
}

static cudaError_t cudaGetLastError(void) { return host_call(); }
static cudaError_t cudaDeviceSynchronize(void) { return host_call(); }

#endif
