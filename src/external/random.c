/* random.c - random numbers of Modelica.Math.Random. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "external/external_internal.h"
#include "random/random.h"

/* f(stateIn, stateOut, result) */
static bool next(ExternalCall *c, RandomKind kind)
{
    const Value *state = c->narg == 3 ? c->arg[0] : NULL;
    int n = random_size(kind);
    if (!state || state->ndim != 1 || state->nscalar != n ||
        !is_kind(state, TYPE_INTEGER))
        return external_unsupported(c, "it is not called as takt knows it");
    Expr *to = NEW_ARRAY(c->in->arena, Expr, n);
    Expr number = random_next(c->in->dag, kind, state->scalar, to);
    Value *after = value_new(c->in, type_builtin(TYPE_INTEGER), 1, state->dim,
                             to, state->variability);
    Value *result = value_scalar(c->in, type_builtin(TYPE_REAL), number,
                                 state->variability);
    return external_set_arg(c, 1, after) && external_set_arg(c, 2, result);
}

static bool next_64(ExternalCall *c)
{
    return next(c, RANDOM_XORSHIFT64);
}

static bool next_128(ExternalCall *c)
{
    return next(c, RANDOM_XORSHIFT128);
}

static bool next_1024(ExternalCall *c)
{
    return next(c, RANDOM_XORSHIFT1024);
}

/* The hidden state of impureRandom, which is the only one to see it and is
 * refused. */
static bool set_hidden(ExternalCall *c)
{
    (void)c;
    return true;
}

static bool next_hidden(ExternalCall *c)
{
    return external_unsupported(c, "its state is hidden; use the functions "
                                   "random of Modelica.Math.Random.Generators");
}

const ExternalKnown external_random[] = {
    {"ModelicaRandom_xorshift64star", next_64},
    {"ModelicaRandom_xorshift128plus", next_128},
    {"ModelicaRandom_xorshift1024star", next_1024},
    {"ModelicaRandom_setInternalState_xorshift1024star", set_hidden},
    {"ModelicaRandom_impureRandom_xorshift1024star", next_hidden},
    {NULL, NULL},
};
