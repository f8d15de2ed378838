/* dae.c - names, printing and checking of a Dae. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "dae/dae.h"

#include "base/die.h"

#define WIDTH 200

const char *dae_leaf_text(const Dae *d, Expr leaf, Arena *arena)
{
    return expr_text(d->dag, leaf, sys_var_name, (void *)d->sys, WIDTH, arena);
}

Expr dae_state_shown(const Dae *d, int k)
{
    const DaeState *s = &d->state[k];
    if (s->set == NONE)
        return s->leaf;
    const DaeStateSet *set = &d->set[s->set];
    return set->candidate[set->initial[k - set->first_state]];
}

static const char *const kind_name[] = {
    [DK_DERIVATIVE] = "derivative",
    [DK_ALGEBRAIC] = "algebraic",
    [DK_DUMMY] = "dummy",
    [DK_DISCRETE] = "discrete",
};

static void print_equations(const Dae *d, const SysEqn *e, int from, int n,
                            FILE *out)
{
    Arena *tmp = arena_new();
    for (int i = from; i < n; i++)
        fprintf(out, "  %s%s\n",
                e[i].origin.rule == RULE_DIFFERENTIATED ? "d/dt " : "",
                sys_eqn_text(d->sys, &e[i], WIDTH, tmp));
    arena_free(tmp);
}

static void print_sets(const Dae *d, FILE *out, Arena *tmp)
{
    for (int k = 0; k < d->nset; k++) {
        const DaeStateSet *s = &d->set[k];
        fprintf(out, "  %d of", s->nstate);
        for (int i = 0; i < s->ncandidate; i++)
            fprintf(out, " %s", dae_leaf_text(d, s->candidate[i], tmp));
        fprintf(out, "\n");
    }
}

void dae_print(const Dae *d, FILE *out)
{
    Arena *tmp = arena_new();
    fprintf(out, "dae %s: index %d, structural index %d\n", d->sys->flat->model,
            d->index, d->structural_index);
    fprintf(out, "states\n");
    for (int k = 0; k < d->nstate; k++)
        fprintf(out, "  %s\n", dae_leaf_text(d, d->state[k].leaf, tmp));
    if (d->nset)
        fprintf(out, "state sets\n");
    print_sets(d, out, tmp);
    fprintf(out, "unknowns\n");
    for (int k = 0; k < d->nunknown; k++)
        fprintf(out, "  %s %s\n", kind_name[d->unknown[k].kind],
                dae_leaf_text(d, d->unknown[k].leaf, tmp));
    fprintf(out, "equations\n");
    print_equations(d, d->eqn, 0, d->neqn, out);
    arena_free(tmp);
}

void dae_print_init(const Dae *d, FILE *out)
{
    Arena *tmp = arena_new();
    fprintf(out, "init %s: %d unknowns\n", d->sys->flat->model,
            d->init.nunknown);
    fprintf(out, "unknowns\n");
    for (int k = 0; k < d->init.nunknown; k++)
        fprintf(out, "  %s\n", dae_leaf_text(d, d->init.unknown[k], tmp));
    fprintf(out, "equations\n");
    print_equations(d, d->init.eqn, 0, d->neqn, out);
    fprintf(out, "conditions\n");
    print_equations(d, d->init.eqn, d->neqn, d->init.neqn, out);
    arena_free(tmp);
}

void dae_check(const Dae *d)
{
    assert(d->neqn == d->nunknown);
    assert(d->init.neqn == d->init.nunknown);
    for (int k = 0; k < d->nstate; k++) {
        const DaeState *s = &d->state[k];
        assert(s->unknown >= 0 && s->unknown < d->nunknown);
        assert(d->unknown[s->unknown].leaf == s->der);
        assert(d->unknown[s->unknown].kind == DK_DERIVATIVE);
        (void)s;
    }
    for (int i = 0; i < d->neqn; i++) {
        if (d->eqn[i].origin.rule == RULE_DIFFERENTIATED)
            assert(d->eqn[i].origin.from >= 0 && d->eqn[i].origin.from < i);
    }
}
