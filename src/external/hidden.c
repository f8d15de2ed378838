/* hidden.c - variables for calls of impure functions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "external/hidden.h"

#include <string.h>

#include "external/external.h"
#include "random/random.h"
#include "value/emit.h"

/* A discrete Integer; *var is its number. */
static Expr new_variable(const Context *in, const char *name, Span span,
                         int *var)
{
    FlatVar v = flat_plain_var(NULL, span);
    const char *path = flat_component_path(in->flat, in->component, in->arena);
    v.component = in->component;
    v.type = FT_INTEGER;
    v.enumeration = NONE;
    v.variability = FV_DISCRETE;
    v.name = arena_printf(in->arena, "%s%s%s", path, *path ? "." : "", name);
    *var = emit_var(in, v);
    return expr_var(in->dag, *var, 0, ET_INTEGER);
}

static Expr before(const Context *in, Expr v)
{
    return expr_unary(in->dag, EX_PRE, v);
}

/* The value an action gives: the new one, if the call counts. */
static Expr counted(const Context *in, Expr new, Expr old)
{
    return in->path == EXPR_NONE ? new : expr_if(in->dag, in->path, new, old);
}

static void act(const Context *in, int var, Expr value, Span span)
{
    struct Hidden *h = in->hidden;
    for (int i = 0; i < h->action.n; i++)
        if (h->action.at[i].var == var) {
            h->action.at[i].value = value;
            return;
        }
    vec_push(in->arena, &h->action,
             ((FlatAction){.kind = FA_ASSIGN,
                           .var = var,
                           .value = value,
                           .message = EXPR_NONE,
                           .span = span}));
}

static void begins_with(const Context *in, Expr v, Expr value, Span span)
{
    emit_initial(in, (FlatEqn){.lhs = before(in, v),
                               .rhs = value,
                               .origin = FO_WHEN,
                               .component = in->component,
                               .span = span});
}

Expr hidden_count(const Context *in, Span span)
{
    if (!in->hidden)
        return EXPR_NONE;
    if (in->ledger) /* a trial makes no variables */
        return expr_int(in->dag, 0);
    int var;
    const char *name = arena_printf(in->arena, "$call%d", ++in->memo->ncounted);
    Expr v = new_variable(in, name, span, &var);
    Expr old = before(in, v);
    Expr new = expr_add(in->dag, old, expr_int(in->dag, 1));
    begins_with(in, v, expr_int(in->dag, 0), span);
    act(in, var, counted(in, new, old), span);
    return v; /* looked at before and after, it is what the action made it */
}

/* ---- random numbers ---- */

void hidden_set_random(const Context *in, const Expr *state)
{
    Memo *memo = in->memo;
    if (!memo->random)
        memo->random = NEW_ARRAY(in->arena, Expr, HIDDEN_RANDOM);
    memcpy(memo->random, state, HIDDEN_RANDOM * sizeof *state);
}

/* Variables for the state of a stream of its own. */
static void begin_stream(const Context *in, Span span)
{
    struct Hidden *h = in->hidden;
    HiddenStream s = {.span = span, .component = in->component};
    h->nrandom = in->memo->stream.n + 1;
    for (int i = 0; i < HIDDEN_RANDOM; i++) {
        const char *name =
            arena_printf(in->arena, "$random%d[%d]", h->nrandom, i + 1);
        int var;
        h->random[i] = before(in, new_variable(in, name, span, &var));
        if (i == 0)
            s.var = var;
    }
    vec_push(in->arena, &in->memo->stream, s);
}

static Expr next_in_when(const Context *in, Span span)
{
    struct Hidden *h = in->hidden;
    if (in->ledger)
        return expr_real(in->dag, 0.5);
    if (h->nrandom == 0)
        begin_stream(in, span);
    Expr next[HIDDEN_RANDOM];
    Expr number = random_next(in->dag, RANDOM_XORSHIFT1024, h->random, next);
    int first = in->memo->stream.at[h->nrandom - 1].var;
    for (int i = 0; i < HIDDEN_RANDOM; i++) {
        h->random[i] = counted(in, next[i], h->random[i]);
        act(in, first + i, h->random[i], span);
    }
    return number;
}

/* Before the run the state goes on as it is asked. */
static Expr next_at_first(const Context *in)
{
    Expr next[HIDDEN_RANDOM];
    if (!in->memo->random)
        return EXPR_NONE;
    Expr number =
        random_next(in->dag, RANDOM_XORSHIFT1024, in->memo->random, next);
    hidden_set_random(in, next);
    return number;
}

Expr hidden_next_random(const Context *in, Span span)
{
    if (in->hidden)
        return next_in_when(in, span);
    return in->in_when ? EXPR_NONE : next_at_first(in);
}

/* The first stream begins with the state as it was set, each other one with two
 * other words in it: of the generator for small states. */
static void begin_values(const Context *in, const HiddenStream *s, int number)
{
    const Expr *from = in->memo->random;
    Expr words[2] = {from[0], from[1]};
    for (int i = 0; i < number; i++) {
        Expr next[2];
        random_next(in->dag, RANDOM_XORSHIFT64, words, next);
        memcpy(words, next, sizeof words);
    }
    Context own = context_owned(in, s->component);
    for (int i = 0; i < HIDDEN_RANDOM; i++)
        begins_with(&own, expr_var(in->dag, s->var + i, 0, ET_INTEGER),
                    i < 2 ? words[i] : from[i], s->span);
}

void external_finish(const Context *in)
{
    Memo *memo = in->memo;
    for (int i = 0; i < memo->stream.n; i++) {
        const HiddenStream *s = &memo->stream.at[i];
        if (memo->random) {
            begin_values(in, s, i);
            continue;
        }
        diag_report(in->diag, s->span, DIAG_E0623,
                    "nobody says where these random numbers begin: call "
                    "initializeImpureRandom() first");
        return;
    }
}
