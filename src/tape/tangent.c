/* tangent.c - values and derivatives, one instruction after the other. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/tangent.h"

#include <math.h>
#include <string.h>

#include "num/pivot.h"
#include "tape/exec.h"

struct TangentWork {
    Arena *arena;
    Pivot **pivot; /* factors of each system */
    bool *has;     /* of each system: it was factorised */
    double **room; /* of each slot: memory of its derivatives, kept */
    double *entry, *rhs, *x;
    double *sum; /* size n */
};

Tangent *tangent_new(const Tape *tape, int n)
{
    Arena *arena = arena_new();
    Tangent *t = NEW(arena, Tangent);
    struct TangentWork *w = NEW(arena, struct TangentWork);
    *t = (Tangent){.tape = tape,
                   .n = n,
                   .r = NEW_ARRAY(arena, double, tape->nslot + 1),
                   .by = NEW_ARRAY(arena, double *, tape->nslot + 1),
                   .work = w};
    if (tape->nslot)
        memcpy(t->r, tape->initial, (size_t)tape->nslot * sizeof(double));
    int nnz = 1, most = 1;
    for (int i = 0; i < tape->system.n; i++) {
        nnz = tape->system.at[i].nnz > nnz ? tape->system.at[i].nnz : nnz;
        most = tape->system.at[i].n > most ? tape->system.at[i].n : most;
    }
    *w = (struct TangentWork){
        .arena = arena,
        .pivot = NEW_ARRAY(arena, Pivot *, tape->system.n + 1),
        .has = NEW_ARRAY(arena, bool, tape->system.n + 1),
        .room = NEW_ARRAY(arena, double *, tape->nslot + 1),
        .entry = NEW_ARRAY(arena, double, nnz),
        .rhs = NEW_ARRAY(arena, double, most),
        .x = NEW_ARRAY(arena, double, most),
        .sum = NEW_ARRAY(arena, double, n + 1)};
    return t;
}

void tangent_free(Tangent *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->tape->system.n; i++)
        pivot_free(t->work->pivot[i]);
    arena_free(t->work->arena);
}

void tangent_rest(Tangent *t)
{
    for (int i = 0; i < t->tape->nslot; i++)
        t->by[i] = NULL;
}

static double *room_of(Tangent *t, int slot)
{
    double **room = &t->work->room[slot];
    if (!*room)
        *room = NEW_ARRAY(t->work->arena, double, t->n + 1);
    return *room;
}

void tangent_seed(Tangent *t, int slot, int direction)
{
    t->by[slot] = room_of(t, slot);
    memset(t->by[slot], 0, (size_t)t->n * sizeof(double));
    t->by[slot][direction] = 1;
}

double tangent_of(const Tangent *t, int slot, int direction)
{
    return t->by[slot] ? t->by[slot][direction] : 0;
}

static bool fail(Tangent *t, const char *why)
{
    if (!t->failed)
        t->why = why;
    t->failed = true;
    return false;
}

/* The slot moves as `sum` says. */
static void set_by(Tangent *t, int slot, const double *sum)
{
    t->by[slot] = room_of(t, slot);
    memmove(t->by[slot], sum, (size_t)t->n * sizeof *sum);
}

/* ---- plain instructions ---- */

static void run_plain(Tangent *t, const TapeInstr *in)
{
    const int slot[3] = {in->a, in->b, in->c};
    int narg = expr_op_info[in->op].narg;
    double x[3] = {0}, partial[3] = {0};
    bool moves = false;
    for (int i = 0; i < narg; i++) {
        x[i] = t->r[slot[i]];
        moves |= t->by[slot[i]] != NULL;
    }
    t->r[in->dst] = expr_apply((ExprOp)in->op, x[0], x[1], x[2]);
    if (!moves) {
        t->by[in->dst] = NULL;
        return;
    }
    expr_apply_partial((ExprOp)in->op, x[0], x[1], x[2], partial);
    memset(t->work->sum, 0, (size_t)t->n * sizeof(double));
    for (int i = 0; i < narg; i++) {
        const double *by = t->by[slot[i]];
        for (int k = 0; by && partial[i] != 0 && k < t->n; k++)
            t->work->sum[k] += partial[i] * by[k];
    }
    set_by(t, in->dst, t->work->sum);
}

