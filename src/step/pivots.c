/* pivots.c - matrices of blocks along a run; their pivot orders. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/pivots.h"

#include <math.h>
#include <string.h>

#include "lower/factor.h"
#include "num/table.h"
#include "step/step_internal.h"

typedef struct Matrices {
    Vec(double) entry; /* nnz a sample */
    int nsample;
    int seen; /* run in which one was recorded last */
} Matrices;

typedef struct Choose {
    Sim *sim;
    const Lowered *low;
    const Schedule *const *schedule;
    BlockFactor **factor; /* of each block of each system */
    PivotOptions o;
    PivotReport *report;
    Arena *arena, *local;
    Matrices *of; /* of each system of the tape */
    double *saved;
    double *before; /* slots one step ago */
    double *size;   /* of each entry, the largest so far */
    Pushes pushes;
    int run; /* number of the run of a system */
    uint64_t seed;
    const bool *switched; /* of each slot; NULL: not yet known */
} Choose;

/* ---- samples ---- */

/* Numbers between -1 and 1 (xorshift; the same in each run). */
static double next_random(Choose *c)
{
    c->seed ^= c->seed << 13;
    c->seed ^= c->seed >> 7;
    c->seed ^= c->seed << 17;
    return (double)(c->seed >> 11) / 4503599627370496.0 - 1;
}

static bool is_finite_list(const double *r, const int *slot, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(r[slot[i]]))
            return false;
    return true;
}

static void record(Choose *c, int number)
{
    const double *r = c->sim->exec->r;
    const TapeSystem *sys = &c->low->tape->system.at[number];
    Matrices *m = &c->of[number];
    if (!is_finite_list(r, sys->entry, sys->nnz))
        return;
    for (int k = 0; k < sys->nnz; k++)
        vec_push(c->local, &m->entry, r[sys->entry[k]]);
    m->nsample++;
}

/* The first matrix of an iteration, where it starts: at initial values that are
 * 0 an entry can vanish that never does again. */
static void record_first(void *context, int number)
{
    Choose *c = context;
    if (c->of[number].seen == c->run)
        return;
    c->of[number].seen = c->run;
    record(c, number);
}

/* Is the matrix another one than that recorded last? */
static bool is_new(const Choose *c, int number)
{
    const double *r = c->sim->exec->r;
    const TapeSystem *sys = &c->low->tape->system.at[number];
    const Matrices *m = &c->of[number];
    const double *last = m->entry.at + m->entry.n - sys->nnz;
    for (int k = 0; m->nsample > 0 && k < sys->nnz; k++)
        if (last[k] != r[sys->entry[k]])
            return true;
    return m->nsample == 0;
}

/* The last matrices of the iterations of instructions [first, first+count). */
static void record_last(Choose *c, const TapeSegment *s)
{
    const Tape *t = c->low->tape;
    for (int i = s->first; i < s->first + s->count; i++)
        if (t->code.at[i].op == TAPE_FACTOR && is_new(c, t->code.at[i].a))
            record(c, t->code.at[i].a);
}

/* Runs every system but initialisation at the present point. */
static void sample_here(Choose *c)
{
    const Inlined *d = c->low->inlined;
    Exec *e = c->sim->exec;
    size_t size = (size_t)c->low->tape->nslot * sizeof(double);
    double *here = NEW_ARRAY(c->local, double, c->low->tape->nslot);
    memcpy(here, e->r, size);
    e->on_factor = record_first;
    e->context = c;
    for (int i = 0; i < d->nsystem; i++) {
        if (!c->schedule[i] || i == d->param || i == d->init)
            continue;
        exec_reset_status(e);
        c->run++;
        if (exec_run(e, &c->low->system[i].run) >= 0)
            record_last(c, &c->low->system[i].run);
        memcpy(e->r, here, size);
    }
    e->on_factor = NULL;
    exec_reset_status(e);
    c->report->nsample++;
}

