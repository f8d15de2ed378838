/* body.c - a segment as the statements of a function, or of several.
 *
 * A long segment is cut into parts of a few hundred statements: compilers need
 * time that grows faster than the length of a function. What several parts use
 * is a member of a struct of its own, `w`; loops stay where they are and call
 * the parts of their bodies. The walk that looks and the walk that writes cut
 * at the same places (cut()).
 *
 * A temporary that is used once stands in the expression that uses it, if the
 * line stays short and nothing it reads is written in between: such
 * expressions are `held` until then. Other locals are constants where they get
 * their value; those that are written several times are declared on top.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>
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
    int *home_part;   /* part of the definition */
    bool *shared;     /* used in several parts: a member of w */
    bool *looped;     /* written in a loop */
    bool *moved;      /* reads go to the struct of new members by now */
    const char **ref; /* how the code of this segment reads a slot */
    bool is_step;     /* runs often, and is watched */
    bool is_cut;      /* into parts */
    bool is_open;     /* a part is being written */
    int part;         /* number of the present one */
    int length;       /* instructions in it */
    const char *name; /* of the function */
    Text *main;       /* the function itself */
    Text *parts;      /* what stands in front of it */
    const char *bad, *warn, *sum, *excess;
    Vec(int) parent; /* of each scope */
    Vec(Held) held;
    int now;   /* scope */
    int depth; /* of indentation */
} Body;

/* --- parts
 * ------------------------------------------------------------------------- */

enum { WHOLE = 4000, PART = 800 }; /* instructions */

static void release_all(Body *b);
static void indent(Body *b);

/* Ends the present part. */
static void cut(Body *b)
{
    if (!b->is_cut)
        return;
    if (b->is_open) {
        release_all(b);
        text_add(b->e, b->parts, "}\n\n");
        text_add(b->e, b->main, "%*s%s_part%d(m, w);\n", 4 * b->depth, "",
                 b->name, b->part);
    }
    b->is_open = false;
    b->out = b->main;
    b->part++;
    b->length = 0;
}

static void count_instruction(Body *b)
{
    if (b->length++ == PART)
        cut(b);
}

static bool is_constant(const Body *b, int slot);

/* Locals that are written more than once. */
static void declare(Body *b, int part)
{
    Emit *e = b->e;
    for (int i = 0; i < e->t->nslot; i++) {
        if (e->home[i] != HOME_LOCAL || b->ndef[i] == 0 || b->shared[i] ||
            e->array[i] || is_constant(b, i) ||
            (b->is_cut && b->home_part[i] != part))
            continue;
        text_add(e, b->out, "    %s %s = 0;\n", e->real, e->ident[i]);
    }
}

/* The first statement of a part opens it. */
static void open_part(Body *b)
{
    if (!b->is_cut || b->is_open)
        return;
    const char *n = b->e->o->name;
    b->is_open = true;
    b->out = b->parts;
    text_add(b->e, b->out,
             "static %s void %s_part%d(%s *m, %s_work *w)\n{\n"
             "    (void)m;\n    (void)w;\n",
             b->is_step ? "TAKT_APART" : "TAKT_RARELY", b->name, b->part, n,
             b->name);
    declare(b, b->part);
}

static int depth_of(const Body *b)
{
    return b->is_open ? 1 : b->depth;
}

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
    if (b->is_cut && (b->spread[slot] || b->home_part[slot] != b->part))
        b->shared[slot] = true;
}

static void see_def(Body *b, int slot)
{
    b->looped[slot] |= b->now > 0;
    if (b->ndef[slot]++ == 0) {
        b->scope[slot] = b->now;
        b->home_part[slot] = b->part;
    } else if (b->is_cut && b->home_part[slot] != b->part) {
        b->shared[slot] = true;
    }
}

static int block_size(const TapeBlock *k)
{
    return k->neval + k->njac + k->nsolve;
}

static void see_range(Body *b, int first, int count);

