/* random.c - values and C of random numbers. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "random/random.h"

#include "takt_rt_random.h"

typedef struct Generator {
    const char *name, *c;
    int size, instructions;
    double (*value)(const double *state, int out);
} Generator;

static const Generator generators[] = {
    {"xorshift64star", "takt_random64", 2, 25, takt_random64},
    {"xorshift128plus", "takt_random128", 4, 30, takt_random128},
    {"xorshift1024star", "takt_random1024", 33, 45, takt_random1024},
};

int random_size(RandomKind kind)
{
    return generators[kind].size;
}

static double value(const ExprFunction *f, int out, const double *plain,
                    const double *list)
{
    (void)plain;
    return generators[*(const RandomKind *)f->info].value(list, out);
}

static Expr derivative(Dag *d, Expr call, int i)
{
    (void)call, (void)i;
    return expr_real(d, 0);
}

static const char *c_call(const ExprFunction *f, int out, bool is_float,
                          const char *const *plain, const char *list,
                          Arena *arena)
{
    (void)plain, (void)is_float;
    return arena_printf(arena, "%s(%s, %d)",
                        generators[*(const RandomKind *)f->info].c, list, out);
}

Expr random_next(Dag *d, RandomKind kind, const Expr *state, Expr *next)
{
    static const RandomKind kinds[] = {RANDOM_XORSHIFT64, RANDOM_XORSHIFT128,
                                       RANDOM_XORSHIFT1024};
    const Generator *g = &generators[kind];
    ExprFunction f = {.name = g->name,
                      .nlist = g->size,
                      .info = &kinds[kind],
                      .ninfo = sizeof kinds[0],
                      .value = value,
                      .derivative = derivative,
                      .c_call = c_call,
                      .header = "takt_rt_random.h",
                      .needs_double = true,
                      .instructions = g->instructions};
    int fn = dag_add_function(d, &f);
    for (int i = 0; i < g->size; i++)
        next[i] = expr_call(d, fn, i, ET_INTEGER, state, g->size);
    return expr_call(d, fn, g->size, ET_REAL, state, g->size);
}
