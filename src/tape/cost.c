/* cost.c - counts instructions, loops multiplied out. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/cost.h"

#include "num/table.h"
#include "spread/spread.h"
#include "tape/masks.h"

typedef struct Counter {
    const Tape *t;
    const bool *member;
    bool *waits;      /* slot: a local that is used again, or much later */
    const bool *mask; /* slot: a truth as a mask */
    bool *joins;      /* slot: a local that `and` reads */
    Arena *arena;
    Vec(CostBlock) block;
    Cost watch[TO_NROLE];
    Cost *rate;       /* of what guards leave out, by rate */
    Cost code;        /* every instruction once: for the size */
    long table_bytes; /* constant tables */
    long array;       /* numbers in local arrays */
} Counter;

const char *cost_watch_name(TapeRole role)
{
    switch (role) {
    case TO_DEFECT: return "defect";
    case TO_ESTIMATE: return "estimate";
    case TO_RUNNING: return "running error";
    case TO_BOUND: return "bounds";
    case TO_DOMAIN: return "domain";
    case TO_DAMPING: return "damping";
    default: return NULL;
    }
}

/* Complete pivoting over n columns and m rows (takt_states_pivot): a look at
 * every entry that is left, and rows that are updated. */
static void count_pivoting(long m, long n, Cost *cost, long times)
{
    long looks = n * m * (m + 1) / 2, updates = n * m * (m - 1) / 2;
    cost->instructions +=
        times * (36 * looks + 6 * updates + 8 * m * n + 4 * m * m + 15 * m);
    cost->add += times * updates;
    cost->mul += times * updates;
    cost->div += times * m * (m - 1) / 2;
    cost->select += times * 6 * looks;
    cost->load += times * (looks + 3 * updates + 3 * m * n);
    cost->store += times * (updates + 3 * m * n);
}

/* Which candidates are states (runtime/takt_rt_states.h): the columns that are
 * none are eliminated, the rest is looked at for the present choice and for the
 * best; who is chosen is selected. */
static void count_choice(const TapeSet *s, Cost *cost, long times)
{
    long n = s->n, k = s->nstate, rows = s->nrow, e = s->neliminated;
    long w = n + e, work = e * rows * w;
    cost->instructions += times * (2 * rows * w + 3 * s->nentry + 6 * work +
                                   40 * e * rows + 4 * rows * n);
    cost->add += times * (work + s->nentry);
    cost->mul += times * work;
    cost->div += times * e * rows;
    cost->select += times * (6 * e * rows + k * n + 2 * k);
    cost->load += times * (3 * work + s->nentry);
    cost->store += times * (work + rows * w);
    for (int i = 0; i < 2; i++)
        count_pivoting(n - k, n, cost, times);
    cost->instructions += times * (n * (5 * n + 14) + 8 * k * n + 12 * k + 60);
}

/* Is the operand fetched from memory? A local that is used once, and soon,
 * stays in its register. */
static bool is_in_memory(const Counter *c, int slot)
{
    return c->member[slot] || c->t->region[slot] == TR_CONST || c->waits[slot];
}

/* ---- logic ---- */

static bool is_zero(const Counter *c, int slot)
{
    return c->t->region[slot] == TR_CONST && c->t->initial[slot] == 0;
}

/* An operand in a register, as a mask or as a number: a comparison with 0 makes
 * the one, and with 1 the other. */
static long operand(const Counter *c, int slot, bool as_mask)
{
    long fetch = is_in_memory(c, slot);
    if (as_mask && !c->mask[slot])
        return fetch + (is_zero(c, slot) ? 0 : 2);
    return fetch + (!as_mask && c->mask[slot] ? 2 : 0);
}

/* Of two sides by a mask: three instructions on bits, one if a side is 0. */
static long selection(const Counter *c, const TapeInstr *in)
{
    bool is_mask = c->mask[in->dst];
    long n = operand(c, in->a, true);
    if (is_zero(c, in->c))
        return n + 1 + operand(c, in->b, is_mask);
    if (is_zero(c, in->b))
        return n + 1 + operand(c, in->c, is_mask);
    return n + 3 + operand(c, in->b, is_mask) + operand(c, in->c, is_mask);
}

/* Logic by masks, as runtime/takt_rt_base.h does it on x86-64: what an
 * instruction works on is in a register, and its result takes the place of an
 * operand. -1: the operation is none. */
