/* mixed_plan.c - a set of explicit states or places as decisions of a plan.
 *
 * A column takes the old value in every equation of the model that has the
 * state. With row and column, the equations that give the derivatives of the
 * explicit states keep the new values: their formula takes these derivatives
 * from t_n anyway, as R(h, E) has it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/vec.h"
#include "tune/mixed.h"

typedef Vec(PlanCut) CutVec;

typedef struct Writer {
    const PencilSet *p;
    const MixedSet *set;
    const Inlined *d;
    const char **name;    /* of each equation of the Dae */
    const int **quantity; /* of each: pairs (variable, order), ... */
    const int *nquantity;
    CutVec cut;
    Arena *arena, *work;
} Writer;

/* What occurs in each equation, and how it is called. */
static void look(Writer *w)
{
    const Dae *dae = w->d->dae;
    const int **list = NEW_ARRAY(w->work, const int *, dae->neqn + 1);
    int *count = NEW_ARRAY(w->work, int, dae->neqn + 1);
    w->name = NEW_ARRAY(w->work, const char *, dae->neqn + 1);
    for (int i = 0; i < dae->neqn; i++) {
        InlinedEqn e = {.kind = IE_MODEL, .from = i, .stage = DIFF_END};
        Vec(int) found = {0};
        Expr side[] = {dae->eqn[i].lhs, dae->eqn[i].rhs};
        for (int k = 0; k < 2; k++) {
            Expr *leaf;
            int n = expr_leaves(w->d->dag, side[k], &leaf, w->work);
            for (int j = 0; j < n; j++) {
                int var = NONE, order = 0;
                expr_is_var(w->d->dag, leaf[j], &var, &order);
                vec_push(w->work, &found, var);
                vec_push(w->work, &found, order);
            }
        }
        w->name[i] = inlined_eqn_name(w->d, &e, w->arena);
        list[i] = found.at;
        count[i] = found.n / 2;
    }
    w->quantity = list;
    w->nquantity = count;
}

static bool has(const Writer *w, int eqn, int var, int order)
{
    for (int k = 0; k < w->nquantity[eqn]; k++)
        if (w->quantity[eqn][2 * k] == var &&
            w->quantity[eqn][2 * k + 1] == order)
            return true;
    return false;
}

/* Variable and order behind a name of the pencil, resolved. */
static int find(const Writer *w, const char *name, int *order)
{
    int sign, var = sys_find_quantity(w->d->sys, name, order);
    return var == NONE ? NONE : sys_resolve(w->d->sys, var, &sign);
}

static void add_cut(Writer *w, const char *eqn, const char *var)
{
    for (int i = 0; i < w->cut.n; i++)
        if (strcmp(w->cut.at[i].eqn, eqn) == 0 &&
            strcmp(w->cut.at[i].var, var) == 0)
            return;
    vec_push(w->work, &w->cut, ((PlanCut){CUT_STEP, eqn, var, NAN, NO_SPAN}));
}

/* Does the equation give the derivative of an explicit state? */
static bool gives_explicit(const Writer *w, int eqn)
{
    for (int i = 0; i < w->p->nx; i++) {
        int order, var = find(w, w->p->var[i], &order);
        if (w->set->is_explicit[i] && has(w, eqn, var, order + 1))
            return true;
    }
    return false;
}

/* Is the equation a row of the pencil: by its name, or as that of a der(x)? */
static bool is_row(const Writer *w, int eqn)
{
    for (int i = w->p->nx; i < w->p->n; i++)
        if (strcmp(w->name[eqn], w->p->eqn[i]) == 0)
            return true;
    for (int i = 0; i < w->p->nx; i++) {
        int order, var = find(w, w->p->var[i], &order);
        if (has(w, eqn, var, order + 1))
            return true;
    }
    return false;
}

/* Has it an unknown that is eliminated in the pencil? Then a place of the
 * pencil is more than what stands in the equation. */
static bool has_hidden(const Writer *w, int eqn)
{
    for (int k = 0; k < w->nquantity[eqn]; k++) {
        int var = w->quantity[eqn][2 * k], order = w->quantity[eqn][2 * k + 1];
        bool is_column = order > 0 || var >= w->d->sys->nvar ||
                         w->d->sys->var[var].role != SR_UNKNOWN;
        for (int j = 0; j < w->p->n && !is_column; j++) {
            int own, column = find(w, w->p->var[j], &own);
            is_column = column == var && own == order;
        }
        if (!is_column)
            return true;
    }
    return false;
}

