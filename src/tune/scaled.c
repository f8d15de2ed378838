/* scaled.c - products of many step matrices. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/scaled.h"

#include "tune/tune_internal.h"

enum { MOST_HELD = 1000 };

static void rescale(Scaled *s)
{
    size_t size = (size_t)s->n * (size_t)s->n;
    double most = 0;
    for (size_t i = 0; i < size; i++)
        most = fabs(s->m[i]) > most ? fabs(s->m[i]) : most;
    if (most == 0)
        return;
    for (size_t i = 0; i < size; i++)
        s->m[i] /= most;
    s->log += log(most);
}

Scaled scaled_new(int n, const double *m, Arena *arena)
{
    size_t size = (size_t)n * (size_t)n;
    Scaled s = {n, NEW_ARRAY(arena, double, size + 1), 0};
    for (size_t i = 0; i < size; i++)
        s.m[i] = m ? m[i] : i % ((size_t)n + 1) == 0;
    rescale(&s);
    return s;
}

void scaled_multiply(Scaled *a, const Scaled *b, double *work)
{
    size_t size = (size_t)a->n * (size_t)a->n;
    matrix_product(a->n, a->n, a->n, b->m, a->m, work);
    memcpy(a->m, work, size * sizeof *work);
    a->log += b->log;
    rescale(a);
}

int scaled_steps_held(double from, double to, double tau)
{
    double steps = (to - from) / tau;
    return steps > MOST_HELD ? MOST_HELD : steps > 1 ? (int)steps : 1;
}
