/* structure.c - blocks of a schedule as text and JSON. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/structure.h"

#include <math.h>

enum { MOST_BLOCKS = 30, MOST_NAMES = 8 };

static void print_names(const Schedule *s, const SchedBlock *b, FILE *out)
{
    for (int k = 0; k < b->ntorn && k < MOST_NAMES; k++)
        fprintf(out, "%s%s", k ? ", " : "", s->inlined->var[b->torn[k]].name);
    if (b->ntorn > MOST_NAMES)
        fprintf(out, " and %d more", b->ntorn - MOST_NAMES);
}

static const char *kind_text(const SchedBlock *b)
{
    switch (sched_block_kind(b)) {
    case SK_CONSTANT: return "linear with constant coefficients";
    case SK_LINEAR: return "linear";
    default: return "nonlinear";
    }
}

static void print_alternatives(const SchedBlock *b, FILE *out)
{
    for (int i = 0; i < b->nalternative; i++) {
        const SchedAlternative *a = &b->alternative[i];
        if (a->chosen)
            fprintf(out, "      chosen: %s, %d iteration variables", a->name,
                    a->ntorn);
        else if (a->refused && a->ntorn < b->ntorn)
            fprintf(out, "      refused: %s, %d iteration variables", a->name,
                    a->ntorn);
        else if (!isnan(a->cost))
            fprintf(out, "      %s: %s, %d iteration variables",
                    a->cost < b->cost ? "cheaper" : "dearer", a->name,
                    a->ntorn);
        else if (a->is_shown)
            fprintf(out, "      found: %s, %d iteration variables", a->name,
                    a->ntorn);
        else
            continue;
        if (!isnan(a->growth) && isnan(a->cost))
            fprintf(out, ", growth %.3g", a->growth);
        if (!isnan(a->cost))
            fprintf(out, ", %.0f instructions", a->cost);
        fputc('\n', out);
    }
}

static void print_block(const Schedule *s, const SchedBlock *b, FILE *out)
{
    fprintf(out, "    block of %d, %s", b->size, kind_text(b));
    if (b->view != PA_TEAR && b->nstate > 0)
        fprintf(out, ", %s", plan_algebraic_name(b->view));
    if (b->is_torn)
        fprintf(out, ", torn to %d", b->ntorn);
    else
        fprintf(out, ", not torn");
    if (b->kind == SK_SOLVED)
        fprintf(out, ", solved symbolically");
    if (b->is_torn && b->size > b->ntorn && !isnan(b->growth) && !b->nloop)
        fprintf(out, ", growth %.3g", b->growth);
    if (b->view != PA_TEAR && b->nstate > 0)
        fprintf(out, ", %d entries", b->jac.nnz);
    for (int i = 0; i < b->nloop; i++)
        fprintf(out, ", a %s loop of %d inside",
                b->loop[i].niteration ? "nonlinear" : "linear", b->loop[i].n);
    fprintf(out, ": ");
    print_names(s, b, out);
    fputc('\n', out);
    if (b->nrefused > 0 || !isnan(b->cost))
        print_alternatives(b, out);
}

static void print_notes(const Schedule *s, FILE *out)
{
    int assumed = 0;
    for (int i = 0; i < s->nnote; i++) {
        const SchedNote *n = &s->note[i];
        if (n->kind == SN_DIVIDES_BY_STEP)
            fprintf(out,
                    "    '%s' is found by a division by the step size: "
                    "there is no other way\n",
                    s->inlined->var[n->var].name);
        if (n->kind == SN_LEFT_UNTORN)
            fprintf(out,
                    "    block %d is left untorn: a sparse matrix is "
                    "cheaper\n",
                    n->block + 1);
        if (n->kind == SN_KEPT)
            fprintf(out,
                    "    '%s' stays in the iteration: its algebraic loop is "
                    "not linear\n",
                    s->inlined->var[n->var].name);
        if (n->kind == SN_NO_VIEW)
            fprintf(out,
                    "    block %d has no algebraic part that follows from the "
                    "states: torn as it comes\n",
                    n->block + 1);
        assumed += n->kind == SN_ASSUMES_NONZERO;
    }
    if (assumed == 0)
        return;
    fprintf(out, "    taken to keep their sign, as they are divided by:");
    int shown = 0;
    for (int i = 0; i < s->nnote && shown < MOST_NAMES; i++)
        if (s->note[i].kind == SN_ASSUMES_NONZERO)
            fprintf(out, "%s %s", shown++ ? "," : "",
                    s->inlined->var[s->note[i].var].name);
    if (assumed > shown)
        fprintf(out, " and %d more", assumed - shown);
    fputc('\n', out);
}

void structure_print(const Schedule *s, const char *title, FILE *out)
{
    fprintf(out, "  %s\n", title);
    fprintf(out, "    equations %d, assignments %d, iteration variables %d\n",
            s->system->neqn, s->nassign, s->niteration);
    int shown = 0;
    for (int i = 0; i < s->nblock; i++)
        if (s->block[i].kind != SK_ASSIGN && shown++ < MOST_BLOCKS)
            print_block(s, &s->block[i], out);
    if (shown > MOST_BLOCKS)
        fprintf(out, "    and %d more blocks\n", shown - MOST_BLOCKS);
    print_notes(s, out);
}

static void put_alternatives(const SchedBlock *b, JsonOut *j)
{
    json_begin_array(j, "alternatives");
    for (int i = 0; i < b->nalternative; i++) {
        const SchedAlternative *a = &b->alternative[i];
        json_begin_object(j, NULL);
        json_put_text(j, "name", a->name);
        json_put_count(j, "torn", a->ntorn);
        json_put_number(j, "growth", a->growth);
        json_put_bool(j, "chosen", a->chosen);
        json_put_bool(j, "refused", a->refused);
        if (!isnan(a->cost))
            json_put_number(j, "instructions", rint(a->cost));
        json_end(j);
    }
    json_end(j);
}

static void put_block(const Schedule *s, const SchedBlock *b, JsonOut *j)
{
    json_begin_object(j, NULL);
    json_put_count(j, "size", b->size);
    json_put_count(j, "torn", b->ntorn);
    json_put_text(j, "kind", sched_kind_name(sched_block_kind(b)));
    json_put_bool(j, "solved", b->kind == SK_SOLVED);
    json_put_number(j, "growth", b->growth);
    json_put_text(j, "view", plan_algebraic_name(b->view));
    json_put_count(j, "states", b->nstate);
    json_put_count(j, "nnz", b->jac.nnz);
    json_begin_array(j, "loops");
    for (int i = 0; i < b->nloop; i++)
        json_put_count(j, NULL, b->loop[i].n);
    json_end(j);
    json_begin_array(j, "iteration");
    for (int k = 0; k < b->ntorn; k++)
        json_put_text(j, NULL, s->inlined->var[b->torn[k]].name);
    json_end(j);
    if (b->nalternative > 0)
        put_alternatives(b, j);
    json_end(j);
}

void structure_json(const Schedule *s, JsonOut *j)
{
    json_put_count(j, "difference_equations", s->system->neqn);
    json_put_count(j, "assignments", s->nassign);
    json_put_count(j, "iteration_variables", s->niteration);
    json_put_number(j, "growth", s->growth);
    json_begin_array(j, "blocks");
    for (int i = 0; i < s->nblock; i++) {
        json_break(j, 2);
        put_block(s, &s->block[i], j);
    }
    json_end(j);
}
