/* index.c - takt index MODEL: index and ranks by derivative arrays. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "array/blocks.h"
#include "array/index.h"
#include "base/json.h"
#include "cli/index_iteration.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "driver/driver.h"

/* With more equations the ranks of the whole array are looked at only if a
 * block of the leading Jacobian is singular, from the larger number on never:
 * they cost too much. */
enum { MANY_EQUATIONS = 60, MOST_EQUATIONS = 120, MOST_SHOWN = 6 };
/* What is left over beside the terms of its row: more is no rounding. */
static const double CONTRADICTS = 1e-2;

typedef struct IndexRun {
    DriverOptions driver;
    TextList library, set;
    double at; /* NaN: the start */
    int most;
    bool json, quiet, iteration;
    double step; /* of --iteration, the first */
    Compilation *c;
    Array *array;
    ArrayIndex *x;
    const ArrayBlocks *blocks; /* of a large model, else NULL */
    Compilation *mended;       /* with singular blocks: as check makes it */
    int dae_states; /* what index reduction makes of it; NONE: nothing */
    int dae_index;
} IndexRun;

/* ---- to a reader ---- */

static const char *number(int n, const char *none, Arena *arena)
{
    return n == NONE ? none : arena_printf(arena, "%d", n);
}

static void print_levels(const IndexRun *r)
{
    const ArrayIndex *x = r->x;
    printf("   k   rows  rank[x' w x]  rank[x' w]  rank[w]  x' determined  "
           "around        kept  dropped\n");
    for (int k = 0; k < x->nlevel; k++) {
        const IndexLevel *l = &x->level[k];
        printf("  %2d  %5d  %12d  %10d  %7d  %-13s  %-12s%6.0e  %6.0e\n", k,
               (k + 1) * r->array->n, l->full.rank, l->all.rank, l->higher.rank,
               l->is_full ? "yes" : "no",
               l->is_uniform     ? "the same"
               : !l->is_constant ? "rank changes"
               : !l->has_a4      ? "dependent"
                                 : "no",
               fmin(l->all.kept, l->full.kept),
               fmax(l->all.dropped, l->full.dropped));
    }
}

static void print_conditions(const IndexRun *r)
{
    const ArrayIndex *x = r->x;
    int nu = x->uniform_index;
    if (nu == NONE)
        return;
    printf("at k = %d: (A1) smooth, (A2) consistent, (A3) 1-full with constant "
           "rank, (A4) full row rank; (A5) %s\n",
           nu,
           x->has_a5 ? "holds: the range of [x' w] depends on x and t only"
                     : "fails: the range of [x' w] depends on x' or w");
}

static void print_start(const IndexRun *r, Arena *arena)
{
    const Consistent *s = &r->x->start;
    static const char *const what[] = {"derivatives and algebraic variables",
                                       "start values that are not fixed",
                                       "fixed start values too"};
    if (!s->found)
        return;
    printf("consistent start     residual %.0e; moved: %s", s->residual,
           what[s->stage]);
    if (s->moved > 1e-9 && s->moved_column != NONE)
        printf(", most '%s' by %.2g",
               array_name(r->array, s->moved_column, 0, arena), s->moved);
    putchar('\n');
}

/* In words: does structure agree, and what is to be done? */
static const char *verdict(const IndexRun *r, Arena *arena)
{
    const ArrayIndex *x = r->x;
    if (x->differentiation_index == NONE)
        return "no index was found: see the message";
    const char *both =
        x->uniform_index != x->differentiation_index
            ? "; the array needs the uniform index, since ranks change beside "
              "the solution"
            : "";
    if (index_agrees(x))
        return arena_printf(arena,
                            "structure agrees: every method of takt can be "
                            "used%s",
                            both);
    const char *what = x->structural_index != x->differentiation_index &&
                               x->structural_states != x->states
                           ? "index and number of states"
                       : x->structural_index != x->differentiation_index
                           ? "the index"
                           : "the number of states";
    bool is_mended = r->dae_states == x->states;
    if (is_mended)
        return arena_printf(
            arena,
            "structure is wrong about %s; index reduction of takt removes the "
            "dependent equations and finds the %d states: every method can be "
            "used%s",
            what, x->states, both);
    return arena_printf(
        arena,
        "structure is wrong about %s%s; check, sim and build take rows of the "
        "derivative array in place of the equations (--remodel auto), and "
        "takt sim --method partition integrates the model as it is",
        what, both);
}