static void perturb(Choose *c)
{
    const Tape *t = c->low->tape;
    const Inlined *d = c->low->inlined;
    double *r = c->sim->exec->r;
    for (int i = 0; i < d->nvar; i++) {
        int slot = c->low->slot[i];
        if (slot == NONE || t->region[slot] != TR_CARRY ||
            d->var[i].is_discrete || d->var[i].kind == IV_RELATION ||
            d->var[i].type != ET_REAL)
            continue;
        r[slot] += c->o.spread * next_random(c) * (fabs(r[slot]) + 1e-6);
    }
}

static void sample_around(Choose *c)
{
    Exec *e = c->sim->exec;
    size_t size = (size_t)c->low->tape->nslot * sizeof(double);
    memcpy(c->saved, e->r, size);
    pushes_keep(&c->pushes, c->sim, c->size, c->local);
    sample_here(c);
    for (int k = 0; k < c->o.perturbed; k++) {
        perturb(c);
        sample_here(c);
        memcpy(e->r, c->saved, size);
    }
}

static void see_sizes(Choose *c)
{
    const Inlined *d = c->low->inlined;
    for (int i = 0; i < d->nvar; i++)
        if (c->low->slot[i] != NONE)
            c->size[i] =
                fmax(c->size[i], fabs(c->sim->exec->r[c->low->slot[i]]));
}

/* One step. Just before other states are chosen, matrices with the old ones are
 * worst; just after it there are others. */
static bool step(Choose *c, int *nchoice)
{
    Exec *e = c->sim->exec;
    size_t size = (size_t)c->low->tape->nslot * sizeof(double);
    long reselected = c->sim->stats.reselected;
    if (c->sim->nset > 0)
        memcpy(c->before, e->r, size);
    if (!sim_step(c->sim))
        return false;
    see_sizes(c);
    if (c->sim->stats.reselected == reselected || *nchoice >= c->o.points)
        return true;
    double *now = NEW_ARRAY(c->local, double, c->low->tape->nslot);
    memcpy(now, e->r, size);
    memcpy(e->r, c->before, size);
    sample_around(c);
    memcpy(e->r, now, size);
    sample_around(c);
    ++*nchoice;
    return true;
}

/* Points lie close together at the begin, where transients are. */
static void sample_run(Choose *c)
{
    long n = sim_nstep(&c->sim->options);
    n = n > c->o.steps ? c->o.steps : n;
    int point = 0, nchoice = 0;
    sample_around(c);
    diag_mute(c->sim->diag);
    for (long k = 1; k <= n && !c->sim->stats.terminated; k++) {
        if (!step(c, &nchoice))
            break; /* what was seen so far is what there is */
        double share = (double)(point + 1) / c->o.points;
        if ((double)k < (double)n * share * share && k != n && c->o.points < n)
            continue;
        sample_around(c);
        while (point < c->o.points && (double)k >= (double)n * share * share) {
            point++;
            share = (double)(point + 1) / c->o.points;
        }
    }
    diag_unmute(c->sim->diag);
}

/* ---- orders ---- */

static void report_none(Choose *c, const SchedBlock *b, const InlinedSystem *s)
{
    const Inlined *d = c->low->inlined;
    const InlinedEqn *e = &s->eqn[b->residual_eqn[0]];
    diag_report(c->sim->diag, e->span, DIAG_E1401,
                "no fixed order of pivots serves the equations of %s%s in all "
                "%d sampled points; iterating other variables or a smaller "
                "step may help",
                d->var[b->torn[0]].name, b->ntorn > 1 ? ", ..." : "",
                c->report->nsample);
}

static void warn_safe(Choose *c, const SchedBlock *b, const InlinedSystem *s,
                      bool qr)
{
    const InlinedEqn *e = &s->eqn[b->residual_eqn[0]];
    diag_report(c->sim->diag, e->span, DIAG_W1406,
                "no fixed order of pivots serves the equations of %s%s in all "
                "%d sampled points: they are factorised %s",
                c->low->inlined->var[b->torn[0]].name,
                b->ntorn > 1 ? ", ..." : "", c->report->nsample,
                qr ? "by rotations (QR), which need none"
                   : "with pivots chosen at run time");
}

