/* array.c - a run on the derivative array of the model (array/march.h).
 *
 * The array integrates; the tape of the model gives parameters, a first guess
 * of the start, relations, discrete equations and what a reader wants to see.
 * Both know the unknowns by the same numbers. Relations that the tape freezes
 * are held in the array too. At an event the tape comes to rest with its own
 * equations; then the array takes discrete variables, held relations and states
 * from it, finds the rest anew and, where ranks have changed, the index. An
 * input from a table has the derivatives that the table has.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "adaptive/adaptive_internal.h"
#include "array/march.h"
#include "array/partition.h"

const AdaptiveRow adaptive_row[ADAPTIVE_COUNT] = {
#define X(name, key, title, array) {key, title, array},
    ADAPTIVE_SOLVERS(X)
#undef X
};

static const double JUMP = 1e-6; /* of a value that was to go on: too much */

/* An input from the table: its derivatives of order 0 .. n-1. */
typedef struct ArrayTable {
    int var;
    int n;
    TableInput from[ARRAY_MOST + 2];
} ArrayTable;

typedef struct ArrayRun {
    Run run; /* first */
    Array *a;
    const ArrayIndex *x; /* of the present equations */
    MarchOptions options;
    March *march;
    double *z;      /* the present point */
    int *relation;  /* of the tape, for each event of the array; NONE */
    bool *is_state; /* column: a state of the tape */
    bool is_sound;  /* the tape could solve what it was asked last */
    ArrayTable *input;
    int ninput;
    MarchStats before; /* of marches that are over */
    Arena *arena;
} ArrayRun;

/* ---- the point and the tape ---- */

static int entry_of(const ArrayRun *r, int j, int q)
{
    const ArrayColumn *c = &r->a->col[j];
    return inlined_find(r->run.sim->low->inlined, c->var, c->order + q);
}

static int slot_of(const ArrayRun *r, int j, int q)
{
    int entry = entry_of(r, j, q);
    return entry == NONE ? NONE : r->run.sim->low->slot[entry];
}

/* x and its derivatives, where the tape has them. What the array does not
 * determine the tape may know; if not, nobody does. */
static void put_point(ArrayRun *r, double t)
{
    Sim *s = r->run.sim;
    int n = r->a->n, k = r->x->uniform_index;
    s->exec->r[s->low->tape->time] = t;
    for (int j = 0; j < n; j++) {
        for (int q = 0; q <= k + 1; q++) {
            int slot = slot_of(r, j, q);
            bool is_known = r->march ? march_knows(r->march, j, q) : q < 2;
            if (slot != NONE && (is_known || !r->is_sound))
                s->exec->r[slot] = is_known ? r->z[q * n + j] : NAN;
        }
    }
    sim_follow_states(s);
}

static void to_slots(Run *run, double t)
{
    put_point((ArrayRun *)run, t);
    sim_set_inputs(run->sim, run->begun, t);
    exec_reset_status(run->sim->exec);
}

/* What only the tape has follows from the states, as far as it can; the values
 * of the array stay. */
static bool evaluate(Run *run, double t)
{
    ArrayRun *r = (ArrayRun *)run;
    Sim *s = run->sim;
    to_slots(run, t);
    sim_reselect(s);
    r->is_sound =
        exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
    put_point(r, t);
    exec_reset_status(s->exec);
    return true;
}

/* ---- inputs ---- */

static void input_series(void *context, int var, double t, int degree,
                         double *coef)
{
    const ArrayRun *r = context;
    const Sim *s = r->run.sim;
    double side = sim_input_side(s, t, r->run.begun, t), factorial = 1;
    for (int q = 0; q <= degree; q++)
        coef[q] = q == 0 ? r->a->value[var] : 0;
    for (int i = 0; i < r->ninput; i++) {
        const ArrayTable *in = &r->input[i];
        for (int q = 0; in->var == var && q <= degree && q < in->n; q++) {
            factorial *= q > 0 ? q : 1;
            coef[q] =
                table_input_at(s->options.input, &in->from[q], 0, t, side) /
                factorial;
        }
    }
}

