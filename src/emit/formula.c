/* formula.c - what a number without a name is, in names of the model.
 *
 * One walk over the code in its order: the formula of a slot is put together
 * from those of the operands of the instruction that makes it, down to slots
 * with names. One that would be longer than LONGEST shows the longer operand as
 * <a, b, c>, the names of what is in it; so no formula grows with the code.
 *
 *     h        the step size
 *     old(v)   v at the begin of the step
 *     v~       v at the point that the iteration of a block goes on from
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/number.h"
#include "emit/emit_internal.h"

enum { LONGEST = 200, NNAME = 8, LEVEL_SUM = 4, LEVEL_PRODUCT = 5, ATOM = 9 };

struct Formula {
    const char *text; /* NULL: not known */
    int level;        /* of precedence, as in statements.c */
    int name[NNAME];  /* slots with names that are in it */
    int nname;        /* NNAME + 1: more than these */
};

typedef struct Formula Formula;

/* ---- slots with names ---- */

const char *emit_model_name(const Emit *e, int slot)
{
    const Inlined *d = e->f->low->inlined;
    int entry = e->t->meaning[slot].entry;
    if (entry == NONE)
        return e->t->slot_name[slot];
    return entry < d->sys->nvar ? d->sys->var[entry].name : d->var[entry].name;
}

/* Slots that stand for old(v) until the end of the step: v itself is made
 * beside them. */
static bool *find_old(Emit *e)
{
    const Tape *t = e->t;
    bool *is_new = NEW_ARRAY(e->local, bool, e->f->low->inlined->nvar + 1);
    bool *old = NEW_ARRAY(e->local, bool, t->nslot + 1);
    for (int i = 0; i < t->nslot; i++)
        if (t->meaning[i].form == TF_NEW && t->meaning[i].entry != NONE)
            is_new[t->meaning[i].entry] = true;
    for (int i = 0; i < t->nslot; i++)
        old[i] = t->meaning[i].form == TF_PLAIN && t->slot_name[i] &&
                 t->meaning[i].entry != NONE && is_new[t->meaning[i].entry];
    return old;
}

static Formula of_scaled(Emit *e, const char *name, int factor)
{
    const Formula *k = factor == NONE ? NULL : &e->formula[factor];
    if (!k || !k->text)
        return (Formula){.text = arena_printf(e->local, "%s*...", name),
                         .level = LEVEL_PRODUCT};
    bool wrap = k->level < LEVEL_PRODUCT + 1;
    return (Formula){.text = arena_printf(e->local, "%s*%s%s%s", name,
                                          wrap ? "(" : "", k->text,
                                          wrap ? ")" : ""),
                     .level = LEVEL_PRODUCT};
}

static Formula of_named(Emit *e, int slot, const bool *old)
{
    const Tape *t = e->t;
    TapeMeaning m = t->meaning[slot];
    Formula f = {.level = ATOM, .name = {slot}, .nname = 1};
    const char *name = emit_model_name(e, slot);
    if (slot == t->step)
        f.text = "h";
    else if (old[slot])
        f.text = arena_printf(e->local, "old(%s)", name);
    else if (m.form & TF_PRE)
        f.text = arena_printf(e->local, "pre(%s)", name);
    else if (m.form & TF_ITERATE)
        f.text = arena_printf(e->local, "%s~", name);
    else
        f.text = name;
    if (m.form & TF_EVENT)
        f.text = arena_printf(e->local, "event(%s)", f.text);
    if (m.form & TF_SCALED) {
        Formula s = of_scaled(e, f.text, m.factor);
        f.text = s.text;
        f.level = s.level;
    }
    return f;
}

static Formula of_number(Emit *e, double x)
{
    char text[40];
    Formula f = {.level = x < 0 ? 6 : ATOM};
    f.text = arena_strdup(e->local, number_text(x, text));
    return f;
}

/* ---- operations ---- */

static void add_names(Formula *f, const Formula *from)
{
    int n = from->nname < NNAME ? from->nname : NNAME;
    for (int i = 0; i < n; i++) {
        bool known = false;
        for (int k = 0; k < f->nname && k < NNAME; k++)
            known |= f->name[k] == from->name[i];
        if (known)
            continue;
        if (f->nname < NNAME)
            f->name[f->nname] = from->name[i];
        f->nname = f->nname < NNAME ? f->nname + 1 : NNAME + 1;
    }
    if (from->nname > NNAME)
        f->nname = NNAME + 1;
}

/* "<a, b, c>" */
static const char *contents(Emit *e, const Formula *f)
{
    Text out = {0};
    text_add(e, &out, "<");
    int n = f->nname < NNAME ? f->nname : NNAME, i = 0;
    for (; i < n && out.n < LONGEST / 3; i++)
        text_add(e, &out, "%s%s", i ? ", " : "",
                 f->name[i] == e->t->step ? "h"
                                          : emit_model_name(e, f->name[i]));
    text_add(e, &out, i < f->nname ? ", ...>" : ">");
    return out.at;
}

static const char *wrapped(Emit *e, const Formula *f, int level)
{
    return f->level < level ? arena_printf(e->local, "(%s)", f->text) : f->text;
}

static int level_of(int op)
{
    switch (op) {
    case EX_ADD:
    case EX_SUB:
    case EX_NEG: return LEVEL_SUM;
    case EX_MUL:
    case EX_DIV: return LEVEL_PRODUCT;
    case EX_POW: return 7;
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_EQ:
    case EX_NE: return 3;
    case EX_AND: return 2;
    case EX_OR: return 1;
    default: return ATOM;
    }
}