/* Modes may leave it open, and it is too large for factor_least(). */
static void warn_open(Choose *c, const SchedBlock *b, const InlinedSystem *s)
{
    const InlinedEqn *e = &s->eqn[b->residual_eqn[0]];
    diag_report(c->sim->diag, e->span, DIAG_W1406,
                "some modes leave the equations of %s, ... open (several that "
                "hold one mass); of many solutions code without pivoting finds "
                "the nearest in blocks of up to %d unknowns, and this one has "
                "%d: a step that comes to such modes fails",
                c->low->inlined->var[b->torn[0]].name, FACTOR_LEAST_MOST,
                b->ntorn);
}

/* The plan asks for dense factors of a block that is too large for them. */
static void warn_large(Choose *c, const SchedBlock *b, const InlinedSystem *s)
{
    const InlinedEqn *e = &s->eqn[b->residual_eqn[0]];
    diag_report(c->sim->diag, e->span, DIAG_W1204,
                "the block of %s, ... has %d unknowns, dense factors are for "
                "at most %d: it is factorised by rotations (QR)",
                c->low->inlined->var[b->torn[0]].name, b->ntorn,
                FACTOR_DENSE_MOST);
}

static void warn_weak(Choose *c, const SchedBlock *b, const InlinedSystem *s,
                      double weakest)
{
    const InlinedEqn *e = &s->eqn[b->residual_eqn[0]];
    diag_report(c->sim->diag, e->span, DIAG_W1402,
                "the pivots of the equations of %s%s are weak: %.1e of the "
                "largest entry of their column in some sampled point",
                c->low->inlined->var[b->torn[0]].name,
                b->ntorn > 1 ? ", ..." : "", weakest);
}

/* ---- which factorisation ---- */

/* A block of a step and what is known of it. */
typedef struct Task {
    const SchedBlock *b;
    BlockFactor *factor; /* found for it */
    const InlinedSystem *s;
    int index;  /* of the system */
    int number; /* of the tape's system */
    PlanBlockFactor want;
    const StaticLu *lu; /* NULL: not wanted, or there is none */
    long flops;         /* of a step, with the blocks that use its factors */
    int first;          /* the first block of the system with this matrix */
    bool shared;        /* there are others with this matrix */
} Task;

/* Have the blocks the same matrix, expression by expression, and known before
 * the first of them? It is factorised once then (stages of a method with one
 * Jacobian). */
static bool is_same_matrix(const SchedJacobian *a, const SchedJacobian *b)
{
    size_t nnz = (size_t)a->nnz, n = (size_t)a->n;
    for (int k = 0; k < a->nnz; k++)
        if (a->variance[k] == SV_UNKNOWN)
            return false;
    return a->n == b->n && a->nnz == b->nnz && a->n > 0 &&
           memcmp(a->value, b->value, nnz * sizeof *a->value) == 0 &&
           memcmp(a->row, b->row, nnz * sizeof *a->row) == 0 &&
           memcmp(a->start, b->start, (n + 1) * sizeof *a->start) == 0;
}

static int find_first(const Task *task, int i)
{
    for (int k = 0; k < i; k++)
        if (task[k].first == k &&
            is_same_matrix(&task[k].b->jac, &task[i].b->jac))
            return k;
    return i;
}

static bool holds(const Choose *c, const SchedBlock *b, const char *name)
{
    const Inlined *d = c->low->inlined;
    for (int i = 0; i < b->ntorn + b->nchain; i++) {
        const InlinedVar *v =
            &d->var[i < b->ntorn ? b->torn[i] : b->chain[i - b->ntorn].var];
        if (!strcmp(v->name, name) ||
            (v->sys_var != NONE && !strcmp(d->sys->var[v->sys_var].name, name)))
            return true;
    }
    return false;
}

/* The plan's choice: that of the block before that of all, "*". */
static PlanBlockFactor wanted(const Choose *c, const SchedBlock *b)
{
    PlanBlockFactor want = {.block = "*"};
    const Plan *p = c->o.plan;
    for (int i = 0; p && i < p->nfactor; i++)
        if (!strcmp(p->factor[i].block, "*"))
            want = p->factor[i];
    for (int i = 0; p && i < p->nfactor; i++)
        if (strcmp(p->factor[i].block, "*") && holds(c, b, p->factor[i].block))
            want = p->factor[i];
    return want;
}