static long logic_instructions(const Counter *c, const TapeInstr *in)
{
    bool is_mask = c->mask[in->dst];
    bool swaps = in->op == EX_GT || in->op == EX_GE || in->op == EX_MIN ||
                 in->op == EX_MAX;
    long first = 1 + (swaps ? is_in_memory(c, in->b) : is_in_memory(c, in->a));
    if (tape_is_comparison(in->op))
        return first + (is_mask ? 0 : 2);
    switch (in->op) {
    case EX_MIN:
    case EX_MAX: return first;
    case EX_IF: return selection(c, in);
    case EX_NOT: /* and not is one instruction */
        if (c->joins[in->dst] && !is_in_memory(c, in->dst))
            return 0;
        return 2 + (c->mask[in->a] && is_mask);
    case EX_AND:
    case EX_OR: {
        bool both = c->mask[in->a] && c->mask[in->b];
        return 1 + operand(c, in->a, is_mask || both) +
               operand(c, in->b, is_mask || both) + (both && !is_mask ? 2 : 0);
    }
    default: return -1;
    }
}

/* ---- operations ---- */

/* An operation, its operands and its result. */
static long instructions(const Counter *c, const TapeInstr *in, const int *arg,
                         int narg, int dst)
{
    int nmemory = 0;
    long n = in->op < EX_NOP ? expr_op_info[in->op].instructions
                             : tape_op_info(in->op)->instructions;
    long logic = logic_instructions(c, in);
    for (int i = 0; i < narg; i++)
        nmemory += arg[i] != NONE && is_in_memory(c, arg[i]);
    if (logic >= 0)
        n = logic;
    else if (nmemory == narg && narg > 0)
        n++;
    return n + (dst != NONE && is_in_memory(c, dst));
}

/* What an instruction of expr/ops.def is. */
static void count_operation(Cost *cost, int op, long times)
{
    switch (op) {
    case EX_ADD:
    case EX_SUB:
    case EX_NEG: cost->add += times; break;
    case EX_MUL: cost->mul += times; break;
    case EX_DIV: cost->div += times; break;
    default:
        if (op_has(op, OP_LIBM))
            cost->call += times;
        else
            cost->select += times;
    }
}

/* What an instruction of instr.def is. */
static void count_row(Cost *cost, const TapeInstrInfo *row, long times)
{
    if (row->kind != TI_PLAIN) /* else it is counted with its operands */
        cost->instructions += times * row->instructions;
    cost->add += times * row->add;
    cost->mul += times * row->mul;
    cost->div += times * row->div;
    cost->select += times * row->select;
    cost->load += times * row->load;
    cost->store += times * row->store;
}

/* spatialDistribution() takes more than the row of a delay has. */
static void count_spread(const Tape *t, const TapeInstr *in, Cost *cost,
                         long times)
{
    const TapeDelay *d = &t->delay.at[in->a];
    if (d->past != TP_SPREAD)
        return;
    SpreadPart part = SPREAD_ANCHOR;
    if (in->op == TAPE_PAST)
        part = (SpreadPart)((int)t->initial[in->c] / 2);
    long n = in->op == TAPE_PAST ? spread_read_instructions(d->points, part)
                                 : spread_record_instructions(d->points);
    cost->instructions += times * (n - tape_op_info(in->op)->instructions);
}

static void count(Counter *c, Cost *cost, const TapeInstr *in, long times)
{
    int arg[3], narg = tape_reads(in, arg), dst = tape_writes(in);
    if (tape_op_kind(in->op) == TI_PLAIN)
        cost->instructions += times * instructions(c, in, arg, narg, dst);
    for (int i = 0; i < narg; i++)
        if (arg[i] != NONE && c->member[arg[i]])
            cost->load += times;
    if (dst != NONE && c->member[dst])
        cost->store += times;
    if (in->op == TAPE_CALL) {
        cost->call += times;
        cost->instructions += times * c->t->call.at[in->a].fn->instructions;
    }
    if (in->op == TAPE_PAST || in->op == TAPE_RECORD)
        count_spread(c->t, in, cost, times);
    if (in->op < EX_NOP)
        count_operation(cost, in->op, times);
    else if (in->op != TAPE_CHOOSE)
        count_row(cost, tape_op_info(in->op), times);
    else if (cost == &c->code)
        cost->select += 40 + 20 * c->t->set.at[in->a].n; /* loops once */
    else
        count_choice(&c->t->set.at[in->a], cost, times);
}

