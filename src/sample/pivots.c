/* pivots.c - matrices of blocks along a run; their pivot orders. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample/pivots.h"

#include <math.h>
#include <string.h>

#include "lower/factor.h"

typedef struct Matrices {
    Vec(double) entry; /* nnz a sample */
    int nsample;
} Matrices;

typedef struct Choose {
    Sim *sim;
    const Lowered *low;
    Schedule *const *schedule;
    PivotOptions o;
    PivotReport *report;
    Arena *arena, *local;
    Matrices *of; /* of each system of the tape */
    double *saved;
    uint64_t seed;
} Choose;

/* --- samples
 * ----------------------------------------------------------------------- */

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

/* The entries of the systems of instructions [first, first+count). */
static void record(Choose *c, const TapeSegment *s)
{
    const Tape *t = c->low->tape;
    const double *r = c->sim->exec->r;
    for (int i = s->first; i < s->first + s->count; i++) {
        if (t->code.at[i].op != TAPE_FACTOR)
            continue;
        int number = t->code.at[i].a;
        const TapeSystem *sys = &t->system.at[number];
        Matrices *m = &c->of[number];
        if (!is_finite_list(r, sys->entry, sys->nnz))
            continue;
        for (int k = 0; k < sys->nnz; k++)
            vec_push(c->local, &m->entry, r[sys->entry[k]]);
        m->nsample++;
    }
}

/* Runs every system but initialisation at the present point. */
static void sample_here(Choose *c)
{
    const Diff *d = c->low->diff;
    Exec *e = c->sim->exec;
    size_t size = (size_t)c->low->tape->nslot * sizeof(double);
    double *here = NEW_ARRAY(c->local, double, c->low->tape->nslot);
    memcpy(here, e->r, size);
    for (int i = 0; i < d->nsystem; i++) {
        if (!c->schedule[i] || i == d->param || i == d->init)
            continue;
        exec_reset_status(e);
        if (exec_run(e, &c->low->system[i].run) >= 0)
            record(c, &c->low->system[i].run);
        memcpy(e->r, here, size);
    }
    exec_reset_status(e);
    c->report->nsample++;
}

static void perturb(Choose *c)
{
    const Tape *t = c->low->tape;
    const Diff *d = c->low->diff;
    double *r = c->sim->exec->r;
    for (int i = 0; i < d->nvar; i++) {
        int slot = c->low->slot[i];
        if (slot == NONE || t->region[slot] != TR_CARRY ||
            d->var[i].is_discrete || d->var[i].kind == DV_RELATION ||
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
    sample_here(c);
    for (int k = 0; k < c->o.perturbed; k++) {
        perturb(c);
        sample_here(c);
        memcpy(e->r, c->saved, size);
    }
}

/* Points lie close together at the begin, where transients are. */
static void sample_run(Choose *c)
{
    long n = sim_nstep(&c->sim->options);
    n = n > c->o.steps ? c->o.steps : n;
    int point = 0;
    sample_around(c);
    diag_mute(c->sim->diag);
    for (long k = 1; k <= n && !c->sim->stats.terminated; k++) {
        if (!sim_step(c->sim))
            break; /* what was seen so far is what there is */
        double share = (double)(point + 1) / c->o.points;
        if ((double)k < (double)n * share * share && k != n)
            continue;
        sample_around(c);
        while (point < c->o.points && (double)k >= (double)n * share * share) {
            point++;
            share = (double)(point + 1) / c->o.points;
        }
    }
    diag_unmute(c->sim->diag);
}

/* --- orders
 * ------------------------------------------------------------------------- */

static void report_none(Choose *c, const SchedBlock *b, const DiffSystem *s)
{
    const Diff *d = c->low->diff;
    const DiffEqn *e = &s->eqn[b->residual_eqn[0]];
    diag_report(c->sim->diag, e->span, DIAG_E1401,
                "no fixed order of pivots serves the equations of %s%s in all "
                "%d sampled points; iterating other variables or a smaller "
                "step may help",
                d->var[b->torn[0]].name, b->ntorn > 1 ? ", ..." : "",
                c->report->nsample);
}

static void warn_weak(Choose *c, const SchedBlock *b, const DiffSystem *s,
                      double weakest)
{
    const DiffEqn *e = &s->eqn[b->residual_eqn[0]];
    diag_report(c->sim->diag, e->span, DIAG_W1402,
                "the pivots of the equations of %s%s are weak: %.1e of the "
                "largest entry of their column in some sampled point",
                c->low->diff->var[b->torn[0]].name, b->ntorn > 1 ? ", ..." : "",
                weakest);
}

static bool unroll(Choose *c, SchedBlock *b, const DiffSystem *s, int number)
{
    const TapeSystem *sys = &c->low->tape->system.at[number];
    const Matrices *m = &c->of[number];
    const StaticLu *lu = NULL;
    if (m->nsample > 0)
        for (double limit = c->o.threshold; !lu && limit > 9e-7; limit /= 10)
            lu = static_lu_new(sys->n, sys->nnz, sys->row, sys->col,
                               m->entry.at, m->nsample, limit, c->local);
    if (!lu) {
        report_none(c, b, s);
        return false;
    }
    if (lu->weakest < c->o.threshold / 11)
        warn_weak(c, b, s, lu->weakest);
    if (lu->weakest < c->report->weakest)
        c->report->weakest = lu->weakest;
    c->report->nblock++;
    c->report->flops += lu->flops;
    c->report->nnz += lu->nentry;
    factor_unroll(c->low->diff->dag, b, lu, c->arena);
    return true;
}

/* Systems of the tape stand in the order of lower/lower_block.c. */
static bool unroll_all(Choose *c)
{
    const Diff *d = c->low->diff;
    bool fine = true;
    int number = 0;
    for (int i = 0; i < d->nsystem; i++) {
        if (!c->schedule[i] || i == d->param)
            continue;
        for (int k = 0; k < c->schedule[i]->nblock; k++) {
            SchedBlock *b = &c->schedule[i]->block[k];
            if (b->kind == SK_ASSIGN || b->kind == SK_SOLVED)
                continue;
            if (i != d->init)
                fine &= unroll(c, b, &d->system[i], number);
            number++;
        }
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
    return o;
}

bool pivots_choose(Sim *sim, Schedule *const *schedule,
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
    c.saved = NEW_ARRAY(c.local, double, c.low->tape->nslot);
    bool fine = sim_init(sim);
    if (fine) {
        sample_run(&c);
        fine = unroll_all(&c);
    }
    arena_free(c.local);
    return fine;
}
