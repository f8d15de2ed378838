/* statements.c - one instruction as a statement, or as part of a later one. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "emit/body.h"
#include "tape/masks.h"

/* ---- statements ---- */

void body_indent(Body *b)
{
    body_open_part(b);
    text_add(b->e, b->out, "%*s", 4 * body_depth(b), "");
}

/* From here on the new value of a member is meant. */
void body_move(Body *b, int slot)
{
    b->e->checked[slot] = false;
    if (!b->is_step || b->e->home[slot] != HOME_STATE || b->moved[slot])
        return;
    b->moved[slot] = true;
    b->ref[slot] = arena_printf(b->e->local, "%snext.%s",
                                b->is_cut ? "w->" : "", b->e->ident[slot]);
}

static void assign(Body *b, int slot, const char *text, int origin)
{
    Emit *e = b->e;
    const TapeOrigin *o = &e->t->origin.at[origin];
    body_head(b, o);
    body_indent(b);
    body_move(b, slot);
    if (body_is_constant(b, slot))
        text_add(e, b->out, "const %s %s = %s;", e->real, e->ident[slot], text);
    else
        text_add(e, b->out, "%s = %s;", b->ref[slot], text);
    body_tail(b, slot, o);
}

static void release(Body *b, int at)
{
    Held h = b->held.at[at];
    memmove(&b->held.at[at], &b->held.at[at + 1],
            (size_t)(b->held.n - at - 1) * sizeof(Held));
    b->held.n--;
    assign(b, h.slot, h.text, h.origin);
}

void body_release_all(Body *b)
{
    while (b->held.n > 0)
        release(b, 0);
}

/* Held expressions that read `slot` must be computed before it changes. */
void body_before_write(Body *b, int slot)
{
    for (int i = 0; i < b->held.n;) {
        bool reads = false;
        for (int k = 0; k < b->held.at[i].nleaf; k++)
            reads |= b->held.at[i].leaf[k] == slot;
        if (reads)
            release(b, i);
        else
            i++;
    }
}

static void add_leaf(Held *h, int slot)
{
    for (int i = 0; i < h->nleaf && i < MAX_LEAF; i++)
        if (h->leaf[i] == slot)
            return;
    if (h->nleaf < MAX_LEAF)
        h->leaf[h->nleaf] = slot;
    h->nleaf++; /* beyond MAX_LEAF: too many to be held */
}

/* The text of an operand; its leaves are added to `into`. */
Held body_operand(Body *b, int slot, Held *into)
{
    for (int i = 0; i < b->held.n; i++)
        if (b->held.at[i].slot == slot) {
            Held h = b->held.at[i];
            memmove(&b->held.at[i], &b->held.at[i + 1],
                    (size_t)(b->held.n - i - 1) * sizeof(Held));
            b->held.n--;
            for (int k = 0; k < h.nleaf; k++)
                add_leaf(into, h.leaf[k]);
            return h;
        }
    Held h = {.text = b->ref[slot], .level = 9, .is_mask = b->mask[slot]};
    if (h.text[0] == '-')
        h.level = 6;
    if (b->e->home[slot] != HOME_CONST && !body_is_constant(b, slot))
        add_leaf(into, slot);
    return h;
}

const char *body_wrap(Body *b, Held h, int level)
{
    return h.level < level ? arena_printf(b->e->local, "(%s)", h.text) : h.text;
}

/* ---- operations ---- */

static bool takes_masks(const Body *b, const TapeInstr *in, int k)
{
    if (in->op == EX_IF || in->op == TAPE_COPY)
        return b->mask[in->dst] || (in->op == EX_IF && k == 0);
    return in->op == EX_AND || in->op == EX_OR || in->op == EX_NOT;
}

/* Operands as what is asked for: a mask, a number. */
static const char *as_mask(const Emit *e, Held h)
{
    return h.is_mask
               ? h.text
               : arena_printf(e->local, "takt_is%s(%s)", e->suffix, h.text);
}

static const char *as_number(const Emit *e, Held h)
{
    return h.is_mask
               ? arena_printf(e->local, "takt_truth%s(%s)", e->suffix, h.text)
               : h.text;
}

static bool is_zero(const Body *b, int slot)
{
    const Tape *t = b->e->t;
    return b->e->home[slot] == HOME_CONST && t->initial[slot] == 0 &&
           !signbit(t->initial[slot]);
}