/* Of each slot: does it follow, in the equations of events, from relations or
 * discrete variables? These change from pass to pass of an event, what follows
 * from states and time does not. What a block solves for is taken to. */
static const bool *find_switched(Choose *c)
{
    const Lowered *low = c->low;
    const Inlined *d = low->inlined;
    const TapeSegment *s = &low->system[d->event].run;
    bool *is = NEW_ARRAY(c->local, bool, low->tape->nslot + 1);
    for (int i = 0; i < d->nvar; i++)
        if (d->var[i].type != ET_REAL || d->var[i].is_discrete) {
            if (low->slot[i] != NONE)
                is[low->slot[i]] = true;
            if (low->pre[i] != NONE)
                is[low->pre[i]] = true;
        }
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &low->tape->code.at[i];
        int arg[3], n = tape_reads(in, arg);
        for (int k = 0; k < n && tape_writes(in) != NONE; k++)
            is[in->dst] |= is[arg[k]];
        if (in->op != TAPE_BLOCK)
            continue;
        const TapeBlock *b = &low->tape->block.at[in->a];
        for (int k = 0; k < b->n; k++)
            is[b->x[k]] = true;
    }
    return is;
}

/* The columns of a linear block of the events that change from pass to pass, if
 * there are others too; else NULL. */
static const bool *late_columns(Choose *c, const Task *t)
{
    const TapeSystem *sys = &c->low->tape->system.at[t->number];
    if (t->index != c->low->inlined->event || sys->n < 2 ||
        t->b->kind == SK_NONLINEAR)
        return NULL;
    if (!c->switched)
        c->switched = find_switched(c);
    bool *late = NEW_ARRAY(c->local, bool, sys->n);
    int n = 0;
    for (int k = 0; k < sys->nnz; k++)
        late[sys->col[k]] |= c->switched[sys->entry[k]];
    for (int j = 0; j < sys->n; j++)
        n += late[j];
    return n > 0 && n < sys->n ? late : NULL;
}

/* Pivots that keep their sign along the run; others only where the plan asks
 * for LU by name. */
static const StaticLu *find_pivots(Choose *c, const Task *t)
{
    const TapeSystem *sys = &c->low->tape->system.at[t->number];
    const Matrices *m = &c->of[t->number];
    const bool *late = late_columns(c, t);
    const StaticLu *lu = NULL;
    for (double limit = c->o.threshold; m->nsample > 0 && !lu && limit > 9e-7;
         limit /= 10)
        lu = static_lu_steady(sys->n, sys->nnz, sys->row, sys->col, m->entry.at,
                              m->nsample, limit, late, c->arena);
    for (double limit = c->o.threshold;
         m->nsample > 0 && !lu && limit > 9e-7 && t->want.factor == PF_LU;
         limit /= 10)
        lu = static_lu_new(sys->n, sys->nnz, sys->row, sys->col, m->entry.at,
                           m->nsample, limit, c->arena);
    return lu;
}

static bool is_constant(const SchedBlock *b)
{
    for (int k = 0; k < b->jac.nnz; k++)
        if (b->jac.variance[k] > SV_PARAMETER)
            return false;
    return true;
}

static void set_own_table(Task *t, const FactorTable *table)
{
    *t->factor = (BlockFactor){.table = table, .alarm = EXPR_NONE};
}

static bool set_table(Choose *c, Task *t, bool qr)
{
    const TapeSystem *sys = &c->low->tape->system.at[t->number];
    TableOptions o = {.watch = !t->want.no_monitor,
                      .refine = t->want.refine,
                      .is_float = c->o.is_float};
    const FactorTable *table =
        qr ? table_qr(sys->nrow, sys->n, sys->nnz, sys->row, sys->col, &o,
                      c->arena)
           : table_lu(t->lu, sys->row, sys->col, &o, c->arena);
    set_own_table(t, table);
    if (table && qr)
        c->report->nqr++;
    else if (table)
        c->report->ntable++;
    return table != NULL;
}

