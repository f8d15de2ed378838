/* body.c - a segment as the statements of a function.
 *
 * A temporary that is used once stands in the expression that uses it, if the
 * line stays short and nothing it reads is written in between: such
 * expressions are `held` until then. Other locals are constants where they get
 * their value; those that are written several times are declared on top.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "emit/emit_internal.h"

enum { MAX_LEAF = 6, MAX_HELD = 24, MAX_WIDTH = 64 };

typedef struct Held {
    int slot;
    const char *text;
    int level; /* of precedence */
    int leaf[MAX_LEAF];
    int nleaf;
} Held;

typedef struct Body {
    Emit *e;
    Text *out;
    int *ndef, *nuse; /* of each slot in this segment */
    int *scope;       /* of the definition */
    bool *spread;     /* used outside of the scope of its definition */
    Vec(int) parent;  /* of each scope */
    Vec(Held) held;
    int now;   /* scope */
    int depth; /* of indentation */
} Body;

/* --- analysis
 * ---------------------------------------------------------------------- */

static int new_scope(Body *b)
{
    vec_push(b->e->local, &b->parent, b->now);
    return b->parent.n - 1;
}

static bool is_inside(const Body *b, int scope, int outer)
{
    while (scope != NONE && scope != outer)
        scope = b->parent.at[scope];
    return scope == outer;
}

static void see_use(Body *b, int slot)
{
    if (slot == NONE)
        return;
    b->nuse[slot]++;
    if (b->ndef[slot] == 0 || !is_inside(b, b->now, b->scope[slot]))
        b->spread[slot] = true;
}

static void see_def(Body *b, int slot)
{
    if (b->ndef[slot]++ == 0)
        b->scope[slot] = b->now;
}

static int block_size(const TapeBlock *k)
{
    return k->neval + k->njac + k->nsolve;
}

static void see_range(Body *b, int first, int count);

static void see_block(Body *b, int at)
{
    const TapeBlock *k = &b->e->t->block.at[b->e->t->code.at[at].a];
    int outer = b->now;
    if (k->iterations > 1)
        b->now = new_scope(b);
    see_range(b, at + 1, block_size(k));
    for (int i = 0; i < k->n; i++) {
        see_use(b, k->delta[i]);
        if (k->iterations > 1 && !k->is_linear)
            see_use(b, k->delta[i]); /* monitored */
        see_use(b, k->x[i]);
        see_def(b, k->x[i]);
        see_def(b, k->x[i]);
    }
    b->now = outer;
}

static void see_range(Body *b, int first, int count)
{
    const Tape *t = b->e->t;
    for (int i = first; i < first + count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK) {
            see_block(b, i);
            i += block_size(&t->block.at[in->a]);
        } else if (in->op == TAPE_REPEAT) {
            int outer = b->now;
            b->now = new_scope(b);
            see_range(b, i + 1, in->b);
            b->now = outer;
            i += in->b;
        } else {
            const int arg[3] = {in->a, in->b, in->c};
            for (int k = 0; k < tape_op_narg(in->op); k++)
                see_use(b, arg[k]);
            see_def(b, in->dst);
        }
    }
}

/* Written once, and used only where that is visible. */
static bool is_constant(const Body *b, int slot)
{
    return b->e->home[slot] == HOME_LOCAL && b->ndef[slot] == 1 &&
           !b->spread[slot];
}

/* --- statements
 * -------------------------------------------------------------------- */

static void indent(Body *b)
{
    text_add(b->e, b->out, "%*s", 4 * b->depth, "");
}

static void assign(Body *b, int slot, const char *text)
{
    Emit *e = b->e;
    indent(b);
    if (is_constant(b, slot))
        text_add(e, b->out, "const %s %s = %s;\n", e->real, e->ident[slot],
                 text);
    else
        text_add(e, b->out, "%s = %s;\n", e->ref[slot], text);
}

static void release(Body *b, int at)
{
    Held h = b->held.at[at];
    memmove(&b->held.at[at], &b->held.at[at + 1],
            (size_t)(b->held.n - at - 1) * sizeof(Held));
    b->held.n--;
    assign(b, h.slot, h.text);
}

static void release_all(Body *b)
{
    while (b->held.n > 0)
        release(b, 0);
}

/* Held expressions that read `slot` must be computed before it changes. */
static void before_write(Body *b, int slot)
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
static Held operand(Body *b, int slot, Held *into)
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
    Held h = {.text = b->e->ref[slot], .level = 9};
    if (h.text[0] == '-')
        h.level = 6;
    if (b->e->home[slot] != HOME_CONST && !is_constant(b, slot))
        add_leaf(into, slot);
    return h;
}

static const char *wrap(Body *b, Held h, int level)
{
    return h.level < level ? arena_printf(b->e->local, "(%s)", h.text) : h.text;
}

/* --- operations
 * --------------------------------------------------------------------- */