/* A value that stands elsewhere. */
static void run_copy(Tangent *t, int dst, int from)
{
    t->r[dst] = t->r[from];
    if (t->by[from])
        set_by(t, dst, t->by[from]);
    else
        t->by[dst] = NULL;
}

/* ---- calls ---- */

/* Its arguments: plain ones, then the list. `slot` may be NULL. */
static int arguments(const Tangent *t, const TapeInstr *in, int *slot)
{
    int first, nlist = tape_list(t->tape, in, &first);
    int nplain = t->tape->call.at[in->a].fn->nplain;
    for (int i = 0; slot && i < nplain; i++)
        slot[i] = i == 0 ? in->b : in->c;
    for (int i = 0; slot && i < nlist; i++)
        slot[nplain + i] = first + i;
    return nplain + nlist;
}

static void call_values(const TapeCall *c, const double *x, double *out)
{
    const double *list = c->fn->list ? c->fn->list : x + c->fn->nplain;
    if (c->fn->values)
        c->fn->values(c->fn, list, out);
    else
        out[0] = c->fn->value(c->fn, c->out, x, list);
}

/* The results by argument i, from differences to both sides: nobody looks into
 * the function. */
static void differences(const TapeCall *c, double *x, int i, int nout,
                        double *below, double *by)
{
    double at = x[i], h = 6e-6 * fmax(fabs(at), 1);
    x[i] = at + h;
    call_values(c, x, by);
    x[i] = at - h;
    call_values(c, x, below);
    x[i] = at;
    for (int k = 0; k < nout; k++)
        by[k] = (by[k] - below[k]) / (2 * h);
}

static void run_call(Tangent *t, const TapeInstr *in)
{
    const TapeCall *c = &t->tape->call.at[in->a];
    int narg = arguments(t, in, NULL), nout = c->row == NONE ? 1 : c->fn->nout;
    Arena *local = arena_new();
    int *slot = NEW_ARRAY(local, int, narg + 1);
    double *x = NEW_ARRAY(local, double, narg + 1);
    double *out = NEW_ARRAY(local, double, 3 * nout);
    double *sum = NEW_ARRAY(local, double, (size_t)nout *(size_t)t->n + 1);
    bool moves = false;
    arguments(t, in, slot);
    for (int i = 0; i < narg; i++)
        x[i] = t->r[slot[i]];
    call_values(c, x, out);
    for (int i = 0; i < narg; i++) {
        const double *by = t->by[slot[i]];
        if (!by)
            continue;
        moves = true;
        differences(c, x, i, nout, out + nout, out + 2 * nout);
        for (int k = 0; k < nout * t->n; k++)
            sum[k] += out[2 * nout + k / t->n] * by[k % t->n];
    }
    for (int k = 0; k < nout; k++) {
        int to = c->row == NONE ? in->dst : c->row + k;
        t->r[to] = out[k];
        t->by[to] = NULL;
        if (moves)
            set_by(t, to, sum + (size_t)k * (size_t)t->n);
    }
    if (c->row != NONE && in->dst != c->row)
        run_copy(t, in->dst, c->row);
    arena_free(local);
}

/* ---- systems ---- */

static bool factor_system(Tangent *t, int number)
{
    const TapeSystem *s = &t->tape->system.at[number];
    struct TangentWork *w = t->work;
    if (s->kind != TS_PIVOT)
        return fail(t, "a system is factorised by tables");
    if (!w->pivot[number])
        w->pivot[number] = pivot_new(s->n, s->nnz, s->row, s->col);
    for (int k = 0; k < s->nnz; k++)
        w->entry[k] = t->r[s->entry[k]];
    w->has[number] = pivot_factor(w->pivot[number], w->entry);
    return w->has[number] || fail(t, "the matrix of a step is singular");
}

