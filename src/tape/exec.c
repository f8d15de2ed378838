/* exec.c - the interpreter: one switch, one array of slots. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/exec.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "num/dense.h"
#include "num/least_sum.h"
#include "num/table.h"
#include "tape/exec_internal.h"

Exec *exec_new(const Tape *tape)
{
    Arena *arena = arena_new();
    Exec *e = NEW(arena, Exec);
    e->tape = tape;
    e->r = NEW_ARRAY(arena, double, tape->nslot);
    if (tape->nslot)
        memcpy(e->r, tape->initial, (size_t)tape->nslot * sizeof(double));
    e->max_iterations = 50;
    e->work = NEW(arena, struct ExecWork);
    e->work->arena = arena;
    e->work->pivot = NEW_ARRAY(arena, Pivot *, tape->system.n + 1);
    e->work->least = NEW_ARRAY(arena, Least *, tape->system.n + 1);
    int nnz = 1, n = 1;
    for (int i = 0; i < tape->system.n; i++) {
        const TapeSystem *s = &tape->system.at[i];
        nnz = s->nnz > nnz ? s->nnz : nnz;
        n = s->n > n ? s->n : n;
    }
    for (int i = 0; i < tape->block.n; i++)
        n = tape->block.at[i].n > n ? tape->block.at[i].n : n;
    e->work->entry = NEW_ARRAY(arena, double, nnz);
    e->work->rhs = NEW_ARRAY(arena, double, n);
    e->work->x = NEW_ARRAY(arena, double, n);
    e->work->base = NEW_ARRAY(arena, double, n);
    e->work->begin = NEW_ARRAY(arena, double, n);
    e->work->offset = NEW_ARRAY(arena, double, n);
    e->work->home = NEW_ARRAY(arena, double, n);
    e->work->branch = NEW_ARRAY(arena, unsigned, tape->block.n + 1);
    e->work->sense = NEW_ARRAY(arena, signed char, tape->block.n + 1);
    e->work->kept_branch = NEW_ARRAY(arena, unsigned, tape->block.n + 1);
    e->work->outer = NEW_ARRAY(arena, ExecOuter, tape->block.n + 1);
    e->work->is_plain = NEW_ARRAY(arena, bool, tape->block.n + 1);
    e->work->kept = NEW_ARRAY(arena, ExecKept, tape->block.n + 1);
    e->work->called = NEW_ARRAY(arena, double *, tape->call.n + 1);
    e->work->block = NONE;
    e->is_least = NEW_ARRAY(arena, bool, tape->block.n + 1);
    exec_reset_status(e);
    return e;
}

void exec_free(Exec *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->tape->system.n; i++)
        pivot_free(e->work->pivot[i]);
    arena_free(e->work->arena);
}

void exec_reset_status(Exec *e)
{
    e->code = STATUS_FINE;
    e->causes = 0;
    e->block = e->row = NONE;
    e->iterations = 0;
    e->residual = 0;
}

double exec_value(const Exec *e, const TapeSymbol *symbol)
{
    return symbol->sign * e->r[symbol->slot] + symbol->offset;
}

static void add_cause(Exec *e, StatusCause cause, int block)
{
    if (e->causes >> cause & 1)
        return;
    e->causes |= 1u << cause;
    e->cause_block[cause] = block;
}

/* Keeps the first failure; a failure wins over a remark. */
void exec_set_status(Exec *e, Status code, int block, int row)
{
    add_cause(e, (StatusCause)(status_find(code) - status_row), block);
    if (e->code < 0 || (e->code > 0 && code > 0))
        return;
    e->code = code;
    e->block = block;
    e->row = row;
}

/* ---- systems ---- */

enum { MOST_LEAST = 300 }; /* unknowns of a singular system */
static const double RANK = 1e-11;

/* The matrix of system `number` is singular: its pseudo-inverse, which gives
 * the solution nearest to where the iteration stands, if there is one. */
