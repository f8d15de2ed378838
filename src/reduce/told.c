/* told.c - equations whose derivatives are told (told/told.h).
 *
 * By Griewank's lemma the highest derivatives in a differentiated equation are
 * those of the equation, raised; structure can be found without differentiating
 * anything. It does not hold where a derivative is told: of x = f(q, qd) the
 * derivative may be der(x) = qd, without der(q). So such rows are really
 * differentiated, and take part in the signature as what they are then. How
 * often that is the offsets say, which are found again until it does not
 * change: a row that stands for its k-th derivative and is to be differentiated
 * c' times more is differentiated k + c' times from then on.
 *
 * For the choice of states each stage asks for the Jacobian of rows that are
 * differentiated less often: of told ones it is another each time. There may be
 * variables in it that the row loses when it is differentiated, as matrices of
 * rotations whose derivative is written with angular velocities: if states
 * cannot be chosen without, such variables are differentiated too, as often as
 * if the row still had them, and so are the equations that determine them.
 * (Nothing of that is left in the step if nobody else asks for it.)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "reduce/reduce_internal.h"
#include "told/told.h"

enum { MOST_TIMES = 20 };

bool reduce_sees_told(const Reduce *r)
{
    for (int i = 0; i < r->eqn.n; i++)
        if (told_has(r->dag, r->eqn.at[i].lhs) ||
            told_has(r->dag, r->eqn.at[i].rhs))
            return true;
    return false;
}

void reduce_find_told(Reduce *r)
{
    Part *p = &r->part;
    p->told = NULL;
    if (!r->has_told)
        return;
    p->told = NEW_ARRAY(r->tmp, ToldRow *, p->n);
    for (int row = 0; row < p->n; row++) {
        const SysEqn *e = &r->eqn.at[p->eqn[row]];
        if (!told_has(r->dag, e->lhs) && !told_has(r->dag, e->rhs))
            continue;
        ToldRow *t = p->told[row] = NEW(r->tmp, ToldRow);
        SysEqn first = {.lhs = e->lhs, .rhs = e->rhs};
        vec_push(r->tmp, &t->form, first);
    }
}

/* Is the row differentiated so often now? False: it cannot be. */
static bool differentiate(Reduce *r, ToldRow *t, int times)
{
    while (t->form.n <= times) {
        SysEqn e = vec_last(&t->form);
        e.lhs = expr_total_diff(r->dag, e.lhs, r->varies, r->sys->nvar);
        e.rhs = expr_total_diff(r->dag, e.rhs, r->varies, r->sys->nvar);
        if (e.lhs == EXPR_NONE || e.rhs == EXPR_NONE)
            return false; /* assemble.c reports it */
        vec_push(r->tmp, &t->form, e);
    }
    return true;
}

/* The offsets are still those beyond the forms. */
bool reduce_differentiate_told(Reduce *r)
{
    const Part *p = &r->part;
    bool any = false;
    for (int row = 0; p->told && row < p->n; row++) {
        ToldRow *t = p->told[row];
        int times = t ? t->form.n - 1 + p->offsets->c[row] : 0;
        if (t && p->offsets->c[row] > 0 && times < MOST_TIMES)
            any |= differentiate(r, t, times);
    }
    return any;
}

void reduce_count_told(Reduce *r)
{
    Part *p = &r->part;
    int *c = NEW_ARRAY(r->tmp, int, p->n);
    for (int row = 0; row < p->n; row++)
        c[row] =
            p->offsets->c[row] + (p->told[row] ? p->told[row]->form.n - 1 : 0);
    p->offsets = offsets_new(p->n, c, p->offsets->d, p->offsets->match, r->tmp);
    p->last = p->leading;
}

/* ---- what rows lose ---- */

/* Raises d[] to what all forms of the row would ask for. */
static bool raise_lost(Reduce *r, int row, int c, int *d)
{
    const Part *p = &r->part;
    const ToldRow *t = p->told[row];
    bool any = false;
    for (int m = 0; m < t->form.n; m++) {
        int times = t->form.n - 1 + c - m, v, order;
        Expr *leaf;
        int n = reduce_eqn_leaves(r, &t->form.at[m], &leaf, r->tmp);
        for (int k = 0; k < n && times > 0; k++) {
            expr_is_var(r->dag, leaf[k], &v, &order);
            int j = p->column[v];
            if (j == NONE || d[j] >= order + times)
                continue;
            d[j] = order + times;
            any = true;
        }
    }
    return any;
}

/* The equation that determines a raised unknown is differentiated so often,
 * and what occurs in it. */
static bool raise_row(const Part *p, int row, int *c, int *d)
{
    const Incidence *s = p->sigma;
    int own = p->offsets->match->var_of[row];
    bool any = false;
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        if (s->var[k] == own && d[own] - s->weight[k] > c[row]) {
            c[row] = d[own] - s->weight[k];
            any = true;
        }
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        if (d[s->var[k]] < c[row] + s->weight[k]) {
            d[s->var[k]] = c[row] + s->weight[k];
            any = true;
        }
    return any;
}

void reduce_keep_lost(Reduce *r)
{
    Part *p = &r->part;
    int *c = NEW_ARRAY(r->tmp, int, p->n), *d = NEW_ARRAY(r->tmp, int, p->n);
    memcpy(c, p->offsets->c, (size_t)p->n * sizeof *c);
    memcpy(d, p->offsets->d, (size_t)p->n * sizeof *d);
    for (bool any = true; any;) {
        any = false;
        for (int row = 0; row < p->n; row++) {
            if (p->told[row])
                any |= raise_lost(r, row, c[row], d);
            any |= raise_row(p, row, c, d);
            if (c[row] > MOST_TIMES)
                return; /* round in a circle: as it was */
        }
    }
    p->offsets = offsets_new(p->n, c, d, p->offsets->match, r->tmp);
}

