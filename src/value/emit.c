/* emit.c - the tables of the flat model grow here and nowhere else.
 *
 * A table is an array and a count; its capacity is the next power of two, so it
 * doubles exactly when the count is one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "value/emit.h"

/* The array `at` with room for one more entry of `size` bytes. */
static void *room(const Context *in, void *at, int n, size_t size)
{
    if (n & (n - 1))
        return at;
    size_t cap = n ? (size_t)n * 2 : 1;
    return arena_grow(in->arena, at, (size_t)n * size, cap * size);
}

#define APPEND(array, count, entry)                                            \
    do {                                                                       \
        (array) = room(in, (array), (count), sizeof *(array));                 \
        (array)[count] = (entry);                                              \
        return (count)++;                                                      \
    } while (0)

int emit_component(const Context *in, FlatComponent c)
{
    APPEND(in->flat->component, in->flat->ncomponent, c);
}

int emit_var(const Context *in, FlatVar v)
{
    APPEND(in->flat->var, in->flat->nvar, v);
}

int emit_eqn(const Context *in, FlatEqn e)
{
    e.clock = in->clock;
    APPEND(in->flat->eqn, in->flat->neqn, e);
}

int emit_initial(const Context *in, FlatEqn e)
{
    APPEND(in->flat->initial, in->flat->ninitial, e);
}

int emit_when(const Context *in, FlatWhen w)
{
    APPEND(in->flat->when, in->flat->nwhen, w);
}

int emit_clock(const Context *in, Expr clock)
{
    APPEND(in->flat->clock, in->flat->nclock, clock);
}

int emit_transition(const Context *in, FlatTransition t)
{
    APPEND(in->flat->transition, in->flat->ntransition, t);
}

int emit_initial_state(const Context *in, FlatInitialState s)
{
    APPEND(in->flat->initial_state, in->flat->ninitial_state, s);
}

int emit_assert(const Context *in, FlatAssert a, bool initial)
{
    a.clock = in->clock;
    if (initial)
        APPEND(in->flat->initial_assertion, in->flat->ninitial_assertion, a);
    APPEND(in->flat->assertion, in->flat->nassertion, a);
}

int emit_enumeration(const Context *in, FlatEnumeration e)
{
    APPEND(in->flat->enumeration, in->flat->nenumeration, e);
}
