/* fuse_tangent.c - how what was computed moves with what it was computed from.
 *
 * Forward differentiation of instructions that stand on the tape already: each
 * slot that moves gets a second one with its derivative along a direction. The
 * rules are those of expr/ops.def. A block is passed at its solution: one more
 * Newton iteration from there, x := x - delta(x), corrects nothing, but moves
 * by -delta', which is what the implicit function theorem says,
 *
 *     x' = -J^-1 r'   with r' at constant x.
 *
 * So the body of a block is copied once more, to be computed where the
 * iteration has ended. A system that tables solve is solved again with the
 * same factors; what its matrix moves by counts for nothing, as it multiplies
 * a correction that is 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "step/fuse_internal.h"
#include "num/table.h"

typedef struct Known {
    Expr e;
    int slot;
} Known;

typedef struct Along {
    Fuse *f;
    int *by; /* of each of the first nby slots: its derivative; NONE: 0 */
    int nby;
    bool is_lost; /* a function has no derivative */
} Along;

static int by_of(const Along *a, int slot)
{
    return slot == NONE || slot >= a->nby ? NONE : a->by[slot];
}

static void set_by(Along *a, int slot, int by)
{
    if (slot >= a->nby) {
        int n = 2 * slot + 64;
        int *more = NEW_ARRAY(a->f->local, int, n);
        memset(more, 0xff, (size_t)n * sizeof *more);
        if (a->nby > 0)
            memcpy(more, a->by, (size_t)a->nby * sizeof *more);
        a->by = more;
        a->nby = n;
    }
    a->by[slot] = by;
}

static int emit(Along *a, int op, int x, int y)
{
    return tape_emit(a->f->t, op, NONE, x, y, NONE);
}

static int choose(Along *a, int condition, int yes, int no)
{
    return tape_emit(a->f->t, EX_IF, NONE, condition, yes, no);
}

/* ---- plain instructions: slots, NONE for a derivative that is 0 ---- */

static int sum(Along *a, int x, int y)
{
    return x == NONE ? y : y == NONE ? x : emit(a, EX_ADD, x, y);
}

static int product(Along *a, int x, int dy)
{
    return dy == NONE ? NONE : emit(a, EX_MUL, x, dy);
}

static int negated(Along *a, int x)
{
    return x == NONE ? NONE : emit(a, EX_NEG, x, NONE);
}

static int zero_if_none(const Along *a, int slot)
{
    return slot == NONE ? a->f->zero : slot;
}

/* (x^y)' = y x^(y-1) x' + x^y log(x) y' */
static int power(Along *a, const TapeInstr *in, int dx, int dy)
{
    Tape *t = a->f->t;
    int by = NONE;
    if (dx != NONE) {
        int less = emit(a, EX_SUB, in->b, a->f->one);
        if (t->region[in->b] == TR_CONST)
            less = tape_const(t, t->initial[in->b] - 1);
        int slope = emit(a, EX_MUL, in->b, emit(a, EX_POW, in->a, less));
        by = product(a, slope, dx);
    }
    if (dy != NONE)
        by = sum(a, by,
                 product(a,
                         emit(a, EX_MUL, in->dst, emit(a, EX_LOG, in->a, NONE)),
                         dy));
    return by;
}

static int remainder_by(Along *a, int whole, const TapeInstr *in, int dx,
                        int dy)
{
    int k = whole == EX_FLOOR
                ? emit(a, EX_FLOOR, emit(a, EX_DIV, in->a, in->b), NONE)
                : emit(a, EX_IDIV, in->a, in->b);
    return emit(a, EX_SUB, dx, emit(a, EX_MUL, k, dy));
}

#define ADD(x, y)                     emit(along, EX_ADD, x, y)
#define SUB(x, y)                     emit(along, EX_SUB, x, y)
#define MUL(x, y)                     emit(along, EX_MUL, x, y)
#define DIV(x, y)                     emit(along, EX_DIV, x, y)
#define NEG(x)                        emit(along, EX_NEG, x, NONE)
#define REAL(v)                       tape_const(along->f->t, v)
#define FN(op, x)                     emit(along, EX_##op, x, NONE)
#define OP2(op, x, y)                 emit(along, EX_##op, x, y)
#define SQUARE(x)                     emit(along, EX_MUL, x, x)
#define choose(d, condition, yes, no) choose(along, condition, yes, no)
#define diff_remainder(d, whole, x, y, dx, dy)                                 \
    remainder_by(along, whole, in, dx, dy)

/* One that a model calls by its name. */
static int function_by(Along *along, const TapeInstr *in, int da, int db)
{
    const int a = in->a, b = in->b, e = in->dst;
    (void)b;
    da = zero_if_none(along, da);
    db = zero_if_none(along, db);
    switch (in->op) {
#define FUNCTION(name, text, narg, properties, instructions, c, inputs, value, \
                 derivative, inverse)                                          \
    case EX_##name: {                                                          \
        return derivative;                                                     \
    }
#include "expr/ops.def"
    default: unreachable();
    }
}

