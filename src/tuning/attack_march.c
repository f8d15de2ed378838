/* attack_march.c - one run of an attack.
 *
 * Where nothing but the length of a run can be varied, each run is the
 * beginning of the longest: that one is made, with what is asked of it after
 * each row, and the others are cut off it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "tuning/attack_internal.h"

/* Numbers that a run may leave behind for others to be cut off it. */
#define MOST_KEPT 4e6

/* What was known after each row. */
typedef struct Trail {
    Vec(double) eta;
    Vec(double) seen; /* seen->n a row */
    int flagged;      /* the first row that was; rows: none */
} Trail;

struct AttackWhole {
    bool is_made[ATTACK_NSTEP];
    March march[ATTACK_NSTEP]; /* the longest, */
    Trail trail[ATTACK_NSTEP]; /* and what it left */
};

typedef struct Row {
    Curves *curves;
    SeenRun *seen; /* NULL: nobody asks */
    Trail *trail;  /* NULL: nobody asks */
    Arena *arena;
} Row;

static bool was_flagged(const SimStats *s)
{
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (status_row[i].severity >= SEVERITY_DOUBTFUL &&
            s->cause[i].count > 0)
            return true;
    return false;
}

static void leave_trail(const Row *r, const Sim *sim)
{
    Trail *t = r->trail;
    if (!was_flagged(&sim->stats))
        t->flagged = t->eta.n + 1;
    vec_push(r->arena, &t->eta, sim->stats.eta);
    for (int i = 0; r->seen && i < r->seen->seen->n; i++) {
        const TapeSymbol *s = r->seen->symbol[i];
        vec_push(r->arena, &t->seen, s ? exec_value(sim->exec, s) : NAN);
    }
}

static bool on_row(void *context, const Sim *sim, double time, bool at_event)
{
    Row *r = context;
    (void)at_event;
    curves_row(r->curves, sim->exec, time);
    if (r->trail)
        leave_trail(r, sim);
    else if (r->seen)
        seen_row(r->seen, sim->exec);
    return true;
}

static March march(const Attacker *a, const Step *step, const BoxRun *run,
                   Trail *trail, double *low, double *high, Arena *arena)
{
    Diag *diag = diag_new(a->c->sources, arena);
    const Lowered *low_step =
        step_with_values(step, run->set, run->nset, arena);
    SimOptions so = step_sim_options(step);
    SeenRun seen;
    March m = {.curves =
                   curves_new(low_step->tape, a->watch, a->nwatch, arena)};
    so.input = run->input;
    so.live_inputs = true; /* inputs without a table keep their start values */
    so.stop = run->stop;
    Row row = {m.curves, NULL, trail, arena};
    if (low) {
        seen = seen_begin(a->seen, low_step->tape, low, high, arena);
        row.seen = &seen;
    }
    Sim *sim = sim_new(low_step, &so, arena, diag);
    m.ran = sim && sim_run(sim, on_row, &row);
    if (sim) {
        m.is_flagged = !m.ran || was_flagged(&sim->stats);
        m.eta = sim->stats.eta;
    }
    m.why = m.ran ? NULL : diag_first(diag, arena);
    sim_free(sim);
    return m;
}

/* ---- beginnings of a run ---- */

bool attack_is_line(const Attacker *a)
{
    const Box *b = a->box;
    double one = 1;
    if (b->axis.n != 1 || b->spec->nscenario != 1 ||
        b->axis.at[0].kind != AXIS_LENGTH)
        return false;
    Arena *work = arena_new();
    double rows = (box_run(b, &one, 0, work).stop - b->start) / b->step;
    arena_free(work);
    return rows <= a->longest &&
           rows * (a->seen->n + FINER * a->nwatch) <= MOST_KEPT;
}

AttackWhole *attack_whole(Arena *arena)
{
    return NEW(arena, AttackWhole);
}

static void make_whole(const Attacker *a, AttackStep which, const Step *step)
{
    Arena *arena = a->c->arena;
    AttackWhole *w = a->whole;
    double end = 1;
    BoxRun run = box_run(a->box, &end, 0, arena);
    int n = which == ATTACK_PLAN ? a->seen->n : NONE;
    double *low = n == NONE ? NULL : NEW_ARRAY(arena, double, n + 1);
    double *high = n == NONE ? NULL : NEW_ARRAY(arena, double, n + 1);
    w->march[which] = march(a, step, &run, &w->trail[which], low, high, arena);
    w->is_made[which] = true;
}

/* Rows up to the end of a run. */
static int count_rows(const Curves *c, double stop, double step)
{
    int n = c->time.n;
    while (n > 0 && c->time.at[n - 1] > stop + 0.1 * step)
        n--;
    return n;
}

static void hull(const Attacker *a, const Trail *t, int rows, double *low,
                 double *high)
{
    int n = a->seen->n;
    for (int i = 0; i < n; i++)
        low[i] = INFINITY, high[i] = -INFINITY;
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < n; i++) {
            low[i] = fmin(low[i], t->seen.at[k * n + i]);
            high[i] = fmax(high[i], t->seen.at[k * n + i]);
        }
}

static March beginning(const Attacker *a, AttackStep which, const Step *step,
                       const BoxRun *run, double *low, double *high,
                       Arena *arena)
{
    if (!a->whole->is_made[which])
        make_whole(a, which, step);
    March m = a->whole->march[which];
    const Trail *t = &a->whole->trail[which];
    int rows = count_rows(m.curves, run->stop, step->input.size);
    if (low)
        hull(a, t, rows, low, high);
    if (rows == m.curves->time.n) /* it got no further */
        return m;
    Curves *c = NEW(arena, Curves);
    *c = *m.curves;
    c->time.n = rows;
    c->value.n = rows * c->n;
    m.curves = c;
    m.ran = true;
    m.why = NULL;
    m.is_flagged = t->flagged < rows;
    m.eta = rows > 0 ? t->eta.at[rows - 1] : 0;
    return m;
}

/* The step with its defect unwatched: the same equations and pivots. */
static const Step *unwatched(const Step *s, Arena *arena)
{
    Step *loose = NEW(arena, Step);
    Plan *p = NEW(arena, Plan);
    *p = *s->plan;
    p->defect = PD_OFF;
    *loose = *s;
    loose->plan = p;
    return loose;
}

March attack_march(const Attacker *a, AttackStep which, const BoxRun *run,
                   double *low, double *high, Arena *arena)
{
    const Step *step = which == ATTACK_PLAN    ? a->plan
                       : which == ATTACK_FULL  ? a->full
                       : which == ATTACK_LOOSE ? unwatched(a->full, arena)
                                               : a->fine;
    return a->whole ? beginning(a, which, step, run, low, high, arena)
                    : march(a, step, run, NULL, low, high, arena);
}
