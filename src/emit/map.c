/* map.c - NAME.map.json: what each name in NAME.c and NAME.h stands for. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/json.h"
#include "emit/body.h"

struct EmitShown {
    bool is_shown, in_step;
    TapeOrigin origin; /* of the first statement that gives it a value */
    const char *function;
    int block; /* from 1; 0: none */
};

void emit_show(Emit *e, int slot, const TapeOrigin *o, const Body *b)
{
    struct EmitShown *s = &e->shown[slot];
    if (s->is_shown && (s->in_step || !b->is_step))
        return;
    *s = (struct EmitShown){true, b->is_step, *o, b->name, b->block};
}

void emit_map_begin(Emit *e)
{
    e->shown = NEW_ARRAY(e->local, struct EmitShown, e->t->nslot + 1);
}

/* ---- kinds, units, places ---- */

static const char *kind_of_entry(const Emit *e, int entry)
{
    const Inlined *d = e->f->low->inlined;
    const InlinedVar *v = &d->var[entry];
    if (entry < d->sys->nvar && d->sys->var[entry].role == SR_COMPUTED)
        return "algebraic";
    switch (v->kind) {
    case IV_PARAMETER: return "parameter";
    case IV_INPUT: return "input";
    case IV_INCREMENT: return "increment";
    case IV_FORCING: return "forcing";
    case IV_OLD: return "old value";
    case IV_STEP: return "step size";
    case IV_RELATION: return "relation";
    case IV_DELAY: return "delayed value";
    case IV_ERROR:
    case IV_SOURCE: return "error";
    case IV_KEPT: return "old error";
    case IV_SINCE: return "count";
    case IV_WEIGHT: return "weight";
    default: break;
    }
    return v->stage != DIFF_END ? "stage value"
           : v->is_discrete     ? "discrete"
           : v->is_state        ? "state"
           : v->order > 0       ? "derivative"
                                : "algebraic";
}

static const char *kind_of(const Emit *e, int slot)
{
    const Tape *t = e->t;
    TapeMeaning m = t->meaning[slot];
    if (m.form & TF_SCALED)
        return "scaled";
    if (m.form & TF_ITERATE)
        return "iterate";
    if (m.form & TF_EVENT)
        return "value at an event";
    if (m.form & TF_PRE)
        return "value before the event";
    if (m.entry != NONE)
        return kind_of_entry(e, m.entry);
    if (t->slot_name[slot])
        return "flag";
    if (t->region[slot] == TR_DERIVED)
        return "constant";
    return emit_role(e->shown[slot].origin.role);
}

const char *emit_unit(Emit *e, int slot)
{
    const Inlined *d = e->f->low->inlined;
    TapeMeaning m = e->t->meaning[slot];
    if (slot == e->t->time || slot == e->t->step)
        return "s";
    if (m.entry == NONE || (m.form & TF_SCALED))
        return NULL;
    const InlinedVar *v = &d->var[m.entry];
    int var = m.entry < d->sys->nvar ? m.entry : v->sys_var;
    int order = m.entry < d->sys->nvar ? 0 : v->order;
    bool has = var != NONE && d->sys->var[var].flat != NONE &&
               v->kind != IV_RELATION && v->kind != IV_DELAY &&
               v->kind != IV_FORCING;
    const char *unit = has ? d->sys->flat->var[d->sys->var[var].flat].unit : "";
    return *unit ? flat_unit_derived(unit, order, e->local) : NULL;
}

/* Where a variable is declared. */
static Span declaration(const Emit *e, int slot)
{
    const Inlined *d = e->f->low->inlined;
    int entry = e->t->meaning[slot].entry;
    if (entry == NONE)
        return NO_SPAN;
    int var = entry < d->sys->nvar ? entry : d->var[entry].sys_var;
    return var == NONE ? NO_SPAN : d->sys->var[var].span;
}

/* ---- entries ---- */

static void begin_entry(JsonOut *j, const char *name, const char *where,
                        const char *kind)
{
    json_break(j, 1);
    json_begin_object(j, NULL);
    json_put_text(j, "c", name);
    json_put_text(j, "in", where);
    json_put_text(j, "kind", kind);
}

