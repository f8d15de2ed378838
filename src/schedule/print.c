/* print.c - a schedule as text, and its check. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <math.h>

#include "schedule/schedule.h"

const char *sched_kind_name(SchedKind kind)
{
    static const char *const name[] = {"assignment", "solved", "constant",
                                       "linear", "nonlinear"};
    return kind < SK_NKIND ? name[kind] : "?";
}

SchedKind sched_block_kind(const SchedBlock *b)
{
    if (b->kind != SK_SOLVED)
        return b->kind;
    for (int k = 0; k < b->jac.nnz; k++)
        if (b->jac.variance[k] > SV_PARAMETER)
            return SK_LINEAR;
    return SK_CONSTANT;
}

static void print_expr(const Schedule *s, Expr e, FILE *out)
{
    expr_print(s->inlined->dag, e, inlined_var_name, (void *)s->inlined, 400,
               out);
}

static void print_assign(const Schedule *s, const char *indent, int var,
                         Expr value, FILE *out)
{
    fprintf(out, "%s%s := ", indent, s->inlined->var[var].name);
    print_expr(s, value, out);
    putc('\n', out);
}

/* Entries by columns: "d 2/d x: ..." is residual 2 by x. */
static void print_jacobian(const Schedule *s, const SchedBlock *b, FILE *out)
{
    for (int j = 0; j < b->jac.n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
            fprintf(out, "    d %d/d %s: ", b->jac.row[k] + 1,
                    s->inlined->var[b->torn[j]].name);
            print_expr(s, b->jac.value[k], out);
            putc('\n', out);
        }
}

static void print_block(const Schedule *s, const SchedBlock *b, FILE *out)
{
    if (b->kind == SK_ASSIGN) {
        print_assign(s, "  ", b->chain[0].var, b->chain[0].value, out);
        return;
    }
    fprintf(out, "  block of %d, %s, torn to %d", b->size,
            sched_kind_name(b->kind), b->ntorn);
    if (b->nstate > 0)
        fprintf(out, ", %s", plan_algebraic_name(b->view));
    if (!isnan(b->growth))
        fprintf(out, ", growth %.3g", b->growth);
    putc('\n', out);
    for (int k = 0; k < b->ntorn; k++) {
        if (b->solution)
            print_assign(s, "    ", b->torn[k], b->solution[k], out);
        else
            fprintf(out, "    iterate %s\n", s->inlined->var[b->torn[k]].name);
    }
    for (int k = 0; k < b->nchain; k++)
        print_assign(s, "    ", b->chain[k].var, b->chain[k].value, out);
    for (int k = 0; k < sched_nrow(b) && !b->solution; k++) {
        fprintf(out, b->ninvariant > 0 ? "    0 ~ " : "    0 = ");
        print_expr(s, b->residual[k], out);
        putc('\n', out);
    }
    if (b->nstate > 0 && !b->solution)
        print_jacobian(s, b, out);
}

static void print_note(const Schedule *s, const SchedNote *n, FILE *out)
{
    switch (n->kind) {
    case SN_DIVIDES_BY_STEP:
        fprintf(out, "  note: '%s' divides by the step size\n",
                s->inlined->var[n->var].name);
        break;
    case SN_ASSUMES_NONZERO:
        fprintf(out, "  note: parameter '%s' is taken to keep its sign\n",
                s->inlined->var[n->var].name);
        break;
    case SN_MAY_VANISH:
        fprintf(out, "  note: '%s' divides by something that might vanish\n",
                s->inlined->var[n->var].name);
        break;
    case SN_GROWTH_REFUSED:
        fprintf(out, "  note: block %d: a smaller tearing was refused\n",
                n->block + 1);
        break;
    case SN_LEFT_UNTORN:
        fprintf(out, "  note: block %d is left untorn\n", n->block + 1);
        break;
    case SN_KEPT:
        fprintf(out,
                "  note: '%s' stays in the iteration: its algebraic loop "
                "is not linear\n",
                s->inlined->var[n->var].name);
        break;
    case SN_NO_VIEW:
        fprintf(out,
                "  note: block %d has not the form that the plan's "
                "'algebraic' asks for\n",
                n->block + 1);
        break;
    }
}

void schedule_print(const Schedule *s, FILE *out)
{
    fprintf(out,
            "schedule %s: %d equations, %d blocks, %d iteration "
            "variables\n",
            s->system->name, s->system->neqn, s->nblock, s->niteration);
    for (int i = 0; i < s->nblock; i++)
        print_block(s, &s->block[i], out);
    for (int i = 0; i < s->ntail; i++)
        print_assign(s, "  ", s->tail[i].var, s->tail[i].value, out);
    for (int i = 0; i < s->nnote; i++)
        print_note(s, &s->note[i], out);
}

/* Is every unknown of e known before? `known` by entry. */
typedef struct Known {
    const Schedule *s;
    const bool *known;
} Known;

static void check_leaf(void *context, const Dag *d, Expr e)
{
    const Known *k = context;
    int var = NONE, order = 0;
    if (expr_is_var(d, e, &var, &order))
        assert(order == 0 && k->known[var]);
}

static void check_expr(const Known *k, Expr e)
{
    expr_walk(k->s->inlined->dag, &e, 1, check_leaf, (void *)k);
}

static void check_block(const SchedBlock *b, const Known *k, bool *known)
{
    assert(b->size == b->nchain + b->ntorn);
    assert(b->kind != SK_SOLVED || b->solution);
    for (int i = 0; i < b->ntorn && b->solution; i++)
        check_expr(k, b->solution[i]);
    for (int i = 0; i < b->ntorn; i++)
        known[b->torn[i]] = true;
    for (int i = 0; i < b->nchain; i++) {
        check_expr(k, b->chain[i].value);
        known[b->chain[i].var] = true;
    }
    for (int i = 0; i < sched_nrow(b); i++)
        check_expr(k, b->residual[i]);
    for (int i = 0; i < b->jac.nnz; i++)
        check_expr(k, b->jac.value[i]);
}

void schedule_check(const Schedule *s)
{
    Arena *work = arena_new();
    const Inlined *d = s->inlined;
    bool *known = NEW_ARRAY(work, bool, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++)
        known[i] = true;
    for (int i = 0; i < s->system->nunknown; i++)
        known[s->system->unknown[i]] = false;
    for (int i = 0; i < s->system->nalias; i++)
        known[s->system->alias[i].var] = false;
    Known k = {s, known};
    for (int i = 0; i < s->nblock; i++)
        check_block(&s->block[i], &k, known);
    for (int i = 0; i < s->ntail; i++) {
        check_expr(&k, s->tail[i].value);
        known[s->tail[i].var] = true;
    }
    for (int i = 0; i < d->nvar; i++)
        assert(known[i]);
    arena_free(work);
}
