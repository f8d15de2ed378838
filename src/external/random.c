/* random.c - random numbers of Modelica.Math.Random. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "external/external_internal.h"
#include "external/hidden.h"
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

/* f(state, size, id): the hidden state of impureRandom (external/hidden.h). */
static bool set_hidden(ExternalCall *c)
{
    const Value *state = c->narg == 3 ? c->arg[0] : NULL;
    if (!state || state->ndim != 1 || state->nscalar != HIDDEN_RANDOM ||
        !is_kind(state, TYPE_INTEGER))
        return external_unsupported(c, "it is not called as takt knows it");
    for (int i = 0; i < state->nscalar; i++)
        if (expr_has_op(c->in->dag, state->scalar[i], EX_ARG))
            return external_unsupported(c, "its state depends on a function "
                                           "that is not expanded");
    hidden_set_random(c->in, state->scalar);
    return true;
}

static bool next_hidden(ExternalCall *c)
{
    Expr number = hidden_next_random(c->in, c->span);
    if (number == EXPR_NONE)
        return external_unsupported(
            c, c->in->in_when
                   ? "an impure function in an if-equation in a when clause"
                   : "its state is not set yet");
    return external_set_result(
        c, value_scalar(c->in, type_builtin(TYPE_REAL), number,
                        c->in->in_when ? FV_DISCRETE : FV_PARAMETER));
}

/* Does nobody ask, as parameters are now? */
static bool is_not_taken(const Context *in)
{
    Context decide = *in;
    double x;
    decide.keeps_tunable = true;
    Expr k = fold_expr(&decide, in->path);
    return k != EXPR_NONE && expr_is_const(in->dag, k, &x) && x == 0;
}

/* A seed that is another one each time: when the model is compiled. Where it is
 * not asked for it is 1, so that a model is always the same code. */
static bool automatic_seed(ExternalCall *c)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t word = ((uint64_t)now.tv_sec << 30) ^ (uint64_t)now.tv_nsec ^
                    ((uint64_t)getpid() << 40);
    word = (word ^ (word >> 31)) * 0x9e3779b97f4a7c15u;
    double seed = (double)((word >> 33) % 2147483646u) + 1;
    if (is_not_taken(c->in))
        seed = 1;
    return external_set_result(
        c, value_scalar(c->in, type_builtin(TYPE_INTEGER),
                        expr_int(c->in->dag, seed), FV_PARAMETER));
}

const ExternalKnown external_random[] = {
    {"ModelicaRandom_xorshift64star", next_64},
    {"ModelicaRandom_xorshift128plus", next_128},
    {"ModelicaRandom_xorshift1024star", next_1024},
    {"ModelicaRandom_setInternalState_xorshift1024star", set_hidden},
    {"ModelicaRandom_impureRandom_xorshift1024star", next_hidden},
    {"ModelicaRandom_automaticGlobalSeed", automatic_seed},
    {NULL, NULL},
};