static void put_place(Emit *e, JsonOut *j, Span first, Span second)
{
    EmitPlace p = emit_place(e, first);
    if (!p.file)
        p = emit_place(e, second);
    if (!p.file)
        return;
    json_put_text(j, "file", p.file);
    json_put_count(j, "line", p.line);
}

static void put_origin(Emit *e, JsonOut *j, int slot)
{
    const struct EmitShown *s = &e->shown[slot];
    Span span = NO_SPAN;
    if (s->is_shown) {
        const char *text = emit_equation(e, &s->origin);
        if (text)
            json_put_text(j, "equation", text);
        json_put_text(j, "role", emit_role(s->origin.role));
        if (s->block > 0)
            json_put_count(j, "block", s->block);
        span = s->origin.span;
    }
    put_place(e, j, span, declaration(e, slot));
}

static const char *candidate(Emit *e, const DaeStateSet *s, int k)
{
    const Inlined *d = e->f->low->inlined;
    return expr_text(d->dag, s->candidate[k], inlined_var_name, (void *)d, 60,
                     e->local);
}

static const char *candidates(Emit *e, const DaeStateSet *s)
{
    Text names = {0};
    for (int k = 0; k < s->ncandidate; k++)
        text_add(e, &names, "%s%s", k ? ", " : "", candidate(e, s, k));
    return names.at;
}

/* What a variable of takt's own is for: sets of which some are states. */
static const char *set_formula(Emit *e, int var)
{
    const Dae *dae = e->f->low->inlined->dae;
    for (int k = 0; dae && k < dae->nset; k++) {
        const DaeStateSet *s = &dae->set[k];
        for (int i = 0; i < s->nstate * s->ncandidate; i++)
            if (s->select[i] == var)
                return arena_printf(e->local, "1 if state %d of %s is %s",
                                    i / s->ncandidate + 1, candidates(e, s),
                                    candidate(e, s, i % s->ncandidate));
        for (int i = 0; i < s->nstate; i++)
            if (dae->state[s->first_state + i].var == var)
                return arena_printf(e->local, "state %d of %s", i + 1,
                                    candidates(e, s));
    }
    return NULL;
}

/* Of what has no name in the model, or is more than its name says. */
static const char *formula_of(Emit *e, int slot)
{
    const Tape *t = e->t;
    TapeMeaning m = t->meaning[slot];
    if (!t->slot_name[slot] || (m.form & TF_SCALED)) {
        const char *text = emit_formula(e, slot);
        bool is_kept = e->home[slot] != HOME_LOCAL && m.entry == NONE;
        return text || !is_kept ? text : "what it was at the start";
    }
    if (m.entry == NONE)
        return NULL;
    const Inlined *d = e->f->low->inlined;
    const InlinedVar *v = &d->var[m.entry];
    int var = m.entry < d->sys->nvar ? m.entry : v->sys_var;
    if (v->kind != IV_RELATION && v->kind != IV_DELAY) {
        const char *text = var == NONE ? NULL : set_formula(e, var);
        return !text || m.entry == var ? text
               : v->kind == IV_OLD
                   ? arena_printf(e->local, "old value of %s", text)
                   : arena_printf(e->local, "derivative or stage of %s", text);
    }
    TapeOrigin o = {v->kind == IV_DELAY ? TO_DELAY : TO_RELATION, NONE,
                    v->relation, NONE, NO_SPAN};
    return emit_equation(e, &o);
}

static void put_slot(Emit *e, JsonOut *j, int slot)
{
    Home home = (Home)e->home[slot];
    const Tape *t = e->t;
    bool member = home != HOME_LOCAL;
    const char *name = member ? arena_printf(e->local, "%s.%s",
                                             emit_group(home), e->ident[slot])
                              : e->ident[slot];
    begin_entry(j, name, member ? "instance" : e->shown[slot].function,
                kind_of(e, slot));
    if (t->slot_name[slot])
        json_put_text(j, "variable", emit_model_name(e, slot));
    const char *formula = formula_of(e, slot);
    if (formula)
        json_put_text(j, "formula", formula);
    put_origin(e, j, slot);
    const char *unit = emit_unit(e, slot);
    if (unit)
        json_put_text(j, "unit", unit);
    json_end(j);
}

