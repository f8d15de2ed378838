/* record.c - columns, rows, curves. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/record.h"

#include <fnmatch.h>
#include <string.h>

#include "base/vec.h"

/* "comment [unit]" for the variable of that name. */
static const char *describe(const Sys *sys, const char *name, Arena *arena)
{
    int v = sys_find_var(sys, name);
    if (v == NONE || sys->var[v].flat == NONE)
        return "";
    const FlatVar *f = &sys->flat->var[sys->var[v].flat];
    const char *comment = f->comment ? f->comment : "";
    if (!f->unit || !*f->unit)
        return comment;
    return arena_printf(arena, "%s [%s]", comment, f->unit);
}

bool record_is_auxiliary(const char *name)
{
    while (!strncmp(name, "der(", 4))
        name += 4;
    return name[0] == '$';
}

static bool is_wanted(const char *name, const char *filter,
                      const char *const *also, int nalso)
{
    if (record_is_auxiliary(name))
        return false;
    for (int i = 0; i < nalso; i++)
        if (!strcmp(also[i], name))
            return true;
    return !filter || fnmatch(filter, name, 0) == 0;
}

static bool is_parameter(const Lowered *low, const TapeSymbol *s)
{
    int region = low->tape->region[s->slot];
    return region == TR_CONST || region == TR_PARAM || region == TR_DERIVED;
}

Record *record_new(const Lowered *low, const char *filter,
                   const char *const *also, int nalso, Arena *arena)
{
    const Tape *t = low->tape;
    Record *r = NEW(arena, Record);
    r->low = low;
    r->arena = arena;
    r->every = 1;
    r->signal = NEW_ARRAY(arena, ResultSignal, t->symbol.n + 1);
    r->symbol = NEW_ARRAY(arena, int, t->symbol.n + 1);
    int *column_of = NEW_ARRAY(arena, int, t->nslot + 1);
    memset(column_of, 0xff, (size_t)t->nslot * sizeof(int));
    for (int i = 0; i < t->symbol.n; i++) {
        const TapeSymbol *s = &t->symbol.at[i];
        if (!is_wanted(s->name, filter, also, nalso))
            continue;
        ResultSignal *out = &r->signal[r->nsignal++];
        out->name = s->name;
        out->description = t->symbol.n > 5000
                               ? ""
                               : describe(low->inlined->sys, s->name, arena);
        out->sign = 1;
        out->column = NONE;
        if (is_parameter(low, s)) {
            out->value = i; /* symbol: its value comes at record_open */
            continue;
        }
        bool plain = s->offset == 0;
        if (plain && column_of[s->slot] != NONE) {
            out->column = column_of[s->slot];
            out->sign = s->sign * t->symbol.at[r->symbol[out->column]].sign;
            continue;
        }
        out->column = r->ncolumn++;
        r->symbol[out->column] = i;
        if (plain)
            column_of[s->slot] = out->column;
    }
    r->row = NEW_ARRAY(arena, double, r->ncolumn + 1);
    return r;
}

bool record_open(Record *r, const char *path, const Exec *exec)
{
    const Tape *t = r->low->tape;
    for (int i = 0; i < r->nsignal; i++)
        if (r->signal[i].column == NONE)
            r->signal[i].value =
                exec_value(exec, &t->symbol.at[(int)r->signal[i].value]);
    r->file = result_open(path, r->signal, r->nsignal, r->ncolumn, r->arena);
    r->nwritten = r->file ? result_signals(r->file) : 0;
    return r->file != NULL;
}

void record_row(Record *r, const Exec *exec, double time)
{
    const Tape *t = r->low->tape;
    if (!r->file && !r->keep)
        return;
    for (int i = 0; i < r->ncolumn; i++)
        r->row[i] = exec_value(exec, &t->symbol.at[r->symbol[i]]);
    if (r->file)
        result_row(r->file, time, r->row);
    if (!r->keep)
        return;
    vec_push(r->arena, &r->time, time);
    for (int i = 0; i < r->ncolumn; i++)
        vec_push(r->arena, &r->value, r->row[i]);
}

int record_find(const Record *r, const char *name, double *sign)
{
    for (int i = 0; i < r->nsignal; i++)
        if (r->signal[i].column != NONE && !strcmp(r->signal[i].name, name)) {
            *sign = r->signal[i].sign;
            return r->signal[i].column;
        }
    return NONE;
}

Curve record_curve(const Record *r, const char *name)
{
    double sign = 1;
    int column = record_find(r, name, &sign);
    if (column == NONE)
        return (Curve){0};
    double *value = NEW_ARRAY(r->arena, double, r->time.n);
    for (int i = 0; i < r->time.n; i++)
        value[i] = sign * r->value.at[(long)i * r->ncolumn + column];
    return (Curve){r->time.at, value, r->time.n, 1};
}