/* Columns u, der(u), ...; der(u) without one is the slope of u, which is linear
 * between lines: what is above is 0 there. */
static void find_inputs(ArrayRun *r)
{
    const Table *table = r->run.sim->options.input;
    const Sys *sys = r->a->sys;
    r->input = NEW_ARRAY(r->arena, ArrayTable, sys->nvar);
    for (int v = 0; table && v < sys->nvar; v++) {
        if (sys->var[v].role != SR_INPUT)
            continue;
        ArrayTable *in = &r->input[r->ninput];
        const char *name = sys->var[v].name;
        in->var = v;
        for (in->n = 0; in->n < ARRAY_MOST + 2; in->n++) {
            if (!table_find_input(table, name, &in->from[in->n]))
                break;
            in->from[in->n].is_whole = sys->var[v].type != FT_REAL;
            name = arena_printf(r->arena, "der(%s)", name);
        }
        r->ninput += in->n > 0;
    }
    if (r->ninput == 0)
        return;
    r->a->input = input_series;
    r->a->input_context = r;
}

/* ---- relations ---- */

/* What the tape freezes for event `e` of the array: the same expression, with
 * derivatives as its entries, of mod() and rem() the quotient. */
static Expr frozen_form(const ArrayRun *r, Expr e, Arena *arena)
{
    const Inlined *d = r->run.sim->low->inlined;
    Dag *dag = d->dag;
    Expr *leaf, ratio;
    int n = expr_leaves(dag, e, &leaf, arena), v, order;
    ExprMap *map = expr_map_new(dag, NULL, NULL, arena);
    for (int i = 0; i < n; i++) {
        expr_is_var(dag, leaf[i], &v, &order);
        int entry = order > 0 ? inlined_find(d, v, order) : NONE;
        if (entry != NONE)
            expr_map_fix(map, leaf[i], d->var[entry].leaf);
    }
    ExprOp op = expr_op(dag, e);
    if (op != EX_MOD && op != EX_REM)
        return expr_map(map, e);
    Expr a = expr_map(map, expr_arg(dag, e, 0));
    Expr b = expr_map(map, expr_arg(dag, e, 1));
    ratio = op == EX_MOD ? expr_unary(dag, EX_FLOOR, expr_div(dag, a, b))
                         : expr_binary(dag, EX_IDIV, a, b);
    return ratio;
}

static int frozen_relation(const ArrayRun *r, Expr e, Arena *arena)
{
    const Inlined *d = r->run.sim->low->inlined;
    Expr form = frozen_form(r, e, arena);
    for (int k = 0; k < d->nrelation; k++)
        if (d->relation[k].now == form)
            return k;
    return NONE;
}

/* Relations that derivatives bring along, as those of min(a, b), are not held:
 * they go with the value of min() itself. */
static void find_relations(ArrayRun *r)
{
    const Array *a = r->a;
    int n = taylor_nevent(a->taylor);
    Arena *local = arena_new();
    Expr *written;
    int nwritten = expr_events(a->dag, a->residual, a->neqn, &written, local);
    r->relation = NEW_ARRAY(r->arena, int, n);
    for (int i = 0; i < n; i++) {
        Expr e = taylor_event(a->taylor, i);
        r->relation[i] = NONE;
        for (int k = 0; k < nwritten; k++)
            if (written[k] == e && r->run.sim->low->inlined->dag == a->dag)
                r->relation[i] = frozen_relation(r, e, local);
    }
    arena_free(local);
}

/* Discrete variables and held relations as the tape has them now. */
static void take_discrete(ArrayRun *r)
{
    const Sim *s = r->run.sim;
    const Inlined *d = s->low->inlined;
    const Sys *sys = r->a->sys;
    int n = sys->nvar < d->sys->nvar ? sys->nvar : d->sys->nvar;
    for (int v = 0; v < n; v++) {
        SysRole role = sys->var[v].role;
        int slot = s->low->slot[v];
        if ((role == SR_DISCRETE || role == SR_FREE) && slot != NONE)
            r->a->value[v] = s->exec->r[slot];
    }
    for (int i = 0; i < taylor_nevent(r->a->taylor); i++) {
        int k = r->relation[i];
        int slot = k == NONE ? NONE : s->low->slot[d->relation[k].var];
        if (slot != NONE)
            taylor_hold(r->a->taylor, i, s->exec->r[slot]);
    }
}