static void set_unrolled(Choose *c, Task *t, bool dense)
{
    FactorOptions o = {.watch = !t->want.no_monitor,
                       .shared = t->shared,
                       .refine = t->want.refine,
                       .is_float = c->o.is_float};
    Dag *dag = c->low->inlined->dag;
    *t->factor = dense ? factor_dense(dag, t->b, &o, c->arena)
                       : factor_unroll(dag, t->b, t->lu, &o, c->arena);
    if (dense)
        c->report->ndense++;
}

/* A block that no fixed order serves: rows are exchanged at run time where it
 * is tiny, else rotations make pivots unnecessary. */
static bool set_safe(Choose *c, Task *t)
{
    const TapeSystem *sys = &c->low->tape->system.at[t->number];
    bool asked = t->want.factor == PF_QR || t->want.factor == PF_DENSE;
    bool dense =
        t->want.factor == PF_DENSE || (t->want.factor != PF_QR && sys->n <= 3);
    if (t->want.factor == PF_DENSE && sys->n > FACTOR_DENSE_MOST)
        warn_large(c, t->b, t->s);
    if (dense && sys->n <= FACTOR_DENSE_MOST)
        set_unrolled(c, t, true);
    else if (!set_table(c, t, true)) {
        report_none(c, t->b, t->s);
        return false;
    }
    if (!asked)
        warn_safe(c, t->b, t->s, t->factor->table != NULL);
    return true;
}

/* Is it solved by pivots that are looked for at run time, or the nearest of
 * many solutions? */
static bool is_least(const Task *t)
{
    return t->b->may_be_undetermined && t->b->ntorn <= FACTOR_LEAST_MOST &&
           (t->want.factor == PF_AUTO || t->want.factor == PF_DENSE);
}

static void set_least(Choose *c, Task *t)
{
    FactorOptions o = {.is_float = c->o.is_float};
    *t->factor = factor_least(c->low->inlined->dag, t->b, &o, c->arena);
    c->report->ndense++;
}

static const InlinedSystem *event_system(const Choose *c)
{
    const Inlined *d = c->low->inlined;
    return d->event == NONE ? NULL : &d->system[d->event];
}

static void set_lu(Choose *c, Task *t, bool unroll)
{
    const StaticLu *lu = t->lu;
    if (lu->weakest < c->o.threshold / 11)
        warn_weak(c, t->b, t->s, lu->weakest);
    if (lu->weakest < c->report->weakest)
        c->report->weakest = lu->weakest;
    if (t->s != event_system(c)) {
        c->report->flops += lu->flops;
        c->report->nnz += lu->nentry;
    }
    if (unroll || !set_table(c, t, false))
        set_unrolled(c, t, false);
}

/* The block whose factors it uses. Constant ones are there anyway. */
static int leader_of(const Task *task, int i)
{
    return is_constant(task[i].b) ? i : task[i].first;
}

/* Straight-line code up to so many operations per step; beyond, the largest
 * blocks of a system become tables, together with those that share their
 * factors. */
static void size_rule(Choose *c, Task *task, int n, bool *unroll)
{
    for (int i = 0; i < n; i++)
        unroll[i] = task[i].want.has_unroll ? task[i].want.unroll : true;
    for (;;) {
        long sum = 0;
        int largest = NONE;
        for (int i = 0; i < n; i++) {
            if (!unroll[i] || !task[i].lu || leader_of(task, i) != i)
                continue;
            sum += task[i].flops;
            if (!task[i].want.has_unroll &&
                (largest == NONE || task[i].flops > task[largest].flops))
                largest = i;
        }
        if (sum <= c->o.unroll_flops || largest == NONE)
            break;
        unroll[largest] = false;
    }
    for (int i = 0; i < n; i++)
        unroll[i] = unroll[leader_of(task, i)];
}

/* A solution with constant factors is short code, of numbers and no watch: it
 * counts one part in so many for the size rule. */
enum { WITH_CONSTANTS = 5 };