static void print_index(const IndexRun *r)
{
    const ArrayIndex *x = r->x;
    Arena *arena = arena_new();
    printf("%s at time %g: %d equations, first order %d\n", r->c->flat->model,
           x->time, r->array->neqn, r->array->n);
    printf("structural index     %s, %s states\n",
           number(x->structural_index, "none", arena),
           number(x->structural_states, "no", arena));
    printf("differentiation index %s\n",
           number(x->differentiation_index, "not found", arena));
    printf("uniform index        %s, %s states\n",
           number(x->uniform_index, "not found", arena),
           number(x->states, "no", arena));
    print_levels(r);
    print_conditions(r);
    print_start(r, arena);
    printf("%s\n", verdict(r, arena));
    arena_free(arena);
}

/* ---- to machines ---- */

static void put_number(JsonOut *j, const char *key, int n)
{
    if (n == NONE)
        json_put_null(j, key);
    else
        json_put_count(j, key, n);
}

static void put_levels(JsonOut *j, const IndexRun *r)
{
    json_begin_array(j, "levels");
    for (int k = 0; k < r->x->nlevel; k++) {
        const IndexLevel *l = &r->x->level[k];
        json_begin_object(j, NULL);
        json_put_count(j, "k", k);
        json_put_count(j, "rows", (k + 1) * r->array->n);
        put_number(j, "rank", l->full.rank);
        put_number(j, "rank_derivatives", l->all.rank);
        put_number(j, "rank_higher", l->higher.rank);
        json_put_bool(j, "one_full", l->is_full);
        json_put_bool(j, "constant_rank", l->is_constant);
        json_put_bool(j, "full_row_rank", l->has_a4);
        json_put_bool(j, "uniform", l->is_uniform);
        json_put_number(j, "kept", fmin(l->all.kept, l->full.kept));
        json_put_number(j, "dropped", fmax(l->all.dropped, l->full.dropped));
        json_end(j);
    }
    json_end(j);
}

static void put_start(JsonOut *j, const IndexRun *r, Arena *arena)
{
    json_begin_object(j, "consistent");
    json_put_bool(j, "found", r->x->start.found);
    json_put_number(j, "residual", r->x->start.residual);
    json_begin_object(j, "values");
    for (int i = 0; i < r->array->n; i++)
        json_put_number(j, array_name(r->array, i, 0, arena), r->x->z[i]);
    json_end(j);
    json_end(j);
}

static void print_json(const IndexRun *r)
{
    const ArrayIndex *x = r->x;
    Arena *arena = arena_new();
    JsonOut text = json_start(stdout, JSON_INDENTED), *j = &text;
    json_begin_object(j, NULL);
    json_put_text(j, "model", r->c->flat->model);
    json_put_number(j, "time", x->time);
    json_put_count(j, "equations", r->array->n);
    put_number(j, "structural_index", x->structural_index);
    put_number(j, "structural_states", x->structural_states);
    put_number(j, "differentiation_index", x->differentiation_index);
    put_number(j, "uniform_index", x->uniform_index);
    put_number(j, "states", x->states);
    json_put_bool(j, "agrees", index_agrees(x));
    json_put_bool(j, "a5", x->has_a5);
    json_put_bool(j, "undecided", x->undecided);
    json_put_text(j, "verdict", verdict(r, arena));
    put_levels(j, r);
    put_start(j, r, arena);
    json_end(j);
    json_finish(j);
    arena_free(arena);
}

/* ---- what is wrong ---- */

static void report_none(const IndexRun *r)
{
    const ArrayIndex *x = r->x;
    Arena *arena = arena_new();
    Diag *diag = r->c->diag;
    int last = x->nlevel - 1, n = r->array->n;
    if (!x->start.found) {
        int row = x->start.worst_row % n, order = x->start.worst_row / n;
        diag_report(
            diag, array_row_span(r->array, row), DIAG_E1703,
            "no consistent values were found: the equations contradict "
            "each other, or the start values are too far away; most is "
            "left over of %s%s (%.2g)",
            array_row_text(r->array, row, arena),
            order ? arena_printf(arena, ", differentiated %d times", order)
                  : "",
            x->start.residual);
    } else if (x->level[last].full.rank < (last + 1) * n &&
               x->free_row != NONE) {
        diag_report(diag, array_row_span(r->array, x->free_row), DIAG_E1702,
                    "this equation and its derivatives say what others say: %s",
                    array_row_text(r->array, x->free_row, arena));
        if (x->free_column != NONE)
            diag_note(diag, r->c->flat->span, "'%s' stays undetermined",
                      array_name(r->array, x->free_column, 0, arena));
    } else {
        diag_report(diag, r->c->flat->span, DIAG_E1704,
                    "derivatives up to order %d do not determine x': the index "
                    "is above that, or the model is singular",
                    last);
    }
    arena_free(arena);
}

