/* balance.c - which component is short of equations, or has too many (4.7).
 *
 * A component must have as many equations as unknowns that are not determined
 * from outside. What comes from outside: for every flow variable of its
 * connectors one equation (a connection set gives one equation for each flow),
 * for every input one. So a component with u unknowns (those of its connectors
 * included), f flow variables and i inputs in its own connectors needs
 * u - f - i equations of its own; components inside it count for themselves.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/balance.h"

typedef struct Count {
    int need, have;
} Count;

/* The nearest component that is no connector or record: those have no
 * equations of their own. */
static int holder(const Flat *f, const bool *has_eqn, int c)
{
    (void)has_eqn;
    while (f->component[c].parent != NONE && f->component[c].is_part)
        c = f->component[c].parent;
    return c;
}

static void count_unknowns(const Flat *f, Count *count)
{
    for (int v = 0; v < f->nvar; v++) {
        const FlatVar *x = &f->var[v];
        if (!flat_is_unknown(f, v) || x->from_outside)
            continue;
        count[holder(f, NULL, x->component)].need++;
    }
}

static void count_equations(const Flat *f, Count *count, Arena *temp)
{
    for (int i = 0; i < f->neqn; i++) {
        FlatOrigin o = f->eqn[i].origin;
        if (o == FO_EQUATION || o == FO_BINDING || o == FO_ALGORITHM)
            count[holder(f, NULL, f->eqn[i].component)].have++;
    }
    int *seen = NEW_ARRAY(temp, int, f->nvar + 1);
    for (int i = 0; i < f->nwhen; i++)
        for (int b = 0; b < f->when[i].nbranch; b++)
            for (int k = 0; k < f->when[i].branch[b].naction; k++) {
                const FlatAction *a = &f->when[i].branch[b].action[k];
                if (a->kind != FA_ASSIGN || seen[a->var] == i + 1)
                    continue;
                seen[a->var] = i + 1;
                count[holder(f, NULL, f->when[i].component)].have++;
            }
}

static void note_component(const Flat *f, Diag *diag, int c, Count n,
                           Arena *temp)
{
    const char *path = flat_component_path(f, c, temp);
    diag_note(
        diag, f->component[c].span, "'%s' of class '%s' has %d equation%s %s",
        *path ? path : f->model, f->component[c].class_name,
        n.have > n.need ? n.have - n.need : n.need - n.have,
        (n.have > n.need ? n.have - n.need : n.need - n.have) == 1 ? "" : "s",
        n.have > n.need ? "too many" : "too few");
}

bool balance_report(const Flat *f, Diag *diag)
{
    int unknowns = flat_count_unknowns(f), equations = flat_count_equations(f);
    if (unknowns == equations)
        return true;
    Arena *temp = arena_new();
    Count *count = NEW_ARRAY(temp, Count, f->ncomponent + 1);
    count_unknowns(f, count);
    count_equations(f, count, temp);
    diag_report(diag, f->span, DIAG_E0930,
                "'%s' does not balance: %d unknowns, %d equations", f->model,
                unknowns, equations);
    int told = 0;
    for (int c = 0; c < f->ncomponent && told < 5; c++) {
        bool wrong = unknowns > equations ? count[c].have < count[c].need
                                          : count[c].have > count[c].need;
        if (!wrong || f->component[c].is_part)
            continue;
        note_component(f, diag, c, count[c], temp);
        told++;
    }
    arena_free(temp);
    return false;
}