/* Both sides have been computed. */
static const char *selection_text(const Body *b, const TapeInstr *in,
                                  const Held *arg)
{
    const Emit *e = b->e;
    const char *mask = as_mask(e, arg[0]);
    bool is_mask = b->mask[in->dst];
    const char *yes = is_mask ? as_mask(e, arg[1]) : arg[1].text;
    const char *no = is_mask ? as_mask(e, arg[2]) : arg[2].text;
    if (is_zero(b, in->c))
        return arena_printf(e->local, "takt_when%s(%s, %s)", e->suffix, mask,
                            yes);
    if (is_zero(b, in->b))
        return arena_printf(e->local, "takt_unless%s(%s, %s)", e->suffix, mask,
                            no);
    return arena_printf(e->local, "takt_if%s(%s, %s, %s)", e->suffix, mask, yes,
                        no);
}

/* and, or of two masks, of two truths; and also of one of each, which makes a
 * truth of it. */
static const char *pair_text(const Emit *e, int op, bool is_mask, Held x,
                             Held y, const char *name)
{
    bool mixed = op == EX_AND && (x.is_mask != y.is_mask);
    const char *l, *r;
    if (is_mask || (x.is_mask && y.is_mask)) {
        l = as_mask(e, x);
        r = as_mask(e, y);
    } else {
        l = mixed ? x.text : as_number(e, x);
        r = mixed ? y.text : as_number(e, y);
    }
    const char *text =
        arena_printf(e->local, "%s%s(%s, %s)", name, e->suffix, l, r);
    return !is_mask && x.is_mask && y.is_mask
               ? arena_printf(e->local, "takt_truth%s(%s)", e->suffix, text)
               : text;
}

/* x and not y; where y is a truth that is not known as a mask, x may not be
 * one. */
static const char *without_text(const Emit *e, bool is_mask, Held x,
                                const char *inner, bool inner_is_mask)
{
    Held y = {.text = inner, .is_mask = inner_is_mask};
    if (is_mask || x.is_mask) {
        const char *text =
            arena_printf(e->local, "takt_and_not%s(%s, %s)", e->suffix,
                         as_mask(e, x), as_mask(e, y));
        return is_mask ? text
                       : arena_printf(e->local, "takt_truth%s(%s)", e->suffix,
                                      text);
    }
    return arena_printf(e->local, "takt_and_not%s(%s, %s)", e->suffix, x.text,
                        inner);
}

static const char *negation_text(Emit *e, bool is_mask, Held x)
{
    if (is_mask && !x.is_mask)
        return arena_printf(e->local, "takt_is_eq%s(%s, %s)", e->suffix, x.text,
                            emit_number(e, 0));
    if (is_mask)
        return arena_printf(e->local, "takt_is_not%s(%s)", e->suffix, x.text);
    if (x.is_mask)
        return arena_printf(e->local, "takt_and_not%s(%s, %s)", e->suffix,
                            emit_number(e, 1), x.text);
    return arena_printf(e->local, "takt_not%s(%s)", e->suffix, x.text);
}

/* NULL: the operation is not logic. */
static const char *logic_text(const Body *b, const TapeInstr *in,
                              const Held *arg)
{
    Emit *e = b->e;
    bool is_mask = b->mask[in->dst];
    if (in->op == EX_IF)
        return selection_text(b, in, arg);
    if (in->op == EX_NOT)
        return negation_text(e, is_mask, arg[0]);
    if (is_mask && tape_is_comparison(in->op))
        return arena_printf(e->local, "takt_is_%s%s(%s, %s)",
                            expr_op_info[in->op].c, e->suffix, arg[0].text,
                            arg[1].text);
    for (int k = 0; in->op == EX_AND && k < 2; k++)
        if (arg[k].op == EX_NOT)
            return without_text(e, is_mask, arg[1 - k], arg[k].inner,
                                arg[k].inner_is_mask);
    if (in->op == EX_AND || in->op == EX_OR)
        return pair_text(e, in->op, is_mask, arg[0], arg[1],
                         in->op == EX_AND ? "takt_and" : "takt_or");
    return NULL;
}

static const char *call_text(Body *b, const TapeInstr *in, const Held *arg,
                             int n)
{
    Emit *e = b->e;
    int op = in->op;
    if (op >= EX_NOP)
        unreachable(); /* each has a case of its own */
    const char *logic = logic_text(b, in, arg);
    if (logic)
        return logic;
    const char *prefix = op_has(op, OP_LIBM) && !e->o->own_math ? "" : "takt_";
    const char *name =
        arena_printf(e->local, "%s%s%s", prefix, expr_op_info[op].c, e->suffix);
    if (n == 1)
        return arena_printf(e->local, "%s(%s)", name, arg[0].text);
    if (n == 2)
        return arena_printf(e->local, "%s(%s, %s)", name, arg[0].text,
                            arg[1].text);
    return arena_printf(e->local, "%s(%s, %s, %s)", name, arg[0].text,
                        arg[1].text, arg[2].text);
}