/* The fixed start value that had to move most. */
static void report_moved(const IndexRun *r)
{
    const Array *a = r->array;
    Arena *arena = arena_new();
    double *start = NEW_ARRAY(arena, double, 2 * a->n), most = -1;
    int worst = NONE;
    array_start(a, 0, r->x->time, start);
    for (int j = 0; j < a->n; j++) {
        double by = fabs(r->x->z[j] - start[j]);
        if (a->col[j].order > 0 || !a->sys->var[a->col[j].var].fixed ||
            !(by / a->col[j].nominal > most))
            continue;
        most = by / a->col[j].nominal;
        worst = j;
    }
    if (worst != NONE)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1707,
                    "fixed start values are not consistent: '%s' had to move "
                    "from %g to %g",
                    array_name(a, worst, 0, arena), start[worst],
                    r->x->z[worst]);
    arena_free(arena);
}

static void report(const IndexRun *r)
{
    const ArrayIndex *x = r->x;
    if (x->differentiation_index == NONE) {
        report_none(r);
        return;
    }
    if (x->undecided)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1706,
                    "equations are nearly dependent: a singular value lies "
                    "between 1e-11 and 1e-6 of the largest; the index is %d "
                    "with it and %d if it is zero",
                    x->index_without == NONE ? x->structural_index
                                             : x->differentiation_index,
                    x->index_without == NONE ? x->differentiation_index
                                             : x->index_without);
    if (x->start.stage == 2)
        report_moved(r);
}

/* ---- the command ---- */

/* What index reduction makes of the model, without a word. */
static void reduce_too(IndexRun *r)
{
    Compilation *c = r->c;
    ReduceOptions options = {.set = c->sys->set, .nset = c->sys->nset};
    r->dae_states = r->dae_index = NONE;
    diag_mute(c->diag);
    Dae *dae = reduce(c->sys, options, c->arena, c->diag);
    bool is_sure = dae && diag_count(c->diag, DIAG_WARNING) == 0;
    diag_unmute(c->diag);
    if (dae) {
        r->dae_index = dae->index;
        r->dae_states = is_sure ? dae->nstate : NONE;
    }
}

/* ---- large models ---- */

static void name_block(const IndexRun *r, const ArrayBlock *b)
{
    Arena *arena = arena_new();
    const char *why = "";
    const ArrayParts *parts = r->mended->parts;
    for (int i = 0; parts && i < parts->n; i++) {
        const WrongPart *p = &parts->at[i];
        if (!p->s && p->why && p->block->block == b->block)
            why = arena_printf(arena, "; %s", p->why);
    }
    diag_report(r->c->diag, array_row_span(r->array, b->row[0]), DIAG_W1708,
                "structural analysis is wrong here: %d equations for %d "
                "unknowns have rank %d%s",
                b->n, b->n, b->rank.rank, why);
    for (int i = 0; i < b->n && i < MOST_SHOWN; i++)
        diag_note(r->c->diag, array_row_span(r->array, b->row[i]),
                  "%s for '%s'", array_row_text(r->array, b->row[i], arena),
                  r->c->sys->var[b->var[i]].name);
    arena_free(arena);
}

/* Does index reduction come to an end it can answer for, with rows of the
 * arrays of parts? */
static bool is_mended(const IndexRun *r)
{
    const Compilation *m = r->mended;
    return m && m->dae && !m->dae->is_doubtful;
}

/* What is differentiated in parts, and then once more with all the rest. */
static int most_index(const IndexRun *r)
{
    const ArrayParts *parts = r->mended->parts;
    int most = 0;
    for (int i = 0; parts && i < parts->n; i++)
        if (parts->at[i].s && parts->at[i].s->k > most)
            most = parts->at[i].s->k;
    return most + r->mended->dae->structural_index;
}

