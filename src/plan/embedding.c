/* embedding.c - the embeddings of Cellier and Kofman, as slopes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/embedding.h"

#include <assert.h>
#include <string.h>

typedef struct EmbeddingSpec {
    const char *method;
    EmbeddingKind kind;
    const char *name;
    int nstep, order;
    const char *value, *slope;
} EmbeddingSpec;

static const EmbeddingSpec spec[] = {
    {"radau3", EK_BLENDED, "(8.105)", 2, 3, "-1/13 2/13 14/13 -2/13 0 ",
     "0 0 11/13 3/13 "},
    {"radau3", EK_BDF3, "(8.95)", 3, 3, "2/11 0 -9/11 0 18/11 0 0 ",
     "0 0 0 0 0 6/11 "},
    {"radau5", EK_BLENDED, "(8.108)", 2, 5,
     "-0.00517140382204 0 -0.04060469717694 1.41786808325433 "
     "-0.17475783086782 -0.19733415138754 0 ",
     "-0.00094714677404 -0.01364429384901 0 0.48299282769491 "
     "0.55942205973218 0.10695524944855 "},
    {"lobatto4", EK_BLENDED, "(8.110)", 2, 4,
     "0 63/4552 0 3101/2276 -393/4552 -165/569 0 ",
     "-91/81936 1381/81936 0 775/3414 62179/81936 12881/81936 "},
};

static Exact *read_numbers(const char *text, int n, Arena *arena)
{
    Exact *x = NEW_ARRAY(arena, Exact, n);
    for (int i = 0; i < n; i++) {
        bool fine = exact_read(text, &text, &x[i]);
        assert(fine);
        (void)fine;
        while (*text == ' ')
            text++;
    }
    return x;
}

/* A tableau is known by its numbers: a file may hold one under its own name. */
static bool is_method(const Method *m, const char *name, Arena *arena)
{
    const Method *known = method_find(name, arena);
    if (m->kind != MK_RK || m->nstage != known->nstage)
        return false;
    bool same = true;
    for (int i = 0; i < m->nstage * m->nstage; i++)
        same &= exact_sign(exact_sub(m->exact[i], known->exact[i])) == 0;
    return same && m->is_stiffly_accurate;
}

const Embedding *embedding_find(const Method *m, EmbeddingKind kind,
                                Arena *arena)
{
    for (size_t k = 0; k < sizeof spec / sizeof *spec; k++) {
        if (spec[k].kind != kind || !is_method(m, spec[k].method, arena))
            continue;
        int n = spec[k].nstep * m->nstage;
        Embedding *e = NEW(arena, Embedding);
        *e = (Embedding){spec[k].name, spec[k].nstep, spec[k].order,
                         read_numbers(spec[k].value, n + 1, arena),
                         read_numbers(spec[k].slope, n, arena)};
        return e;
    }
    return NULL;
}

Exact *embedding_tableau(const Method *m, int nstep, Arena *arena)
{
    int s = m->nstage, n = nstep * s;
    Exact *a = NEW_ARRAY(arena, Exact, n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int step = i / s, other = j / s;
            a[i * n + j] = other > step    ? exact_of(0, 1)
                           : other == step ? m->exact[i % s * s + j % s]
                                           : m->exact[s * s + j % s];
        }
    return a;
}

Exact *embedding_weights(const Method *m, const Embedding *e, Arena *arena)
{
    int n = e->nstep * m->nstage;
    const Exact *a = embedding_tableau(m, e->nstep, arena);
    Exact *w = NEW_ARRAY(arena, Exact, n);
    memcpy(w, e->slope, sizeof *w * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[j] = exact_add(w[j], exact_mul(e->value[i + 1], a[i * n + j]));
    return w;
}

Exact *embedding_difference(const Method *m, const Embedding *e, Arena *arena)
{
    int s = m->nstage, n = e->nstep * s;
    Exact *d = embedding_weights(m, e, arena);
    for (int j = 0; j < n; j++)
        d[j] = exact_sub(m->exact[s * s + j % s], d[j]);
    return d;
}