static bool factor_singular(Exec *e, int number)
{
    const TapeSystem *s = &e->tape->system.at[number];
    Least **at = &e->work->least[number];
    size_t n = (size_t)s->n;
    if (s->n > MOST_LEAST)
        return false;
    if (!*at) {
        *at = NEW(e->work->arena, Least);
        double **part[] = {&(*at)->a, &(*at)->u, &(*at)->v, &(*at)->work};
        for (int k = 0; k < 4; k++)
            *part[k] = NEW_ARRAY(e->work->arena, double, n *n);
        (*at)->s = NEW_ARRAY(e->work->arena, double, n);
        (*at)->x = NEW_ARRAY(e->work->arena, double, n);
    }
    Least *m = *at;
    memset(m->a, 0, n * n * sizeof *m->a);
    for (int k = 0; k < s->nnz; k++) {
        if (!isfinite(e->r[s->entry[k]]))
            return false;
        m->a[(size_t)s->row[k] + (size_t)s->col[k] * n] += e->r[s->entry[k]];
    }
    memcpy(m->work, m->a, n * n * sizeof *m->work);
    m->is_on = dense_svd(s->n, m->work, m->s, m->u, m->v);
    return m->is_on;
}

/* At the start, of all corrections the one that keeps as many of the model's
 * start values as its equations leave open; where it has none of its own, the
 * least correction stays as it is. */
static void keep_starts(const Exec *e, const Least *m, int n, int rank)
{
    const TapeBlock *b =
        e->work->block == NONE ? NULL : &e->tape->block.at[e->work->block];
    if (!b || !b->has_start || b->n != n || rank == n)
        return;
    for (int i = 0; i < n; i++)
        m->work[i] = b->has_start[i] ? 1 / b->nominal[i] : 0;
    least_sum(n, n - rank, m->v + (size_t)rank * (size_t)n, m->work, m->x);
}

/* x = V S^+ U^T b. Returns false if it does not solve the system. */
static bool solve_singular(const Exec *e, const Least *m, int n, double *rhs)
{
    double size = 0, off = 0;
    int rank = 0;
    memset(m->x, 0, (size_t)n * sizeof *m->x);
    for (int k = 0; k < n && m->s[k] > RANK * m->s[0]; k++) {
        rank++;
        double part = 0;
        for (int i = 0; i < n; i++)
            part += m->u[i + k * n] * rhs[i];
        for (int i = 0; i < n; i++)
            m->x[i] += m->v[i + k * n] * part / m->s[k];
    }
    keep_starts(e, m, n, rank);
    for (int i = 0; i < n; i++) {
        double left = rhs[i], scale = fabs(rhs[i]);
        for (int j = 0; j < n; j++) {
            left -= m->a[i + j * n] * m->x[j];
            scale = fmax(scale, fabs(m->a[i + j * n] * m->x[j]));
        }
        size = fmax(size, scale);
        off = fmax(off, fabs(left));
    }
    memcpy(rhs, m->x, (size_t)n * sizeof *rhs);
    return off <= 1e-8 * (1 + size);
}

/* Of a matrix that nothing is solved with; 0 where it is singular. */
static double determinant(Exec *e, int number)
{
    const TapeSystem *s = &e->tape->system.at[number];
    Pivot **p = &e->work->pivot[number];
    if (!*p)
        *p = pivot_new(s->n, s->nnz, s->row, s->col);
    for (int k = 0; k < s->nnz; k++)
        e->work->entry[k] = e->r[s->entry[k]];
    return pivot_factor(*p, e->work->entry) ? pivot_determinant(*p) : 0;
}

static void factor_system(Exec *e, int number)
{
    const TapeSystem *s = &e->tape->system.at[number];
    if (s->det != 0) {
        e->r[s->det] = determinant(e, number);
        return;
    }
    if (e->on_factor)
        e->on_factor(e->context, number);
    if (s->kind != TS_PIVOT) {
        table_factor(s->table, e->r + s->factors);
        return;
    }
    Pivot **p = &e->work->pivot[number];
    if (!*p)
        *p = pivot_new(s->n, s->nnz, s->row, s->col);
    for (int k = 0; k < s->nnz; k++)
        e->work->entry[k] = e->r[s->entry[k]];
    if (e->work->least[number])
        e->work->least[number]->is_on = false;
    if (!pivot_factor(*p, e->work->entry) && !factor_singular(e, number))
        exec_set_status(e, STATUS_SINGULAR, e->work->block,
                        pivot_bad_column(*p));
}

static void see_least(Exec *e)
{
    if (e->work->block != NONE)
        e->is_least[e->work->block] = true;
}

