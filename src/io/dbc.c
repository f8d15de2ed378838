/* dbc.c - reads .dbc files, codes signals. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/dbc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* ---- bits ---- */

/* Place of the k-th bit of a signal, counted from its least one. */
static int bit_at(const DbcSignal *s, int k)
{
    if (s->is_intel)
        return s->start + k;
    /* Motorola: `start` is the highest; in sawtooth order it is this one */
    int highest = s->start / 8 * 8 + 7 - s->start % 8;
    int at = highest + s->size - 1 - k;
    return at / 8 * 8 + 7 - at % 8;
}

static uint64_t get_bits(const DbcSignal *s, const unsigned char *data)
{
    uint64_t raw = 0;
    for (int k = 0; k < s->size; k++) {
        int at = bit_at(s, k);
        raw |= (uint64_t)(data[at / 8] >> at % 8 & 1) << k;
    }
    return raw;
}

static void put_bits(const DbcSignal *s, uint64_t raw, unsigned char *data)
{
    for (int k = 0; k < s->size; k++) {
        int at = bit_at(s, k);
        unsigned char bit = (unsigned char)(1u << at % 8);
        data[at / 8] = (unsigned char)(raw >> k & 1 ? data[at / 8] | bit
                                                    : data[at / 8] & ~bit);
    }
}

static double whole_of(const DbcSignal *s, uint64_t raw)
{
    if (!s->is_signed || !(raw >> (s->size - 1) & 1))
        return (double)raw;
    if (s->size < 64)
        raw |= UINT64_MAX << s->size;
    return (double)(int64_t)raw;
}

double dbc_get(const DbcSignal *s, const unsigned char *data)
{
    uint64_t raw = get_bits(s, data);
    double x = whole_of(s, raw);
    if (s->kind == DBC_FLOAT) {
        uint32_t bits = (uint32_t)raw;
        float f;
        memcpy(&f, &bits, sizeof f);
        x = f;
    } else if (s->kind == DBC_DOUBLE) {
        memcpy(&x, &raw, sizeof x);
    }
    return s->factor * x + s->offset;
}