/* The pivots of a block; others with the same matrix add their solution. */
static void set_task(Choose *c, Task *task, int i)
{
    Task *t = &task[i];
    t->want = wanted(c, t->b);
    if (t->b->ninvariant > 0)
        t->want.factor = PF_QR; /* least squares */
    t->first = find_first(task, i);
    if (t->first != i)
        t->shared = task[t->first].shared = true;
    bool safe =
        t->want.factor == PF_QR || t->want.factor == PF_DENSE || is_least(t);
    t->lu = safe ? NULL : t->first == i ? find_pivots(c, t) : task[t->first].lu;
    if (!t->lu)
        return;
    if (t->first == i && !is_constant(t->b))
        t->flops = t->lu->flops;
    else
        task[leader_of(task, i)].flops +=
            t->lu->solve_flops / (is_constant(t->b) ? WITH_CONSTANTS : 1);
}

/* The blocks of one system of the Inlined. */
static bool choose_system(Choose *c, Task *task, int n)
{
    bool fine = true;
    bool *unroll = NEW_ARRAY(c->local, bool, n + 1);
    for (int i = 0; i < n; i++)
        set_task(c, task, i);
    size_rule(c, task, n, unroll);
    for (int i = 0; i < n; i++) {
        c->report->nblock++;
        const FactorTable *table = task[task[i].first].factor->table;
        if (table && task[i].first != i && !unroll[i])
            set_own_table(&task[i], table);
        else if (task[i].lu)
            set_lu(c, &task[i], unroll[i]);
        else if (is_least(&task[i]))
            set_least(c, &task[i]);
        else
            fine &= set_safe(c, &task[i]);
        if (task[i].s == event_system(c) && task[i].b->may_be_undetermined &&
            task[i].b->ntorn > FACTOR_LEAST_MOST)
            warn_open(c, task[i].b, task[i].s);
    }
    return fine;
}

/* Has the block no matrix to be factorised? */
static bool is_explicit(const SchedBlock *b)
{
    return b->kind == SK_ASSIGN || b->kind == SK_SOLVED;
}

static bool check_plan(Choose *c)
{
    const Inlined *d = c->low->inlined;
    const Plan *p = c->o.plan;
    for (int i = 0; p && i < p->nfactor; i++) {
        bool found = !strcmp(p->factor[i].block, "*"), factored = found;
        for (int s = 0; s < d->nsystem && !factored; s++)
            for (int k = 0; c->schedule[s] && k < c->schedule[s]->nblock; k++) {
                const SchedBlock *b = &c->schedule[s]->block[k];
                bool has = holds(c, b, p->factor[i].block);
                found |= has;
                factored |= has && !is_explicit(b);
            }
        if (found && !factored)
            diag_report(c->sim->diag, p->factor[i].span, DIAG_W1204,
                        "factor: '%s' is computed without a matrix",
                        p->factor[i].block);
        if (found)
            continue;
        diag_report(c->sim->diag, p->factor[i].span, DIAG_E1205,
                    "factor: no block of the model holds '%s'",
                    p->factor[i].block);
        return false;
    }
    return true;
}

static double *weigh(const Choose *c, const Task *t)
{
    const Matrices *m = &c->of[t->number];
    return pivots_weigh(c->low->inlined, t->b, m->entry.at, m->nsample, c->size,
                        c->arena);
}

/* Systems of the tape stand in the order of lower/lower_block.c. */
static bool choose_all(Choose *c)
{
    const Inlined *d = c->low->inlined;
    bool fine = check_plan(c);
    int number = 0;
    for (int i = 0; i < d->nsystem; i++) {
        if (!c->schedule[i] || i == d->param)
            continue;
        Vec(Task) task = {0};
        int nblock = c->schedule[i]->nblock;
        c->factor[i] = NEW_ARRAY(c->arena, BlockFactor, nblock + 1);
        for (int k = 0; k < nblock; k++) {
            const SchedBlock *b = &c->schedule[i]->block[k];
            if (is_explicit(b))
                continue;
            Task t = {.b = b,
                      .factor = &c->factor[i][k],
                      .s = &d->system[i],
                      .index = i,
                      .number = number};
            vec_push(c->local, &task, t);
            number++;
        }
        if (i != d->init)
            fine &= choose_system(c, task.at, task.n);
        for (int k = 0; fine && k < task.n; k++)
            task.at[k].factor->weight = weigh(c, &task.at[k]);
    }
    return fine;
}