/* ---- points where equations begin to hold ---- */

static bool report_start(ArrayRun *r, double t, const Consistent *c)
{
    int n = r->a->n, row = c->worst_row % n;
    diag_report(r->run.sim->diag, array_row_span(r->a, row), DIAG_E1703,
                "no consistent values were found at time %g: most is left over "
                "of %s%s (%.2g)",
                t, array_row_text(r->a, row, r->arena),
                c->worst_row >= n
                    ? arena_printf(r->arena, ", differentiated %d times",
                                   c->worst_row / n)
                    : "",
                c->residual);
    return false;
}

static void find_states(ArrayRun *r)
{
    const Sim *s = r->run.sim;
    const Dae *dae = s->low->inlined->dae;
    for (int j = 0; j < r->a->n; j++) {
        int slot = slot_of(r, j, 0);
        r->is_state[j] = false;
        for (int k = 0; dae && slot != NONE && k < dae->nstate; k++)
            r->is_state[j] |= sim_state_slot(s, k) == slot;
    }
}

/* A state of the tape, or what follows from these: guesses and values. */
static void take_values(ArrayRun *r)
{
    const double *slot = r->run.sim->exec->r;
    for (int j = 0; j < r->a->n; j++) {
        int at = slot_of(r, j, 0);
        if (at != NONE && isfinite(slot[at]) && (r->is_sound || r->is_state[j]))
            r->z[j] = slot[at];
    }
}

/* The column with a derivative that moved most from `x`, by more than JUMP. */
static int jumped_column(const ArrayRun *r, const double *x, Arena *arena)
{
    const bool *moves = partition_moving(r->a, arena);
    double most = JUMP;
    int worst = NONE;
    for (int j = 0; j < r->a->n; j++) {
        double by =
            fabs(r->z[j] - x[j]) / fmax(r->a->col[j].nominal, fabs(x[j]));
        if (moves[j] && by > most) {
            most = by;
            worst = j;
        }
    }
    return worst;
}

static bool report_jump(ArrayRun *r, double t, int j, double from)
{
    diag_report(r->run.sim->diag, r->run.sim->low->inlined->sys->flat->span,
                DIAG_E1709,
                "what goes on over the event at time %g contradicts the "
                "equations after it: '%s' would have to jump from %g to %g",
                t, array_name(r->a, j, 0, r->arena), from, r->z[j]);
    return false;
}

/* Did reinit() change a state of the tape? */
static bool is_kicked(const ArrayRun *r)
{
    const double *slot = r->run.sim->exec->r;
    for (int j = 0; j < r->a->n; j++) {
        int at = r->is_state[j] ? slot_of(r, j, 0) : NONE;
        if (at != NONE && slot[at] != r->z[j])
            return true;
    }
    return false;
}

/* After an event: states of the tape stay, the rest is found. Unless a reinit()
 * says so nothing that has a derivative may jump. */
static bool continue_point(ArrayRun *r, double t)
{
    Arena *local = arena_new();
    int n = r->a->n, k = r->x->uniform_index;
    double *x = NEW_ARRAY(local, double, n);
    memcpy(x, r->z, (size_t)n * sizeof *x);
    find_states(r);
    bool kicked = is_kicked(r);
    take_values(r);
    Consistent c = array_make_consistent_at(r->a, k, t, r->z, r->is_state);
    if (!c.found)
        c = array_make_consistent(r->a, k, t, r->z);
    int j = c.found && !kicked ? jumped_column(r, x, local) : NONE;
    bool fine = c.found && j == NONE;
    if (!fine)
        (void)(c.found ? report_jump(r, t, j, x[j]) : report_start(r, t, &c));
    arena_free(local);
    return fine;
}

