/* xcp.c - the commands of XCP. Numbers in names are those of the standard
 * (ASAM MCD-1 XCP, protocol layer 1.x). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/xcp.h"

#include <stdio.h>
#include <string.h>

enum {
    OK = 0xff,
    ERR = 0xfe,
    E_SYNCH = 0x00,
    E_BUSY = 0x10,
    E_UNKNOWN = 0x20,
    E_SYNTAX = 0x21,
    E_RANGE = 0x22,
    E_DENIED = 0x24,
    E_SEQUENCE = 0x29,
    E_OVERFLOW = 0x30,
    ANSWER_MS = 2000
};

static uint32_t get(const unsigned char *data, int n)
{
    uint32_t x = 0;
    for (int i = n - 1; i >= 0; i--)
        x = x << 8 | data[i];
    return x;
}

static void put(uint64_t x, int n, unsigned char *data)
{
    for (int i = 0; i < n; i++)
        data[i] = (unsigned char)(x >> (8 * i));
}

static size_t fail(unsigned char *reply, int code)
{
    reply[0] = ERR;
    reply[1] = (unsigned char)code;
    return 2;
}

static size_t fine(unsigned char *reply, size_t n)
{
    reply[0] = OK;
    return n;
}

Xcp *xcp_new(const char *model, const RunModel *m, double period,
             Control *control, Probe *probe, Arena *arena)
{
    Xcp *x = NEW(arena, Xcp);
    uint64_t h = 14695981039346656037u;
    x->model = model;
    x->nvar = run_nquantity(m);
    x->control = control;
    x->probe = probe;
    x->period = period;
    x->at = NONE;
    x->every = 1;
    for (int i = 0; i < x->nvar; i++) /* as in target/a2l.c */
        for (const char *s = run_name(m, i, arena);; s++) {
            h = (h ^ (unsigned char)*s) * 1099511628211u;
            if (!*s)
                break;
        }
    snprintf(x->epk, sizeof x->epk, "%016llx", (unsigned long long)h);
    return x;
}

/* ---- memory ---- */

static bool is_memory(const Xcp *x, uint32_t address, uint32_t n)
{
    uint64_t end = (uint64_t)address + n;
    return end <= 8 * (uint64_t)x->nvar ||
           (address >= XCP_EPK && end <= (uint64_t)XCP_EPK + XCP_EPK_BYTES);
}

static size_t upload(Xcp *x, uint32_t address, uint32_t n, unsigned char *reply)
{
    int number[PROBE_MOST] = {0}, count = 0;
    double value[PROBE_MOST];
    unsigned char bytes[8 * PROBE_MOST];
    if (n == 0 || n > XCP_CTO - 1 || !is_memory(x, address, n))
        return fail(reply, E_RANGE);
    if (address >= XCP_EPK) {
        memcpy(reply + 1, x->epk + (address - XCP_EPK), n);
        x->mta = address + n;
        return fine(reply, 1 + n);
    }
    for (uint32_t i = address / 8; i <= (address + n - 1) / 8; i++)
        number[count++] = (int)i;
    if (!probe_ask(x->probe, number, count, value, ANSWER_MS))
        return fail(reply, E_BUSY);
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &value[i], 8);
        put(bits, 8, bytes + 8 * i);
    }
    memcpy(reply + 1, bytes + address % 8, n);
    x->mta = address + n;
    return fine(reply, 1 + n);
}

/* A parameter, whole. */
static size_t download(Xcp *x, const unsigned char *data, size_t n,
                       unsigned char *reply)
{
    const Control *c = x->control;
    if (n < 2 || n < 2 + (size_t)data[1])
        return fail(reply, E_SYNTAX);
    if (data[1] != 8 || x->mta % 8 || !is_memory(x, x->mta, 8))
        return fail(reply, E_RANGE);
    uint64_t bits = (uint64_t)get(data + 6, 4) << 32 | get(data + 2, 4);
    ControlOrder o = {.kind = CONTROL_SET, .count = 1};
    memcpy(&o.value, &bits, 8);
    while (o.index < c->n && c->parameter[o.index].number != (int)(x->mta / 8))
        o.index++;
    if (o.index == c->n)
        return fail(reply, E_DENIED);
    if (control_refuses(&c->parameter[o.index], o.value))
        return fail(reply, E_RANGE);
    if (!control_give(x->control, &o))
        return fail(reply, E_BUSY);
    x->mta += 8;
    return fine(reply, 1);
}

/* ---- lists ---- */

static void stop(Xcp *x)
{
    atomic_store(&x->probe->list, NULL);
    x->is_running = false;
}

static void free_daq(Xcp *x)
{
    stop(x);
    x->nlist = x->nodt = x->nentry = 0;
    x->at = NONE;
    x->is_selected = false;
}