#undef choose
#undef diff_remainder

static int plain_by(Along *a, const TapeInstr *in)
{
    int dx = by_of(a, in->a), narg = expr_op_info[in->op].narg;
    int dy = narg > 1 ? by_of(a, in->b) : NONE;
    int dz = narg > 2 ? by_of(a, in->c) : NONE;
    if ((dx == NONE && dy == NONE && dz == NONE) ||
        expr_op_info[in->op].properties & (OP_FLAT | OP_LOGICAL))
        return NONE;
    switch (in->op) {
    case EX_ADD: return sum(a, dx, dy);
    case EX_SUB:
        return dy == NONE   ? dx
               : dx == NONE ? negated(a, dy)
                            : emit(a, EX_SUB, dx, dy);
    case EX_MUL: return sum(a, product(a, in->b, dx), product(a, in->a, dy));
    case EX_DIV: {
        int over = negated(a, product(a, in->dst, dy));
        return emit(a, EX_DIV, sum(a, dx, over), in->b);
    }
    case EX_NEG: return negated(a, dx);
    case EX_POW: return power(a, in, dx, dy);
    case EX_IF:
        return dy == NONE && dz == NONE
                   ? NONE
                   : choose(a, in->a, zero_if_none(a, dy), zero_if_none(a, dz));
    case EX_NOEVENT:
    case EX_HOMOTOPY: return dx;
    case EX_SMOOTH: return dy;
    case EX_SEMILINEAR: {
        int up = emit(a, EX_GE, in->a, a->f->zero);
        int slope = choose(a, up, in->b, in->c);
        int change = choose(a, up, zero_if_none(a, dy), zero_if_none(a, dz));
        return sum(a, product(a, slope, dx), emit(a, EX_MUL, in->a, change));
    }
    default: return function_by(a, in, dx, dy);
    }
}

/* ---- calls ---- */

typedef struct Calling {
    Along *a;
    Dag *dag;
    const int *arg; /* slots */
    Vec(Known) known;
} Calling;

static int slot_of(Calling *c, Expr e);

/* A call of arguments that are slots. */
static int make_call(Calling *c, Expr e)
{
    Tape *t = c->a->f->t;
    const ExprNode *n = expr_node(c->dag, e);
    const ExprFunction *fn = dag_function(c->dag, n->fn);
    int narg = n->narg, *arg = NEW_ARRAY(c->a->f->local, int, narg + 2);
    for (int i = 0; i < narg; i++)
        arg[i] = slot_of(c, n->args[i]);
    TapeCall call = {fn, n->order, NONE, NONE};
    for (int i = fn->nplain; i < narg; i++) {
        int slot = tape_slot(t, TR_TEMP, NULL, 0);
        call.first = i == fn->nplain ? slot : call.first;
    }
    for (int i = fn->nplain; i < narg; i++)
        tape_emit(t, TAPE_COPY, call.first + i - fn->nplain, arg[i], NONE,
                  NONE);
    int x = fn->nplain > 0 ? arg[0] : c->a->f->zero;
    int y = fn->nplain > 1 ? arg[1] : x, dst = NONE;
    for (int i = 0; fn->values && i < fn->nout; i++) {
        int slot = tape_slot(t, TR_TEMP, NULL, 0);
        call.row = i == 0 ? slot : call.row;
    }
    dst = call.row;
    vec_push(t->arena, &t->call, call);
    int number = t->call.n - 1;
    dst = tape_emit(t, TAPE_CALL, dst, number, x, y);
    return fn->values && n->order > 0
               ? tape_emit(t, TAPE_PICK, NONE, number, dst, n->order)
               : dst;
}

static int make_slot(Calling *c, Expr e)
{
    const ExprNode *n = expr_node(c->dag, e);
    double value;
    if (expr_is_const(c->dag, e, &value))
        return tape_const(c->a->f->t, value);
    if (n->op == EX_ARG)
        return c->arg[n->order];
    if (n->op == EX_CALL)
        return make_call(c, e);
    if (n->op == EX_NOEVENT)
        return slot_of(c, n->arg[0]);
    int arg[3] = {NONE, NONE, NONE};
    for (int i = 0; i < n->narg; i++)
        arg[i] = slot_of(c, n->arg[i]);
    return tape_emit(c->a->f->t, (int)n->op, NONE, arg[0], arg[1], arg[2]);
}

static int slot_of(Calling *c, Expr e)
{
    for (int i = 0; i < c->known.n; i++)
        if (c->known.at[i].e == e)
            return c->known.at[i].slot;
    Known k = {e, make_slot(c, e)};
    vec_push(c->a->f->local, &c->known, k);
    return k.slot;
}

