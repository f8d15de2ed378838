/* branch.c - where a branch of equations ends between two events.
 *
 * The algebraic equations of a model may have several solutions, and the one
 * that a run is on may end, in a fold (y^3 - 3 y = x at x = 2) or in a corner
 * (noEvent(if ...) in a loop). No relation changes there. An integrator that
 * steps over such a place sees a right-hand side that jumps; its error test may
 * miss that altogether, and the time of the jump is as inexact as its step is
 * long. So an evaluation that leaves the branch of the last accepted point is
 * refused: steps become shorter until none is left. There the states go on for
 * next to nothing by their slopes (sim/jump.c), the model finds its new branch,
 * and the integrator starts again. IDA solves for everything at once and asks
 * for no evaluation: its steps are looked at afterwards, and made again in
 * quarters.
 *
 * Has a solution jumped, or only moved far? Between the saved point and the
 * present one the half in which it moves more is halved again and again: what
 * is continuous moves less and less, a jump stays as large as it is. Only where
 * the interpreter has seen branches change, or an iteration that was slow.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "adaptive/adaptive_internal.h"

/* Of the time between two points of output: so near the end of a branch it is
 * gone over. */
static const double NEAR = 1e-7;
/* Unknowns, in their units, that move by less are not looked at; and where they
 * move by less than this share in halves, they are continuous. */
static const double MOVES = 1e-4, SHARE = 0.02;
enum {
    MOST_HALVES = 45,
    MOST_CROSSED = 200, /* between two points of output: chattering */
};

typedef struct Unknown {
    int slot, block;
    double unit;
} Unknown;

typedef struct Point {
    double *slot;
    ExecBranches branches;
} Point;

struct Branches {
    Vec(Unknown) unknown; /* of the nonlinear blocks of an event */
    Point left, mid, right, trial;
    long crossed; /* since the last point of output */
    long at;      /* that point */
};

/* ---- points ---- */

static Point new_point(const Sim *s)
{
    return (Point){
        NEW_ARRAY(s->scratch, double, s->low->tape->nslot + 1),
        exec_new_branches(s->exec, s->scratch),
    };
}

static void take(const Sim *s, Point *p)
{
    size_t n = (size_t)s->low->tape->nslot;
    memcpy(p->slot, s->exec->r, n * sizeof(double));
    exec_save_branches(s->exec, &p->branches);
}

static void give(Sim *s, const Point *p)
{
    size_t n = (size_t)s->low->tape->nslot;
    memcpy(s->exec->r, p->slot, n * sizeof(double));
    exec_load_branches(s->exec, &p->branches);
}

static void exchange(Point *a, Point *b)
{
    Point c = *a;
    *a = *b;
    *b = c;
}

Branches *branches_new(const Run *r)
{
    const Sim *s = r->sim;
    const Tape *t = s->low->tape;
    const TapeSegment *run = &s->low->system[s->low->inlined->event].run;
    Branches *b = NEW(s->scratch, Branches);
    for (int i = run->first; i < run->first + run->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op != TAPE_BLOCK || t->block.at[in->a].is_linear)
            continue;
        const TapeBlock *block = &t->block.at[in->a];
        for (int k = 0; k < block->n; k++)
            vec_push(s->scratch, &b->unknown,
                     ((Unknown){block->x[k], in->a, block->nominal[k]}));
    }
    if (b->unknown.n == 0 || r->n == 0)
        return NULL;
    b->left = new_point(s);
    b->mid = new_point(s);
    b->right = new_point(s);
    b->trial = new_point(s);
    return b;
}

/* How far some unknown moves between two points, and in which block. */
static double distance(const Branches *b, const double *from, const double *to,
                       int *block)
{
    double most = 0;
    for (int i = 0; i < b->unknown.n; i++) {
        const Unknown *u = &b->unknown.at[i];
        double unit = fmax(u->unit, fabs(from[u->slot]));
        double d = fabs(to[u->slot] - from[u->slot]) / unit;
        if (d > most && block)
            *block = u->block;
        most = fmax(most, d);
    }
    return most;
}

/* ---- has it jumped? ---- */