static int first_of(const Xcp *x, int odt)
{
    int at = 0;
    for (int i = 0; i < odt; i++)
        at += x->in_odt[i];
    return at;
}

static size_t alloc_entries(Xcp *x, const unsigned char *d,
                            unsigned char *reply)
{
    int odt = d[4], n = d[5];
    if (get(d + 2, 2) != 0 || odt >= x->nodt || odt < 0)
        return fail(reply, E_RANGE);
    if (x->nentry + n > PROBE_MOST || 5 + 8 * n > XCP_DTO)
        return fail(reply, E_OVERFLOW);
    if (x->in_odt[odt] != 0 || first_of(x, x->nodt) != first_of(x, odt))
        return fail(reply, E_SEQUENCE);
    for (int i = 0; i < n; i++)
        x->entry[x->nentry++] = (XcpEntry){.odt = odt};
    x->in_odt[odt] = n;
    return fine(reply, 1);
}

static size_t write_daq(Xcp *x, const unsigned char *d, unsigned char *reply)
{
    uint32_t address = get(d + 4, 4);
    if (x->at == NONE || x->at >= x->nentry || x->is_running)
        return fail(reply, E_SEQUENCE);
    if (d[2] != 8 || address % 8 || address >= XCP_EPK ||
        !is_memory(x, address, 8))
        return fail(reply, E_RANGE);
    x->entry[x->at].address = address;
    x->entry[x->at++].size = 8;
    return fine(reply, 1);
}

static size_t start(Xcp *x, unsigned char *reply)
{
    int any = 0;
    double value;
    if (x->nentry == 0)
        return fail(reply, E_SEQUENCE);
    stop(x); /* an answer says that the loop has left the old list */
    if (!probe_ask(x->probe, &any, 1, &value, ANSWER_MS))
        return fail(reply, E_BUSY);
    ProbeList *l = &x->list[++x->turn % 2];
    *l = (ProbeList){.n = x->nentry, .every = x->every, .turn = x->turn};
    for (int i = 0; i < x->nentry; i++) {
        if (x->entry[i].size == 0)
            return fail(reply, E_SEQUENCE);
        l->number[i] = (int)(x->entry[i].address / 8);
    }
    atomic_store_explicit(&x->probe->list, l, memory_order_release);
    x->is_running = true;
    return fine(reply, 1);
}

static size_t start_stop(Xcp *x, const unsigned char *d, unsigned char *reply)
{
    if (get(d + 2, 2) != 0 || x->nlist == 0)
        return fail(reply, E_RANGE);
    size_t n = 2;
    if (d[1] == 1)
        n = start(x, reply) == 1 ? 2 : 0;
    else if (d[1] == 2)
        x->is_selected = true;
    else
        stop(x);
    if (n == 0)
        return 2; /* it has been refused */
    reply[1] = 0; /* the first packet */
    return fine(reply, 2);
}

static size_t daq(Xcp *x, const unsigned char *d, unsigned char *reply)
{
    switch (d[0]) {
    case 0xd6: free_daq(x); return fine(reply, 1);
    case 0xd5: /* ALLOC_DAQ */
        if (get(d + 2, 2) > 1)
            return fail(reply, E_OVERFLOW);
        x->nlist = (int)get(d + 2, 2);
        return fine(reply, 1);
    case 0xd4: /* ALLOC_ODT */
        if (get(d + 2, 2) != 0 || x->nlist == 0)
            return fail(reply, E_RANGE);
        if (x->nodt + d[4] > XCP_ODTS)
            return fail(reply, E_OVERFLOW);
        for (int i = 0; i < d[4]; i++)
            x->in_odt[x->nodt++] = 0;
        return fine(reply, 1);
    case 0xd3: return alloc_entries(x, d, reply);
    case 0xe2: /* SET_DAQ_PTR */
        if (get(d + 2, 2) != 0 || d[4] >= x->nodt || d[5] >= x->in_odt[d[4]])
            return fail(reply, E_RANGE);
        x->at = first_of(x, d[4]) + d[5];
        return fine(reply, 1);
    case 0xe1: return write_daq(x, d, reply);
    case 0xe0: /* SET_DAQ_LIST_MODE */
        if (get(d + 2, 2) != 0 || x->nlist == 0 || get(d + 4, 2) != 0)
            return fail(reply, E_RANGE);
        x->has_stamp = d[1] & 0x10;
        x->every = d[6] > 0 ? d[6] : 1;
        return fine(reply, 1);
    case 0xde: return start_stop(x, d, reply);
    default: /* START_STOP_SYNCH */
        if (d[1] == 1 && x->is_selected)
            return start(x, reply);
        stop(x);
        x->is_selected = false;
        return fine(reply, 1);
    }
}

/* ---- what it is ---- */