typedef struct Function {
    int op;
    const char *name;
    bool is_rt; /* of takt_rt.h in any case */
} Function;

static const Function functions[] = {
    {EX_SIN, "sin", false},      {EX_COS, "cos", false},
    {EX_TAN, "tan", false},      {EX_ASIN, "asin", false},
    {EX_ACOS, "acos", false},    {EX_ATAN, "atan", false},
    {EX_ATAN2, "atan2", false},  {EX_SINH, "sinh", false},
    {EX_COSH, "cosh", false},    {EX_TANH, "tanh", false},
    {EX_EXP, "exp", false},      {EX_LOG, "log", false},
    {EX_LOG10, "log10", false},  {EX_SQRT, "sqrt", false},
    {EX_POW, "pow", false},      {EX_ABS, "abs", true},
    {EX_SIGN, "sign", true},     {EX_MIN, "min", true},
    {EX_MAX, "max", true},       {EX_FLOOR, "floor", true},
    {EX_INTEGER, "floor", true}, {EX_CEIL, "ceil", true},
    {EX_IDIV, "idiv", true},     {EX_MOD, "mod", true},
    {EX_REM, "rem", true},       {EX_LT, "lt", true},
    {EX_LE, "le", true},         {EX_GT, "gt", true},
    {EX_GE, "ge", true},         {EX_EQ, "eq", true},
    {EX_NE, "ne", true},         {EX_AND, "and", true},
    {EX_OR, "or", true},         {EX_NOT, "not", true},
    {EX_IF, "select", true},
};

static const char *call_text(Body *b, int op, const Held *arg, int n)
{
    Emit *e = b->e;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const Function *f = &functions[i];
        if (f->op != op)
            continue;
        const char *prefix = f->is_rt || e->o->own_math ? "takt_" : "";
        if (n == 1)
            return arena_printf(e->local, "%s%s%s(%s)", prefix, f->name,
                                e->suffix, arg[0].text);
        if (n == 2)
            return arena_printf(e->local, "%s%s%s(%s, %s)", prefix, f->name,
                                e->suffix, arg[0].text, arg[1].text);
        return arena_printf(e->local, "%s%s%s(%s, %s, %s)", prefix, f->name,
                            e->suffix, arg[0].text, arg[1].text, arg[2].text);
    }
    return "takt_unknown_operation"; /* does not compile */
}

static void infix(Body *b, Held *out, const char *op, int level,
                  const Held *arg)
{
    out->text = arena_printf(b->e->local, "%s %s %s", wrap(b, arg[0], level),
                             op, wrap(b, arg[1], level + 1));
    out->level = level;
}

static Held operation(Body *b, const TapeInstr *in)
{
    Held out = {.slot = in->dst, .level = 9};
    Held arg[3];
    const int slot[3] = {in->a, in->b, in->c};
    int n = tape_op_narg(in->op);
    for (int i = 0; i < n; i++)
        arg[i] = operand(b, slot[i], &out);
    switch (in->op) {
    case TAPE_COPY:
        out.text = arg[0].text;
        out.level = arg[0].level;
        break;
    case EX_ADD: infix(b, &out, "+", 4, arg); break;
    case EX_SUB: infix(b, &out, "-", 4, arg); break;
    case EX_MUL: infix(b, &out, "*", 5, arg); break;
    case EX_DIV: infix(b, &out, "/", 5, arg); break;
    case EX_NEG:
        out.text =
            arena_printf(b->e->local, arg[0].text[0] == '-' ? "-(%s)" : "-%s",
                         wrap(b, arg[0], 6));
        out.level = 6;
        break;
    default: out.text = call_text(b, in->op, arg, n);
    }
    return out;
}

static void plain(Body *b, const TapeInstr *in)
{
    Held h = operation(b, in);
    bool hold = is_constant(b, in->dst) && b->nuse[in->dst] == 1 &&
                !b->e->t->slot_name[in->dst] && h.nleaf <= MAX_LEAF &&
                strlen(h.text) < MAX_WIDTH;
    if (!hold) {
        before_write(b, in->dst);
        assign(b, in->dst, h.text);
        return;
    }
    if (b->held.n == MAX_HELD)
        release(b, 0);
    vec_push(b->e->local, &b->held, h);
}

/* --- blocks and loops
 * ---------------------------------------------------------------- */

static void range(Body *b, int first, int count);

/* The text between comment marks, a line each. */
static void comment(Body *b, const char *head, const char *text)
{
    indent(b);
    text_add(b->e, b->out, "/* %s", head);
    for (const char *s = text; s && *s;) {
        size_t n = strcspn(s, "\n");
        text_add(b->e, b->out, "\n");
        indent(b);
        text_add(b->e, b->out, " *     ");
        for (size_t i = 0; i < n; i++)
            text_add(b->e, b->out, "%c",
                     s[i] == '*' && s[i + 1] == '/' ? '+' : s[i]);
        s += n + (s[n] == '\n');
    }
    text_add(b->e, b->out, " */\n");
}