static PivotOptions with_defaults(const PivotOptions *given)
{
    PivotOptions o = given ? *given : (PivotOptions){0};
    o.points = o.points > 0 ? o.points : 24;
    o.perturbed = o.perturbed > 0 ? o.perturbed : 1;
    o.spread = o.spread > 0 ? o.spread : 0.02;
    o.steps = o.steps > 0 ? o.steps : 4000;
    o.threshold = o.threshold > 0 ? o.threshold : 0.1;
    o.unroll_flops = o.unroll_flops > 0 ? o.unroll_flops : 4000;
    return o;
}

static Choose begin(Sim *sim, const Schedule *const *schedule,
                    const PivotOptions *options, PivotReport *report,
                    Arena *arena)
{
    Choose c = {.sim = sim,
                .low = sim->low,
                .schedule = schedule,
                .o = with_defaults(options),
                .report = report,
                .arena = arena,
                .local = arena_new(),
                .seed = 88172645463325252u};
    *report = (PivotReport){.weakest = 1};
    c.of = NEW_ARRAY(c.local, Matrices, c.low->tape->system.n + 1);
    c.factor = NEW_ARRAY(arena, BlockFactor *, c.low->inlined->nsystem + 1);
    c.size = NEW_ARRAY(arena, double, c.low->inlined->nvar + 1);
    c.saved = NEW_ARRAY(c.local, double, c.low->tape->nslot);
    c.before = NEW_ARRAY(c.local, double, c.low->tape->nslot);
    return c;
}

const Pivots *pivots_choose(Sim *sim, const Schedule *const *schedule,
                            const PivotOptions *options, Arena *arena)
{
    Pivots *out = NEW(arena, Pivots);
    Choose c = begin(sim, schedule, options, &out->report, arena);
    bool fine = sim_init(sim);
    if (fine) {
        sample_run(&c);
        out->report.open = sim_open_later(sim);
        out->report.until = sim_time(sim);
        fine = choose_all(&c);
    }
    out->factor = (const BlockFactor *const *)c.factor;
    out->size = c.size;
    out->push = fine ? pushes_weigh(&c.pushes, sim, arena) : NULL;
    arena_free(c.local);
    return fine ? out : NULL;
}

static const char *system_name(const Tape *t, int system)
{
    int block = NONE;
    for (int i = 0; i < t->code.n; i++) {
        if (t->code.at[i].op == TAPE_BLOCK)
            block = t->code.at[i].a;
        if (t->code.at[i].op == TAPE_FACTOR && t->code.at[i].a == system)
            return block == NONE ? "" : t->block.at[block].name;
    }
    return "";
}

PivotMatrices *pivots_collect(Sim *sim, const Schedule *const *schedule,
                              const PivotOptions *options, int *n, Arena *arena)
{
    PivotReport report;
    Choose c = begin(sim, schedule, options, &report, arena);
    PivotMatrices *out = NULL;
    *n = 0;
    if (sim_init(sim)) {
        sample_run(&c);
        const Tape *t = c.low->tape;
        out = NEW_ARRAY(arena, PivotMatrices, t->system.n + 1);
        for (int i = 0; i < t->system.n; i++) {
            const TapeSystem *s = &t->system.at[i];
            if (c.of[i].nsample == 0)
                continue;
            size_t size = (size_t)c.of[i].nsample * (size_t)s->nnz;
            double *entry = NEW_ARRAY(arena, double, size);
            memcpy(entry, c.of[i].entry.at, size * sizeof(double));
            out[(*n)++] = (PivotMatrices){.name = system_name(t, i),
                                          .n = s->n,
                                          .nnz = s->nnz,
                                          .row = s->row,
                                          .col = s->col,
                                          .nsample = c.of[i].nsample,
                                          .entry = entry};
        }
    }
    arena_free(c.local);
    return out;
}
