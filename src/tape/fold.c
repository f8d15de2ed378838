/* fold.c - constants and copies, forward through a segment.
 *
 * A slot that is a copy has a `same` slot, which is read instead, until one of
 * them is written. In front of a loop, what its body writes is forgotten.
 * Instructions become copies where they are not needed; the pruning
 * of the tape takes those out.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/fold.h"

#include <math.h>

#include "tape/masks.h"

typedef struct Reader {
    int slot;
    struct Reader *next;
} Reader;

typedef struct Fold {
    Tape *t;
    Arena *local;
    const double *value; /* of fixed slots; NULL */
    int nvalue;
    bool merges;     /* roundings may differ */
    int n;           /* slots at the begin: later ones are constants */
    int *same;       /* of each slot: NONE, or the slot that is read instead */
    int *ndef;       /* how often it is written */
    Reader **reader; /* of each slot: who may read it instead of themselves */
    int *def;        /* instruction that writes a temporary */
} Fold;

static bool is_fixed(const Fold *f, int slot)
{
    int r = f->t->region[slot];
    return f->value && slot < f->nvalue && slot != f->t->time &&
           (r == TR_PARAM || r == TR_DERIVED || slot == f->t->step) &&
           isfinite(f->value[slot]);
}

/* Written once, and that has happened. */
static bool is_made(const Fold *f, int slot)
{
    int r = f->t->region[slot];
    return slot < f->n && (r == TR_TEMP || r == TR_VALUE) &&
           f->ndef[slot] == 1 && f->def[slot] != NONE;
}

/* Does the slot keep the value it has now until the end of the segment? */
static bool is_steady(const Fold *f, int slot)
{
    int r = f->t->region[slot];
    return slot >= f->n || r == TR_CONST || r == TR_PARAM || r == TR_DERIVED ||
           slot == f->t->step || is_made(f, slot);
}

static int resolved(Fold *f, int slot)
{
    if (slot == NONE || slot >= f->n)
        return slot;
    if (f->same[slot] != NONE)
        return f->same[slot];
    return is_fixed(f, slot) ? tape_const(f->t, f->value[slot]) : slot;
}

static bool is_const(const Fold *f, int slot, double *value)
{
    if (f->t->region[slot] != TR_CONST || tape_off(f->t, slot) > 0)
        return false;
    *value = f->t->initial[slot];
    return true;
}

static bool is_value(const Fold *f, int slot, double value)
{
    double x;
    return is_const(f, slot, &x) && x == value;
}

/* ---- one operation ---- */

static bool compute(int op, double a, double b, double *out)
{
    switch (op) {
    case EX_ADD: *out = a + b; break;
    case EX_SUB: *out = a - b; break;
    case EX_MUL: *out = a * b; break;
    case EX_DIV: *out = a / b; break;
    default: return false;
    }
    return isfinite(*out);
}

static void become(TapeInstr *in, int op, int a, int b)
{
    in->op = op;
    in->a = a;
    in->b = b;
    in->c = NONE;
}

static void become_copy(TapeInstr *in, int slot)
{
    become(in, TAPE_COPY, slot, NONE);
}

static void become_negative(TapeInstr *in, int slot)
{
    become(in, EX_NEG, slot, NONE);
}

static void fold_product(Fold *f, TapeInstr *in)
{
    for (int k = 0; k < 2; k++) {
        int one = k ? in->b : in->a, other = k ? in->a : in->b;
        if (is_value(f, one, 0))
            become_copy(in, one);
        else if (is_value(f, one, 1))
            become_copy(in, other);
        else if (is_value(f, one, -1))
            become_negative(in, other);
        else
            continue;
        return;
    }
}

static void fold_sum(Fold *f, TapeInstr *in)
{
    if (is_value(f, in->b, 0))
        become_copy(in, in->a);
    else if (in->a == in->b && in->op == EX_SUB)
        become_copy(in, tape_const(f->t, 0));
    else if (is_value(f, in->a, 0) && in->op == EX_ADD)
        become_copy(in, in->b);
    else if (is_value(f, in->a, 0))
        become_negative(in, in->b);
}

