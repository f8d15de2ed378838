/* fuzz_udp.c - any bytes as a datagram of inputs.
 *
 * What must hold: the numbers are taken if and only if the length fits and all
 * are finite; else nothing is written; what was taken gives the same bytes
 * again. The first byte says how many numbers are expected.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/udp.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (size == 0)
        return 0;
    int n = data[0] % 9;
    size--;
    unsigned char *copy = malloc(size + 1), again[64];
    double *value = malloc((size_t)n * sizeof *value + 1);
    if (!copy || !value)
        abort();
    memcpy(copy, data + 1, size);
    for (int i = 0; i < n; i++)
        value[i] = 42.5;
    bool taken = udp_decode(copy, size, n, value);
    bool finite = true, untouched = true;
    for (int i = 0; i < n; i++) {
        finite &= isfinite(value[i]) != 0;
        untouched &= value[i] == 42.5;
    }
    if (taken && (size != 8 * (size_t)n || !finite))
        abort();
    if (!taken && !untouched)
        abort();
    if (taken) {
        udp_encode(value, n, again);
        if (memcmp(again, copy, size))
            abort();
    }
    free(copy);
    free(value);
    return 0;
}
