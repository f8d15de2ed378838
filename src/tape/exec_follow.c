/* exec_follow.c - to the solution of a block with branches, around corners.
 *
 * An amplifier with positive feedback has three branches: two at its limits,
 * and one between them, which no circuit stays on. At a corner the branch that
 * a run is on ends, and Newton's iteration goes to and fro between pieces. From
 * the old solution x0 the path
 *
 *     F(x) = rho F(x0),  rho = 1 at x0
 *
 * (x0 may by now belong to the piece after it: the sign of the determinant is
 * that of the solution when it was found) is followed by its arc length (in
 * units of the iteration variables), with rho free to rise again: over the
 * corner, back along the branch between, and on to rho = 0 on the other one.
 * The sign of the determinant tells which way is on: rho falls where it is that
 * of x0 (Katzenelson 1965; Chien and Kuh 1977), so that the solution has the
 * orientation of x0. Where F(x0) is small, as shortly after the end of a
 * branch, it is taken as rho0 times a vector that moves x by about 1, and rho
 * begins at rho0: the way to another branch is as long as ever. No step leaves
 * the piece it begins on: the one between the limits of an amplifier of gain
 * 1e6 is so thin that a step would find the path again beyond it, and nobody
 * would see that rho had risen.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "tape/exec_internal.h"

static const double LEAST = 1e-10; /* a step so short is at a corner */
static const double BEYOND = 1e-7; /* so far after it the next piece is */
enum { MOST_STEPS = 400, MOST_CORNERS = 50 };

typedef struct Path {
    Exec *e;
    const TapeBlock *b;
    int at, n;
    int sense;      /* of the determinant where rho falls */
    double *offset; /* F(x0) */
    double *unit;
    double *x, *next, *probe; /* points */
    double *way, *turn;       /* directions in units; rho's is the last */
    double *slope, *move;     /* J^-1 F(x0), J^-1 residual */
    double rho;
    unsigned piece; /* exec_branches() of where the path is */
    bool turned;    /* rho has risen: the branch that x0 was on has ended */
} Path;

unsigned exec_branches(const Exec *e, const TapeBlock *b, int at)
{
    unsigned taken = 0;
    for (int i = at; i < at + b->neval; i++) {
        const TapeInstr *in = &e->tape->code.at[i];
        if (in->op == EX_IF)
            taken = taken * 31 + (e->r[in->a] != 0 ? 3 : 2);
    }
    return taken;
}

/* The conditions of the block's branches that it does not compute: relations
 * that are frozen, discrete variables. */
static ExecOuter find_outer(const Exec *e, const TapeBlock *b, int at)
{
    Arena *work = arena_new();
    bool *inner = NEW_ARRAY(work, bool, e->tape->nslot + 1);
    ExecOuter outer = {.is_there = true};
    for (int i = at; i < at + b->neval; i++) {
        const TapeInstr *in = &e->tape->code.at[i];
        if (in->op == EX_IF && !inner[in->a])
            vec_push(e->work->arena, &outer.slot, in->a);
        if (in->dst != NONE)
            inner[in->dst] = true;
    }
    arena_free(work);
    return outer;
}

unsigned exec_outer(Exec *e, const TapeBlock *b, int number, int at)
{
    ExecOuter *outer = &e->work->outer[number];
    unsigned all = 1;
    if (!outer->is_there)
        *outer = find_outer(e, b, at);
    for (int i = 0; i < outer->slot.n; i++)
        all = all * 31 + (e->r[outer->slot.at[i]] != 0 ? 3 : 2);
    return all;
}

void exec_keep_branches(Exec *e)
{
    struct ExecWork *w = e->work;
    memcpy(w->kept_branch, w->branch,
           (size_t)e->tape->block.n * sizeof *w->branch);
    w->kept_jumps = e->jumps;
    w->kept_doubts = e->doubts;
}

void exec_return_branches(Exec *e)
{
    struct ExecWork *w = e->work;
    memcpy(w->branch, w->kept_branch,
           (size_t)e->tape->block.n * sizeof *w->branch);
    e->jumps = w->kept_jumps;
    e->doubts = w->kept_doubts;
}

ExecBranches exec_new_branches(const Exec *e, Arena *arena)
{
    int n = e->tape->block.n;
    return (ExecBranches){.branch = NEW_ARRAY(arena, unsigned, n + 1),
                          .sense = NEW_ARRAY(arena, signed char, n + 1)};
}

void exec_save_branches(const Exec *e, ExecBranches *to)
{
    size_t n = (size_t)e->tape->block.n;
    memcpy(to->branch, e->work->branch, n * sizeof *to->branch);
    memcpy(to->sense, e->work->sense, n * sizeof *to->sense);
    to->jumps = e->jumps;
    to->doubts = e->doubts;
}

void exec_load_branches(Exec *e, const ExecBranches *from)
{
    size_t n = (size_t)e->tape->block.n;
    memcpy(e->work->branch, from->branch, n * sizeof *from->branch);
    memcpy(e->work->sense, from->sense, n * sizeof *from->sense);
    e->jumps = from->jumps;
    e->doubts = from->doubts;
}

