/* diag.c - collects what takt has to say about the user's model.
 *
 * A report that was made before (same code, place and text) is dropped. It is
 * recognised by a 64-bit hash of the three, so that a million repetitions cost
 * a million look-ups and no memory.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"

#include <stdint.h>

#include "base/diag_internal.h"
#include "base/die.h"
#include "base/distance.h"

static const struct {
    const char *name, *text;
} codes[] = {
#define CODE(name, text) {#name, text},
#include "base/codes.def"
#undef CODE
    {NULL, NULL},
};

const char *diag_code_name(DiagCode code)
{
    return codes[code].name;
}

const char *diag_code_text(DiagCode code)
{
    return codes[code].text;
}

DiagKind diag_kind(DiagCode code)
{
    switch (codes[code].name[0]) {
    case 'E': return DIAG_ERROR;
    case 'U': return DIAG_UNSUPPORTED;
    case 'W': return DIAG_WARNING;
    default: unreachable();
    }
}

Diag *diag_new(const Sources *sources, Arena *arena)
{
    Diag *d = NEW(arena, Diag);
    d->sources = sources;
    d->arena = arena;
    return d;
}

static uint64_t hash_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

/* Never 0, which marks a free place. */
static uint64_t hash_report(DiagCode code, Span span, const char *text)
{
    int32_t number = (int32_t)code;
    uint64_t h = 14695981039346656037u;
    h = hash_bytes(h, &number, sizeof number);
    h = hash_bytes(h, &span.source, sizeof span.source);
    h = hash_bytes(h, &span.begin, sizeof span.begin);
    h = hash_bytes(h, &span.end, sizeof span.end);
    h = hash_bytes(h, text, strlen(text));
    return h ? h : 1;
}

static bool place_hash(Diag *d, uint64_t h)
{
    unsigned mask = (unsigned)d->seen.cap - 1;
    unsigned i = (unsigned)(h ^ (h >> 32)) & mask;
    for (; d->seen.at[i]; i = (i + 1) & mask)
        if (d->seen.at[i] == h)
            return false;
    d->seen.at[i] = h;
    return true;
}

/* Remembers the report. Returns false if it was known. */
static bool is_new(Diag *d, uint64_t h)
{
    if (d->nseen * 2 >= d->seen.cap) {
        uint64_t *old = d->seen.at;
        int nold = d->seen.cap;
        d->seen.cap = nold ? nold * 2 : 64;
        d->seen.at = NEW_ARRAY(d->arena, uint64_t, d->seen.cap);
        for (int i = 0; i < nold; i++)
            if (old[i])
                place_hash(d, old[i]);
    }
    if (!place_hash(d, h))
        return false;
    d->nseen++;
    return true;
}

void diag_report(Diag *d, Span span, DiagCode code, const char *fmt, ...)
{
    DiagKind kind = diag_kind(code);
    d->last_kept = false;
    if (d->nmute > 0) {
        d->count[kind]++;
        return;
    }
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(d->arena, fmt, ap);
    va_end(ap);
    if (!is_new(d, hash_report(code, span, text)))
        return;
    if (d->count[kind]++ >= DIAG_SHOWN)
        return;
    Message m = {code, span, text, d->note.n, 0};
    vec_push(d->arena, &d->message, m);
    d->last_kept = true;
}

static void add_note(Diag *d, Span span, const char *text)
{
    Message *m = &vec_last(&d->message);
    if (m->nnote >= DIAG_NOTES)
        return;
    Note note = {span, text};
    vec_push(d->arena, &d->note, note);
    m->nnote++;
}

void diag_note(Diag *d, Span span, const char *fmt, ...)
{
    if (!d->last_kept)
        return;
    va_list ap;
    va_start(ap, fmt);
    add_note(d, span, arena_vprintf(d->arena, fmt, ap));
    va_end(ap);
}

void diag_suggest(Diag *d, const char *name, const char *const *candidate,
                  int ncandidate)
{
    if (!d->last_kept)
        return;
    const char *near = distance_nearest(name, candidate, ncandidate);
    if (near)
        add_note(d, NO_SPAN,
                 arena_printf(d->arena, "did you mean '%s'?", near));
}

void diag_mute(Diag *d)
{
    int most = (int)(sizeof d->muted / sizeof d->muted[0]);
    if (d->nmute < most)
        memcpy(d->muted[d->nmute].count, d->count, sizeof d->count);
    d->nmute++;
    d->last_kept = false;
}

void diag_unmute(Diag *d)
{
    assert(d->nmute > 0);
    int most = (int)(sizeof d->muted / sizeof d->muted[0]);
    if (--d->nmute < most)
        memcpy(d->count, d->muted[d->nmute].count, sizeof d->count);
    d->last_kept = false;
}

static void append(Diag *d, const Diag *from, const Message *m)
{
    diag_report(d, m->span, m->code, "%s", m->text);
    for (int k = 0; k < m->nnote; k++) {
        const Note *note = &from->note.at[m->note + k];
        diag_note(d, note->span, "%s", note->text);
    }
}

void diag_append(Diag *d, const Diag *from)
{
    for (int i = 0; i < from->message.n; i++)
        append(d, from, &from->message.at[i]);
}

void diag_append_only(Diag *d, const Diag *from, DiagCode code)
{
    for (int i = 0; i < from->message.n; i++)
        if (from->message.at[i].code == code)
            append(d, from, &from->message.at[i]);
}

int diag_count(const Diag *d, DiagKind kind)
{
    return d->count[kind];
}

bool diag_failed(const Diag *d)
{
    return d->count[DIAG_ERROR] > 0 || d->count[DIAG_UNSUPPORTED] > 0;
}

int diag_exit_code(const Diag *d)
{
    return d->count[DIAG_ERROR]         ? EXIT_MODEL
           : d->count[DIAG_UNSUPPORTED] ? EXIT_UNSUPPORTED
                                        : EXIT_FINE;
}

const char *diag_first(const Diag *d, Arena *arena)
{
    for (int i = 0; i < d->message.n; i++) {
        const Message *m = &d->message.at[i];
        if (diag_kind(m->code) != DIAG_WARNING)
            return arena_printf(arena, "%s [%s]", m->text,
                                diag_code_name(m->code));
    }
    return NULL;
}