static const char *block_verdict(const IndexRun *r, Arena *arena)
{
    const ArrayBlocks *b = r->blocks;
    if (!b)
        return "structure is singular";
    if (is_mended(r))
        return arena_printf(
            arena,
            "structure is wrong in %d of its blocks: the index is at most %d, "
            "with %d states; check, sim and build %s",
            b->nsingular, most_index(r), r->mended->dae->nstate,
            r->mended->parts ? "take rows of derivative arrays in place of "
                               "the equations of these parts (--remodel auto)"
                             : "remove the dependent equations");
    if (b->nsingular > 0)
        return "structure is wrong: see the messages";
    if (b->skipped > 0)
        return arena_printf(arena,
                            "%d blocks are too large to be looked at; the "
                            "others are regular",
                            b->skipped);
    return arena_printf(arena,
                        "structure is right: all blocks of the leading "
                        "Jacobian are regular, the index is at most %d; every "
                        "method of takt can be used",
                        r->array->offsets->index);
}

static void print_blocks(const IndexRun *r, Arena *arena)
{
    const Array *a = r->array;
    const ArrayBlocks *b = r->blocks;
    printf("%s: %d equations, %s: by blocks\n", r->c->flat->model, a->n,
           a->n > MANY_EQUATIONS ? "too many for the ranks of the whole array"
           : a->most < 2         ? "not all of which have derivatives"
                                 : "too badly scaled for the whole array");
    if (a->offsets)
        printf("structural index     %d, %ld states\n", a->offsets->index,
               a->offsets->value);
    if (b)
        printf("blocks               %d, the largest %d, singular %d; smallest "
               "singular value over the largest %.0e\n",
               b->n, b->largest, b->nsingular, b->kept);
    const ArrayParts *parts = r->mended ? r->mended->parts : NULL;
    for (int i = 0; parts && i < parts->n; i++) {
        const WrongPart *p = &parts->at[i];
        if (!p->s || i >= MOST_SHOWN)
            continue;
        printf("part %-15d %d equations, structural index %d, index %d, %d "
               "states: %s\n",
               i + 1, p->a->n, p->x->structural_index,
               p->x->differentiation_index, p->x->states,
               array_row_text(p->a, 0, arena));
    }
    if (parts && parts->n > MOST_SHOWN)
        printf("                     and %d more parts\n",
               parts->n - MOST_SHOWN);
    printf("%s\n", block_verdict(r, arena));
}

static void put_parts(JsonOut *j, const ArrayParts *parts, Arena *arena)
{
    json_begin_array(j, "parts");
    for (int i = 0; parts && i < parts->n; i++) {
        const WrongPart *p = &parts->at[i];
        if (!p->s)
            continue;
        json_begin_object(j, NULL);
        json_put_count(j, "equations", p->a->n);
        put_number(j, "structural_index", p->x->structural_index);
        json_put_count(j, "differentiation_index", p->x->differentiation_index);
        json_put_count(j, "states", p->x->states);
        json_put_count(j, "rows", p->s->m);
        json_put_text(j, "first", array_row_text(p->a, 0, arena));
        json_end(j);
    }
    json_end(j);
}

static void put_blocks(const IndexRun *r, Arena *arena)
{
    const Offsets *o = r->array->offsets;
    JsonOut text = json_start(stdout, JSON_INDENTED), *j = &text;
    json_begin_object(j, NULL);
    json_put_text(j, "model", r->c->flat->model);
    json_put_count(j, "equations", r->array->n);
    put_number(j, "structural_index", o ? o->index : NONE);
    put_number(j, "structural_states", o ? (int)o->value : NONE);
    json_put_null(j, "differentiation_index");
    json_put_null(j, "uniform_index");
    json_put_count(j, "blocks", r->blocks ? r->blocks->n : 0);
    json_put_count(j, "largest_block", r->blocks ? r->blocks->largest : 0);
    json_put_count(j, "singular_blocks", r->blocks ? r->blocks->nsingular : 0);
    put_number(j, "states", is_mended(r) ? r->mended->dae->nstate : NONE);
    put_number(j, "index_at_most", is_mended(r) ? most_index(r) : NONE);
    put_parts(j, r->mended ? r->mended->parts : NULL, arena);
    json_put_text(j, "verdict", block_verdict(r, arena));
    json_end(j);
    json_finish(j);
}

