// SPDX-License-Identifier: BSD-3-Clause
// target_m7.c: what a Cortex-M7 does before main: the table of vectors and the coprocessor's
// switch.
//
// The linker puts .vectors at address 0, where the processor looks for its stack and for reset.
#include <stdint.h>

void _start(void);
void reset(void);
void stop(void);

void reset(void)
{
  volatile uint32_t *cpacr = (volatile uint32_t *)0xE000ED88u;  // ARMv7-M, B3.2.20
  *cpacr |= 0xFu << 20;                                         // full access to the FPU
  __asm volatile("dsb\n isb");
  _start();
}

void stop(void)
{
  for (;;) {
  }
}

static const struct {
  uint32_t stack;
  void (*entry[15])(void);
} vectors __attribute__((section(".vectors"), used)) = {
  0x20400000u,
  { reset, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop },
};