/* (c x) d = (c d) x; x is steady, so it may be read later too. */
static void merge_factor(Fold *f, TapeInstr *in)
{
    double c, d;
    for (int k = 0; k < 2; k++) {
        int one = k ? in->b : in->a, other = k ? in->a : in->b;
        if (!is_const(f, one, &d) || !is_made(f, other))
            continue;
        const TapeInstr *before = &f->t->code.at[f->def[other]];
        if (before->op == EX_NEG && is_steady(f, before->a)) {
            int x = before->a;
            become(in, EX_MUL, x, tape_const(f->t, -d));
            return;
        }
        if (!f->merges)
            continue;
        if (before->op == EX_DIV && is_const(f, before->a, &c) &&
            is_steady(f, before->b) && isfinite(c * d) && c * d != 0) {
            int x = before->b;
            become(in, EX_DIV, tape_const(f->t, c * d), x);
            return;
        }
        if (before->op != EX_MUL)
            continue;
        for (int j = 0; j < 2; j++) {
            int factor = j ? before->b : before->a;
            int x = j ? before->a : before->b;
            if (!is_const(f, factor, &c) || !is_steady(f, x) ||
                !isfinite(c * d) || c * d == 0)
                continue;
            become(in, EX_MUL, x, tape_const(f->t, c * d));
            return;
        }
    }
}

static void fold_quotient(Fold *f, TapeInstr *in)
{
    double d;
    if (is_value(f, in->b, 1) ||
        (is_value(f, in->a, 0) && !is_value(f, in->b, 0))) {
        become_copy(in, in->a);
    } else if (f->merges && is_const(f, in->b, &d) && isfinite(1 / d) &&
               1 / d != 0) {
        in->op = EX_MUL;
        in->b = tape_const(f->t, 1 / d);
        merge_factor(f, in);
    }
}

/* x - (x + y) = -y, which is also what it should be. */
static void fold_difference(Fold *f, TapeInstr *in)
{
    if (!is_made(f, in->b))
        return;
    const TapeInstr *before = &f->t->code.at[f->def[in->b]];
    if (before->op != EX_ADD)
        return;
    for (int k = 0; k < 2; k++) {
        int x = k ? before->b : before->a, y = k ? before->a : before->b;
        if (x == in->a && is_steady(f, y)) {
            become_negative(in, y);
            return;
        }
    }
}

/* -(c x) = (-c) x, -(-x) = x */
static void fold_negative(Fold *f, TapeInstr *in)
{
    double c;
    if (!is_made(f, in->a))
        return;
    const TapeInstr *before = &f->t->code.at[f->def[in->a]];
    if (before->op == EX_NEG && is_steady(f, before->a)) {
        become_copy(in, before->a);
        return;
    }
    for (int k = 0; before->op == EX_MUL && k < 2; k++) {
        int one = k ? before->b : before->a, x = k ? before->a : before->b;
        if (!is_const(f, one, &c) || !is_steady(f, x))
            continue;
        become(in, EX_MUL, x, tape_const(f->t, -c));
        return;
    }
}

/* ---- logic: truth is 1, falsehood 0 ---- */

static bool compare(int op, double a, double b)
{
    switch (op) {
    case EX_LT: return a < b;
    case EX_LE: return a <= b;
    case EX_GT: return a > b;
    case EX_GE: return a >= b;
    case EX_EQ: return a == b;
    default: return a != b;
    }
}

/* Is it 0 or 1 in any case? A relation, or made of such. */
static bool is_truth(const Fold *f, int slot)
{
    double x;
    if (is_const(f, slot, &x))
        return x == 0 || x == 1;
    if (!is_made(f, slot))
        return false;
    int op = f->t->code.at[f->def[slot]].op;
    return tape_is_comparison(op) || op == EX_AND || op == EX_OR ||
           op == EX_NOT;
}