static void introduce(Body *b, const TapeBlock *k, int number)
{
    Emit *e = b->e;
    Place place = {0};
    if (e->o->sources)
        place = sources_place(e->o->sources, k->span);
    const char *base = place.path ? strrchr(place.path, '/') : NULL;
    base = base ? base + 1 : place.path;
    const char *where =
        base ? arena_printf(e->local, ", %s:%d", base, place.line) : "";
    comment(b,
            arena_printf(e->local, "block %d: %s (%s%s%s)", number, k->name,
                         k->is_linear ? "linear" : "nonlinear",
                         k->iterations > 1 ? ", iterated" : "", where),
            k->text);
}

static void correct(Body *b, const TapeBlock *k, bool monitored)
{
    Emit *e = b->e;
    for (int i = 0; i < k->n; i++) {
        Held into = {0};
        Held d = operand(b, k->delta[i], &into);
        before_write(b, k->x[i]);
        indent(b);
        text_add(e, b->out, "%s -= %s;\n", e->ref[k->x[i]], d.text);
        if (!monitored)
            continue;
        const char *f = e->suffix;
        const char *over = arena_printf(
            e->local, "takt_abs%s(%s) - %s * (%s + takt_abs%s(%s))", f, d.text,
            emit_number(e, 1e-3), emit_number(e, k->nominal[i]), f,
            e->ref[k->x[i]]);
        indent(b);
        if (i == 0)
            text_add(e, b->out, "excess = %s;\n", over);
        else
            text_add(e, b->out, "excess = takt_max%s(excess, %s);\n", f, over);
    }
}

static void block(Body *b, int at)
{
    Emit *e = b->e;
    int number = e->t->code.at[at].a;
    const TapeBlock *k = &e->t->block.at[number];
    bool loops = k->iterations > 1, monitored = loops && !k->is_linear;
    release_all(b);
    text_add(e, b->out, "\n");
    introduce(b, k, number + 1);
    if (loops) {
        indent(b);
        text_add(e, b->out, "for (int i = 0; i < %d; i++) {\n", k->iterations);
        b->depth++;
    }
    range(b, at + 1, block_size(k));
    correct(b, k, monitored);
    if (loops) {
        release_all(b);
        b->depth--;
        indent(b);
        text_add(e, b->out, "}\n");
    }
    for (int i = 0; i < k->n; i++) {
        const char *x = e->ref[k->x[i]];
        indent(b);
        text_add(e, b->out, "sum %s %s - %s;\n", i ? "+=" : "=", x, x);
    }
    indent(b);
    text_add(e, b->out, "bad = takt_note%s(bad, sum, %d);\n", e->suffix,
             number + 1);
    if (monitored) {
        indent(b);
        text_add(e, b->out, "warn = takt_exceeds%s(warn, excess, %d);\n",
                 e->suffix, number + 1);
    }
    text_add(e, b->out, "\n");
}

static void repeat(Body *b, int at)
{
    Emit *e = b->e;
    const TapeInstr *in = &e->t->code.at[at];
    release_all(b);
    text_add(e, b->out, "\n");
    comment(b, "events: kept while something changes", NULL);
    indent(b);
    text_add(e, b->out, "for (int event = 0; event < %d; event++) {\n", in->a);
    b->depth++;
    range(b, at + 1, in->b);
    release_all(b);
    b->depth--;
    indent(b);
    text_add(e, b->out, "}\n\n");
}

static void range(Body *b, int first, int count)
{
    const Tape *t = b->e->t;
    for (int i = first; i < first + count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK) {
            block(b, i);
            i += block_size(&t->block.at[in->a]);
        } else if (in->op == TAPE_REPEAT) {
            repeat(b, i);
            i += in->b;
        } else {
            plain(b, in);
        }
    }
}

/* Locals that are written more than once. */
static void declare(Body *b)
{
    Emit *e = b->e;
    for (int i = 0; i < e->t->nslot; i++) {
        if (e->home[i] != HOME_LOCAL || b->ndef[i] == 0 || is_constant(b, i))
            continue;
        indent(b);
        text_add(e, b->out, "%s %s = 0;\n", e->real, e->ident[i]);
    }
}

void emit_body(Emit *e, Text *out, const TapeSegment *segment)
{
    Body b = {.e = e, .out = out, .now = NONE, .depth = 1};
    int n = e->t->nslot;
    b.ndef = NEW_ARRAY(e->local, int, n);
    b.nuse = NEW_ARRAY(e->local, int, n);
    b.scope = NEW_ARRAY(e->local, int, n);
    b.spread = NEW_ARRAY(e->local, bool, n);
    b.now = new_scope(&b);
    see_range(&b, segment->first, segment->count);
    declare(&b);
    range(&b, segment->first, segment->count);
    release_all(&b);
}
