/* trial.c - what an evaluation leaves behind, kept or dropped as one thing. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "eval/trial.h"

#include "value/emit.h"
#include "eval/eval_internal.h"

bool context_is_silent(const Context *in)
{
    return in->diag != in->run->root->diag;
}

static int failures(const Diag *d)
{
    return diag_count(d, DIAG_ERROR) + diag_count(d, DIAG_UNSUPPORTED);
}

/* ---- trials ---- */

/* The diagnostics of all trials: they count and never speak. */
static Diag *silence(const Context *in)
{
    Run *run = in->run;
    if (!run->silence)
        run->silence = diag_new(NULL, in->arena);
    return run->silence;
}

void trial_begin_aloud(Trial *t, const Context *outer)
{
    *t = (Trial){.in = *outer, .outer = outer};
    t->left.up = outer->ledger;
    t->in.ledger = &t->left;
    t->failures = failures(t->in.diag);
}

void trial_begin(Trial *t, const Context *outer)
{
    trial_begin_aloud(t, outer);
    t->silent = true;
    t->in.diag = silence(outer);
    diag_mute(t->in.diag);
    t->failures = failures(t->in.diag);
}

bool trial_failed(const Trial *t)
{
    return failures(t->in.diag) > t->failures;
}

static void hand_on(const Ledger *left, const Context *outer)
{
    Context initial = *outer, plain = *outer;
    initial.is_initial = true;
    plain.is_initial = false;
    for (int i = 0; i < left->assertion.n; i++)
        left_assert(&plain, left->assertion.at[i]);
    for (int i = 0; i < left->initial_assertion.n; i++)
        left_assert(&initial, left->initial_assertion.at[i]);
    for (int i = 0; i < left->when.n; i++)
        left_when(outer, left->when.at[i]);
    for (int i = 0; i < left->pre_use.n; i++)
        left_pre(outer, left->pre_use.at[i]);
    for (int i = 0; i < left->structural.n; i++)
        left_structural(outer, left->structural.at[i]);
    for (int i = 0; i < left->warning.n; i++) {
        const Warning *w = &left->warning.at[i];
        left_warning(outer, w->span, w->code, w->text);
    }
}

void trial_drop(Trial *t)
{
    if (t->silent)
        diag_unmute(t->in.diag);
}

void trial_keep(Trial *t)
{
    trial_drop(t);
    hand_on(&t->left, t->outer);
}

/* ---- facts ---- */

void fact_begin(Trial *t, const Context *asker, int component)
{
    const Context *model = asker->run->root;
    *t = (Trial){.in = *model, .outer = model};
    t->in.component = component;
    if (context_is_silent(asker)) {
        t->in.diag = asker->diag;
        t->in.ledger = &t->left;
        t->failures = failures(asker->diag);
    }
}

bool fact_end(Trial *t)
{
    if (!context_is_silent(&t->in))
        return true;
    if (trial_failed(t))
        return false;
    hand_on(&t->left, t->outer);
    return true;
}

/* ---- what is left ---- */

void left_assert(const Context *in, FlatAssert a)
{
    Ledger *l = in->ledger;
    if (!l)
        emit_assert(in, a, in->is_initial);
    else if (in->is_initial)
        vec_push(in->arena, &l->initial_assertion, a);
    else
        vec_push(in->arena, &l->assertion, a);
}

void left_when(const Context *in, FlatWhen w)
{
    if (in->ledger)
        vec_push(in->arena, &in->ledger->when, w);
    else
        emit_when(in, w);
}

void left_pre(const Context *in, PreUse u)
{
    if (in->ledger)
        vec_push(in->arena, &in->ledger->pre_use, u);
    else
        vec_push(in->arena, &in->memo->pre_use, u);
}

void left_structural(const Context *in, int var)
{
    if (!in->ledger)
        in->lookup->make_structural(in, var);
    else if (!is_structural(in, var))
        vec_push(in->arena, &in->ledger->structural, var);
}

bool is_structural(const Context *in, int var)
{
    for (const Ledger *l = in->ledger; l; l = l->up)
        for (int i = 0; i < l->structural.n; i++)
            if (l->structural.at[i] == var)
                return true;
    return in->flat->var[var].is_structural;
}

void left_warning(const Context *in, Span span, DiagCode code, const char *text)
{
    Warning w = {span, code, text};
    if (in->ledger)
        vec_push(in->arena, &in->ledger->warning, w);
    else
        diag_report(in->diag, span, code, "%s", text);
}