/* The nearest whole number that has room. */
static uint64_t raw_of(const DbcSignal *s, double x)
{
    double least = s->is_signed ? -ldexp(1, s->size - 1) : 0;
    double most = ldexp(1, s->is_signed ? s->size - 1 : s->size);
    x = nearbyint(x);
    if (x <= least)
        return (uint64_t)(int64_t)least;
    if (x < most)
        return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
    int bits = s->is_signed ? s->size - 1 : s->size;
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

void dbc_put(const DbcSignal *s, double x, unsigned char *data)
{
    if (s->min < s->max)
        x = x < s->min ? s->min : x > s->max ? s->max : x;
    x = (x - s->offset) / s->factor;
    uint64_t raw = 0;
    if (s->kind == DBC_FLOAT) {
        float f = (float)x;
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        raw = bits;
    } else if (s->kind == DBC_DOUBLE) {
        memcpy(&raw, &x, sizeof raw);
    } else {
        raw = raw_of(s, x);
    }
    put_bits(s, raw, data);
}

bool dbc_has(const DbcMessage *m, const DbcSignal *s, const unsigned char *data)
{
    if (s->when == NONE)
        return true;
    for (int i = 0; i < m->signal.n; i++)
        if (m->signal.at[i].is_switch)
            return get_bits(&m->signal.at[i], data) == (uint64_t)s->when;
    return false;
}

/* ---- text ---- */

typedef struct Line {
    const char *at, *end;
    Span span;
} Line;

typedef struct Reader {
    Dbc *dbc;
    DbcMessage *message; /* that signals belong to, or NULL */
    Arena *arena;
    Diag *diag;
    bool failed;
} Reader;

static void wrong(Reader *r, Span span, const char *what, const char *name)
{
    diag_report(r->diag, span, DIAG_E1618, "%s%s%s", name, *name ? ": " : "",
                what);
    r->failed = true;
}

static void skip(Line *l)
{
    while (l->at < l->end &&
           (*l->at == ' ' || *l->at == '\t' || *l->at == '\r'))
        l->at++;
}

/* A character, after blanks. */
static bool sign(Line *l, char c)
{
    skip(l);
    bool is_there = l->at < l->end && *l->at == c;
    l->at += is_there;
    return is_there;
}

/* Up to a blank or a mark. */
static const char *word(Line *l, Arena *arena)
{
    skip(l);
    const char *begin = l->at;
    while (l->at < l->end && !memchr(" \t\r:|@(),;\"", *l->at, 11))
        l->at++;
    return arena_strndup(arena, begin, (size_t)(l->at - begin));
}

static bool number(Line *l, Arena *arena, double *x)
{
    const char *text = word(l, arena);
    char *end;
    *x = number_read(text, &end);
    return end != text && !*end && isfinite(*x);
}

static bool whole(Line *l, Arena *arena, double most, double *x)
{
    return number(l, arena, x) && *x >= 0 && *x <= most && *x == rint(*x);
}

/* BO_ id name: bytes sender */
static void read_message(Reader *r, Line *l)
{
    double id, bytes;
    DbcMessage m = {.span = l->span};
    r->message = NULL;
    bool fine = whole(l, r->arena, 4294967295.0, &id);
    m.name = word(l, r->arena);
    if (!fine || !*m.name || !sign(l, ':') ||
        !whole(l, r->arena, 1e6, &bytes)) {
        wrong(r, l->span, "'BO_ id name: bytes sender' is expected", "");
        return;
    }
    m.id = (uint32_t)id;
    m.bytes = bytes > DBC_BYTES ? DBC_BYTES + 1 : (int)bytes;
    vec_push(r->arena, r->dbc, m);
    r->message = &r->dbc->at[r->dbc->n - 1];
}

static bool read_layout(Line *l, Arena *arena, DbcSignal *s)
{
    double start, size, order;
    bool fine = sign(l, ':') && whole(l, arena, 511, &start) && sign(l, '|') &&
                whole(l, arena, 512, &size) && sign(l, '@');
    if (!fine || l->at >= l->end || (*l->at != '0' && *l->at != '1'))
        return false;
    order = *l->at++;
    s->start = (int)start;
    s->size = (int)size;
    s->is_intel = order == '1';
    s->is_signed = sign(l, '-');
    return s->is_signed || sign(l, '+');
}

static bool read_scale(Line *l, Arena *arena, DbcSignal *s)
{
    if (!sign(l, '(') || !number(l, arena, &s->factor) || !sign(l, ',') ||
        !number(l, arena, &s->offset) || !sign(l, ')') || !sign(l, '['))
        return false;
    if (!number(l, arena, &s->min) || !sign(l, '|'))
        return false;
    skip(l);
    const char *end = memchr(l->at, ']', (size_t)(l->end - l->at));
    if (!end)
        return false;
    Line rest = {l->at, end, l->span};
    bool fine = number(&rest, arena, &s->max);
    l->at = end + 1;
    if (!sign(l, '"'))
        return false;
    end = memchr(l->at, '"', (size_t)(l->end - l->at));
    s->unit = end ? arena_strndup(arena, l->at, (size_t)(end - l->at)) : "";
    return fine && end;
}

/* SG_ name [M|mN] : start|size@order sign (factor,offset) [min|max] "unit" */
static void read_signal(Reader *r, Line *l)
{
    DbcSignal s = {.span = l->span, .when = NONE, .bound = NONE};
    if (!r->message)
        return;
    s.name = word(l, r->arena);
    skip(l);
    if (l->at < l->end && *l->at != ':') {
        const char *mux = word(l, r->arena);
        s.is_switch = !strcmp(mux, "M");
        if (*mux == 'm')
            s.when = atoi(mux + 1);
    }
    if (!*s.name || !read_layout(l, r->arena, &s) ||
        !read_scale(l, r->arena, &s)) {
        wrong(r, l->span,
              "'SG_ name : start|size@order+ (factor,offset) [min|max] "
              "\"unit\"' is expected",
              s.name);
        return;
    }
    if (s.factor == 0)
        wrong(r, l->span, "the factor is 0", s.name);
    vec_push(r->arena, &r->message->signal, s);
}

static DbcMessage *find_message(Dbc *d, double id)
{
    for (int i = 0; i < d->n; i++)
        if (d->at[i].id == (uint32_t)id)
            return &d->at[i];
    return NULL;
}

/* SIG_VALTYPE_ id name : kind; */
static void read_kind(Reader *r, Line *l)
{
    double id, kind;
    if (!whole(l, r->arena, 4294967295.0, &id))
        return;
    DbcMessage *m = find_message(r->dbc, id);
    const char *name = word(l, r->arena);
    if (!m || !sign(l, ':') || !whole(l, r->arena, 2, &kind))
        return;
    for (int i = 0; i < m->signal.n; i++)
        if (!strcmp(m->signal.at[i].name, name))
            m->signal.at[i].kind = (DbcKind)kind;
}

/* BA_ "GenMsgCycleTime" BO_ id ms; */
static void read_cycle(Reader *r, Line *l)
{
    static const char key[] = "\"GenMsgCycleTime\"";
    double id, ms;
    skip(l);
    if ((size_t)(l->end - l->at) < sizeof key - 1 ||
        memcmp(l->at, key, sizeof key - 1))
        return;
    l->at += sizeof key - 1;
    if (strcmp(word(l, r->arena), "BO_") ||
        !whole(l, r->arena, 4294967295.0, &id) || !number(l, r->arena, &ms))
        return;
    DbcMessage *m = find_message(r->dbc, id);
    if (m && ms > 0)
        m->cycle = 1e-3 * ms;
}

static void read_line(Reader *r, Line *l)
{
    const char *first = word(l, r->arena);
    if (!strcmp(first, "BO_"))
        read_message(r, l);
    else if (!strcmp(first, "SG_"))
        read_signal(r, l);
    else if (!strcmp(first, "SIG_VALTYPE_"))
        read_kind(r, l);
    else if (!strcmp(first, "BA_"))
        read_cycle(r, l);
}

/* ---- what must hold ---- */

static void check_signal(Reader *r, const DbcMessage *m, const DbcSignal *s)
{
    if (s->size < 1 || s->size > 64 ||
        (s->kind == DBC_FLOAT && s->size != 32) ||
        (s->kind == DBC_DOUBLE && s->size != 64)) {
        wrong(r, s->span, "its size is not that of a number", s->name);
        return;
    }
    for (int k = 0; k < s->size; k++)
        if (bit_at(s, k) < 0 || bit_at(s, k) >= 8 * m->bytes) {
            wrong(r, s->span, "it reaches out of its message", s->name);
            return;
        }
}

static void check(Reader *r)
{
    for (int i = 0; i < r->dbc->n; i++) {
        const DbcMessage *m = &r->dbc->at[i];
        if (m->bytes > DBC_BYTES && m->signal.n > 0)
            wrong(r, m->span, "more than 8 bytes: CAN FD is not read", m->name);
        for (int k = 0; k < m->signal.n && m->bytes <= DBC_BYTES; k++)
            check_signal(r, m, &m->signal.at[k]);
        if (find_message(r->dbc, m->id) != m)
            wrong(r, m->span, "another message has this number", m->name);
    }
}

Dbc *dbc_read(const Sources *sources, int source, Arena *arena, Diag *diag)
{
    const Source *text = sources_get(sources, source);
    Reader r = {.dbc = NEW(arena, Dbc), .arena = arena, .diag = diag};
    for (uint32_t at = 0; at < text->size;) {
        const char *begin = text->text + at;
        const char *end = memchr(begin, '\n', text->size - at);
        size_t n = end ? (size_t)(end - begin) : text->size - at;
        Line l = {
            begin, begin + n, {source, at, at + (uint32_t)(n > 0 ? n : 1)}};
        read_line(&r, &l);
        at += (uint32_t)n + 1;
    }
    if (!r.failed)
        check(&r);
    return r.failed ? NULL : r.dbc;
}