/* Uses and definitions in the function itself are a part of their own. */
static void see_list(Body *b, const int *slot, int n, void see(Body *, int))
{
    cut(b);
    for (int i = 0; i < n; i++)
        see(b, slot[i]);
    cut(b);
}

/* The system behind FACTOR, the last instruction of the Jacobian. */
static const TapeSystem *system_of(const Body *b, int at, const TapeBlock *k)
{
    const TapeInstr *in = &b->e->t->code.at[at + k->neval + k->njac];
    return &b->e->t->system.at[in->a];
}

static void see_damped(Body *b, int at, const TapeBlock *k)
{
    int outer = b->now;
    const TapeSystem *s = system_of(b, at, k);
    see_list(b, k->x, k->n, see_use);
    b->now = new_scope(b);
    see_list(b, k->x, k->n, see_def);
    see_range(b, at + 1, k->neval);
    see_list(b, k->residual, k->n, see_use);
    b->now = new_scope(b);
    see_range(b, at + 1 + k->neval, k->njac - 1);
    see_list(b, s->entry, s->nnz, see_use);
    b->now = outer;
    see_list(b, k->x, k->n, see_def);
}

static void see_block(Body *b, int at)
{
    const TapeBlock *k = &b->e->t->block.at[b->e->t->code.at[at].a];
    if (k->is_damped) {
        see_damped(b, at, k);
        return;
    }
    int outer = b->now;
    if (k->iterations > 1) {
        cut(b);
        b->now = new_scope(b);
    }
    see_range(b, at + 1, block_size(k));
    for (int i = 0; i < k->n; i++) {
        see_use(b, k->delta[i]);
        if (k->iterations > 1 && !k->is_linear)
            see_use(b, k->delta[i]); /* monitored */
        see_use(b, k->x[i]);
        see_def(b, k->x[i]);
        see_def(b, k->x[i]);
    }
    if (k->iterations > 1)
        cut(b);
    b->now = outer;
    for (int i = 0; i < k->n; i++)
        see_use(b, k->x[i]); /* is it finite? */
    if (k->monitor != 0)
        see_use(b, k->monitor);
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
            cut(b);
            b->now = new_scope(b);
            see_range(b, i + 1, in->b);
            cut(b);
            b->now = outer;
            i += in->b;
        } else if (in->op == TAPE_LEAVE) {
            see_list(b, &in->a, 1, see_use);
        } else if (in->op == TAPE_FACTOR || in->op == TAPE_SOLVE) {
            count_instruction(b);
        } else {
            count_instruction(b);
            int arg[3], narg = tape_reads(in, arg);
            for (int k = 0; k < narg; k++)
                see_use(b, arg[k]);
            if (tape_writes(in) != NONE)
                see_def(b, in->dst);
        }
    }
}

/* Written once, and used only where that is visible. */
static bool is_constant(const Body *b, int slot)
{
    return b->e->home[slot] == HOME_LOCAL && b->ndef[slot] == 1 &&
           !b->spread[slot] && !b->shared[slot] && !b->e->array[slot];
}

/* --- statements
 * -------------------------------------------------------------------- */

static void indent(Body *b)
{
    open_part(b);
    text_add(b->e, b->out, "%*s", 4 * depth_of(b), "");
}

/* From here on the new value of a member is meant. */
static void move(Body *b, int slot)
{
    b->e->checked[slot] = false;
    if (!b->is_step || b->e->home[slot] != HOME_STATE || b->moved[slot])
        return;
    b->moved[slot] = true;
    b->ref[slot] = arena_printf(b->e->local, "%snext.%s",
                                b->is_cut ? "w->" : "", b->e->ident[slot]);
}