static void infix(Body *b, Held *out, const char *op, int level,
                  const Held *arg)
{
    out->text =
        arena_printf(b->e->local, "%s %s %s", body_wrap(b, arg[0], level), op,
                     body_wrap(b, arg[1], level + 1));
    out->level = level;
}

const char *emit_spread_begin(Emit *e, int number, const char *x)
{
    const TapeDelay *d = &e->t->delay.at[number];
    const InlinedDelay *delay = e->f->low->inlined->delay;
    const char *list = "";
    for (int k = 0; k < 2 * d->first; k++)
        list = arena_printf(e->local, "%s%sm->h.past%d[0]", list,
                            k == 0 ? "" : ", ",
                            inlined_spread_first(delay, number) + k);
    return arena_printf(e->local,
                        "takt_spread_begin%s(m->h.past%d, %d, %s, "
                        "m->h.past%d[0], m->h.past%d[0], m->h.past%d[0], "
                        "(const %s[]){%s}, %d)",
                        e->suffix, number, d->points, x,
                        inlined_spread_time(number),
                        inlined_spread_inflow(number),
                        inlined_spread_side(number), e->real, list, d->first);
}

/* A delayed value: number of the delay, time, delay. */
static const char *past_text(Body *b, int number, const Held *arg)
{
    Emit *e = b->e;
    const TapeDelay *d = &e->t->delay.at[number];
    if (d->past == TP_SPREAD)
        return arena_printf(
            e->local, "takt_spread_read%s(m->h.past%d, %d, %s, (int)%s)",
            e->suffix, number, d->points, arg[0].text, arg[1].text);
    return arena_printf(
        e->local, "takt_past%s(m->h.past%d, %d, %s - %s, %s, %s, %s - %s)",
        e->suffix, number, d->size, b->ref[d->count], emit_number(e, 1),
        emit_number(e, e->t->start), e->ref[e->t->step],
        body_wrap(b, arg[0], 4), body_wrap(b, arg[1], 5));
}

/* The first time it begins. */
static void record_spread(Body *b, int number, const char *x)
{
    Emit *e = b->e;
    const TapeDelay *d = &e->t->delay.at[number];
    text_add(e, b->out, "if (%s == 0)\n", b->ref[d->count]);
    body_indent(b);
    text_add(e, b->out, "    %s;\n", emit_spread_begin(e, number, x));
    body_indent(b);
    text_add(e, b->out, "else\n");
    body_indent(b);
    text_add(e, b->out,
             "    takt_spread_record%s(m->h.past%d, %d, %s, m->h.past%d[0], "
             "m->h.past%d[0], m->h.past%d[0]);\n",
             e->suffix, number, d->points, x, inlined_spread_time(number),
             inlined_spread_inflow(number), inlined_spread_side(number));
}

static void record(Body *b, const TapeInstr *in)
{
    Emit *e = b->e;
    const TapeDelay *d = &e->t->delay.at[in->a];
    Held into = {0};
    Held value = body_operand(b, in->b, &into);
    body_indent(b);
    if (d->past == TP_NUMBER)
        text_add(e, b->out, "m->h.past%d[0] = %s;\n", in->a, value.text);
    if (d->past == TP_SPREAD)
        record_spread(b, in->a, value.text);
    if (d->past != TP_RING)
        return;
    text_add(e, b->out, "m->h.past%d[takt_place%s(%s, %d)] = %s;\n", in->a,
             e->suffix, b->ref[d->count], d->size, value.text);
}

/* takt_rt_states.h in the room of a set. */
static void choose(Body *b, int number)
{
    Emit *e = b->e;
    const TapeSet *s = &e->t->set.at[number];
    int p = s->nentry + 2 * s->n, x = p + s->nstate * s->n;
    int end = x + 2 * s->nstate;
    body_release_all(b);
    body_indent(b);
    text_add(e, b->out, "{ /* which candidates are states */\n");
    body_indent(b);
    text_add(e, b->out, "    static const int at[] = {");
    for (int i = 0; i < s->nentry; i++)
        text_add(e, b->out, "%s%d", i ? ", " : "", s->at[i]);
    text_add(e, b->out, "};\n");
    body_indent(b);
    text_add(e, b->out, "    %s *const r = m->h.set%d;\n", e->real, number);
    body_indent(b);
    text_add(e, b->out,
             "    const takt_states states = {%d, %d, %d, %d, %d, at, r, r + "
             "%d, r + %d, r + %d, r + %d, r + %d, r + %d};\n",
             s->n, s->nstate, s->nrow, s->neliminated, s->nentry, s->nentry,
             s->nentry + s->n, p, x, x + s->nstate, end + 1);
    body_indent(b);
    text_add(e, b->out, "    r[%d] = takt_states_choose(&states);\n", end);
    body_indent(b);
    text_add(e, b->out, "}\n");
}

