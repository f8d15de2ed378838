/* trial.h - evaluating what may come to nothing.
 *
 * An expression may be looked at without being used: the right operand of
 * `false and x`, the branch of an if whose sizes do not fit, a section that is
 * run to learn what it assigns. Such a trial is silent, and what it leaves
 * behind (assertions, when-clauses, uses of pre, parameters that become
 * structural, warnings) is collected in its Ledger. trial_keep() hands all of
 * it on, trial_drop() forgets all of it: there is nothing else to undo, because
 * all these reach the model through left_*() below.
 *
 *     Trial t;
 *     trial_begin(&t, in);
 *     Value *v = eval_value(&t.in, scope, e);
 *     if (trial_failed(&t) || is_error(v))
 *         return trial_drop(&t), NULL;
 *     trial_keep(&t);
 *
 * Facts of the model that are found on demand and remembered (sizes, bindings,
 * types) are no part of the trial that asks for them: what they leave behind
 * stays. Only a fact that fails in silence is not remembered, so that whoever
 * asks for it aloud hears why.
 *
 *     if (thing->known)
 *         return thing->value;
 *     Trial f;
 *     fact_begin(&f, in, component);
 *     Value *v = find it in the context f.in;
 *     if (fact_end(&f))
 *         thing->value = v, thing->known = true;
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EVAL_TRIAL_H
#define TAKT_EVAL_TRIAL_H

#include "base/vec.h"
#include "value/context.h"

typedef struct PreUse { /* pre(v) outside of when, v not declared discrete */
    int var;
    Span span;
    const char *op;
} PreUse;

typedef struct Warning {
    Span span;
    DiagCode code;
    const char *text;
} Warning;

/* What an evaluation leaves behind. */
typedef struct Ledger {
    struct Ledger *up; /* of the trial around, NULL: the model */
    Vec(FlatAssert) assertion;
    Vec(FlatAssert) initial_assertion;
    Vec(FlatWhen) when;
    Vec(PreUse) pre_use;
    Vec(int) structural; /* parameters */
    Vec(Warning) warning;
} Ledger;

typedef struct Trial {
    Context in;           /* evaluate in this one */
    const Context *outer; /* who gets what is kept */
    Ledger left;
    bool silent;
    int failures; /* counted before it began */
} Trial;

/* Every trial that begins is either kept or dropped. */
void trial_begin(Trial *t, const Context *outer);
/* The same, but reports are heard: for what is made again in another way. */
void trial_begin_aloud(Trial *t, const Context *outer);
/* Was an error or an unsupported feature found since it began? */
bool trial_failed(const Trial *t);
void trial_keep(Trial *t);
void trial_drop(Trial *t);

/* A fact of the model that `asker` needs. */
void fact_begin(Trial *t, const Context *asker, int component);
/* May the fact be remembered? */
bool fact_end(Trial *t);
/* Does nobody hear what is reported here? */
bool context_is_silent(const Context *in);

/* To the ledger of the trial around, or to the model. */
void left_assert(const Context *in, FlatAssert a);
void left_when(const Context *in, FlatWhen w);
void left_pre(const Context *in, PreUse u);
/* The parameter's value is part of the structure from now on. */
void left_structural(const Context *in, int var);
bool is_structural(const Context *in, int var);
void left_warning(const Context *in, Span span, DiagCode code,
                  const char *text);

#endif