static const char *operation(Emit *e, int op, const Formula *arg, int n)
{
    const char *text = expr_op_info[op].text;
    int level = level_of(op);
    if (op == EX_IF)
        return arena_printf(e->local, "(if %s then %s else %s)", arg[0].text,
                            arg[1].text, arg[2].text);
    if (op == EX_NEG)
        return arena_printf(e->local, "-%s", wrapped(e, &arg[0], 6));
    if (n == 2 && level < ATOM)
        return arena_printf(
            e->local, level < LEVEL_PRODUCT ? "%s %s %s" : "%s%s%s",
            wrapped(e, &arg[0], level), text, wrapped(e, &arg[1], level + 1));
    const char *list = arg[0].text;
    for (int i = 1; i < n; i++)
        list = arena_printf(e->local, "%s, %s", list, arg[i].text);
    return arena_printf(e->local, "%s(%s)", text, list);
}

/* The longest operands give way to what is in them. */
static void shorten(Emit *e, Formula *arg, int n, size_t length)
{
    while (length > LONGEST) {
        int k = 0;
        for (int i = 1; i < n; i++)
            if (strlen(arg[i].text) > strlen(arg[k].text))
                k = i;
        size_t before = strlen(arg[k].text);
        const char *less = contents(e, &arg[k]);
        if (strlen(less) >= before)
            return;
        arg[k].text = less;
        arg[k].level = ATOM;
        length -= before - strlen(less);
    }
}

/* What an instruction makes, if its operands are known. */
static Formula of_instruction(Emit *e, const TapeInstr *in)
{
    const Inlined *d = e->f->low->inlined;
    Formula out = {.level = level_of(in->op)};
    if (in->op == TAPE_PAST) {
        bool is_spread = d->delay[in->a].past == IP_SPREAD;
        out.text = arena_printf(
            e->local, is_spread ? "spatialDistribution(%s)" : "delay(%s)",
            expr_text(d->dag, d->delay[in->a].expr, inlined_var_name, (void *)d,
                      80, e->local));
        return out;
    }
    if (in->op == TAPE_GET) {
        out.text = arena_printf(e->local, "choice(set %d, %d)", in->a, in->b);
        return out;
    }
    int slot[3], n = tape_reads(in, slot);
    Formula arg[3] = {{0}};
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        arg[i] = e->formula[slot[i]];
        if (!arg[i].text)
            arg[i] = (Formula){.text = e->ref[slot[i]], .level = ATOM};
        if (!arg[i].text)
            return (Formula){0};
        add_names(&out, &arg[i]);
        length += strlen(arg[i].text);
    }
    if (in->op == TAPE_COPY)
        return arg[0];
    if (in->op == TAPE_PICK) {
        out.text = arena_printf(e->local, "%s[%d]",
                                e->t->call.at[in->a].fn->name, in->c);
        return out;
    }
    if (in->op == TAPE_CALL) {
        const ExprFunction *f = e->t->call.at[in->a].fn;
        out.text = arena_printf(e->local, "%s(%s%s%s)", f->name, arg[0].text,
                                f->nplain > 1 ? ", " : "",
                                f->nplain > 1 ? arg[1].text : "");
        return out;
    }
    shorten(e, arg, n, length);
    out.text = operation(e, in->op, arg, n);
    return out;
}

/* In the code of a block its unknowns are iterates. */
static void mark_unknowns(Emit *e, const TapeBlock *b, int form)
{
    for (int i = 0; i < b->n; i++) {
        const char *name = emit_model_name(e, b->x[i]);
        e->formula[b->x[i]].text =
            form == TF_ITERATE ? arena_printf(e->local, "%s~", name) : name;
    }
}

/* Products of parameters by which something was scaled, which no code needs. */
static void add_factors(Emit *e)
{
    const Tape *t = e->f->low->tape;
    const TapeSegment *param = tape_find_segment(t, "param");
    for (int i = 0; param && i < param->count; i++) {
        const TapeInstr *in = &t->code.at[param->first + i];
        int dst = tape_writes(in);
        if (dst != NONE && dst < e->t->nslot && !t->slot_name[dst])
            e->formula[dst] = of_instruction(e, in);
    }
}

void emit_formulas(Emit *e)
{
    const Tape *t = e->t;
    e->formula = NEW_ARRAY(e->local, Formula, t->nslot + 1);
    const bool *old = find_old(e);
    for (int i = 0; i < t->nslot; i++)
        if (t->region[i] == TR_CONST)
            e->formula[i] = of_number(e, t->initial[i]);
        else if (t->slot_name[i] && !(t->meaning[i].form & TF_SCALED))
            e->formula[i] = of_named(e, i, old);
    add_factors(e);
    int end = 0; /* of the block that is open */
    const TapeBlock *open = NULL;
    for (int i = 0; i < t->code.n; i++) {
        if (open && i == end)
            mark_unknowns(e, open, TF_PLAIN);
        if (t->code.at[i].op == TAPE_BLOCK) {
            open = &t->block.at[t->code.at[i].a];
            end = i + 1 + open->neval + open->njac + open->nsolve;
            mark_unknowns(e, open, TF_ITERATE);
        }
        int dst = tape_writes(&t->code.at[i]);
        if (dst == NONE || e->array[dst])
            continue;
        if (!t->slot_name[dst])
            e->formula[dst] = of_instruction(e, &t->code.at[i]);
        else if (t->meaning[dst].form & TF_SCALED)
            e->formula[dst] = of_named(e, dst, old);
    }
}

const char *emit_formula(const Emit *e, int slot)
{
    return e->formula[slot].text;
}
