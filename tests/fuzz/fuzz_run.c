/* fuzz_run.c - any bytes as a datagram of inputs, as a request for the page, as
 * an order, as a scenario, and as a .dbc file.
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

#include "io/dbc.h"
#include "run/control.h"
#include "run/page.h"
#include "run/scenario.h"
#include "run/udp.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void request(const unsigned char *data, size_t size)
{
    PageRequest last = PAGE_MORE;
    PageAsked asked;
    size = size < PAGE_MOST_REQUEST ? size : PAGE_MOST_REQUEST;
    for (size_t n = 0; n <= size; n++) {
        char *text = malloc(n + !n); /* of its own, so that no byte follows */
        if (!text)
            abort();
        memcpy(text, data, n);
        PageRequest now = page_request(text, n, &asked);
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

/* With a header: each is taken, malformed or stale, never two of these. */
static void framed(const unsigned char *data, size_t size)
{
    double value[9] = {0};
    UdpIn u = {.n = data[0] % 9, .value = value};
    size_t piece = UDP_HEADER + 8 * (size_t)u.n;
    int64_t n = 0;
    for (size_t at = 1; at < size; at += piece, n++) {
        size_t k = size - at < piece ? size - at : piece;
        unsigned char *copy = malloc(k + !k);
        if (!copy)
            abort();
        memcpy(copy, data + at, k);
        udp_in_take(&u, copy, k);
        free(copy);
    }
    if (u.taken + u.malformed + u.stale != n || u.lost < 0)
        abort();
    for (int i = 0; i < u.n; i++)
        if (!isfinite(value[i]))
            abort();
}

static void order(const unsigned char *data, size_t size)
{
    static const ControlParameter p[2] = {
        {.name = "a", .min = 0, .max = 1},
        {.name = "b c", .is_whole = true, .min = -5, .max = 5}};
    Arena *arena = arena_new();
    Control *c = control_new(p, 2, arena);
    ControlOrder o;
    if (!control_read(c, (const char *)data, size, &o)) {
        if (o.kind == CONTROL_SET && control_refuses(&p[o.index], o.value))
            abort();
        if (o.kind == CONTROL_STEP && o.count < 1)
            abort();
    }
    arena_free(arena);
}

/* What is read is in the order of its times, and finite. */
static void scenario(const unsigned char *data, size_t size)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    Diag *diag = diag_new(sources, arena);
    int source = sources_add(sources, "s", (const char *)data, size);
    const Scenario *s = scenario_read(sources, source, arena, diag);
    if ((s == NULL) != diag_failed(diag))
        abort();
    for (int i = 0; s && i < s->n; i++) {
        const ScenarioStep *e = &s->step[i];
        if (!isfinite(e->from) || !isfinite(e->value) || e->to < e->from ||
            (i > 0 && e->from < e[-1].from))
            abort();
    }
    if (s)
        scenario_junit(s, "m", sources, arena);
    arena_free(arena);
}

/* Signals of a file that is taken stay in their frames. */
static void dbc(const unsigned char *data, size_t size)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    Diag *diag = diag_new(sources, arena);
    int source = sources_add(sources, "d", (const char *)data, size);
    const Dbc *d = dbc_read(sources, source, arena, diag);
    if ((d == NULL) != diag_failed(diag))
        abort();
    for (int i = 0; d && i < d->n; i++)
        for (int k = 0; k < d->at[i].signal.n; k++) {
            unsigned char frame[DBC_BYTES + 1] = {[DBC_BYTES] = 77};
            const DbcSignal *s = &d->at[i].signal.at[k];
            dbc_put(s, 1.5, frame);
            dbc_get(s, frame);
            dbc_has(&d->at[i], s, frame);
            if (frame[DBC_BYTES] != 77)
                abort();
        }
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    dbc(data, size);
    order(data, size);
    scenario(data, size);
    if (size > 0)
        framed(data, size);
    request(data, size);
    if (size > 0)
        datagram(data, size);
    return 0;
}