/* ---- stages ---- */

const SysEqn *reduce_form(const Reduce *r, int row, int stage)
{
    const Part *p = &r->part;
    const ToldRow *t = p->told ? p->told[row] : NULL;
    if (!t)
        return &r->eqn.at[p->eqn[row]];
    int k = stage == NONE ? t->form.n - 1 : p->offsets->c[row] - stage;
    return &t->form.at[k < 0 ? 0 : k < t->form.n ? k : t->form.n - 1];
}

int reduce_form_order(const Reduce *r, int row, int col)
{
    const Part *p = &r->part;
    bool is_told = p->told && p->told[row];
    return p->offsets->d[col] - (is_told ? r->stage : p->offsets->c[row]);
}

/* Told rows as they are in the stage, the others as ever. */
static const Incidence *stage_leading(Reduce *r)
{
    const Part *p = &r->part;
    EdgeList edges = edges_begin(r->tmp);
    for (int row = 0; row < p->n; row++) {
        const Incidence *last = p->last;
        for (int k = last->start[row];
             !p->told[row] && k < last->start[row + 1]; k++)
            edges_add(&edges, row, last->var[k], EDGE_NONLINEAR, 0);
        if (!p->told[row] || p->offsets->c[row] < r->stage)
            continue;
        Expr *leaf;
        int v, order;
        int n =
            reduce_eqn_leaves(r, reduce_form(r, row, r->stage), &leaf, r->tmp);
        for (int k = 0; k < n; k++) {
            expr_is_var(r->dag, leaf[k], &v, &order);
            if (p->column[v] != NONE &&
                order == reduce_form_order(r, row, p->column[v]))
                edges_add(&edges, row, p->column[v], EDGE_NONLINEAR, 0);
        }
    }
    return edges_end(&edges, p->n, p->n, r->tmp);
}

void reduce_set_stage(Reduce *r, int stage)
{
    if (!r->part.told || r->stage == stage)
        return;
    r->stage = stage;
    r->part.leading = stage == 0 ? r->part.last : stage_leading(r);
}

/* A derivative in a form that its variable does not have; NONE: none. */
static int missing(Reduce *r, const SysEqn *form)
{
    const Part *p = &r->part;
    Expr *leaf;
    int n = reduce_eqn_leaves(r, form, &leaf, r->tmp), v, order;
    for (int k = 0; k < n; k++) {
        expr_is_var(r->dag, leaf[k], &v, &order);
        if (p->column[v] != NONE && order > p->offsets->d[p->column[v]])
            return v;
    }
    return NONE;
}

bool reduce_ask_told(Reduce *r)
{
    const Part *p = &r->part;
    for (int row = 0; p->told && row < p->n; row++) {
        const ToldRow *t = p->told[row];
        for (int k = 1; t && k < t->form.n; k++) {
            int v = missing(r, &t->form.at[k]);
            /* of a derivative that has a name already, the name's */
            for (int i = 0; i < r->named.n; i++)
                v = r->named.at[i].var == v ? r->named.at[i].name : v;
            if (v == NONE)
                continue;
            reduce_add_derivative(r, v);
            return true;
        }
    }
    return false;
}

void reduce_report_told(Reduce *r)
{
    const Part *p = &r->part;
    for (int row = 0; row < p->n; row++) {
        if (!p->told || !p->told[row] || p->told[row]->form.n < 2)
            continue;
        const SysEqn *e = &r->eqn.at[p->eqn[row]];
        diag_report(r->diag, e->span, DIAG_E1012,
                    "this equation must be differentiated because it "
                    "constrains states, and the derivative of a function in it "
                    "leaves out what the equation would have to determine "
                    "(noDerivative): %s",
                    sys_eqn_text(r->sys, e, 100, r->tmp));
    }
}

void reduce_write_told_out(Reduce *r)
{
    const Part *p = &r->part;
    r->told_fails = false;
    for (int row = 0; row < p->n; row++) {
        if (!p->told[row] || p->told[row]->form.n < 2)
            continue;
        SysEqn *e = &r->eqn.at[p->eqn[row]];
        diag_report(r->diag, e->span, DIAG_W0626,
                    "states follow from arguments in this equation that a "
                    "derivative leaves out (noDerivative), which is not "
                    "obeyed: they are differentiated too: %s",
                    sys_eqn_text(r->sys, e, 100, r->tmp));
        e->lhs = told_values(r->dag, e->lhs);
        e->rhs = told_values(r->dag, e->rhs);
    }
}

void reduce_forget_told(Reduce *r)
{
    Dae *d = r->dae;
    for (int i = 0; r->has_told && i < d->neqn; i++) {
        d->eqn[i].lhs = told_values(r->dag, d->eqn[i].lhs);
        d->eqn[i].rhs = told_values(r->dag, d->eqn[i].rhs);
    }
    for (int i = 0; r->has_told && i < d->init.neqn; i++) {
        d->init.eqn[i].lhs = told_values(r->dag, d->init.eqn[i].lhs);
        d->init.eqn[i].rhs = told_values(r->dag, d->init.eqn[i].rhs);
    }
}