/* Arrays of factorisations: the instruction that uses one tells whose. */
static void put_arrays(Emit *e, JsonOut *j)
{
    for (int k = 0; k < e->narray; k++) {
        const EmitArray *a = &e->arrays[k];
        Span span = NO_SPAN;
        for (int i = 0; i < e->t->code.n && span.source == NONE; i++) {
            const TapeInstr *in = &e->t->code.at[i];
            bool uses = in->op == TAPE_FACTOR || in->op == TAPE_SOLVE;
            const TapeSystem *s = uses ? &e->t->system.at[in->a] : NULL;
            int first, nlist = tape_list(e->t, in, &first);
            int row, nrow = tape_row(e->t, in, &row);
            if ((s && (s->factors == a->first || s->vector == a->first)) ||
                (nlist > 0 && first == a->first) ||
                (nrow > 0 && row == a->first))
                span = e->t->origin.at[in->origin].span;
        }
        begin_entry(j, a->name, a->is_member ? "instance" : "step",
                    a->name[5] == 'x'   ? "list"
                    : a->name[5] == 'y' ? "results"
                                        : "factor");
        json_put_text(j, "formula",
                      a->name[5] == 'x'   ? "numbers of a table"
                      : a->name[5] == 'y' ? "results of a function"
                      : a->name[5] == 'w'
                          ? "entries of a Jacobian, then its factors"
                          : "residuals, then the correction");
        put_place(e, j, span, NO_SPAN);
        json_end(j);
    }
}

static void put_history(Emit *e, JsonOut *j)
{
    for (int i = 0; i < e->t->delay.n; i++) {
        begin_entry(j, arena_printf(e->local, "h.past%d", i), "instance",
                    e->t->delay.at[i].past == TP_RING
                        ? "past of delay()"
                        : "memory of spatialDistribution()");
        TapeOrigin o = {TO_DELAY, NONE, i, NONE, NO_SPAN};
        json_put_text(j, "formula", emit_equation(e, &o));
        json_end(j);
    }
    for (int i = 0; i < e->t->set.n; i++) {
        begin_entry(j, arena_printf(e->local, "h.set%d", i), "instance",
                    "choice of states");
        const DaeStateSet *s = &e->f->low->inlined->dae->set[i];
        json_put_text(
            j, "formula",
            arena_printf(e->local, "states among %s", candidates(e, s)));
        json_end(j);
    }
}

/* What is in every model's C. */
static void put_own(JsonOut *j)
{
    static const struct {
        const char *name, *what;
    } own[] = {
#define LOCAL(name, what) {#name, what},
#define OTHER(name, what) {#name, what},
#include "emit/own.def"
#undef LOCAL
#undef OTHER
#define STATUS(name, code, severity, fmi, of, word, text, hint)                \
    {"of_" word, "number of the first it holds for; 0: none: " text},          \
        {"is_" word, "1 if it holds: " text},
#include "base/status.def"
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        begin_entry(j, own[i].name, "every model", "bookkeeping");
        json_put_text(j, "formula", own[i].what);
        json_end(j);
    }
}

const char *emit_map(Emit *e)
{
    JsonOut j;
    json_start_text(&j, JSON_SPACED);
    json_begin_array(&j, NULL);
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++)
        for (int i = 0; i < e->t->nslot; i++)
            if (e->home[i] == h && !e->array[i])
                put_slot(e, &j, i);
    for (int i = 0; i < e->t->nslot; i++)
        if (e->home[i] == HOME_LOCAL && !e->array[i] && e->shown[i].is_shown)
            put_slot(e, &j, i);
    put_arrays(e, &j);
    put_history(e, &j);
    put_own(&j);
    json_break(&j, 0);
    json_end(&j);
    return arena_printf(e->arena, "%s\n", json_finish_text(&j, e->local));
}