static bool bears_conflict(const Exec *e)
{
    return e->bears_conflict && e->work->block != NONE &&
           e->tape->block.at[e->work->block].is_linear;
}

static void solve_system(Exec *e, int number)
{
    const TapeSystem *s = &e->tape->system.at[number];
    if (s->kind != TS_PIVOT) {
        table_solve(s->table, e->r + s->factors, e->r + s->vector);
        return;
    }
    for (int i = 0; i < s->n; i++)
        e->work->rhs[i] = e->r[s->rhs[i]];
    const Least *least = e->work->least[number];
    if (e->code >= 0 && least && least->is_on) {
        if (solve_singular(e, least, s->n, e->work->rhs))
            see_least(e);
        else if (bears_conflict(e))
            e->has_conflict = true;
        else
            exec_set_status(e, STATUS_SINGULAR, e->work->block, NONE);
    } else if (e->code >= 0) {
        pivot_solve(e->work->pivot[number], e->work->rhs);
    }
    for (int i = 0; i < s->n; i++)
        e->r[s->rhs[i]] = e->work->rhs[i];
}

/* ---- blocks ---- */

double exec_correction_size(Exec *e, const TapeBlock *b, int number)
{
    const int *full = tape_full(b);
    const double *r = e->r, *own = e->unit;
    double size = 0;
    for (int i = 0; i < b->n; i++) {
        double d = fabs(r[full[i]]);
        if (!(d <= DBL_MAX)) {
            exec_set_status(e, STATUS_FAILED, number, i);
            return INFINITY;
        }
        double x = fabs(r[b->x[i]]), unit = b->nominal[i];
        if (own && own[b->x[i]] > 0)
            unit = own[b->x[i]];
        double relative = d / (x > unit ? x : unit);
        size = relative > size ? relative : size;
    }
    return size;
}

/* The largest residual; INFINITY where one is not finite. */
double exec_residual_size(const Exec *e, const TapeBlock *b)
{
    double size = 0;
    for (int i = 0; i < b->nrow; i++) {
        double f = fabs(e->r[b->residual[i]]);
        if (!(f <= 1.7e308))
            return INFINITY;
        size = fmax(size, f);
    }
    return size;
}

/* One Newton step. Returns the size of the correction; INFINITY with the status
 * set if it failed. */
static double newton_step(Exec *e, const TapeBlock *b, int number, int at)
{
    exec_range(e, at, b->neval);
    exec_range(e, at + b->neval, b->njac);
    exec_range(e, at + b->neval + b->njac, b->nsolve);
    e->iterations++;
    if (e->code < 0)
        return INFINITY;
    double size = exec_correction_size(e, b, number);
    for (int i = 0; e->code >= 0 && i < b->n; i++)
        e->r[b->x[i]] -= e->r[b->delta[i]];
    return size;
}

/* The residuals at the present x; of the ramped equations, if one is on. */
static void eval_ramped(Exec *e, const TapeBlock *b, int at)
{
    exec_range(e, at, b->neval);
    for (int i = 0; e->work->ramp != 0 && i < b->n; i++)
        e->r[b->residual[i]] -= e->work->ramp * e->work->offset[i];
}

/* One damped correction: the first of 1, 1/2, 1/4 ... that makes the residual
 * fall, or the natural level function: the correction that the old Jacobian
 * gives for the new residual (Deuflhard, Newton Methods, 2004, section 3.3).
 * Returns the size of the full correction, or INFINITY if none helps. */
static double damped_step(Exec *e, const TapeBlock *b, int number, int at)
{
    struct ExecWork *w = e->work;
    int solve = at + b->neval + b->njac;
    double size = exec_correction_size(e, b, number);
    if (e->code < 0)
        return INFINITY;
    double old = exec_residual_size(e, b);
    for (int i = 0; i < b->n; i++) {
        w->base[i] = e->r[b->x[i]];
        w->x[i] = e->r[tape_full(b)[i]];
    }
    for (double factor = 1; factor > 1e-10; factor /= 2) {
        for (int i = 0; i < b->n; i++)
            e->r[b->x[i]] = w->base[i] - factor * w->x[i];
        eval_ramped(e, b, at);
        double now = exec_residual_size(e, b);
        if (!isfinite(now))
            continue;
        if (now <= (1 - factor / 4) * old || now == 0 || b->is_linear)
            return size;
        exec_range(e, solve, b->nsolve); /* old Jacobian, new residual */
        double level = 0, level_old = 0;
        for (int i = 0; i < b->n; i++) {
            double nominal = fmax(b->nominal[i], fabs(w->base[i]));
            level = fmax(level, fabs(e->r[tape_full(b)[i]]) / nominal);
            level_old = fmax(level_old, fabs(w->x[i]) / nominal);
        }
        if (level <= (1 - factor / 4) * level_old || level < 1e-12)
            return size;
    }
    return INFINITY;
}