static void fold_and_or(Fold *f, TapeInstr *in)
{
    for (int k = 0; k < 2; k++) {
        int one = k ? in->b : in->a, other = k ? in->a : in->b;
        double x;
        if (!is_const(f, one, &x))
            continue;
        bool decides = (x != 0) == (in->op == EX_OR);
        if (decides)
            become_copy(in, tape_const(f->t, x != 0));
        else if (is_truth(f, other))
            become_copy(in, other);
        else
            continue;
        return;
    }
    if (in->a == in->b && is_truth(f, in->a))
        become_copy(in, in->a);
}

/* c and x are truths; if c then x else 0 = c and x, if c then 1 else x = c or
 * x. */
static bool fold_truths(Fold *f, TapeInstr *in)
{
    if (is_value(f, in->c, 0) && is_value(f, in->b, 1))
        become_copy(in, in->a);
    else if (is_value(f, in->c, 0) && is_truth(f, in->b))
        become(in, EX_AND, in->a, in->b);
    else if (is_value(f, in->b, 1) && is_truth(f, in->c))
        become(in, EX_OR, in->a, in->c);
    else
        return false;
    return true;
}

/* (if c then k1 else k2) op k, with numbers: if c then k1 op k else k2 op k. */
static void fold_into_selection(Fold *f, TapeInstr *in)
{
    double k, k1, k2, yes, no;
    if (!is_made(f, in->a) || !is_const(f, in->b, &k))
        return;
    const TapeInstr *before = &f->t->code.at[f->def[in->a]];
    if (before->op != EX_IF || !is_steady(f, before->a) ||
        !is_const(f, before->b, &k1) || !is_const(f, before->c, &k2) ||
        !compute(in->op, k1, k, &yes) || !compute(in->op, k2, k, &no))
        return;
    *in = (TapeInstr){.op = EX_IF,
                      .dst = in->dst,
                      .a = before->a,
                      .b = tape_const(f->t, yes),
                      .c = tape_const(f->t, no),
                      .origin = in->origin,
                      .scaled = in->scaled};
}

/* A relation of a number with a truth x, to which one may have been added:
 * what it is for 0 and for 1 decides. */
static bool fold_relation_of_truth(Fold *f, TapeInstr *in)
{
    double k, add = 0;
    int x = in->a;
    if (!is_const(f, in->b, &k))
        return false;
    if (!is_truth(f, x) && is_made(f, x)) {
        const TapeInstr *before = &f->t->code.at[f->def[x]];
        if ((before->op != EX_ADD && before->op != EX_SUB) ||
            !is_const(f, before->b, &add) || !is_steady(f, before->a))
            return false;
        add = before->op == EX_ADD ? add : -add;
        x = before->a;
    }
    if (!is_truth(f, x))
        return false;
    bool no = compare(in->op, 0 + add, k), yes = compare(in->op, 1 + add, k);
    if (yes == no)
        become_copy(in, tape_const(f->t, yes));
    else
        become(in, yes ? TAPE_COPY : EX_NOT, x, NONE);
    return true;
}

static void fold_selection(Fold *f, TapeInstr *in)
{
    double c, a, b;
    if (is_made(f, in->a)) { /* if not c then a else b */
        const TapeInstr *before = &f->t->code.at[f->def[in->a]];
        if (before->op == EX_NOT && is_steady(f, before->a)) {
            int yes = in->c;
            in->a = before->a;
            in->c = in->b;
            in->b = yes;
        }
    }
    if (is_made(f, in->b)) { /* if c then (if c then a else x) else b */
        const TapeInstr *before = &f->t->code.at[f->def[in->b]];
        if (before->op == EX_IF && before->a == in->a &&
            is_steady(f, before->a) && is_steady(f, before->b))
            in->b = before->b;
    }
    if (is_truth(f, in->a) && fold_truths(f, in))
        return;
    if (is_const(f, in->a, &c))
        become_copy(in, c != 0 ? in->b : in->c);
    else if (in->b == in->c)
        become_copy(in, in->b);
    else if (is_truth(f, in->a) && is_const(f, in->b, &a) &&
             is_const(f, in->c, &b) && a == 1 && b == 0)
        become_copy(in, in->a);
    else if (is_const(f, in->b, &a) && is_const(f, in->c, &b) && a == 0 &&
             b == 1)
        become(in, EX_NOT, in->a, NONE);
}

