/* explain.c - why the structure is singular, in the names of the model.
 *
 * The parts of Dulmage and Mendelsohn fall into connected pieces: two mistakes
 * far from each other get a message each. A piece with more equations than
 * unknowns is E1003, one with fewer is E1004. What is likely wrong is read off
 * the kind of variables and equations in it:
 *
 *   potentials lack an equation, a sum of flows is redundant    no ground
 *   potentials lack an equation, a flow of the component is 0   no connection
 *   potentials twice determined, flows not at all               sources in
 *                                                               parallel
 *   flows twice determined, potentials not at all               sources in
 *                                                               series
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

enum { SHOWN = 8 };

typedef struct Piece {
    Vec(int) eqn;
    Vec(int) var; /* variables */
} Piece;

typedef struct Explanation {
    Reduce *r;
    const Incidence *inc;
    const Dm *dm;
    const int *var; /* variable of each column */
} Explanation;

static Piece *pieces_of(Explanation *x, DmPart part, int *count)
{
    Arena *tmp = x->r->tmp;
    int *of_eqn = NEW_ARRAY(tmp, int, x->inc->neqn);
    int *of_var = NEW_ARRAY(tmp, int, x->inc->nvar);
    *count = dm_pieces(x->inc, x->dm, part, of_eqn, of_var);
    Piece *p = NEW_ARRAY(tmp, Piece, *count);
    for (int i = 0; i < x->inc->neqn; i++) {
        if (of_eqn[i] != NONE)
            vec_push(tmp, &p[of_eqn[i]].eqn, i);
    }
    for (int j = 0; j < x->inc->nvar; j++) {
        if (of_var[j] != NONE)
            vec_push(tmp, &p[of_var[j]].var, x->var[j]);
    }
    return p;
}

/* ---- facts about variables and equations ---- */
static const FlatEqn *flat_eqn(const Reduce *r, const SysEqn *e)
{
    return e->origin.rule == RULE_FLAT ? &r->sys->flat->eqn[e->origin.from]
                                       : NULL;
}

static bool is_flow(const Reduce *r, int v)
{
    int f = r->sys->var[v].flat;
    return f != NONE && r->sys->flat->var[f].is_flow;
}

/* Is v, or an alias of it, the potential of a connector: has its component a
 * flow variable beside it? */
static bool is_potential(const Reduce *r, const bool *has_flow, int v)
{
    const Flat *f = r->sys->flat;
    for (int k = 0; k < r->sys->nvar; k++) {
        const SysVar *x = &r->sys->var[k];
        bool same = k == v || (x->role == SR_ALIAS && x->target == v);
        if (same && x->flat != NONE && !f->var[x->flat].is_flow &&
            f->var[x->flat].component != NONE &&
            has_flow[f->var[x->flat].component])
            return true;
    }
    return false;
}

static bool is_flow_class(const Reduce *r, int v)
{
    for (int k = 0; k < r->sys->nvar; k++) {
        const SysVar *x = &r->sys->var[k];
        if ((k == v || (x->role == SR_ALIAS && x->target == v)) &&
            is_flow(r, k))
            return true;
    }
    return false;
}

static bool *components_with_flow(const Reduce *r)
{
    const Flat *f = r->sys->flat;
    bool *has = NEW_ARRAY(r->tmp, bool, f->ncomponent);
    for (int v = 0; v < f->nvar; v++) {
        if (f->var[v].is_flow && f->var[v].component >= 0)
            has[f->var[v].component] = true;
    }
    return has;
}

static int count_potentials(const Reduce *r, const Piece *p, int *flows)
{
    bool *has_flow = components_with_flow(r);
    int n = 0;
    *flows = 0;
    for (int k = 0; k < p->var.n && k < 200; k++) {
        if (is_flow_class(r, p->var.at[k]))
            (*flows)++;
        else if (is_potential(r, has_flow, p->var.at[k]))
            n++;
    }
    return n;
}

/* Equations that say nothing new: found by simplify, then by the rank test. */
static const SysEqn *redundant(const Reduce *r, int k)
{
    int n = r->sys->nredundant;
    return k < n                    ? &r->sys->redundant[k]
           : k < n + r->redundant.n ? &r->redundant.at[k - n]
                                    : NULL;
}

static bool has_redundant_flow(const Reduce *r)
{
    const SysEqn *e;
    for (int k = 0; (e = redundant(r, k)) != NULL; k++) {
        const FlatEqn *f = flat_eqn(r, e);
        if (f && (f->origin == FO_FLOW || f->origin == FO_UNCONNECTED))
            return true;
    }
    return false;
}

/* ---- text ---- */
static const char *name_list(const Reduce *r, const Piece *p)
{
    const char *text = "";
    for (int k = 0; k < p->var.n && k < SHOWN; k++)
        text = arena_printf(r->tmp, "%s%s'%s'", text, k ? ", " : "",
                            r->sys->var[p->var.at[k]].name);
    if (p->var.n > SHOWN)
        text = arena_printf(r->tmp, "%s and %d more", text, p->var.n - SHOWN);
    return text;
}

static const char *where(const Reduce *r, int component)
{
    const char *path = flat_component_path(r->sys->flat, component, r->tmp);
    return *path ? arena_printf(r->tmp, " (in '%s')", path) : "";
}

static void note_equations(Reduce *r, const Piece *p)
{
    for (int k = 0; k < p->eqn.n && k < SHOWN; k++) {
        const SysEqn *e = &r->eqn.at[p->eqn.at[k]];
        diag_note(r->diag, e->span, "equation%s: %s", where(r, e->component),
                  sys_eqn_text(r->sys, e, 100, r->tmp));
    }
    if (p->eqn.n > SHOWN)
        diag_note(r->diag, NO_SPAN, "and %d more equations", p->eqn.n - SHOWN);
}