static bool is_regular(const IndexRun *r, double t)
{
    const ArrayBlocks *b = array_blocks(r->array, t, r->c->arena);
    return b && b->nsingular == 0 && b->skipped == 0;
}

static bool look_at_blocks(IndexRun *r, double t)
{
    Arena *arena = r->c->arena;
    r->blocks = array_blocks(r->array, t, arena);
    if (r->blocks && r->blocks->nsingular > 0) {
        r->mended = driver_new();
        diag_mute(r->mended->diag);
        driver_compile(r->mended, &r->driver, PHASE_DAE);
    }
    for (int i = 0; r->mended && !is_mended(r) && i < r->blocks->nsingular; i++)
        name_block(r, &r->blocks->singular[i]);
    if (r->json)
        put_blocks(r, arena);
    else if (!r->quiet)
        print_blocks(r, arena);
    return true;
}

/* As far as the functions of the model can be differentiated. */
static Array *make_array(IndexRun *r, double t)
{
    Compilation *c = r->c;
    int most = c->sys->neqn > MOST_EQUATIONS ? 0 : r->most + 1;
    Array *a = NULL;
    for (; !a && most > 0; most--) {
        diag_mute(c->diag);
        a = array_new(c->sys, t, most, c->arena, c->diag);
        diag_unmute(c->diag);
    }
    return a ? a : array_new(c->sys, t, most, c->arena, c->diag);
}

static bool find_index(IndexRun *r)
{
    Compilation *c = r->c;
    if (!driver_compile(c, &r->driver, PHASE_SYS))
        return false;
    double t = isnan(r->at) ? c->start : r->at;
    r->array = make_array(r, t);
    if (!r->array)
        return false;
    if (r->array->n > MOST_EQUATIONS || r->array->most < 2 ||
        (r->array->n > MANY_EQUATIONS && is_regular(r, t)))
        return look_at_blocks(r, t);
    r->x = array_index(r->array, t, c->stop - c->start, c->arena);
    if (!r->x->start.found && r->x->start.residual < CONTRADICTS &&
        is_regular(r, t))
        return look_at_blocks(r, t);
    if (!index_agrees(r->x))
        reduce_too(r);
    report(r);
    if (r->json)
        print_json(r);
    else if (!r->quiet)
        print_index(r);
    if (r->iteration)
        index_print_iteration(r->array, t, r->x->z, r->step, &r->driver,
                              c->arena);
    return true;
}

int cmd_index(int argc, char **argv)
{
    Arena *arena = arena_new();
    IndexRun run = {
        .driver = driver_defaults(NULL), .at = NAN, .most = 8, .step = 0.1};
    const Option option[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &run.library},
        {"external", NULL, "run external functions (foreign code) of the model",
         OPT_FLAG, &run.driver.external},
        {"at", "TIME", "when (default: the start)", OPT_TIME, &run.at},
        {"most", "K", "differentiate K times at most, 0 to 8 (8)", OPT_INT,
         &run.most},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &run.set},
        {"iteration", NULL,
         "norm and condition of the iteration matrix as the step goes to 0",
         OPT_FLAG, &run.iteration},
        {"step", "TIME", "the first step of --iteration (0.1)", OPT_TIME,
         &run.step},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &run.json},
        {"quiet", NULL, "print errors only", OPT_FLAG, &run.quiet},
        {0},
    };
    const Command command = {
        "index", "MODEL",
        "Finds the index of a model by the ranks of its derivative array, and "
        "says whether structural analysis agrees.",
        "takt index models/gallery/CampbellZhong1.mo", option};
    TextList args = {0};
    int code;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    const char *wrong =
        args.n != 1                    ? "exactly one MODEL is needed"
        : run.most < 0 || run.most > 8 ? "--most takes a number from 0 to 8"
        : run.json && run.iteration    ? "--iteration prints a table, no JSON"
        : !(run.step > 0)              ? "--step is positive"
                                       : NULL;
    if (wrong) {
        code = options_wrong(&command, "%s", wrong);
        arena_free(arena);
        return code;
    }
    model_options(&run.driver, &args, &run.library, &run.set);
    run.c = driver_new();
    find_index(&run);
    if (run.mended)
        driver_end(run.mended);
    code = driver_end(run.c);
    arena_free(arena);
    return code;
}
