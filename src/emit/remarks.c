/* remarks.c - comments that lead from statements back to equations.
 *
 * After a statement stands the line of the model it comes from, where that is
 * another one than before, and for a number without a name its formula, if it
 * is short. Heads stand on lines of their own: for the parts of a block, for
 * what is no equation, and else an equation every few statements.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/ctext.h"
#include "emit/body.h"

enum { EVERY = 16, SHORT = 90 };

/* ---- heads ---- */

/* The parts of a block come in this order. */
static int part_of(TapeRole role)
{
    switch (role) {
    case TO_RESIDUAL: return 1;
    case TO_JACOBIAN:
    case TO_FACTOR: return 2;
    case TO_SOLVE: return 3;
    default: return 0;
    }
}

static const char *part_head(int part)
{
    static const char *const text[] = {
        "", "residuals: what these equations leave over",
        "Jacobian of the residuals, its factors",
        "correction: residuals divided by the Jacobian"};
    return text[part];
}

/* Of roles that are no equation. */
static const char *role_head(TapeRole role)
{
    switch (role) {
    case TO_CARRY: return "old values for the next step";
    case TO_STEP: return "time, old values and flags";
    case TO_RELATION: return "relations as they are now";
    case TO_DELAY: return "delayed values";
    case TO_ACTION: return "actions of when clauses";
    case TO_ASSERT: return "assertions";
    case TO_SET: return "the matrix that chooses states";
    case TO_OUTPUT: return "outputs";
    case TO_DEFECT: return "defect of the step";
    case TO_ESTIMATE: return "estimate of its local error";
    case TO_RUNNING: return "estimate of the run's error";
    case TO_BOUND: return "bounds";
    case TO_DOMAIN: return "ranges that the plan was made for";
    case TO_DAMPING: return "damping of algebraic unknowns";
    default: return NULL;
    }
}

static void add_head(Body *b, const char *text)
{
    body_open_part(b);
    text_add(b->e, b->out, "%*s/* %s */\n", 4 * body_depth(b), "",
             c_comment(text, b->e->local));
    b->since = 0;
    b->said = NULL;
}

static void add_equation(Body *b, const TapeOrigin *o)
{
    Emit *e = b->e;
    const char *place = emit_place_text(e, o->span);
    const char *text = emit_equation(e, o);
    if (text && place)
        add_head(b, arena_printf(e->local, "%s: %s", place, text));
    else if (text || place)
        add_head(b, text ? text : place);
    if (part_of(o->role) == 0)
        b->said = emit_remark(e, o); /* the place has been said */
}

void body_head(Body *b, const TapeOrigin *o)
{
    int part = b->block ? part_of(o->role) : 0;
    const char *head = role_head(o->role);
    body_open_part(b);
    b->since++;
    if (part > b->block_part) {
        b->block_part = part;
        add_head(b, part_head(part));
    } else if (head && (o->role != b->role || b->since > EVERY)) {
        add_head(b, head);
    } else if (!head && b->since > EVERY) {
        add_equation(b, o);
    }
    b->role = o->role;
}

/* ---- after a statement ---- */

/* The formula, if it says more than the statement and fits. */
static const char *short_formula(const Body *b, int slot)
{
    const Emit *e = b->e;
    bool scaled = e->t->meaning[slot].form & TF_SCALED;
    if (e->t->slot_name[slot] && !scaled)
        return NULL;
    if (!scaled && (e->home[slot] != HOME_LOCAL || b->nuse[slot] < 2))
        return NULL;
    const char *text = emit_formula(e, slot);
    return text && strlen(text) <= SHORT && !strchr(text, '<') ? text : NULL;
}

void body_tail(Body *b, int slot, const TapeOrigin *o)
{
    Emit *e = b->e;
    emit_show(e, slot, o, b);
    const char *formula = short_formula(b, slot), *remark = emit_remark(e, o);
    if (remark && b->said && !strcmp(remark, b->said))
        remark = NULL;
    else
        b->said = remark;
    if (formula || remark)
        text_add(e, b->out, " /* %s%s%s%s */", formula ? "= " : "",
                 formula ? c_comment(formula, e->local) : "",
                 formula && remark ? "; " : "",
                 remark ? c_comment(remark, e->local) : "");
    text_add(e, b->out, "\n");
}

/* ---- blocks ---- */

TapeOrigin body_unknown(const Body *b, int at, const TapeBlock *k, int i)
{
    const Emit *e = b->e;
    const Inlined *d = e->f->low->inlined;
    TapeOrigin o = e->t->origin.at[e->t->code.at[at].origin];
    o.role = TO_ASSIGN;
    o.entry = e->t->meaning[k->x[i]].entry;
    if (o.system == NONE || !k->residual_eqn)
        return o;
    o.eqn = k->residual_eqn[i];
    o.span = d->system[o.system].eqn[o.eqn].span;
    return o;
}

enum { MOST = 60 }; /* equations that are shown */

void body_introduce(Body *b, int at, const TapeBlock *k, int number)
{
    Emit *e = b->e;
    int depth = 4 * body_depth(b);
    text_add(e, b->out, "%*s/* block %d: %s (%s%s)", depth, "", number,
             c_comment(k->name, e->local),
             k->is_linear ? "linear" : "nonlinear",
             k->iterations > 1 ? ", iterated" : "");
    for (int i = 0; i < k->n && i < MOST; i++) {
        TapeOrigin o = body_unknown(b, at, k, i);
        const char *place = emit_place_text(e, o.span);
        const char *text = emit_equation(e, &o);
        text_add(e, b->out, "\n%*s *     %s: %s", depth, "",
                 place ? c_comment(place, e->local) : "method",
                 c_comment(text ? text : "", e->local));
    }
    if (k->n > MOST)
        text_add(e, b->out, "\n%*s *     and %d more", depth, "", k->n - MOST);
    text_add(e, b->out, " */\n");
    b->since = 0;
    b->said = NULL;
    b->block = number;
    b->block_part = 0;
}

void body_leave_block(Body *b)
{
    b->block = 0;
    b->since = EVERY;
    b->said = NULL;
}
