/* remodel.c - a system of index 1 where structure is wrong. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/remodel.h"

#include <string.h>

#include "array/remodel.h"

enum {
    FEW_EQUATIONS = 60,   /* that are looked at as a whole at once, */
    MOST_EQUATIONS = 120, /* or where parts do not serve */
    MOST_ORDER = 7,
    MOST_SHOWN = 6, /* parts, or equations of one */
};

static RemodelResult refuse(Compilation *c, RemodelNews *news, const char *why)
{
    news->text = arena_printf(
        c->arena,
        "structural analysis is wrong here, and the equations stay as they "
        "are: %s; takt sim --method partition integrates what has an index",
        why);
    return REMODEL_REFUSED;
}

/* "; states are chosen anew while running among x, y and among vx, vy" */
static const char *name_sets(const RemodelPart *part, int n, Arena *arena)
{
    const char *text = "";
    for (int p = 0; p < n; p++) {
        const Selection *s = part[p].s;
        for (int i = 0; i < s->nset; i++) {
            const SelectSet *x = &s->set[i];
            text = arena_printf(arena, "%s%s among ", text,
                                *text ? " and"
                                      : "; states are chosen anew while "
                                        "running");
            for (int j = 0; j < x->n; j++)
                text = arena_printf(
                    arena, "%s%s%s", text, j ? ", " : "",
                    array_name(part[p].a, x->candidate[j], 0, arena));
        }
    }
    return text;
}

/* ---- parameters ---- */

typedef Vec(int) Ints;

static void add_parameters(const Sys *s, Expr e, bool *seen, Ints *out,
                           Arena *arena)
{
    Expr *leaf;
    int n = expr_leaves(s->dag, e, &leaf, arena), v, order;
    for (int i = 0; i < n; i++) {
        expr_is_var(s->dag, leaf[i], &v, &order);
        if (s->var[v].role == SR_PARAMETER && !seen[v])
            vec_push(arena, out, v);
        seen[v] = true;
    }
}

static bool has_name(const ParameterNames *list, const char *name)
{
    for (int i = 0; i < list->n; i++)
        if (!strcmp(list->at[i], name))
            return true;
    return false;
}

/* Tunable parameters of the part whose values decide its index: with others
 * its rows would not serve, and nobody would see it. */
static void find_decisive(const Compilation *c, const RemodelPart *p,
                          ParameterNames *numbers)
{
    const Sys *s = c->sys;
    Arena *local = arena_new();
    bool *seen = NEW_ARRAY(local, bool, s->nvar);
    Ints list = {0};
    for (int r = 0; r < p->a->neqn; r++)
        add_parameters(s, p->a->residual[r], seen, &list, local);
    for (int i = 0; i < list.n; i++) {
        const SysVar *x = &s->var[list.at[i]];
        if (x->expr != EXPR_NONE)
            add_parameters(s, x->expr, seen, &list, local);
        if (x->is_tunable && x->type == FT_REAL &&
            !has_name(numbers, x->name) &&
            !index_holds_beside(p->x, p->a, list.at[i]))
            vec_push(c->arena, numbers, x->name);
    }
    arena_free(local);
}

static bool has_decisive(const Compilation *c, const RemodelPart *part, int n,
                         ParameterNames *numbers)
{
    int before = numbers->n;
    for (int p = 0; p < n; p++)
        find_decisive(c, &part[p], numbers);
    return numbers->n > before;
}

/* The rows of these take the place of their equations. */
static bool replace(Compilation *c, const RemodelPart *part, int n)
{
    int nset = 0;
    for (int p = 0; p < n; p++)
        nset += part[p].s->nset;
    DaeStateSet *sets = NEW_ARRAY(c->arena, DaeStateSet, nset + 1);
    if (!array_remodel(part, n, sets, c->arena))
        return false;
    c->set = sets;
    c->nset = nset;
    return true;
}

/* ---- the whole ---- */

/* The array can be integrated as it is, if nobody asked for that already. */
static void suggest(Compilation *c, Array *a, const ArrayIndex *x)
{
    if (c->array || x->uniform_index == NONE)
        return;
    c->array = a;
    c->index = x;
    c->is_suggested = true;
}

static void forget_suggestion(Compilation *c)
{
    if (c->is_suggested)
        c->array = NULL;
    c->is_suggested = false;
}