/* The index of other equations, if it is another one. */
static bool renew_index(ArrayRun *r, double t)
{
    if (index_still_holds(r->x, r->a, t, r->z))
        return true;
    const ArrayIndex *x = array_index_from(r->a, t, r->z, r->arena);
    if (x->uniform_index == NONE || !x->start.found) {
        diag_report(r->run.sim->diag, r->run.sim->low->inlined->sys->flat->span,
                    DIAG_E1705,
                    "from time %g on the model has no uniform index up to %d: "
                    "takt index says why",
                    t, r->a->most);
        return false;
    }
    r->x = x;
    memcpy(r->z, x->z,
           (size_t)((x->uniform_index + 2) * r->a->n) * sizeof *r->z);
    r->march = NULL;
    return true;
}

static void add_stats(ArrayRun *r)
{
    const MarchStats *s = march_stats(r->march);
    r->before.steps += s->steps;
    r->before.residuals += s->residuals;
    r->before.factors += s->factors;
    r->before.partitions += s->partitions;
    r->before.changes += s->changes;
    r->before.jump = fmax(r->before.jump, s->jump);
    r->before.rows = s->rows;
    r->before.all_rows = s->all_rows;
    r->before.flops = s->flops;
    r->before.defect = fmax(r->before.defect, s->defect);
    if (s->drift > r->before.drift) {
        r->before.drift = s->drift;
        r->before.drift_time = s->drift_time;
    }
}

static bool open_march(ArrayRun *r, double t)
{
    ArrayIndex *x = NEW(r->arena, ArrayIndex);
    *x = *r->x;
    x->z = r->z;
    x->time = t;
    x->k = x->uniform_index;
    r->march = march_new(r->a, x, &r->options, r->arena);
    if (r->march)
        memcpy(r->z, march_point(r->march),
               (size_t)((x->uniform_index + 2) * r->a->n) * sizeof *r->z);
    else
        diag_report(r->run.sim->diag, r->run.sim->low->inlined->sys->flat->span,
                    DIAG_E1705, "the model is singular at time %g", t);
    return r->march != NULL;
}

static bool restart(Run *run, double t)
{
    ArrayRun *r = (ArrayRun *)run;
    March *old = r->march;
    take_discrete(r);
    if (!continue_point(r, t) || !renew_index(r, t))
        return false;
    if (!r->march) {
        r->march = old;
        add_stats(r);
        return open_march(r, t);
    }
    if (!march_restart(r->march, t, r->z))
        return run->ops->report(run, -1, t);
    memcpy(r->z, march_point(r->march),
           (size_t)((r->x->uniform_index + 2) * r->a->n) * sizeof *r->z);
    return true;
}

/* ---- steps ---- */

static int step(Run *run, double stop, double *t)
{
    ArrayRun *r = (ArrayRun *)run;
    bool fine = march_step(r->march, stop);
    *t = march_time(r->march);
    memcpy(r->z, march_point(r->march),
           (size_t)((r->x->uniform_index + 2) * r->a->n) * sizeof *r->z);
    return fine ? 0 : -1;
}

static void interpolate(Run *run, double t)
{
    ArrayRun *r = (ArrayRun *)run;
    march_look_back(r->march, t, r->z);
}

static bool give_up(Run *run, int code, double t)
{
    ArrayRun *r = (ArrayRun *)run;
    int row = march_worst_row(r->march);
    (void)code;
    diag_report(run->sim->diag, array_row_span(r->a, row), DIAG_E1705,
                "the model turns singular near time %g: the derivatives of its "
                "unknowns are not determined there; most is left over of %s",
                t, array_row_text(r->a, row, r->arena));
    if (r->options.kind == MARCH_COMPLETION)
        diag_note(run->sim->diag, array_row_span(r->a, row),
                  "a completion needs all derivatives up to order %d; where "
                  "these are infinite or jump (kinks without events), --method "
                  "partition does with those of the constraints",
                  r->x->uniform_index);
    return false;
}

static const AdaptiveOps array_ops = {.step = step,
                                      .interpolate = interpolate,
                                      .to_slots = to_slots,
                                      .evaluate = evaluate,
                                      .look = to_slots,
                                      .restart = restart,
                                      .report = give_up};