static void add_cost(Cost *to, const Cost *from)
{
    to->add += from->add;
    to->mul += from->mul;
    to->div += from->div;
    to->call += from->call;
    to->select += from->select;
    to->load += from->load;
    to->store += from->store;
    to->instructions += from->instructions;
}

static Cost less(Cost a, const Cost *b)
{
    a.add -= b->add;
    a.mul -= b->mul;
    a.div -= b->div;
    a.call -= b->call;
    a.select -= b->select;
    a.load -= b->load;
    a.store -= b->store;
    a.instructions -= b->instructions;
    return a;
}

static Cost counted(const Counter *c)
{
    Cost sum = {0};
    for (int i = 0; i < c->block.n; i++)
        add_cost(&sum, &c->block.at[i].cost);
    for (int i = 0; i < TO_NROLE; i++)
        add_cost(&sum, &c->watch[i]);
    return sum;
}

static void count_range(Counter *c, int first, int n, int block, long times);

/* The test, and at a tick the body. */
static void count_guard(Counter *c, int at, int block, long times)
{
    const TapeInstr *in = &c->t->code.at[at];
    count(c, &c->block.at[block].cost, in, times);
    count(c, &c->code, in, 1);
    Cost before = counted(c);
    count_range(c, at + 1, in->b, block, times);
    Cost body = less(counted(c), &before);
    add_cost(&c->rate[in->c], &body);
}

/* eval, jac and solve, and x := x - delta. */
static void count_block(Counter *c, int at, long times)
{
    int number = c->t->code.at[at].a;
    const TapeBlock *b = &c->t->block.at[number];
    CostBlock new = {.block = number, .iterations = b->iterations};
    vec_push(c->arena, &c->block, new);
    int place = c->block.n - 1;
    count_range(c, at + 1, b->neval + b->njac + b->nsolve, place,
                times * b->iterations);
    Cost *cost = &c->block.at[place].cost;
    for (int i = 0; i < b->n; i++) {
        TapeInstr correct = {EX_SUB, b->x[i], b->x[i], b->delta[i], NONE, 0, 0};
        count(c, cost, &correct, times * b->iterations);
        count(c, &c->code, &correct, 1);
    }
    cost->instructions += times * (b->n + 8); /* is it finite? */
}

/* A walk through tables: an index and two numbers are loaded for each product,
 * every second is stored. */
static void count_system(Counter *c, Cost *cost, const TapeInstr *in,
                         long times)
{
    const TapeSystem *s = &c->t->system.at[in->a];
    if (!s->table)
        return;
    const TableCount *k =
        in->op == TAPE_FACTOR ? &s->table->factor : &s->table->solve;
    cost->add += times * k->add;
    cost->mul += times * k->mul;
    cost->div += times * k->div;
    cost->call += times * k->call;
    cost->instructions += times * (13 * k->mul + 10 * k->div + 50);
    cost->load += times * 3 * k->mul;
    cost->store += times * k->mul / 2;
    c->code.store += 20; /* the call of a loop */
    if (in->op == TAPE_SOLVE) {
        c->table_bytes += table_bytes(s->table);
        c->array += s->table->nvector;
    } else if (!c->member[s->factors]) {
        c->array += s->table->nfactor;
    }
}

/* Where the instruction is counted: with its block, or apart. */
static Cost *account(Counter *c, const TapeInstr *in, int block)
{
    TapeRole role = c->t->origin.at[in->origin].role;
    return cost_watch_name(role) ? &c->watch[role] : &c->block.at[block].cost;
}

static void count_range(Counter *c, int first, int n, int block, long times)
{
    for (int i = first; i < first + n; i++) {
        const TapeInstr *in = &c->t->code.at[i];
        switch (tape_op_kind(in->op)) {
        case TI_BLOCK: count_block(c, i, times); break;
        case TI_LOOP:
            if (in->op == TAPE_GUARD)
                count_guard(c, i, block, times);
            else
                count_range(c, i + 1, in->b, block, times * in->a);
            break;
        case TI_SYSTEM:
            count_system(c, account(c, in, block), in, times);
            break;
        default:
            count(c, account(c, in, block), in, times);
            count(c, &c->code, in, 1);
        }
        i += tape_body(c->t, i);
    }
}

