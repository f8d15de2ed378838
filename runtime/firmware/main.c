/* main.c - steps of @NAME@ on a Cortex-M4F, counted.
 *
 * The counter is SysTick. Where time is counted in instructions (an emulator
 * that gives every instruction more than one tick) the numbers are exact; on
 * hardware they are in units of a NOP, that is, in cycles.
 */
#include <stdint.h>

#include "@NAME@.h"

enum { STEPS = 1000, NOPS = 1000 };

void firmware_print(const char *text);

static @NAME @model;

/* ---- printing without a library ---- */

static void print_number(uint32_t n)
{
    char text[11];
    int at = 10;
    text[at] = 0;
    do
        text[--at] = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    firmware_print(text + at);
}

/* Seven digits and a power of ten. */
static void print_real(float x)
{
    if (x != x || x - x != 0) {
        firmware_print("nan");
        return;
    }
    int power = 0;
    if (x < 0) {
        firmware_print("-");
        x = -x;
    }
    for (; x >= 1e7f; power++)
        x /= 10;
    for (; x > 0 && x < 1e6f; power--)
        x *= 10;
    print_number((uint32_t)(x + 0.5f));
    firmware_print("e");
    if (power < 0)
        firmware_print("-");
    print_number((uint32_t)(power < 0 ? -power : power));
}

/* ---- counting ---- */

#define SYSTICK ((volatile uint32_t *)0xE000E010) /* control, reload, value */

static int nothing(@NAME @ *m)
{
    (void)m;
    __asm__ volatile("");
    return 0;
}

static int nops(@NAME @ *m)
{
    (void)m;
    __asm__ volatile(".rept 1000\n nop\n .endr");
    return 0;
}

static uint32_t ticks(int (*volatile work)(@NAME @ *), int *status)
{
    int (*f)(@NAME @ *) = work;
    uint32_t before = SYSTICK[2];
    *status = f(&model);
    return (before - SYSTICK[2]) & 0xFFFFFF;
}

int main(void)
{
    int status;
    SYSTICK[1] = 0xFFFFFF;
    SYSTICK[2] = 0;
    SYSTICK[0] = 5; /* on, processor clock, no interrupt */
    ticks(nothing, &status);
    const uint32_t empty = ticks(nothing, &status);
    const uint32_t unit =
        ticks(nops, &status) - empty; /* of NOPS instructions */
    uint32_t least = UINT32_MAX, most = 0;
    if (unit == 0) {
        firmware_print("the counter does not count\n");
        return 1;
    }
    @NAME @_init(&model);
    for (int k = 0; k < STEPS; k++) {
        uint32_t t = ticks(@NAME @_step, &status) - empty;
        uint32_t n = (uint32_t)(((uint64_t)t * NOPS + unit / 2) / unit) + 1;
        least = n < least ? n : least;
        most = n > most ? n : most;
        if (status < 0) {
            firmware_print("step ");
            print_number((uint32_t)k);
            firmware_print(" failed\n");
            return 1;
        }
    }
    print_number(STEPS);
    firmware_print(" steps, instructions per step: least ");
    print_number(least);
    firmware_print(", largest ");
    print_number(most);
    firmware_print(unit > 2 * NOPS ? "\n" : ", not exact\n");
    for (int i = 0; i < @UPPER @_NVAR; i++) {
        firmware_print(@NAME @_name(i));
        firmware_print(" ");
        print_real((float)@NAME @_get(&model, i));
        firmware_print("\n");
    }
    return 0;
}