/* Result `out` of the call that `in` makes. */
static int call_by(Along *a, const TapeInstr *in, int out)
{
    Tape *t = a->f->t;
    Dag *dag = a->f->d->dag;
    const ExprFunction *fn = t->call.at[in->a].fn;
    int first, nlist = tape_list(t, in, &first), narg = fn->nplain + nlist;
    int *slot = NEW_ARRAY(a->f->local, int, narg + 2);
    Expr *arg = NEW_ARRAY(a->f->local, Expr, narg + 2);
    bool moves = false;
    for (int i = 0; i < narg; i++) {
        slot[i] = i >= fn->nplain ? first + i - fn->nplain
                  : i == 0        ? in->b
                                  : in->c;
        arg[i] = expr_formal(dag, i, ET_REAL);
        moves |= by_of(a, slot[i]) != NONE;
    }
    if (!moves)
        return NONE;
    Expr call =
        expr_call(dag, dag_add_function(dag, fn), out, ET_REAL, arg, narg);
    Calling c = {.a = a, .dag = dag, .arg = slot};
    int by = NONE;
    for (int i = 0; i < narg; i++) {
        int da = by_of(a, slot[i]);
        Expr slope = da == NONE       ? EXPR_NONE
                     : fn->derivative ? fn->derivative(dag, call, i)
                                      : EXPR_NONE;
        a->is_lost |= da != NONE && slope == EXPR_NONE;
        if (slope != EXPR_NONE && !expr_is_zero(dag, slope))
            by = sum(a, by, product(a, slot_of(&c, slope), da));
    }
    return by;
}

/* ---- systems and blocks ---- */

/* Solves once more, for what the right-hand side moves by. */
static void solve_by(Along *a, int number)
{
    Tape *t = a->f->t;
    TapeSystem s = t->system.at[number];
    bool moves = false;
    if (!s.table) {
        a->is_lost = true;
        return;
    }
    for (int i = 0; i < s.nrow; i++)
        moves |= by_of(a, s.rhs[i]) != NONE;
    for (int i = 0; i < s.n; i++)
        set_by(a, s.vector + s.nrow + i, NONE);
    if (!moves)
        return;
    int from = s.vector, *rhs = s.rhs;
    for (int i = 0; i < s.table->nvector; i++) {
        int slot = tape_slot(t, TR_TEMP, NULL, 0);
        s.vector = i == 0 ? slot : s.vector;
    }
    s.rhs = NEW_ARRAY(t->arena, int, s.nrow + 1);
    for (int i = 0; i < s.nrow; i++) {
        s.rhs[i] = s.vector + i;
        fuse_copy(a->f, s.rhs[i], zero_if_none(a, by_of(a, rhs[i])));
    }
    vec_push(t->arena, &t->system, s);
    tape_emit(t, TAPE_SOLVE, 0, t->system.n - 1, NONE, NONE);
    for (int i = 0; i < s.n; i++)
        set_by(a, from + s.nrow + i, s.vector + s.nrow + i);
}

static void walk(Along *a, int first, int count);

/* The block at instruction `at`, which has found its x. */
static void block_by(Along *a, int at)
{
    Fuse *f = a->f;
    const TapeBlock *b = &f->t->block.at[f->t->code.at[at].a];
    const int n = b->n, *x = b->x, *delta = b->delta;
    TapeSegment body = {"body", at + 1, b->neval + b->njac + b->nsolve};
    int nmap = f->t->nslot, *map = NEW_ARRAY(f->local, int, nmap);
    for (int i = 0; i < nmap; i++)
        map[i] = i;
    for (int k = 0; k < n; k++)
        set_by(a, x[k], NONE);
    int from = f->t->code.n;
    fuse_copy_again(f, &body, map, nmap);
    walk(a, from, f->t->code.n - from);
    for (int k = 0; k < n; k++)
        set_by(a, x[k], negated(a, by_of(a, map[delta[k]])));
}

static void walk(Along *a, int first, int count)
{
    Tape *t = a->f->t;
    for (int i = first; i < first + count; i++) {
        TapeInstr in = t->code.at[i];
        if (in.op == TAPE_COPY) {
            set_by(a, in.dst, by_of(a, in.a));
        } else if (in.op == TAPE_CALL) {
            set_by(a, in.dst, call_by(a, &in, t->call.at[in.a].out));
        } else if (in.op == TAPE_PICK) {
            int maker = i - 1;
            while (maker >= first && !(t->code.at[maker].op == TAPE_CALL &&
                                       t->code.at[maker].a == in.a))
                maker--;
            if (maker >= first) {
                TapeInstr call = t->code.at[maker];
                set_by(a, in.dst, call_by(a, &call, in.c));
            }
        } else if (in.op == TAPE_BLOCK) {
            block_by(a, i);
            i += tape_body(t, i);
        } else if (in.op == TAPE_SOLVE) {
            solve_by(a, in.a);
        } else if (in.op < EX_NOP) {
            set_by(a, in.dst, plain_by(a, &in));
        }
    }
}

bool fuse_tangent(Fuse *f, int first, int count, const int *slot,
                  const int *seed, int n, int **by, int *nby)
{
    Along a = {.f = f};
    for (int i = 0; i < n; i++)
        set_by(&a, slot[i], seed[i]);
    walk(&a, first, count);
    *by = a.by;
    *nby = a.nby;
    return !a.is_lost;
}