/* Corrections that fall by less lead to a solution that need not be the one on
 * the branch they began on (Kantorovich's theorem; Deuflhard, Newton Methods,
 * 2004, section 2.1); where they are so small, rounding decides. */
static bool is_slow(double size, double last)
{
    return size > 1e-7 && size > 0.5 * last;
}

/* Newton with damping, until the correction is at rounding level. Returns
 * whether it got there; the status says why not. */
bool exec_converge(Exec *e, const TapeBlock *b, int number, int at)
{
    double goal = e->tolerance > 0 ? fmin(e->tolerance, 1e-9) : 1e-11;
    eval_ramped(e, b, at);
    if (!isfinite(exec_residual_size(e, b))) {
        exec_set_status(e, STATUS_FAILED, number, NONE);
        return false;
    }
    double last = INFINITY, last_full = INFINITY;
    for (int k = 0; k < 200; k++) {
        exec_range(e, at + b->neval, b->njac);
        exec_range(e, at + b->neval + b->njac, b->nsolve);
        e->iterations++;
        if (e->code < 0)
            return false;
        double full = exec_correction_size(e, b, number);
        e->work->is_slow |= is_slow(full, last_full);
        last_full = full;
        double size = damped_step(e, b, number, at);
        bool falls = isfinite(size) && size <= 0.7 * last;
        if (size <= goal || (!falls && full < 1e-7 && e->code >= 0))
            return true; /* nothing is left but rounding */
        if (!isfinite(size))
            break;
        last = size;
    }
    exec_set_status(e, STATUS_UNSOLVED, number, NONE);
    return false;
}

void exec_set_x(Exec *e, const TapeBlock *b, const double *x)
{
    for (int i = 0; i < b->n; i++)
        e->r[b->x[i]] = x[i];
}

enum { MOST_FOLLOWED = 50 }; /* unknowns of a block with branches */

/* The solution of a block with branches along its path. On another branch than
 * the last solution it is a jump. Returns false where there is no path. */
static bool follow(Exec *e, const TapeBlock *b, int number, int at)
{
    bool turned = false;
    if (b->n > MOST_FOLLOWED ||
        (exec_branches(e, b, at) == 0 && !e->watch_folds) ||
        !exec_can_follow(e, b, at))
        return false;
    if (!exec_follow(e, b, number, at, e->work->home, &turned)) {
        e->doubts++;
        return false;
    }
    if (turned) {
        e->jumps++;
        e->jump_block = number;
    }
    return true;
}

/* The same where iterations have failed. */
static bool jump(Exec *e, const TapeBlock *b, int number, int at)
{
    Status why = e->code;
    bool there = follow(e, b, number, at) && e->code >= 0;
    if (!there)
        e->code = why;
    return there;
}

/* Was the last correction of an iteration still large, as generated code judges
 * it? */
static bool is_unfinished(const Exec *e, const TapeBlock *b)
{
    bool large = false;
    for (int i = 0; i < b->n; i++)
        large |= !(fabs(e->r[tape_full(b)[i]]) <=
                   1e-3 * (b->nominal[i] + fabs(e->r[b->x[i]])));
    return large;
}

/* Exactly `iterations` times. */
static void run_fixed(Exec *e, const TapeBlock *b, int number, int at)
{
    double size = INFINITY;
    for (int k = 0; k < b->iterations; k++) {
        size = newton_step(e, b, number, at);
        if (e->code < 0)
            return;
    }
    e->residual = fmax(e->residual, size);
    if (b->iterations > 1 && !b->is_linear && is_unfinished(e, b))
        exec_set_status(e, STATUS_WARNING, number, NONE);
}

/* From the last point with damping, then from where the iteration began, then
 * on a ramp; then from beside. */