static void fold_logic(Fold *f, TapeInstr *in)
{
    double a, b;
    if (in->op == EX_IF) {
        fold_selection(f, in);
    } else if (in->op == EX_AND || in->op == EX_OR) {
        fold_and_or(f, in);
    } else if (in->op == EX_NOT && is_const(f, in->a, &a)) {
        become_copy(in, tape_const(f->t, a == 0));
    } else if (in->op == EX_NOT && is_made(f, in->a)) {
        const TapeInstr *before = &f->t->code.at[f->def[in->a]];
        if (before->op == EX_NOT && is_steady(f, before->a) &&
            is_truth(f, before->a))
            become_copy(in, before->a);
    } else if (tape_is_comparison(in->op) && fold_relation_of_truth(f, in)) {
        return;
    } else if (tape_is_comparison(in->op) && is_const(f, in->a, &a) &&
               is_const(f, in->b, &b)) {
        become_copy(in, tape_const(f->t, compare(in->op, a, b)));
    }
}

/* max(max(x, c), c) = max(x, c); min likewise. */
static void fold_extreme(Fold *f, TapeInstr *in)
{
    double a, b;
    if (in->a == in->b)
        become_copy(in, in->a);
    else if (is_const(f, in->a, &a) && is_const(f, in->b, &b))
        become_copy(in, tape_const(f->t, expr_apply((ExprOp)in->op, a, b, 0)));
    else if (is_const(f, in->b, &b) && is_made(f, in->a) &&
             f->t->code.at[f->def[in->a]].op == in->op &&
             f->t->code.at[f->def[in->a]].b == in->b)
        become_copy(in, in->a);
}

static void fold_operation(Fold *f, TapeInstr *in)
{
    double a = 0, b = 0, result;
    if (in->op == EX_ADD || in->op == EX_SUB)
        fold_into_selection(f, in);
    fold_logic(f, in);
    if (in->op == EX_MIN || in->op == EX_MAX)
        fold_extreme(f, in);
    if (in->op == EX_NEG && is_const(f, in->a, &a)) {
        become_copy(in, tape_const(f->t, -a));
        return;
    }
    if (in->op == EX_ABS && is_const(f, in->a, &a)) {
        become_copy(in, tape_const(f->t, fabs(a)));
        return;
    }
    if (in->op == EX_NEG && f->value)
        fold_negative(f, in);
    if (in->op != EX_ADD && in->op != EX_SUB && in->op != EX_MUL &&
        in->op != EX_DIV)
        return;
    if (is_const(f, in->a, &a) && is_const(f, in->b, &b) &&
        compute(in->op, a, b, &result)) {
        become_copy(in, tape_const(f->t, result));
        return;
    }
    if (in->op == EX_MUL)
        fold_product(f, in);
    else if (in->op == EX_DIV)
        fold_quotient(f, in);
    else
        fold_sum(f, in);
    if (f->value && in->op == EX_MUL)
        merge_factor(f, in);
    if (f->merges && in->op == EX_SUB)
        fold_difference(f, in);
    if (f->value && in->op == EX_NEG)
        fold_negative(f, in);
}

/* Who reads another slot instead of itself must not, once that is written. */
static void forget(Fold *f, int slot)
{
    if (slot == NONE || slot >= f->n)
        return;
    f->same[slot] = f->def[slot] = NONE;
    for (const Reader *r = f->reader[slot]; r; r = r->next)
        if (f->same[r->slot] == slot)
            f->same[r->slot] = NONE;
    f->reader[slot] = NULL;
}

