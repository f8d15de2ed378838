/* fuzz_run.c - any bytes as a datagram of inputs, and as a request for the
 * page.
 *
 * A datagram: the numbers are taken if and only if the length fits and all are
 * finite; else nothing is written; what was taken gives the same bytes again.
 * The first byte says how many numbers are expected.
 * A request: nothing is read after its end, and once it is understood more
 * bytes do not change what it asks for.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/page.h"
#include "run/udp.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void request(const unsigned char *data, size_t size)
{
    PageRequest last = PAGE_MORE;
    size = size < PAGE_MOST_REQUEST ? size : PAGE_MOST_REQUEST;
    for (size_t n = 0; n <= size; n++) {
        char *text = malloc(n + !n); /* of its own, so that no byte follows */
        if (!text)
            abort();
        memcpy(text, data, n);
        PageRequest now = page_request(text, n);
        if (last != PAGE_MORE && now != last)
            abort();
        last = now;
        free(text);
        if (n > 300) /* the rest at once */
            n = size - 1 > n ? size - 1 : n;
    }
}

static void datagram(const unsigned char *data, size_t size)
{
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
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    request(data, size);
    if (size > 0)
        datagram(data, size);
    return 0;
}