static bool try_harder(Exec *e, const TapeBlock *b, int number, int at)
{
    double *begin = e->work->begin;
    if (b->has_no_matrix) {
        exec_set_status(e, STATUS_UNSOLVED, number, NONE);
        return false;
    }
    e->code = STATUS_FINE;
    exec_set_x(e, b, begin);
    for (int i = 0; i < b->n; i++)
        if (b->fallback && b->fallback[i] != NONE)
            e->r[b->x[i]] = e->r[b->fallback[i]];
    if (exec_converge(e, b, number, at))
        return true;
    e->code = STATUS_FINE;
    exec_set_x(e, b, begin);
    if (exec_converge(e, b, number, at))
        return true;
    return b->nrow == b->n &&
           (exec_ramp_down(e, b, number, at) || jump(e, b, number, at) ||
            exec_leave_flat(e, b, number, at));
}

/* Has the iteration begun on another piece than the last solution was on, and
 * ended far from there? A piece on which a solution would have turned back may
 * lie between the two, so thin that the step has passed over it. */
static bool is_far_beyond(Exec *e, const TapeBlock *b, int number, int at)
{
    const double *home = e->work->home;
    double *x = e->work->x, far = 0;
    for (int i = 0; i < b->n; i++) {
        x[i] = e->r[b->x[i]];
        far = fmax(far,
                   fabs(x[i] - home[i]) / fmax(b->nominal[i], fabs(home[i])));
    }
    if (!(far > 0.01))
        return false;
    exec_set_x(e, b, home);
    exec_range(e, at, b->neval);
    bool beyond = exec_branches(e, b, at) != e->work->branch[number];
    exec_set_x(e, b, x);
    exec_range(e, at, b->neval);
    return beyond;
}

/* Newton's iteration may have gone over to another branch where its own goes
 * on, or to one that nothing stays on: where branches change, and in watched
 * blocks where it was slow, the path decides. */
static void stay_on_branch(Exec *e, const TapeBlock *b, int number, int at)
{
    unsigned *last = &e->work->branch[number];
    bool is_doubtful = e->watch_folds && e->work->is_slow;
    if (e->work->is_plain[number] && !is_doubtful)
        return;
    unsigned here = exec_branches(e, b, at);
    e->work->is_plain[number] = here == 0;
    if ((here == 0 && !is_doubtful) || b->nrow != b->n)
        return;
    unsigned outer = exec_outer(e, b, number, at);
    bool is_same = outer == e->work->outer[number].last;
    e->work->outer[number].last = outer;
    if (is_doubtful || (*last != 0 && here != *last)) {
        e->turns++;
        long jumps = e->jumps, doubts = e->doubts;
        for (int i = 0; i < b->n; i++)
            e->work->begin[i] = e->r[b->x[i]];
        if (!follow(e, b, number, at)) {
            exec_set_x(e, b, e->work->begin);
            e->code = STATUS_FINE;
        }
        if (e->code < 0)
            return;
        if (e->in_step && is_same && *last != 0 && e->jumps == jumps &&
            e->doubts == doubts && is_far_beyond(e, b, number, at))
            e->doubts++;
        exec_range(e, at, b->neval);
        here = exec_branches(e, b, at);
    }
    *last = here;
    e->work->sense[number] = (signed char)exec_sign(e, b, at);
}

static void run_damped(Exec *e, const TapeBlock *b, int number, int at)
{
    e->work->is_slow = false;
    for (int i = 0; i < b->n; i++)
        e->work->begin[i] = e->work->home[i] = e->r[b->x[i]];
    if (!exec_converge(e, b, number, at)) {
        e->work->is_slow = true;
        if (!exec_ramp_down(e, b, number, at) && !jump(e, b, number, at))
            exec_leave_flat(e, b, number, at);
    }
    if (e->watch_folds && e->code >= 0)
        stay_on_branch(e, b, number, at);
}

/* Do corrections fall no more, little above the tolerance? Then they are what
 * rounding leaves, and x is as near as numbers of this length come. */
static bool is_rounding(const Exec *e, double size, double last)
{
    return size > 0.7 * last && size <= fmin(100 * e->tolerance, 1e-8);
}