static void assign(Body *b, int slot, const char *text)
{
    Emit *e = b->e;
    indent(b);
    move(b, slot);
    if (is_constant(b, slot))
        text_add(e, b->out, "const %s %s = %s;\n", e->real, e->ident[slot],
                 text);
    else
        text_add(e, b->out, "%s = %s;\n", b->ref[slot], text);
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
    Held h = {.text = b->ref[slot], .level = 9};
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

/* A delayed value: number of the delay, time, delay. */
static const char *past_text(Body *b, int number, const Held *arg)
{
    Emit *e = b->e;
    const TapeDelay *d = &e->t->delay.at[number];
    return arena_printf(
        e->local, "takt_past%s(m->h.past%d, %d, %s - %s, %s, %s, %s - %s)",
        e->suffix, number, d->size, b->ref[d->count], emit_number(e, 1),
        emit_number(e, e->t->start), e->ref[e->t->step], wrap(b, arg[0], 4),
        wrap(b, arg[1], 5));
}

static void record(Body *b, const TapeInstr *in)
{
    Emit *e = b->e;
    const TapeDelay *d = &e->t->delay.at[in->a];
    Held into = {0};
    Held value = operand(b, in->b, &into);
    indent(b);
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
    release_all(b);
    indent(b);
    text_add(e, b->out, "{ /* which candidates are states */\n");
    indent(b);
    text_add(e, b->out, "    static const int at[] = {");
    for (int i = 0; i < s->nentry; i++)
        text_add(e, b->out, "%s%d", i ? ", " : "", s->at[i]);
    text_add(e, b->out, "};\n");
    indent(b);
    text_add(e, b->out, "    %s *const r = m->h.set%d;\n", e->real, number);
    indent(b);
    text_add(e, b->out,
             "    const takt_states states = {%d, %d, %d, %d, %d, at, r, r + "
             "%d, r + %d, r + %d, r + %d, r + %d, r + %d};\n",
             s->n, s->nstate, s->nrow, s->neliminated, s->nentry, s->nentry,
             s->nentry + s->n, p, x, x + s->nstate, end + 1);
    indent(b);
    text_add(e, b->out, "    r[%d] = takt_states_choose(&states);\n", end);
    indent(b);
    text_add(e, b->out, "}\n");
}

static void put(Body *b, const TapeInstr *in)
{
    Held into = {0};
    Held value = operand(b, in->c, &into);
    indent(b);
    text_add(b->e, b->out, "m->h.set%d[%d] = %s;\n", in->a, in->b, value.text);
}

static Held operation(Body *b, const TapeInstr *in)
{
    Held out = {.slot = in->dst, .level = 9};
    Held arg[3];
    int slot[3], n = tape_reads(in, slot);
    for (int i = 0; i < n; i++)
        arg[i] = operand(b, slot[i], &out);
    switch (in->op) {
    case TAPE_GET:
        out.text = arena_printf(b->e->local, "m->h.set%d[%d]", in->a, in->b);
        break;
    case TAPE_PAST: out.text = past_text(b, in->a, arg); break;
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
                in->op != TAPE_PAST && in->op != TAPE_GET &&
                !b->e->t->slot_name[in->dst] && h.nleaf <= MAX_LEAF &&
                strlen(h.text) < MAX_WIDTH;
    if (!hold) {
        bool checked = in->op == TAPE_COPY && b->e->checked[in->a];
        before_write(b, in->dst);
        assign(b, in->dst, h.text);
        b->e->checked[in->dst] = checked;
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
    int depth = 4 * depth_of(b);
    text_add(b->e, b->out, "%*s/* %s", depth, "", head);
    for (const char *s = text; s && *s;) {
        size_t n = strcspn(s, "\n");
        text_add(b->e, b->out, "\n%*s *     ", depth, "");
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
        const char *old = b->ref[k->x[i]];
        move(b, k->x[i]);
        if (b->ref[k->x[i]] == old)
            text_add(e, b->out, "%s -= %s;\n", old, d.text);
        else
            text_add(e, b->out, "%s = %s - %s;\n", b->ref[k->x[i]], old,
                     wrap(b, d, 5));
        if (!monitored)
            continue;
        const char *f = e->suffix;
        const char *over = arena_printf(
            e->local, "takt_abs%s(%s) - %s * (%s + takt_abs%s(%s))", f, d.text,
            emit_number(e, 1e-3), emit_number(e, k->nominal[i]), f,
            b->ref[k->x[i]]);
        indent(b);
        if (i == 0)
            text_add(e, b->out, "%s = %s;\n", b->excess, over);
        else
            text_add(e, b->out, "%s = takt_max%s(%s, %s);\n", b->excess, f,
                     b->excess, over);
    }
}

/* Are the results finite, has the iteration come to an end? */
static void watch(Body *b, const TapeBlock *k, int number, bool monitored)
{
    Emit *e = b->e;
    for (int i = 0; i < k->n; i++) {
        indent(b);
        text_add(e, b->out, "%s %s %s;\n", b->sum, i ? "+=" : "=",
                 b->ref[k->x[i]]);
        e->checked[k->x[i]] = true;
    }
    indent(b);
    text_add(e, b->out, "%s = takt_note%s(%s, %s, %d);\n", b->bad, e->suffix,
             b->bad, b->sum, number);
    if (k->monitor != 0) {
        Held into = {0};
        const char *alarm = operand(b, k->monitor, &into).text;
        indent(b);
        text_add(e, b->out, "%s = takt_exceeds%s(%s, %s, %d);\n", b->warn,
                 e->suffix, b->warn, alarm, number);
    }
    if (!monitored)
        return;
    indent(b);
    text_add(e, b->out, "%s = takt_exceeds%s(%s, %s, %d);\n", b->warn,
             e->suffix, b->warn, b->excess, number);
}

/* A line of the function itself, not of a part. */
static void line(Body *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(b->e->local, fmt, ap);
    va_end(ap);
    text_add(b->e, b->main, "%*s%s\n", 4 * b->depth, "", text);
}

/* Lines `to[i] = slot` in the function itself. */
static void list_uses(Body *b, const char *to, const int *slot, int n)
{
    for (int i = 0; i < n; i++) {
        Held into = {0};
        line(b, "newton.%s[%d] = %s;", to, i, operand(b, slot[i], &into).text);
    }
}

static void list_defs(Body *b, const TapeBlock *k)
{
    for (int i = 0; i < k->n; i++)
        line(b, "%s = newton.x[%d];", b->ref[k->x[i]], i);
}

static void damped_jacobian(Body *b, int at, const TapeBlock *k)
{
    const TapeSystem *s = system_of(b, at, k);
    line(b, "if (takt_newton_accept(&newton)) {");
    b->depth++;
    range(b, at + 1 + k->neval, k->njac - 1);
    cut(b);
    for (int i = 0; i < s->nnz; i++) {
        Held into = {0};
        line(b, "newton.a[%d] = %s;", s->row[i] * k->n + s->col[i],
             operand(b, s->entry[i], &into).text);
    }
    release_all(b);
    line(b, "takt_newton_direct(&newton);");
    cut(b);
    b->depth--;
    line(b, "}");
}

/* A system of the initialisation: takt_rt_start.h. */
static void damped(Body *b, int at, const TapeBlock *k, int number)
{
    Emit *e = b->e;
    release_all(b);
    cut(b);
    text_add(e, b->out, "\n");
    introduce(b, k, number);
    line(b, "{");
    b->depth++;
    line(b, "takt_newton newton;");
    line(b, "%s room[TAKT_NEWTON_ROOM(%d)];", e->real, k->n);
    line(b, "int order[%d];", k->n);
    line(b, "takt_newton_begin(&newton, %d, %d, room, order);", k->n,
         k->is_linear);
    list_uses(b, "x", k->x, k->n);
    for (int i = 0; i < k->n; i++)
        line(b, "newton.nominal[%d] = %s;", i, emit_number(e, k->nominal[i]));
    cut(b);
    line(b, "for (;;) {");
    b->depth++;
    cut(b);
    list_defs(b, k);
    cut(b);
    range(b, at + 1, k->neval);
    cut(b);
    list_uses(b, "f", k->residual, k->n);
    release_all(b);
    cut(b);
    damped_jacobian(b, at, k);
    line(b, "if (takt_newton_done(&newton))");
    line(b, "    break;");
    b->depth--;
    line(b, "}");
    cut(b);
    list_defs(b, k);
    line(b, "if (newton.status < 0)");
    line(b, "    return %s_stop(m, %d);", e->o->name, number);
    b->depth--;
    line(b, "}");
    cut(b);
}

static void block(Body *b, int at)
{
    Emit *e = b->e;
    int number = e->t->code.at[at].a;
    const TapeBlock *k = &e->t->block.at[number];
    if (k->is_damped) {
        damped(b, at, k, number + 1);
        return;
    }
    bool loops = k->iterations > 1, monitored = loops && !k->is_linear;
    release_all(b);
    if (loops)
        cut(b);
    else
        open_part(b);
    text_add(e, b->out, "\n");
    introduce(b, k, number + 1);
    if (loops) {
        text_add(e, b->main, "%*sfor (int i = 0; i < %d; i++) {\n",
                 4 * b->depth, "", k->iterations);
        b->depth++;
    }
    range(b, at + 1, block_size(k));
    correct(b, k, monitored);
    if (loops) {
        release_all(b);
        cut(b);
        b->depth--;
        text_add(e, b->main, "%*s}\n", 4 * b->depth, "");
    }
    watch(b, k, number + 1, monitored);
    text_add(e, b->out, "\n");
}

static bool has_leave(const Tape *t, int at)
{
    for (int i = at + 1; i <= at + t->code.at[at].b; i++)
        if (t->code.at[i].op == TAPE_LEAVE)
            return true;
    return false;
}

static void leave(Body *b, int slot)
{
    cut(b);
    Held into = {0};
    const char *text = operand(b, slot, &into).text;
    release_all(b);
    line(b, "if (!(%s != 0))", text);
    line(b, "    break;");
    cut(b);
}

static void repeat(Body *b, int at)
{
    Emit *e = b->e;
    const TapeInstr *in = &e->t->code.at[at];
    release_all(b);
    cut(b);
    text_add(e, b->main, "\n");
    line(b, "/* %s while something changes */",
         has_leave(e->t, at) ? "again" : "events: kept");
    line(b, "for (int event = 0; event < %d; event++) {", in->a);
    b->depth++;
    range(b, at + 1, in->b);
    release_all(b);
    cut(b);
    b->depth--;
    text_add(e, b->main, "%*s}\n\n", 4 * b->depth, "");
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
        } else if (in->op == TAPE_LEAVE) {
            leave(b, in->a);
        } else if (in->op == TAPE_FACTOR || in->op == TAPE_SOLVE) {
            count_instruction(b);
            release_all(b);
            open_part(b);
            emit_factor_call(b->e, b->out, in, b->ref, depth_of(b));
        } else {
            count_instruction(b);
            if (in->op == TAPE_RECORD)
                record(b, in);
            else if (in->op == TAPE_PUT)
                put(b, in);
            else if (in->op == TAPE_CHOOSE)
                choose(b, in->a);
            else
                plain(b, in);
        }
    }
}

/* What several parts use. */
static void add_work(Body *b, const TapeSegment *segment)
{
    Emit *e = b->e;
    text_add(e, b->parts, "typedef struct %s_work {\n", b->name);
    for (int i = 0; i < e->t->nslot; i++) {
        if (e->home[i] == HOME_LOCAL && e->array[i])
            b->ref[i] = arena_printf(e->local, "w->%s", e->ref[i]);
        if (e->home[i] != HOME_LOCAL || !b->shared[i] || e->array[i])
            continue;
        text_add(e, b->parts, "    %s %s;\n", e->real, e->ident[i]);
        b->ref[i] = arena_printf(e->local, "w->%s", e->ident[i]);
    }
    emit_factor_arrays(e, b->parts, segment, "    ");
    if (b->is_step)
        text_add(e, b->parts, "    %s_s next;\n", e->o->name);
    text_add(e, b->parts,
             "    %s sum, excess;\n    uint32_t bad, warn;\n"
             "} %s_work;\n\n",
             e->real, b->name);
    b->sum = "w->sum";
    b->excess = "w->excess";
    b->bad = "w->bad";
    b->warn = "w->warn";
}

/* The new members: those that are not written, or in a loop, begin with their
 * old values. */
static void begin_next(Body *b)
{
    Emit *e = b->e;
    if (!b->is_cut)
        text_add(e, b->out, "    %s_s next;\n", e->o->name);
    for (int i = 0; i < e->t->nslot; i++) {
        if (e->home[i] != HOME_STATE)
            continue;
        const char *old = e->ref[i];
        e->next[i] = arena_printf(e->local, "%snext.%s", b->is_cut ? "w->" : "",
                                  e->ident[i]);
        if (b->ndef[i] == 0 || b->looped[i])
            text_add(e, b->out, "    %s = %s;\n", e->next[i], old);
        if (b->ndef[i] > 0 && (b->looped[i] || !e->f->carried[i]))
            move(b, i);
    }
}

void emit_body(Emit *e, Text *parts, Text *out, const TapeSegment *segment,
               const char *name, bool is_watched, bool is_often)
{
    Body b = {.e = e,
              .out = out,
              .main = out,
              .parts = parts,
              .name = name,
              .now = NONE,
              .depth = 1,
              .sum = "sum",
              .excess = "excess",
              .bad = "bad",
              .warn = "warn",
              .is_step = is_often,
              .is_cut = segment->count > (!is_often       ? PART
                                          : e->o->whole > 0 ? e->o->whole
                                                            : WHOLE)};
    int n = e->t->nslot;
    b.ndef = NEW_ARRAY(e->local, int, n);
    b.nuse = NEW_ARRAY(e->local, int, n);
    b.scope = NEW_ARRAY(e->local, int, n);
    b.home_part = NEW_ARRAY(e->local, int, n);
    b.spread = NEW_ARRAY(e->local, bool, n);
    b.shared = NEW_ARRAY(e->local, bool, n);
    b.looped = NEW_ARRAY(e->local, bool, n);
    b.moved = NEW_ARRAY(e->local, bool, n);
    e->next = NEW_ARRAY(e->local, const char *, n);
    memcpy(e->next, e->ref, (size_t)n * sizeof *e->next);
    e->checked = NEW_ARRAY(e->local, bool, n);
    b.ref = NEW_ARRAY(e->local, const char *, n);
    memcpy(b.ref, e->ref, (size_t)n * sizeof *b.ref);
    e->is_cut = b.is_cut;
    b.now = new_scope(&b);
    see_range(&b, segment->first, segment->count);
    b.part = b.length = 0;
    if (b.is_cut)
        add_work(&b, segment);
    if (b.is_cut)
        text_add(e, out, "    %s_work work, *const w = &work;\n", name);
    else
        declare(&b, 0);
    if (!b.is_cut)
        emit_factor_arrays(e, out, segment, "    ");
    if (is_watched && b.is_cut)
        text_add(e, out, "    w->bad = w->warn = 0;\n");
    else if (is_watched)
        text_add(e, out,
                 "    uint32_t bad = 0, warn = 0;\n"
                 "    %s sum = 0, excess = 0;\n    (void)excess;\n",
                 e->real);
    if (is_often)
        begin_next(&b);
    range(&b, segment->first, segment->count);
    release_all(&b);
    cut(&b);
    if (is_watched && b.is_cut)
        text_add(e, out,
                 "    const uint32_t warn = w->warn;\n"
                 "    uint32_t bad = w->bad;\n    %s sum;\n",
                 e->real);
}