void remodel_suggest(Compilation *c)
{
    if (!c->dae || !c->dae->is_doubtful || c->array ||
        c->plan->remodel != PR_AUTO || c->sys->neqn > MOST_EQUATIONS)
        return;
    diag_mute(c->diag);
    Array *a = array_new(c->sys, c->start, MOST_ORDER, c->arena, c->diag);
    diag_unmute(c->diag);
    if (a)
        suggest(c, a, array_index(a, c->start, c->stop - c->start, c->arena));
}

/* What the whole came to, and why nothing was found. */
typedef struct Whole {
    RemodelResult result;
    const char *why;
} Whole;

static Whole take_whole(Compilation *c, Array *a, ParameterNames *numbers,
                        RemodelNews *news)
{
    const char *why;
    double length = c->stop - c->start;
    const ArrayIndex *x = array_index(a, c->start, length, c->arena);
    if (x->differentiation_index == NONE)
        return (Whole){REMODEL_REFUSED,
                       "no index was found (takt index says more)"};
    suggest(c, a, x); /* taken back below */
    RemodelPart part = {a, x, array_select(a, x, length, 0, c->arena, &why)};
    int before = a->n;
    if (!part.s)
        return (Whole){REMODEL_REFUSED, why};
    if (has_decisive(c, &part, 1, numbers))
        return (Whole){REMODEL_AGAIN, NULL};
    if (!replace(c, &part, 1))
        return (Whole){REMODEL_BROKEN, "an equation has no derivative"};
    forget_suggestion(c);
    news->text = arena_printf(
        c->arena,
        "structural analysis sees index %d and %d states, numbers say index %d "
        "and %d states: %d rows of the derivative array take the place of %d "
        "equations (condition %.0e at %d points)%s",
        x->structural_index, x->structural_states, x->differentiation_index,
        part.s->nstate, part.s->m, before, part.s->condition, part.s->npoint,
        name_sets(&part, 1, c->arena));
    return (Whole){REMODEL_DONE, NULL};
}

/* ---- parts ---- */

/* A part that nothing was found for, by name. */
static void name_block(const Compilation *c, const Array *whole,
                       const WrongPart *p)
{
    const ArrayBlock *b = p->block;
    diag_report(c->diag, array_row_span(whole, b->row[0]), DIAG_W1708,
                "structural analysis is wrong here, and these equations stay "
                "as they are: %d equations for %d unknowns have rank %d; %s",
                b->n, b->n, b->rank.rank, p->why);
    for (int i = 0; i < b->n && i < MOST_SHOWN; i++)
        diag_note(c->diag, array_row_span(whole, b->row[i]), "%s for '%s'",
                  array_row_text(whole, b->row[i], c->arena),
                  c->sys->var[b->var[i]].name);
}

static RemodelPart *list_parts(const ArrayParts *parts, Arena *arena)
{
    RemodelPart *part = NEW_ARRAY(arena, RemodelPart, parts->n + 1);
    int n = 0;
    for (int i = 0; i < parts->n; i++) {
        const WrongPart *p = &parts->at[i];
        if (p->s)
            part[n++] = (RemodelPart){p->a, p->x, p->s};
    }
    return part;
}

static void tell_found(const Compilation *c, const ArrayParts *parts)
{
    int rows = 0, before = 0, index = 0, n = parts->nfound;
    const RemodelPart *part = list_parts(parts, c->arena);
    for (int p = 0; p < n; p++) {
        int own = part[p].x->differentiation_index;
        rows += part[p].s->m;
        before += part[p].a->n;
        index = own > index ? own : index;
    }
    diag_report(c->diag, c->flat->span, DIAG_W1708,
                "structural analysis is wrong in %d %s of the model, of index "
                "%s%d by numbers: %d rows of derivative arrays take the place "
                "of %d equations%s",
                n, n == 1 ? "part" : "parts", n == 1 ? "" : "up to ", index,
                rows, before, name_sets(part, n, c->arena));
    for (int p = 0; p < n && p < MOST_SHOWN; p++)
        diag_note(c->diag, array_row_span(part[p].a, 0),
                  "%d equations, index %d: %d rows, condition %.0e; %s",
                  part[p].a->n, part[p].x->differentiation_index, part[p].s->m,
                  part[p].s->condition, array_row_text(part[p].a, 0, c->arena));
}