void exec_forget_branches(Exec *e)
{
    memset(e->work->branch, 0,
           (size_t)e->tape->block.n * sizeof *e->work->branch);
}

/* The system that the block solves by pivots, or NONE. */
static int system_of(const Exec *e, const TapeBlock *b, int at)
{
    int first = at + b->neval, n = b->njac + b->nsolve, found = NONE;
    for (int i = first; i < first + n; i++) {
        const TapeInstr *in = &e->tape->code.at[i];
        if (in->op != TAPE_FACTOR)
            continue;
        if (found != NONE || e->tape->system.at[in->a].kind != TS_PIVOT ||
            e->tape->system.at[in->a].det != 0)
            return NONE;
        found = in->a;
    }
    return found;
}

/* J^-1 rhs at the present x, whose Jacobian is there if `has`. */
static bool solve(const Path *p, const double *rhs, double *out, bool has)
{
    const TapeBlock *b = p->b;
    if (!has)
        exec_range(p->e, p->at + b->neval, b->njac);
    for (int i = 0; i < p->n; i++)
        p->e->r[b->residual[i]] = rhs[i];
    exec_range(p->e, p->at + b->neval + b->njac, b->nsolve);
    bool fine = p->e->code >= 0;
    for (int i = 0; i < p->n; i++) {
        out[i] = p->e->r[tape_full(b)[i]];
        fine = fine && isfinite(out[i]);
    }
    p->e->code = STATUS_FINE;
    return fine;
}

/* Of one equation: the sign of its slope, by which residuals are divided. */
static int slope_sign(Exec *e, const TapeBlock *b, int at)
{
    double residual = e->r[b->residual[0]], delta = e->r[tape_full(b)[0]];
    e->r[b->residual[0]] = 1;
    exec_range(e, at + b->neval + b->njac, b->nsolve);
    double step = e->r[tape_full(b)[0]];
    e->r[b->residual[0]] = residual;
    e->r[tape_full(b)[0]] = delta;
    return (step > 0) - (step < 0);
}

bool exec_can_follow(const Exec *e, const TapeBlock *b, int at)
{
    return b->nrow == b->n && (b->n == 1 || system_of(e, b, at) != NONE);
}

int exec_sign(Exec *e, const TapeBlock *b, int at)
{
    int system = system_of(e, b, at);
    if (system == NONE && b->n == 1)
        return slope_sign(e, b, at);
    Pivot *pivot = system == NONE ? NULL : e->work->pivot[system];
    const Least *least = system == NONE ? NULL : e->work->least[system];
    if (!pivot || (least && least->is_on)) /* is_on: it is singular */
        return 0;
    double d = pivot_determinant(pivot);
    return (d > 0) - (d < 0);
}

int exec_orientation(Exec *e, const TapeBlock *b, int at)
{
    if (!exec_can_follow(e, b, at))
        return 0;
    exec_range(e, at, b->neval + b->njac + b->nsolve);
    bool fine = e->code >= 0;
    e->code = STATUS_FINE;
    return fine ? exec_sign(e, b, at) : 0;
}

int exec_sense(Exec *e, const TapeSegment *run)
{
    int all = 1;
    for (int i = run->first; i < run->first + run->count; i++) {
        const TapeInstr *in = &e->tape->code.at[i];
        if (in->op == TAPE_BLOCK && e->tape->block.at[in->a].is_linear)
            all *= exec_orientation(e, &e->tape->block.at[in->a], i + 1);
    }
    return all;
}

/* The direction of the path at `x`, in units, its last part that of rho. */
static bool find_way(Path *p, const double *x, double *way)
{
    exec_set_x(p->e, p->b, x);
    exec_range(p->e, p->at, p->b->neval);
    if (!solve(p, p->offset, p->slope, false))
        return false;
    double square = 1;
    for (int i = 0; i < p->n; i++)
        square += p->slope[i] / p->unit[i] * (p->slope[i] / p->unit[i]);
    int sign = exec_sign(p->e, p->b, p->at);
    double rho = (sign == p->sense ? -1 : 1) / sqrt(square);
    for (int i = 0; i < p->n; i++)
        way[i] = p->slope[i] / p->unit[i] * rho;
    way[p->n] = rho;
    return sign != 0 && isfinite(square);
}

/* Back to the path, in the plane across `way` through `next`, rho. */
static bool correct(Path *p, double *rho, double *far)
{
    const TapeBlock *b = p->b;
    *far = 0;
    for (int k = 0; k < 12; k++) {
        exec_set_x(p->e, b, p->next);
        exec_range(p->e, p->at, b->neval);
        for (int i = 0; i < p->n; i++)
            p->move[i] = p->e->r[b->residual[i]] - *rho * p->offset[i];
        if (!solve(p, p->move, p->move, false) ||
            !solve(p, p->offset, p->slope, true))
            return false;
        double up = 0, down = p->way[p->n], size = 0;
        for (int i = 0; i < p->n; i++) {
            up += p->way[i] * p->move[i] / p->unit[i];
            down += p->way[i] * p->slope[i] / p->unit[i];
        }
        double change = up / down;
        for (int i = 0; i < p->n; i++) {
            double d = p->slope[i] * change - p->move[i];
            p->next[i] += d;
            size = fmax(size, fabs(d) / p->unit[i]);
        }
        *rho += change;
        *far += size;
        if (!isfinite(size) || !isfinite(*rho))
            return false;
        if (size < 1e-12)
            return true;
    }
    return false;
}