/* b' - A' x in one direction; false if that is 0. */
static bool moved_rhs(const Tangent *t, const TapeSystem *s, int direction)
{
    struct TangentWork *w = t->work;
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        w->rhs[i] = tangent_of(t, s->rhs[i], direction);
        any |= w->rhs[i] != 0;
    }
    for (int k = 0; k < s->nnz; k++) {
        const double *by = t->by[s->entry[k]];
        if (!by || by[direction] == 0)
            continue;
        w->rhs[s->row[k]] -= by[direction] * w->x[s->col[k]];
        any = true;
    }
    return any;
}

static bool solve_system(Tangent *t, int number)
{
    const TapeSystem *s = &t->tape->system.at[number];
    struct TangentWork *w = t->work;
    if (!w->has[number])
        return fail(t, "a system is solved that was not factorised");
    bool moves = false;
    for (int i = 0; i < s->n; i++) {
        w->x[i] = t->r[s->rhs[i]];
        moves |= t->by[s->rhs[i]] != NULL;
    }
    for (int k = 0; k < s->nnz && !moves; k++)
        moves = t->by[s->entry[k]] != NULL;
    pivot_solve(w->pivot[number], w->x);
    for (int d = 0; d < t->n && moves; d++) {
        bool any = moved_rhs(t, s, d);
        if (any)
            pivot_solve(w->pivot[number], w->rhs);
        for (int i = 0; i < s->n; i++) {
            if (!t->by[s->rhs[i]]) {
                t->by[s->rhs[i]] = room_of(t, s->rhs[i]);
                memset(t->by[s->rhs[i]], 0, (size_t)t->n * sizeof(double));
            }
            t->by[s->rhs[i]][d] = any ? w->rhs[i] : 0;
        }
    }
    for (int i = 0; i < s->n; i++)
        t->r[s->rhs[i]] = w->x[i];
    return true;
}

/* ---- blocks ---- */

static bool run_range(Tangent *t, int first, int count);

/* x := x - delta */
static void correct(Tangent *t, int x, int delta)
{
    t->r[x] -= t->r[delta];
    if (!t->by[x] && !t->by[delta])
        return;
    for (int k = 0; k < t->n; k++)
        t->work->sum[k] = tangent_of(t, x, k) - tangent_of(t, delta, k);
    set_by(t, x, t->work->sum);
}

static bool run_block(Tangent *t, const TapeBlock *b, int at)
{
    int n = b->neval + b->njac + b->nsolve;
    for (int k = 0; k < (b->iterations > 0 ? b->iterations : 1); k++) {
        if (!run_range(t, at, n))
            return false;
        for (int i = 0; i < b->n; i++)
            correct(t, b->x[i], b->delta[i]);
    }
    return true;
}

/* Returns the instructions to be skipped. */
static int run_macro(Tangent *t, const TapeInstr *in, int at)
{
    switch (in->op) {
    case TAPE_BLOCK: run_block(t, &t->tape->block.at[in->a], at + 1); break;
    case TAPE_REPEAT:
        for (int k = 0; k < in->a && !t->failed; k++)
            run_range(t, at + 1, in->b);
        break;
    case TAPE_GUARD:
        if (t->r[in->a] != 0)
            run_range(t, at + 1, in->b);
        break;
    case TAPE_FACTOR: factor_system(t, in->a); break;
    case TAPE_SOLVE: solve_system(t, in->a); break;
    default: break; /* what is no slot stays as it is */
    }
    return tape_body(t->tape, at);
}

static bool run_range(Tangent *t, int first, int count)
{
    const TapeInstr *code = t->tape->code.at;
    for (int i = first; i < first + count && !t->failed; i++) {
        const TapeInstr *in = &code[i];
        if (in->op == TAPE_COPY)
            run_copy(t, in->dst, in->a);
        else if (in->op == TAPE_PICK)
            run_copy(t, in->dst, t->tape->call.at[in->a].row + in->c);
        else if (in->op == TAPE_CALL)
            run_call(t, in);
        else if (in->op < EX_NOP)
            run_plain(t, in);
        else
            i += run_macro(t, &code[i], i);
    }
    return !t->failed;
}

bool tangent_run(Tangent *t, const TapeSegment *segment)
{
    if (segment && !t->failed)
        run_range(t, segment->first, segment->count);
    return !t->failed;
}