static void put(Body *b, const TapeInstr *in)
{
    Held into = {0};
    Held value = body_operand(b, in->c, &into);
    body_indent(b);
    text_add(b->e, b->out, "m->h.set%d[%d] = %s;\n", in->a, in->b, value.text);
}

static Held operation(Body *b, const TapeInstr *in)
{
    Held out = {.slot = in->dst, .level = 9, .origin = in->origin};
    Held arg[3];
    int slot[3], n = tape_reads(in, slot);
    for (int i = 0; i < n; i++) {
        arg[i] = body_operand(b, slot[i], &out);
        if (!takes_masks(b, in, i))
            arg[i] =
                (Held){.text = as_number(b->e, arg[i]), .level = arg[i].level};
    }
    switch (in->op) {
    case TAPE_GET:
        out.text = arena_printf(b->e->local, "m->h.set%d[%d]", in->a, in->b);
        break;
    case TAPE_PAST: out.text = past_text(b, in->a, arg); break;
    case TAPE_CALL: {
        const char *plain[2] = {arg[0].text, arg[1].text};
        out.text = emit_call_text(b->e, in, plain, b->ref);
        break;
    }
    case TAPE_PICK:
        out.text = b->ref[b->e->t->call.at[in->a].row + in->c];
        break;
    case TAPE_COPY:
        out.is_mask = b->mask[in->dst];
        out.text = out.is_mask && !is_zero(b, in->a) ? as_mask(b->e, arg[0])
                                                     : arg[0].text;
        out.level = arg[0].level;
        break;
    case EX_ADD: infix(b, &out, "+", 4, arg); break;
    case EX_SUB: infix(b, &out, "-", 4, arg); break;
    case EX_MUL: infix(b, &out, "*", 5, arg); break;
    case EX_DIV: infix(b, &out, "/", 5, arg); break;
    case EX_NEG:
        out.text =
            arena_printf(b->e->local, arg[0].text[0] == '-' ? "-(%s)" : "-%s",
                         body_wrap(b, arg[0], 6));
        out.level = 6;
        break;
    default:
        out.text = call_text(b, in, arg, n);
        out.is_mask = b->mask[in->dst];
        if (in->op == EX_NOT) {
            out.op = in->op;
            out.inner = arg[0].text;
            out.inner_is_mask = arg[0].is_mask;
        }
    }
    return out;
}

static void note(Body *b, const TapeInstr *in)
{
    Emit *e = b->e;
    Held into = {0};
    const char *alarm = body_operand(b, in->b, &into).text;
    const char *number = arena_printf(e->local, "%s%s", b->is_cut ? "w->" : "",
                                      emit_noted(e, (StatusCause)in->a));
    body_indent(b);
    text_add(e, b->out, "%s = takt_exceeds%s(%s, %s, %d);\n", number, e->suffix,
             number, alarm, emit_note_place(e, in));
}

/* What writes no slot. */
static void act(Body *b, const TapeInstr *in)
{
    switch (in->op) {
    case TAPE_RECORD: record(b, in); break;
    case TAPE_PUT: put(b, in); break;
    case TAPE_CHOOSE: choose(b, in->a); break;
    case TAPE_NOTE: note(b, in); break;
    default: unreachable();
    }
}

/* A call that gives all its results at once is a statement. */
static void call_all(Body *b, const TapeInstr *in, int row)
{
    body_before_write(b, row);
    if (in->dst != row)
        body_before_write(b, in->dst);
    const char *text = emit_call_text(b->e, in, &b->ref[row], b->ref);
    body_indent(b);
    text_add(b->e, b->out, "%s;\n", text);
    if (in->dst != row)
        assign(b, in->dst, b->ref[row], in->origin);
}

void body_plain(Body *b, const TapeInstr *in)
{
    if (!tape_op_writes(in->op)) {
        act(b, in);
        return;
    }
    int row;
    if (tape_row(b->e->t, in, &row) > 0) {
        call_all(b, in, row);
        return;
    }
    Held h = operation(b, in);
    bool hold = body_is_constant(b, in->dst) && b->nuse[in->dst] == 1 &&
                tape_op_kind(in->op) == TI_PLAIN &&
                !b->e->t->slot_name[in->dst] && h.nleaf <= MAX_LEAF &&
                strlen(h.text) < MAX_WIDTH;
    if (!hold) {
        bool checked = in->op == TAPE_COPY && b->e->checked[in->a];
        body_before_write(b, in->dst);
        assign(b, in->dst, h.text, in->origin);
        b->e->checked[in->dst] = checked;
        return;
    }
    if (b->held.n == MAX_HELD)
        release(b, 0);
    vec_push(b->e->local, &b->held, h);
}