void remodel_tell(const Compilation *c, const RemodelNews *news)
{
    const ArrayParts *parts = news->parts;
    if (news->text)
        diag_report(c->diag, c->flat->span, DIAG_W1708, "%s", news->text);
    if (!parts)
        return;
    if (parts->nfound > 0)
        tell_found(c, parts);
    for (int i = 0, shown = 0; i < parts->n && shown < MOST_SHOWN; i++)
        if (!parts->at[i].s && ++shown)
            name_block(c, news->whole, &parts->at[i]);
    int more = parts->n - parts->nfound - MOST_SHOWN;
    if (more > 0)
        diag_note(c->diag, c->flat->span, "and %d more such blocks", more);
}

bool remodel_check_run(const Compilation *c)
{
    for (int i = 0; c->parts && !c->array && i < c->parts->n; i++) {
        const WrongPart *p = &c->parts->at[i];
        if (p->s || p->block->n <= PART_MOST)
            continue;
        diag_report(c->diag, c->flat->span, DIAG_E1710,
                    "nothing can run: structural analysis is wrong for %d "
                    "equations that belong together (see the warning), more "
                    "than the %d that are looked at; write constraints that "
                    "are hidden in them as equations, or couple them by values "
                    "and not by derivatives. takt sim --method partition "
                    "integrates the model as it is, slowly; --remodel never "
                    "runs what structure says",
                    p->block->n, PART_MOST);
        return false;
    }
    return true;
}

/* With `all` only if there are rows for every part. */
static RemodelResult take_parts(Compilation *c, int rings, bool all,
                                const char *why, ParameterNames *numbers,
                                RemodelNews *news)
{
    Arena *arena = c->arena;
    diag_mute(c->diag);
    Array *whole = array_new(c->sys, c->start, 0, arena, c->diag);
    diag_unmute(c->diag);
    const ArrayBlocks *b = whole ? array_blocks(whole, c->start, arena) : NULL;
    if (!b || b->nsingular == 0)
        return refuse(c, news, why);
    ArrayParts *parts = array_parts(whole, b, c->start, c->stop - c->start,
                                    rings, arena, c->diag);
    const RemodelPart *part = list_parts(parts, arena);
    int n = parts->nfound;
    if ((n == 0 && c->array) /* which can be integrated as a whole */
        || (all && n < parts->n))
        return refuse(c, news, why);
    if (has_decisive(c, part, n, numbers))
        return REMODEL_AGAIN;
    c->parts = news->parts = parts;
    news->whole = whole;
    if (n == 0)
        return REMODEL_REFUSED;
    if (!replace(c, part, n)) {
        news->parts = NULL;
        return refuse(c, news, "an equation has no derivative"), REMODEL_BROKEN;
    }
    forget_suggestion(c);
    return n < parts->n ? REMODEL_DONE : REMODEL_PARTS;
}

/* Rows of the whole array, or why there are none. */
static Whole try_whole(Compilation *c, ParameterNames *numbers,
                       RemodelNews *news)
{
    diag_mute(c->diag);
    Array *a = array_new(c->sys, c->start, MOST_ORDER, c->arena, c->diag);
    const char *why = a ? NULL : diag_first(c->diag, c->arena);
    diag_unmute(c->diag);
    Whole whole = {REMODEL_REFUSED, why ? why : "it has no array"};
    if (a)
        whole = take_whole(c, a, numbers, news);
    if (whole.result == REMODEL_BROKEN)
        refuse(c, news, whole.why);
    return whole;
}

RemodelResult remodel(Compilation *c, int rings, ParameterNames *numbers,
                      RemodelNews *news)
{
    *news = (RemodelNews){0};
    const char *why = "more than 120 equations are not looked at together";
    int n = c->sys->neqn;
    c->nset = 0;
    if (n > FEW_EQUATIONS && rings == 0) {
        bool all = n <= MOST_EQUATIONS;
        RemodelResult parts = take_parts(c, rings, all, why, numbers, news);
        if (!all || parts != REMODEL_REFUSED)
            return parts;
        *news = (RemodelNews){0};
    }
    /* as a whole, of larger ones where parts have not served */
    if (n <= MOST_EQUATIONS && rings <= (n > FEW_EQUATIONS)) {
        Whole whole = try_whole(c, numbers, news);
        if (whole.result != REMODEL_REFUSED)
            return whole.result;
        why = whole.why;
    }
    return take_parts(c, rings, false, why, numbers, news);
}