static size_t connect(Xcp *x, unsigned char *reply)
{
    static const unsigned char is[8] = {
        OK, 0x05, 0x00, XCP_CTO, XCP_DTO & 255, XCP_DTO >> 8, 1, 1};
    free_daq(x);
    x->is_connected = true;
    memcpy(reply, is, sizeof is);
    return sizeof is;
}

/* Period of the event "step": a byte and a unit, 1 us (3) to 1 s (9). */
static size_t event_info(const Xcp *x, unsigned char *reply)
{
    double ns = 1e9 * x->period;
    int unit = 0;
    for (; ns > 255 && unit < 9; unit++)
        ns /= 10;
    memset(reply, 0, 7);
    reply[1] = 0x04;
    reply[2] = 1;
    reply[4] = (unsigned char)(ns + 0.5);
    reply[5] = (unsigned char)unit;
    return fine(reply, 7);
}

static size_t identify(const Xcp *x, unsigned char *reply)
{
    size_t n = strlen(x->model);
    n = n < XCP_CTO - 8 ? n : XCP_CTO - 8;
    memset(reply, 0, 8);
    reply[1] = 1; /* it is in the answer */
    put(n, 4, reply + 4);
    memcpy(reply + 8, x->model, n);
    return fine(reply, 8 + n);
}

static size_t say(Xcp *x, const unsigned char *d, unsigned char *reply)
{
    memset(reply, 0, 8);
    switch (d[0]) {
    case 0xfd: /* GET_STATUS */
        reply[1] = x->is_running ? 0x40 : 0;
        return fine(reply, 6);
    case 0xfb: /* GET_COMM_MODE_INFO */ reply[7] = 0x10; return fine(reply, 8);
    case 0xfa: return identify(x, reply);
    case 0xda: /* GET_DAQ_PROCESSOR_INFO: dynamic, time stamps */
        reply[1] = 0x11;
        reply[2] = 1;
        reply[4] = 1;
        return fine(reply, 8);
    case 0xd9: /* GET_DAQ_RESOLUTION_INFO: 4 bytes of time stamp in us */
        memcpy(reply, (unsigned char[]){OK, 1, 8, 1, 0, 0x34, 1, 0}, 8);
        return 8;
    case 0xd7: return event_info(x, reply);
    default: /* GET_DAQ_CLOCK */ return fine(reply, 8);
    }
}

/* Bytes that a command has at least; 0: it is not known. */
static size_t length_of(unsigned char code)
{
    switch (code) {
    case 0xff:
    case 0xfa:
    case 0xf5:
    case 0xf0:
    case 0xdd: return 2;
    case 0xfe:
    case 0xfd:
    case 0xfc:
    case 0xfb:
    case 0xda:
    case 0xd9:
    case 0xdc:
    case 0xd6: return 1;
    case 0xf6:
    case 0xf4:
    case 0xe1:
    case 0xe0: return 8;
    case 0xd7:
    case 0xd5:
    case 0xde: return 4;
    case 0xd4: return 5;
    case 0xd3:
    case 0xe2: return 6;
    default: return 0;
    }
}

size_t xcp_answer(Xcp *x, const unsigned char *d, size_t n,
                  unsigned char *reply)
{
    if (n == 0 || (!x->is_connected && d[0] != 0xff))
        return 0;
    size_t least = length_of(d[0]);
    if (least == 0)
        return fail(reply, E_UNKNOWN);
    if (n < least)
        return fail(reply, E_SYNTAX);
    switch (d[0]) {
    case 0xff: return connect(x, reply);
    case 0xfe:
        free_daq(x);
        x->is_connected = false;
        return fine(reply, 1);
    case 0xfc: return fail(reply, E_SYNCH);
    case 0xf6: x->mta = get(d + 4, 4); return fine(reply, 1);
    case 0xf5: return upload(x, x->mta, d[1], reply);
    case 0xf4: return upload(x, get(d + 4, 4), d[1], reply);
    case 0xf0: return download(x, d, n, reply);
    case 0xfd:
    case 0xfb:
    case 0xfa:
    case 0xda:
    case 0xd9:
    case 0xd7:
    case 0xdc: return say(x, d, reply);
    default: return daq(x, d, reply);
    }
}

size_t xcp_packet(const Xcp *x, const double *row, int odt, unsigned char *out)
{
    if (odt >= x->nodt || (int)row[0] != x->turn)
        return 0;
    size_t n = 1;
    int from = first_of(x, odt);
    out[0] = (unsigned char)odt;
    if (x->has_stamp && odt == 0) {
        put((uint64_t)(row[1] / 1e3), 4, out + n);
        n += 4;
    }
    for (int i = from; i < from + x->in_odt[odt]; i++, n += 8) {
        uint64_t bits;
        memcpy(&bits, &row[PROBE_HEAD + i], 8);
        put(bits, 8, out + n);
    }
    return n;
}