static void plain(Fold *f, int at)
{
    TapeInstr in = f->t->code.at[at];
    unsigned reads = tape_op_reads(in.op); /* others are no slots */
    in.a = reads & 1 ? resolved(f, in.a) : in.a;
    in.b = reads & 2 ? resolved(f, in.b) : in.b;
    in.c = reads & 4 ? resolved(f, in.c) : in.c;
    if (tape_writes(&in) == NONE) {
        f->t->code.at[at] = in;
        return;
    }
    fold_operation(f, &in);
    f->t->code.at[at] = in;
    if (in.dst >= f->n)
        return;
    forget(f, in.dst);
    f->def[in.dst] = at;
    if (in.op != TAPE_COPY || in.a == in.dst)
        return;
    f->same[in.dst] = in.a;
    if (in.a >= f->n)
        return;
    Reader *r = NEW(f->local, Reader);
    *r = (Reader){in.dst, f->reader[in.a]};
    f->reader[in.a] = r;
}

/* ---- the walk ---- */

static int block_size(const TapeBlock *b)
{
    return b->neval + b->njac + b->nsolve;
}

/* What the instructions of a range write. */
static void forget_range(Fold *f, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        const TapeInstr *in = &f->t->code.at[i];
        forget(f, tape_writes(in));
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &f->t->block.at[in->a];
            for (int k = 0; k < b->n; k++)
                forget(f, b->x[k]);
        }
    }
}

static void forget_system(Fold *f, const TapeSystem *s)
{
    for (int i = 0; i < s->nrow; i++)
        forget(f, s->rhs[i]);
}

static void count_writes(Fold *f, const TapeSegment *s)
{
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &f->t->code.at[i];
        int dst = tape_writes(in);
        if (dst != NONE)
            f->ndef[dst]++;
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &f->t->block.at[in->a];
            for (int k = 0; k < b->n; k++)
                f->ndef[b->x[k]] += 2; /* x := x - delta */
        }
        if (in->op == TAPE_SOLVE) {
            const TapeSystem *y = &f->t->system.at[in->a];
            for (int k = 0; k < y->nrow; k++)
                f->ndef[y->rhs[k]]++;
        }
    }
}

static void fold(Tape *t, const TapeSegment *segment, const double *value,
                 int nvalue, bool merges)
{
    Fold f = {.t = t,
              .local = arena_new(),
              .value = value,
              .nvalue = nvalue,
              .merges = merges};
    f.n = t->nslot;
    f.same = NEW_ARRAY(f.local, int, f.n);
    f.ndef = NEW_ARRAY(f.local, int, f.n);
    f.reader = NEW_ARRAY(f.local, Reader *, f.n);
    f.def = NEW_ARRAY(f.local, int, f.n);
    for (int i = 0; i < f.n; i++)
        f.same[i] = f.def[i] = NONE;
    count_writes(&f, segment);
    Vec(int) ends = {0}; /* of blocks that are open */
    Vec(int) open = {0};
    for (int i = segment->first; i < segment->first + segment->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &t->block.at[in->a];
            if (b->iterations > 1 || b->is_damped) {
                forget_range(&f, i, 1 + block_size(b));
            }
            vec_push(f.local, &ends, i + block_size(b));
            vec_push(f.local, &open, in->a);
        } else if (in->op == TAPE_REPEAT) {
            forget_range(&f, i + 1, in->b);
        } else if (in->op == TAPE_FACTOR || in->op == TAPE_SOLVE) {
            forget_system(&f, &t->system.at[in->a]);
        } else {
            plain(&f, i);
        }
        while (ends.n > 0 && ends.at[ends.n - 1] == i) { /* x := x - delta */
            const TapeBlock *b = &t->block.at[open.at[open.n - 1]];
            for (int k = 0; k < b->n; k++)
                forget(&f, b->x[k]);
            ends.n--;
            open.n--;
        }
    }
    arena_free(f.local);
}

void tape_fold(Tape *t, const TapeSegment *segment, const double *value,
               int nvalue)
{
    fold(t, segment, value, nvalue, false);
}

void tape_merge(Tape *t, const TapeSegment *segment, const double *value,
                int nvalue)
{
    fold(t, segment, value, nvalue, true);
}