/* The equation a user is most likely to have written by mistake: the last of
 * the model itself, else the last. */
static const SysEqn *suspect(const Reduce *r, const Piece *p)
{
    const SysEqn *best = &r->eqn.at[p->eqn.at[p->eqn.n - 1]];
    for (int k = 0; k < p->eqn.n; k++) {
        const SysEqn *e = &r->eqn.at[p->eqn.at[k]];
        const FlatEqn *f = flat_eqn(r, e);
        if (e->component == 0 && f && f->origin == FO_EQUATION)
            best = e;
    }
    return best;
}

static void report_over(Explanation *x, const Piece *p, const Piece *under,
                        int nunder)
{
    Reduce *r = x->r;
    int surplus = p->eqn.n - p->var.n;
    if (p->var.n == 0)
        diag_report(r->diag, suspect(r, p)->span, DIAG_E1003,
                    "this equation has no unknown that it could determine");
    else
        diag_report(r->diag, suspect(r, p)->span, DIAG_E1003,
                    "%d equations for %d unknown%s (%s): %d too many", p->eqn.n,
                    p->var.n, p->var.n == 1 ? "" : "s", name_list(r, p),
                    surplus);
    note_equations(r, p);
    int flows, potentials = count_potentials(r, p, &flows);
    for (int k = 0; k < nunder; k++) {
        int uflows, upot = count_potentials(r, &under[k], &uflows);
        if (potentials > 0 && flows == 0 && uflows > 0 && upot == 0)
            diag_note(r->diag, NO_SPAN,
                      "a potential is given twice while nothing determines "
                      "how the flow divides (%s): are two sources in "
                      "parallel?",
                      name_list(r, &under[k]));
        else if (flows > 0 && potentials == 0 && upot > 0 && uflows == 0)
            diag_note(r->diag, NO_SPAN,
                      "a flow is given twice while nothing determines a "
                      "potential (%s): are two flow sources in series?",
                      name_list(r, &under[k]));
    }
}

/* ---- what may be missing ---- */
/* Connectors of the components of the piece that are connected to nothing;
 * returns how many were named. */
static int hint_unconnected(Reduce *r, const Piece *p)
{
    const Flat *f = r->sys->flat;
    bool *near = NEW_ARRAY(r->tmp, bool, f->ncomponent);
    for (int k = 0; k < p->var.n; k++) {
        for (int c = r->sys->var[p->var.at[k]].component; c > 0;
             c = f->component[c].parent)
            near[c] = true;
    }
    int said = 0;
    for (int i = 0; i < f->neqn && said < 4; i++) {
        const FlatEqn *e = &f->eqn[i];
        int v, order;
        if (e->origin != FO_UNCONNECTED ||
            !(expr_is_var(f->dag, e->lhs, &v, &order) ||
              expr_is_var(f->dag, e->rhs, &v, &order)))
            continue;
        int connector = f->var[v].component;
        int owner = connector > 0 ? f->component[connector].parent : NONE;
        if (owner < 0 || !(near[connector] || near[owner]))
            continue;
        diag_note(r->diag,
                  sys_component_place(r->sys, connector,
                                      f->component[connector].span),
                  "connector '%s' is connected to nothing: is a connect() "
                  "missing?",
                  flat_component_path(f, connector, r->tmp));
        said++;
    }
    return said;
}

static void hint_redundant(Reduce *r)
{
    const SysEqn *e;
    for (int k = 0; k < 4 && (e = redundant(r, k)) != NULL; k++) {
        diag_note(r->diag, e->span,
                  "this equation%s says nothing new, it follows from the "
                  "others: %s",
                  where(r, e->component), sys_eqn_text(r->sys, e, 100, r->tmp));
    }
}

static void hint_inputs(Reduce *r, const Piece *p)
{
    for (int k = 0; k < p->var.n && k < SHOWN; k++) {
        const SysVar *x = &r->sys->var[p->var.at[k]];
        if (x->flat == NONE || p->eqn.n > 0)
            continue;
        diag_note(r->diag, sys_var_place(r->sys, p->var.at[k]),
                  "'%s' occurs in no equation that could determine it",
                  x->name);
    }
}

static void report_under(Explanation *x, const Piece *p)
{
    Reduce *r = x->r;
    int flows, potentials = count_potentials(r, p, &flows);
    diag_report(r->diag, sys_var_place(r->sys, p->var.at[0]), DIAG_E1004,
                "%d equation%s for %d unknown%s (%s): %d missing", p->eqn.n,
                p->eqn.n == 1 ? "" : "s", p->var.n, p->var.n == 1 ? "" : "s",
                name_list(r, p), p->var.n - p->eqn.n);
    if (hint_unconnected(r, p) == 0 && potentials > 0 && has_redundant_flow(r))
        diag_note(r->diag, NO_SPAN,
                  "these potentials are determined only up to a constant: no "
                  "ground or fixed reference is connected to them");
    hint_inputs(r, p);
    note_equations(r, p);
    hint_redundant(r);
}

void reduce_explain_singular(Reduce *r, const Incidence *inc, const Dm *dm,
                             const int *var)
{
    Explanation x = {r, inc, dm, var};
    int nover, nunder;
    Piece *over = pieces_of(&x, DM_OVER, &nover);
    Piece *under = pieces_of(&x, DM_UNDER, &nunder);
    for (int k = 0; k < nover; k++) {
        /* 0 = 0 of the rank test is told with what is missing */
        bool empty = over[k].var.n == 0 && nunder > 0 && r->redundant.n > 0;
        if (!empty)
            report_over(&x, &over[k], under, nunder);
    }
    for (int k = 0; k < nunder; k++)
        report_under(&x, &under[k]);
}