/* An iteration that goes to and fro over a corner, by next to nothing. */
static bool leave_corner(Exec *e, const TapeBlock *b, int number, int at)
{
    struct ExecWork *w = e->work;
    for (int i = 0; i < b->n; i++)
        w->begin[i] = e->r[b->x[i]];
    bool there = b->nrow == b->n && jump(e, b, number, at);
    if (!there)
        exec_set_x(e, b, w->begin);
    for (int i = 0; i < b->n; i++)
        w->begin[i] = w->home[i];
    return there;
}

/* Plain iterations until the correction is below the tolerance. Returns whether
 * they got there; the last one was of this size. */
static bool iterate(Exec *e, const TapeBlock *b, int number, int at,
                    double *size)
{
    *size = INFINITY;
    for (int k = 0; k < e->max_iterations && e->code >= 0; k++) {
        double last = *size;
        *size = newton_step(e, b, number, at);
        e->work->is_slow |= is_slow(*size, last);
        if (*size <= e->tolerance || is_rounding(e, *size, last))
            return true;
        if (k > 12 && *size > 2 * last)
            break;
    }
    return false;
}

/* Until the correction is below the tolerance; with damping where plain
 * iterations do not get there. */
static void run_tolerance(Exec *e, const TapeBlock *b, int number, int at)
{
    double size = INFINITY;
    e->work->is_slow = false;
    for (int i = 0; i < b->n; i++)
        e->work->begin[i] = e->work->home[i] = e->r[b->x[i]];
    bool is_there = exec_iterate_kept(e, b, number, at, &size);
    if (!is_there) {
        exec_set_x(e, b, e->work->begin);
        is_there = iterate(e, b, number, at, &size);
        e->work->kept[number].is_there = false;
    }
    if (e->code >= 0 && !is_there && size < 1e-6) {
        if (leave_corner(e, b, number, at))
            size = e->tolerance;
        else
            exec_set_status(e, STATUS_WARNING, number, NONE);
    } else if (e->code < 0 || !is_there) {
        if (!try_harder(e, b, number, at))
            return;
        e->work->is_slow = true;
        size = e->tolerance;
    }
    stay_on_branch(e, b, number, at);
    if (e->code < 0)
        return;
    e->residual = fmax(e->residual, size);
    for (int i = 0; b->iterations == 1 && i < b->n; i++) /* of all iterations */
        e->r[b->delta[i]] = e->work->begin[i] - e->r[b->x[i]];
}

/* ---- instructions ---- */

static int run_block(Exec *e, const TapeInstr *in, int i)
{
    const TapeBlock *b = &e->tape->block.at[in->a];
    e->work->block = in->a;
    if (e->work->stage != RAMP_OFF && b->nrow == b->n)
        exec_run_ramped(e, b, in->a, i + 1);
    else if (b->is_damped)
        run_damped(e, b, in->a, i + 1);
    else if (e->tolerance > 0 && !b->is_linear &&
             !(e->keeps_single && b->iterations == 1))
        run_tolerance(e, b, in->a, i + 1);
    else
        run_fixed(e, b, in->a, i + 1);
    if (b->monitor != 0 && !(e->r[b->monitor] <= 0))
        exec_set_status(e, STATUS_FACTORS, in->a, NONE);
    e->work->block = NONE;
    return b->neval + b->njac + b->nsolve;
}

/* A variable that is spoken of is known by its slot (point/report.c names it).
 */
static void run_note(Exec *e, const TapeInstr *in)
{
    if (!(e->r[in->b] <= 0))
        exec_set_status(e, status_row[in->a].code, in->c, NONE);
}

/* What has no arithmetic of its own. Returns the instructions to be skipped. */
static int run_macro(Exec *e, const TapeInstr *in, int i)
{
    switch (in->op) {
    case TAPE_BLOCK: return run_block(e, in, i);
    case TAPE_REPEAT:
        for (int k = 0; k < in->a && !e->work->leaves; k++)
            exec_range(e, i + 1, in->b);
        e->work->leaves = false;
        return in->b;
    case TAPE_GUARD:
        if (e->r[in->a] != 0)
            exec_range(e, i + 1, in->b);
        return in->b;
    case TAPE_FACTOR: factor_system(e, in->a); return 0;
    case TAPE_SOLVE: solve_system(e, in->a); return 0;
    case TAPE_NOTE: run_note(e, in); return 0;
    default: return 0; /* the past is kept by the caller */
    }
}