/* A step of length s along the path, on the same piece; rho there. */
static bool step(Path *p, double s, double *rho)
{
    double far;
    *rho = p->rho + s * p->way[p->n];
    for (int i = 0; i < p->n; i++)
        p->next[i] = p->x[i] + s * p->way[i] * p->unit[i];
    return correct(p, rho, &far) && far <= s &&
           exec_branches(p->e, p->b, p->at) == p->piece;
}

/* At a corner: the direction in the piece beyond. Returns false if there is
 * nothing beyond but more of the same. */
static bool turn(Path *p)
{
    double dot = 0;
    for (int i = 0; i < p->n; i++)
        p->probe[i] = p->x[i] + BEYOND * p->way[i] * p->unit[i];
    if (!find_way(p, p->probe, p->turn))
        return false;
    unsigned piece = exec_branches(p->e, p->b, p->at), last = p->piece;
    p->piece = piece;
    for (int i = 0; i <= p->n; i++)
        dot += p->way[i] * p->turn[i];
    memcpy(p->way, p->turn, ((size_t)p->n + 1) * sizeof(double));
    return dot < 1 - 1e-9 || piece != last;
}

/* A step moves x by ten times its size or unit at most; rho may move by any:
 * behind a fold it goes far, as it was measured where the Jacobian was next to
 * singular. */
static double longest(const Path *p)
{
    double size = 0;
    for (int i = 0; i < p->n; i++)
        size = fmax(size, fabs(p->way[i]) * p->unit[i] /
                              fmax(p->unit[i], fabs(p->x[i])));
    return 10 / fmax(size, 1e-9);
}

static bool walk(Path *p)
{
    int corners = 0;
    double s = 0.01, rho;
    if (!find_way(p, p->x, p->way))
        return false;
    p->piece = exec_branches(p->e, p->b, p->at);
    for (int k = 0; k < MOST_STEPS + 12 * corners; k++) {
        if (p->way[p->n] < 0) /* not far beyond the end */
            s = fmin(s, fmax(-1.5 * p->rho / p->way[p->n], LEAST));
        if (step(p, s, &rho)) {
            if (rho <= 0)
                return true;
            p->turned |= rho > p->rho;
            memcpy(p->x, p->next, (size_t)p->n * sizeof(double));
            p->rho = rho;
            if (!find_way(p, p->x, p->way) || !(rho < 1e9))
                return false;
            s = fmin(4 * s, longest(p));
        } else if (s > LEAST) {
            s /= 8;
        } else {
            if (++corners > MOST_CORNERS || !turn(p))
                return false;
            s = 1e-4;
        }
    }
    return false;
}

/* rho0. */
static bool scale(Path *p)
{
    double size = 0;
    if (!solve(p, p->offset, p->slope, false))
        return false;
    for (int i = 0; i < p->n; i++)
        size = fmax(size, fabs(p->slope[i]) / p->unit[i]);
    p->rho = size > 0 && size < 1 ? size : 1;
    for (int i = 0; i < p->n; i++)
        p->offset[i] /= p->rho;
    return true;
}

static double *row(Arena *work, int n)
{
    return NEW_ARRAY(work, double, n + 1);
}

bool exec_follow(Exec *e, const TapeBlock *b, int number, int at,
                 const double *begin, bool *turned)
{
    if (!exec_can_follow(e, b, at))
        return false;
    Arena *work = arena_new();
    int n = b->n;
    e->code = STATUS_FINE;
    Path p = {.e = e,
              .b = b,
              .at = at,
              .n = n,
              .offset = row(work, n),
              .unit = row(work, n),
              .x = row(work, n),
              .next = row(work, n),
              .probe = row(work, n),
              .way = row(work, n),
              .turn = row(work, n),
              .slope = row(work, n),
              .move = row(work, n),
              .rho = 1};
    exec_set_x(e, b, begin);
    p.sense = exec_orientation(e, b, at);
    if (e->work->branch[number] != 0 && e->work->sense[number] != 0)
        p.sense = e->work->sense[number];
    exec_set_x(e, b, begin);
    exec_range(e, at, b->neval);
    for (int i = 0; i < n; i++) {
        p.x[i] = begin[i];
        p.unit[i] = fmax(b->nominal[i], fabs(begin[i]));
        p.offset[i] = e->r[b->residual[i]];
    }
    bool there = p.sense != 0 && scale(&p) && walk(&p);
    exec_set_x(e, b, there ? p.next : begin);
    *turned = p.turned;
    arena_free(work);
    there = there && exec_converge(e, b, number, at);
    return there && exec_orientation(e, b, at) == p.sense;
}
