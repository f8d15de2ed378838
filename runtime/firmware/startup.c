/* startup.c - from reset to main on a Cortex-M4F, and the words to a debugger.
 *
 * The vector table stands at address 0. The reset handler switches the
 * floating-point unit on, fills .data and .bss, runs main and reports its
 * result by semihosting, which a debugger or an emulator answers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>
#include <stdint.h>

extern uint32_t firmware_data_load[], firmware_data[], firmware_data_end[];
extern uint32_t firmware_bss[], firmware_bss_end[], firmware_stack_top[];
int main(void);
void firmware_reset(void);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);

/* One call to the debugger: BKPT 0xAB with a number and a parameter. */
int firmware_call(int number, const void *parameter)
{
    register int r0 __asm__("r0") = number;
    register const void *r1 __asm__("r1") = parameter;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void firmware_print(const char *text)
{
    firmware_call(0x04, text); /* SYS_WRITE0 */
}

static void end(int code)
{
    const uint32_t block[2] = {0x20026, (uint32_t)code}; /* application exit */
    firmware_call(0x20, block);                          /* SYS_EXIT_EXTENDED */
    for (;;)
        ;
}

static void fault(void)
{
    firmware_print("fault\n");
    end(4);
}

void firmware_reset(void)
{
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: FPU */
    __asm__ volatile("dsb\n isb");
    memcpy(firmware_data, firmware_data_load,
           (size_t)((char *)firmware_data_end - (char *)firmware_data));
    memset(firmware_bss, 0,
           (size_t)((char *)firmware_bss_end - (char *)firmware_bss));
    end(main());
}

__attribute__((section(".vectors"),
               used)) static void (*const vector[16])(void) = {
    (void (*)(void))(uintptr_t)firmware_stack_top,
    firmware_reset,
    fault,
    fault,
    fault,
    fault,
    fault};

/* What the compiler calls for copies of structs; the library's may be made for
 * size and go byte by byte. The work depends on the size only. */
__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memcpy(
    void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    if ((((uintptr_t)t | (uintptr_t)f) & 3) == 0) {
        for (; n >= 32; n -= 32)
            __asm__ volatile("ldmia %0!, {r3-r6, r8-r10, r12}\n\t"
                             "stmia %1!, {r3-r6, r8-r10, r12}"
                             : "+r"(f), "+r"(t)
                             :
                             : "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r12",
                               "memory");
        for (; n >= 4; n -= 4, t += 4, f += 4)
            *(uint32_t *)(void *)t = *(const uint32_t *)(const void *)f;
    }
    for (; n > 0; n--)
        *t++ = *f++;
    return to;
}

__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memset(
    void *to, int value, size_t n)
{
    for (char *t = to; n > 0; n--)
        *t++ = (char)value;
    return to;
}