/* Is it worth more to look whether the arguments are those of the last time?
 * Transforms of what was sampled stand in when clauses, and are evaluated with
 * the rest between them. */
static bool takes_long(const ExprFunction *f)
{
    enum { PRICE = 20 }; /* instructions of a number that is looked at */
    return !f->is_impure && !f->foreign &&
           f->instructions / PRICE > f->nlist + f->nout;
}

static void run_values(Exec *e, const ExprFunction *f, const double *arg,
                       double *out, double **last)
{
    size_t narg = (size_t)f->nlist * sizeof *arg;
    size_t nout = (size_t)f->nout * sizeof *out;
    if (!takes_long(f)) {
        f->values(f, arg, out);
        return;
    }
    if (*last && memcmp(*last, arg, narg) == 0) {
        memcpy(out, *last + f->nlist, nout);
        return;
    }
    if (!*last)
        *last = NEW_ARRAY(e->work->arena, double, f->nlist + f->nout);
    f->values(f, arg, out);
    memcpy(*last, arg, narg);
    memcpy(*last + f->nlist, out, nout);
}

static double run_call(Exec *e, const TapeInstr *in)
{
    const TapeCall *c = &e->tape->call.at[in->a];
    double plain[2] = {e->r[in->b], e->r[in->c]};
    if (c->row != NONE) {
        run_values(e, c->fn, c->first == NONE ? c->fn->list : e->r + c->first,
                   e->r + c->row, &e->work->called[in->a]);
        return e->r[c->row];
    }
    return c->fn->value(c->fn, c->out, plain,
                        c->first == NONE ? c->fn->list : e->r + c->first);
}

static void run_function(double *r, const TapeInstr *in)
{
    if (in->op >= EX_NOP)
        unreachable(); /* each has a case of its own */
    int n = expr_op_info[in->op].narg;
    r[in->dst] = expr_apply((ExprOp)in->op, n > 0 ? r[in->a] : 0,
                            n > 1 ? r[in->b] : 0, n > 2 ? r[in->c] : 0);
}

void exec_range(Exec *e, int first, int count)
{
    if (e->rough)
        exec_range_rough(e, first, count);
    else
        exec_range_nearest(e, first, count);
}

/* Arithmetic cannot fail: the status is looked at after macro instructions
 * only. */
void exec_range_nearest(Exec *e, int first, int count)
{
    const TapeInstr *code = e->tape->code.at;
    double *r = e->r;
    if (e->code < 0)
        return;
    const TapeInstr *end = code + first + count;
    for (const TapeInstr *in = code + first; in < end; in++) {
        switch (in->op) {
        case TAPE_COPY: r[in->dst] = r[in->a]; break;
        case EX_ADD: r[in->dst] = r[in->a] + r[in->b]; break;
        case EX_SUB: r[in->dst] = r[in->a] - r[in->b]; break;
        case EX_MUL: r[in->dst] = r[in->a] * r[in->b]; break;
        case EX_DIV: r[in->dst] = r[in->a] / r[in->b]; break;
        case EX_NEG: r[in->dst] = -r[in->a]; break;
        case EX_IF: r[in->dst] = r[in->a] != 0 ? r[in->b] : r[in->c]; break;
        case TAPE_BLOCK:
        case TAPE_REPEAT:
        case TAPE_GUARD:
        case TAPE_FACTOR:
        case TAPE_SOLVE:
        case TAPE_PAST:
        case TAPE_RECORD:
        case TAPE_NOTE:
            in += run_macro(e, in, (int)(in - code));
            if (e->code < 0)
                return;
            break;
        case TAPE_LEAVE:
            e->work->leaves = r[in->a] == 0;
            if (e->work->leaves)
                return;
            break;
        case TAPE_CALL: r[in->dst] = run_call(e, in); break;
        case TAPE_PICK:
            r[in->dst] = r[e->tape->call.at[in->a].row + in->c];
            break;
        case TAPE_PUT:
        case TAPE_GET:
        case TAPE_CHOOSE: break; /* point/states.c chooses states here */
        default: run_function(r, in);
        }
    }
}

Status exec_run(Exec *e, const TapeSegment *segment)
{
    if (segment)
        exec_range(e, segment->first, segment->count);
    return e->code;
}
