/* fuzz_rt.c - any bytes as a table of takt_rt.h.
 *
 * The checksum is put right, so that the checks after it are reached. What
 * must hold: nothing is read outside of the table, and a table that is accepted
 * can be stepped, whatever it says, within the memory that it asks for.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "takt/takt_rt_step.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static int rhs(void *user, double t, const double *x, double *f)
{
    const int n = *(const int *)user;
    for (int i = 0; i < n; i++)
        f[i] = t - x[i] + x[(i + 1) % n];
    return 0;
}

static int derivative(void *user, double t, const double *x, const double *v,
                      double *jv)
{
    const int n = *(const int *)user;
    (void)t;
    (void)x;
    for (int i = 0; i < n; i++)
        jv[i] = v[(i + 1) % n] - v[i];
    return 0;
}

static int jacobian(void *user, double t, const double *x, double *value)
{
    (void)user;
    (void)t;
    value[0] = -x[0];
    return 0;
}

static void run(const uint32_t *words, size_t n)
{
    int unknowns = (int)words[4];
    TaktRtModel model = {.n = unknowns, .rhs = rhs, .user = &unknowns};
    if (words[5] == TAKT_RT_DIRECTIONS)
        model.derivative = derivative;
    if (words[5] == TAKT_RT_ENTRIES)
        model.jacobian = jacobian;
    size_t bytes = takt_rt_memory(words, n);
    if (bytes == 0 || bytes > (size_t)64 << 20 || words[5] > 2 ||
        (words[5] == TAKT_RT_ENTRIES && words[16] == 0))
        return;
    void *memory = malloc(bytes);
    TaktRt s;
    if (memory &&
        takt_rt_init(&s, words, n, &model, memory, bytes) == TAKT_RT_FINE)
        for (int k = 0; k < 3; k++)
            (void)takt_rt_step(&s);
    free(memory);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    size_t n = size / 4;
    uint32_t *words = malloc(4 * n + 4);
    if (!words)
        return 0;
    memcpy(words, data, 4 * n);
    if (n < 32 && takt_rt_memory(words, n) != 0)
        abort();
    if (n >= 32) {
        run(words, n);
        words[2] = (uint32_t)n;
        words[3] = takt_rt_crc_(words + 4, n - 4);
        run(words, n);
    }
    free(words);
    return 0;
}