/* ---- the run ---- */

static bool is_possible(const ArrayRun *r)
{
    const Inlined *d = r->run.sim->low->inlined;
    if (d->ndelay > 0)
        diag_report(r->run.sim->diag, d->sys->flat->span, DIAG_U1701,
                    "not supported: a run on the derivative array of a model "
                    "with delay()");
    else if (r->x->uniform_index == NONE)
        diag_report(r->run.sim->diag, d->sys->flat->span, DIAG_E1704,
                    "the model has no uniform index up to %d: takt index says "
                    "why",
                    r->a->most);
    return d->ndelay == 0 && r->x->uniform_index != NONE;
}

static bool has_events(const Sim *s)
{
    return s->low->inlined->nrelation > 0 || s->low->nsample > 0 ||
           s->low->inlined->sys->naction > 0;
}

/* The tape starts as for every other method; if it cannot, a model without
 * events goes on with start values. */
static bool start_tape(ArrayRun *r)
{
    Sim *s = r->run.sim;
    bool mute = !has_events(s);
    if (mute)
        diag_mute(s->diag);
    r->is_sound = sim_init(s);
    if (mute)
        diag_unmute(s->diag);
    s->exec->tolerance = 1e-12;
    sim_begin_bands(s);
    return r->is_sound || mute;
}

static bool begin(ArrayRun *r)
{
    Sim *s = r->run.sim;
    double t = s->options.start;
    if (!start_tape(r))
        return false;
    find_relations(r);
    find_inputs(r);
    take_discrete(r);
    find_states(r);
    if (r->is_sound)
        take_values(r);
    Consistent c = array_make_consistent(r->a, r->x->uniform_index, t, r->z);
    return c.found ? renew_index(r, t) && open_march(r, t)
                   : report_start(r, t, &c);
}

static void take_stats(ArrayRun *r)
{
    if (r->march)
        add_stats(r);
    const MarchStats *s = &r->before;
    *r->run.stats = (AdaptiveStats){.steps = s->steps,
                                    .residuals = s->residuals,
                                    .jacobians = s->factors,
                                    .restarts = s->partitions,
                                    .changes = s->changes,
                                    .jump = s->jump,
                                    .rows = s->rows,
                                    .all_rows = s->all_rows,
                                    .flops = s->flops,
                                    .drift = s->drift,
                                    .drift_time = s->drift_time,
                                    .defect = s->defect};
}

bool adaptive_array(Sim *s, Array *a, const ArrayIndex *found,
                    const AdaptiveOptions *options, SimRow *row, void *context,
                    AdaptiveStats *stats)
{
    ArrayRun r = {.run = {.ops = &array_ops,
                          .sim = s,
                          .options = options,
                          .stats = stats,
                          .n = a->n,
                          .begun = s->options.start,
                          .jump_at = INFINITY,
                          .tried_at = NAN},
                  .a = a,
                  .x = found,
                  .arena = s->arena};
    r.options = (MarchOptions){.kind = options->solver == ADAPTIVE_PARTITION
                                           ? MARCH_PARTITION
                                           : MARCH_COMPLETION,
                               .adams = options->solver == ADAPTIVE_ADAMS,
                               .no_reuse = options->no_reuse,
                               .whole = options->all_rows,
                               .rtol = options->rtol,
                               .atol = options->atol};
    if (!is_possible(&r))
        return false;
    s->is_exact = true;
    r.z = NEW_ARRAY(s->arena, double, (ARRAY_MOST + 3) * a->n);
    memcpy(r.z, found->z, (size_t)((found->k + 2) * a->n) * sizeof *r.z);
    r.is_state = NEW_ARRAY(s->arena, bool, a->n);
    if (!begin(&r))
        return false;
    evaluate(&r.run, s->options.start);
    exec_run(s->exec, &s->low->output);
    bool fine = !row(context, s, s->options.start, false) ||
                adaptive_march(&r.run, row, context);
    take_stats(&r);
    return fine;
}