/* The point halfway between left and right, solved for from the left one. */
static bool solve_mid(Run *r, const Branches *b)
{
    Sim *s = r->sim;
    const LoweredReference *ref = s->low->reference;
    int time = s->low->tape->time;
    const double *left = b->left.slot, *right = b->right.slot;
    double *slot = s->exec->r;
    give(s, &b->left);
    for (int i = 0; i < ref->n; i++)
        if (ref->yp[i] != NONE)
            slot[ref->y[i]] = (left[ref->y[i]] + right[ref->y[i]]) / 2;
    slot[time] = (left[time] + right[time]) / 2;
    sim_set_inputs(s, r->begun, slot[time]);
    exec_reset_status(s->exec);
    return exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
}

/* Do the halves of what lies between left and right come together? Else the
 * solution jumps between them, or there is none. */
static bool is_continuous(Run *r, Branches *b)
{
    double first = distance(b, b->left.slot, b->right.slot, NULL);
    double far = first, least = fmax(SHARE * first, MOVES);
    for (int k = 0; k < MOST_HALVES && far > least; k++) {
        if (!solve_mid(r, b))
            return false;
        take(r->sim, &b->mid);
        double before = distance(b, b->left.slot, b->mid.slot, NULL);
        double after = distance(b, b->mid.slot, b->right.slot, NULL);
        far = fmax(before, after);
        exchange(before >= after ? &b->right : &b->left, &b->mid);
    }
    return far <= least;
}

bool branch_is_kept(Run *r)
{
    Sim *s = r->sim;
    Branches *b = r->branches;
    if (!b || s->exec->turns == r->turns)
        return true;
    take(s, &b->trial);
    take(s, &b->right);
    sim_restore_slots(s);
    take(s, &b->left);
    bool kept = b->crossed > MOST_CROSSED || is_continuous(r, b);
    if (kept) {
        give(s, &b->trial);
        s->exec->jumps = s->jumps;
    } else {
        r->jump_at = b->right.slot[s->low->tape->time];
        sim_restore_slots(s);
    }
    r->turns = s->exec->turns;
    exec_reset_status(s->exec);
    return kept;
}

/* ---- over its end ---- */

static void set_limit(Run *r, double length)
{
    r->longest = length;
    r->ops->limit(r, length);
}

/* Is the present point on another branch than the saved one? Notes it. */
static bool note_jump(Run *r)
{
    Sim *s = r->sim;
    Branches *b = r->branches;
    int block = NONE;
    long followed = s->exec->jumps;
    take(s, &b->trial);
    take(s, &b->right);
    sim_restore_slots(s);
    take(s, &b->left);
    distance(b, b->left.slot, b->right.slot, &block);
    if (is_continuous(r, b))
        return false;
    give(s, &b->trial);
    if (followed == s->jumps) { /* by no path */
        s->exec->jumps++;
        s->exec->jump_block = block;
    }
    sim_count_jumps(s);
    b->crossed = b->at == s->k ? b->crossed + 1 : 1;
    b->at = s->k;
    return true;
}

bool branch_cross(Run *r, double stop, double *t)
{
    /* of the time between two points of output, where the end is not known */
    static const double further[] = {0, 1e-4, 1e-3, 1e-2};
    Sim *s = r->sim;
    double reached = *t, known = r->jump_at - *t;
    bool there = false;
    if (!r->branches)
        return false;
    diag_mute(s->diag);
    for (int k = 0; k < 4 && !there; k++) {
        s->jump_length = fmax(known, 0) + further[k] * s->options.step;
        there = sim_jump(s, *t, &reached) && note_jump(r);
    }
    diag_unmute(s->diag);
    r->turns = s->exec->turns;
    r->jump_at = INFINITY;
    if (!there) {
        sim_restore_slots(s);
        return false;
    }
    *t = fmin(reached, stop);
    s->exec->r[s->low->tape->time] = *t;
    set_limit(r, 0);
    return r->ops->restart(r, *t);
}

double branch_stop(const Run *r, double from, double stop)
{
    double before = r->jump_at - NEAR / 4 * r->sim->options.step;
    return before > from ? fmin(stop, before) : stop;
}

bool branch_is_near(const Run *r, double t)
{
    return r->jump_at - t < NEAR * r->sim->options.step;
}

bool branch_ends(Run *r, double from, double *t)
{
    Sim *s = r->sim;
    double length = *t - from;
    if (!r->branches)
        return false;
    if (!r->ops->has_jumped(r, *t)) {
        if (r->longest > 0)
            set_limit(r, r->longest < s->options.step ? 2 * r->longest : 0);
        return false;
    }
    *t = from;
    sim_restore_slots(s);
    set_limit(r, length / 4);
    return true;
}