/* With row and column, what explicit derivatives depend on must not be old: an
 * algebraic equation that is eliminated in the pencil would be. */
static bool write_column(Writer *w, int j)
{
    int order, var = find(w, w->p->var[j], &order);
    for (int i = 0; i < w->d->dae->neqn; i++) {
        if (!has(w, i, var, order))
            continue;
        if (w->set->form == MIX_BOTH && gives_explicit(w, i))
            continue;
        if (w->set->form == MIX_BOTH && !is_row(w, i))
            return false;
        add_cut(w, w->name[i], w->p->var[j]);
    }
    return var != NONE;
}

/* The equation of row i that has the variable itself, or NONE: by its name, or
 * the one with der(x) for int(x). */
static int find_eqn(const Writer *w, int i, int var, int order)
{
    int own = 0, state = i < w->p->nx ? find(w, w->p->var[i], &own) : NONE;
    for (int k = 0; k < w->d->dae->neqn; k++) {
        bool is_row = i < w->p->nx ? has(w, k, state, own + 1)
                                   : strcmp(w->name[k], w->p->eqn[i]) == 0;
        if (is_row && has(w, k, var, order))
            return k;
    }
    return NONE;
}

static bool write_place(Writer *w, int i, int j)
{
    int order, var = find(w, w->p->var[j], &order);
    int eqn = find_eqn(w, i, var, order);
    if (eqn == NONE || has_hidden(w, eqn))
        return false;
    add_cut(w, w->name[eqn], w->p->var[j]);
    return true;
}

static bool write_cuts(Writer *w)
{
    const PencilSet *p = w->p;
    bool fine = true;
    if (w->set->form == MIX_COLUMN || w->set->form == MIX_BOTH)
        for (int j = 0; j < p->nx; j++)
            if (w->set->is_explicit[j])
                fine = fine && write_column(w, j);
    if (w->set->form == MIX_PLACE)
        for (int j = 0; j < p->n; j++)
            for (int k = p->start[j]; k < p->start[j + 1]; k++)
                if (w->set->at_old[k])
                    fine = fine && write_place(w, p->row[k], j);
    return fine;
}

static void append_cuts(Writer *w, Plan *plan)
{
    int n = plan->ncut + w->cut.n;
    PlanCut *all = NEW_ARRAY(w->arena, PlanCut, n + 1);
    for (int i = 0; i < n; i++)
        all[i] = i < plan->ncut ? plan->cut[i] : w->cut.at[i - plan->ncut];
    plan->cut = all;
    plan->ncut = n;
    plan->has[PLAN_CUTS] = plan->has[PLAN_CUTS] || n > 0;
}

static void append_modes(Writer *w, Plan *plan)
{
    const PencilSet *p = w->p;
    PlanStateMode *all =
        NEW_ARRAY(w->arena, PlanStateMode, plan->nmode + p->nx + 1);
    int n = 0;
    for (int i = 0; i < plan->nmode; i++)
        all[n++] = plan->mode[i];
    for (int j = 0; j < p->nx; j++)
        if (w->set->is_explicit[j])
            all[n++] = (PlanStateMode){p->var[j], MODE_EXPLICIT, NO_SPAN};
    plan->mode = all;
    plan->nmode = n;
    plan->has[PLAN_MODES] = plan->has[PLAN_MODES] || n > 0;
}

bool mixed_to_plan(const PencilSet *p, const MixedSet *set, const Inlined *d,
                   Plan *plan, Arena *arena)
{
    Writer w = {
        .p = p, .set = set, .d = d, .arena = arena, .work = arena_new()};
    bool fine = d->dae != NULL || set->form == MIX_ROW;
    if (set->form != MIX_ROW && fine) {
        look(&w);
        fine = write_cuts(&w);
    }
    if (fine && (set->form == MIX_ROW || set->form == MIX_BOTH))
        append_modes(&w, plan);
    if (fine && set->form != MIX_ROW)
        append_cuts(&w, plan);
    arena_free(w.work);
    return fine;
}