/* The most locals that hold a value at the same time. */
static long most_live(Counter *c, const TapeSegment *s)
{
    const Tape *t = c->t;
    Arena *local = arena_new();
    int *last = NEW_ARRAY(local, int, t->nslot);
    int *ends = NEW_ARRAY(local, int, s->count + 2);
    bool *live = NEW_ARRAY(local, bool, t->nslot);
    for (int i = 0; i < s->count; i++) {
        const TapeInstr *in = &t->code.at[s->first + i];
        bool plain = tape_op_kind(in->op) == TI_PLAIN;
        int arg[3], n = plain ? tape_reads(in, arg) : 0;
        for (int k = 0; k < n; k++)
            if (arg[k] != NONE)
                last[arg[k]] = i;
    }
    long now = 0, most = 0;
    for (int i = 0; i < s->count; i++) {
        const TapeInstr *in = &t->code.at[s->first + i];
        if (tape_op_kind(in->op) == TI_PLAIN && !c->member[in->dst] &&
            !live[in->dst]) {
            live[in->dst] = true;
            ends[last[in->dst] > i ? last[in->dst] : i]++;
            now++;
        }
        most = now > most ? now : most;
        now -= ends[i];
    }
    arena_free(local);
    return most;
}

/* A value that is used so many instructions later has left its register. */
enum { SOON = 30 };

static void see_use(Counter *c, int slot, int at, int *seen)
{
    if (slot == NONE)
        return;
    c->waits[slot] |= seen[slot] < 0 || at - seen[slot] > SOON;
    seen[slot] = -1; /* by the next one it is used again */
}

/* Truths that are masks: of locals without a name, as emit/ has them. */
static void find_masks(Counter *c, const TapeSegment *s)
{
    const Tape *t = c->t;
    bool *may = NEW_ARRAY(c->arena, bool, t->nslot + 1);
    for (int i = 0; i < t->nslot; i++)
        may[i] = !c->member[i] && t->region[i] != TR_CONST && !t->slot_name[i];
    c->mask = tape_masks(t, s, may, c->arena);
}

static void see_uses(Counter *c, const TapeSegment *s)
{
    int *seen = NEW_ARRAY(c->arena, int, c->t->nslot + 1);
    c->waits = NEW_ARRAY(c->arena, bool, c->t->nslot + 1);
    c->joins = NEW_ARRAY(c->arena, bool, c->t->nslot + 1);
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &c->t->code.at[i];
        int arg[3], n = tape_reads(in, arg), dst = tape_writes(in);
        for (int k = 0; k < n; k++) {
            see_use(c, arg[k], i, seen);
            c->joins[arg[k]] |= in->op == EX_AND;
        }
        if (dst != NONE)
            seen[dst] = i;
    }
}

/* At the end of a step what was written is looked at and kept. */
static long keeping(const Counter *c, const TapeSegment *s)
{
    bool *seen = NEW_ARRAY(c->arena, bool, c->t->nslot + 1);
    long n = 25;
    for (int i = s->first; i < s->first + s->count; i++) {
        int dst = tape_writes(&c->t->code.at[i]);
        if (dst == NONE || !c->member[dst] || seen[dst])
            continue;
        seen[dst] = true;
        n += 2;
    }
    return n;
}

CostTable *cost_of(const Tape *t, const TapeSegment *segment,
                   const bool *member, Arena *arena)
{
    Counter c = {.t = t, .member = member, .arena = arena};
    CostBlock outside = {.block = NONE, .iterations = 1};
    vec_push(arena, &c.block, outside);
    c.rate = NEW_ARRAY(arena, Cost, t->rate.n + 1);
    see_uses(&c, segment);
    find_masks(&c, segment);
    count_range(&c, segment->first, segment->count, 0, 1);
    c.block.at[0].cost.instructions += keeping(&c, segment);
    CostTable *out = NEW(arena, CostTable);
    out->block = c.block.at;
    out->nblock = c.block.n;
    out->rate = c.rate;
    for (int i = 0; i < c.block.n; i++)
        add_cost(&out->total, &c.block.at[i].cost);
    for (int i = 0; i < TO_NROLE; i++) {
        out->watch[i] = c.watch[i];
        add_cost(&out->total, &c.watch[i]);
    }
    const Cost *k = &c.code;
    out->code = *k;
    out->total.code_bytes = 10 * (k->add + k->mul + k->div) + 25 * k->call +
                            22 * k->select + 3 * k->load + 6 * k->store + 100;
    out->total.stack_bytes = 10 * most_live(&c, segment) + 64;
    return out;
}
