/* shape.c - which variable of an FMU is what, and who depends on whom.
 *
 * ModelStructure lists for each derivative and output the knowns it depends
 * on. Columns of the Jacobian that share no row make a group, found greedily in
 * the order of the columns (Curtis, Powell, Reid 1974): one evaluation, or one
 * directional derivative, gives all of them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "fmu/fmu_internal.h"

enum { MOST_NUMBERS = 4000000 };

/* ---- sizes and start values ---- */

/* The text of --set NAME=..., NULL if there is none. */
static const char *set_value(const FmuOptions *o, const char *name)
{
    size_t n = strlen(name);
    const char *found = NULL;
    for (int i = 0; i < o->nset; i++)
        if (!strncmp(o->set[i], name, n) && o->set[i][n] == '=')
            found = o->set[i] + n + 1;
    return found;
}

static double one_number(const char *text, char **end)
{
    static const struct {
        const char *word;
        double value;
    } word[] = {{"true", 1}, {"false", 0}};
    while (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')
        text++;
    for (int i = 0; i < 2; i++)
        if (!strncmp(text, word[i].word, strlen(word[i].word))) {
            *end = (char *)text + strlen(word[i].word);
            return word[i].value;
        }
    return number_read(text, end);
}

static double value_of(const FmuVariable *v, const FmuOptions *o)
{
    const char *text = set_value(o, v->name);
    char *end;
    if (!text)
        text = v->start;
    return text ? one_number(text, &end) : NAN;
}

static bool is_text(const FmuVariable *v)
{
    return v->type == FMU_STRING || v->type == FMU_BINARY;
}

static bool find_size(FmuDescription *d, FmuVariable *v, const FmuOptions *o,
                      Diag *diag)
{
    double n = 1;
    for (int k = 0; k < v->ndimension; k++) {
        FmuDimension *m = &v->dimension[k];
        int by = m->by_parameter ? fmu_find_reference(d, m->parameter) : NONE;
        double size = by != NONE ? value_of(&d->variable[by], o) : m->size;
        if (m->by_parameter &&
            (by == NONE || !(size >= 0) || size > MOST_NUMBERS)) {
            diag_report(diag, v->span, DIAG_E0221,
                        "the size of '%s' is no number that could be", v->name);
            return false;
        }
        m->size = (int)size;
        n *= m->size;
    }
    if (n > MOST_NUMBERS) {
        diag_report(diag, v->span, DIAG_E0221, "'%s' has too many elements",
                    v->name);
        return false;
    }
    v->n = (int)n;
    return true;
}

/* As many numbers as it has; what is missing is 0, one number stands for all.
 * NULL for the options: what the user sets does not count. */
static void read_start(const FmuVariable *v, const FmuOptions *o, double *to)
{
    const char *text = is_text(v) ? NULL : v->start;
    const char *own = o && v->n == 1 ? set_value(o, v->name) : NULL;
    if (own)
        text = own;
    int n = 0;
    char *end;
    for (; text && n < v->n; n++) {
        to[n] = one_number(text, &end);
        if (end == text || isnan(to[n]))
            break;
        text = end;
    }
    double rest = n == 0 ? NAN : n == 1 ? to[0] : 0;
    for (int k = n; k < v->n; k++)
        to[k] = rest;
}

static bool find_numbers(FmuShape *s, const FmuOptions *o, Arena *arena,
                         Diag *diag)
{
    FmuDescription *d = (FmuDescription *)s->d;
    double total = 0;
    s->first = NEW_ARRAY(arena, int, d->nvariable + 1);
    for (int i = 0; i < d->nvariable; i++) {
        if (!find_size(d, &d->variable[i], o, diag))
            return false;
        s->first[i] = (int)total;
        total += d->variable[i].n;
        if (total > MOST_NUMBERS) {
            diag_report(diag, d->span, DIAG_E0221,
                        "the FMU has too many variables");
            return false;
        }
    }
    s->start = NEW_ARRAY(arena, double, (int)total + 1);
    s->usual = NEW_ARRAY(arena, double, (int)total + 1);
    for (int i = 0; i < d->nvariable; i++) {
        read_start(&d->variable[i], o, s->start + s->first[i]);
        read_start(&d->variable[i], NULL, s->usual + s->first[i]);
    }
    return true;
}

/* ---- lists ---- */

static void add(FmuShape *s, FmuList *l, int variable, Arena *arena)
{
    if (!l->at)
        l->at = NEW_ARRAY(arena, int, s->d->nvariable + s->d->nderivative + 1);
    l->at[l->n++] = variable;
    l->count += s->d->variable[variable].n;
}

static int resolve(const FmuDescription *d, int i)
{
    return i != NONE && d->variable[i].alias_of != NONE
               ? d->variable[i].alias_of
               : i;
}

/* Can it be a state, or the derivative of one? */
static bool can_change(const FmuVariable *v)
{
    return v->type == FMU_FLOAT64 && v->variability == FMU_CONTINUOUS &&
           (v->causality == FMU_LOCAL || v->causality == FMU_OUTPUT);
}

static bool find_states(FmuShape *s, unsigned char *role, Arena *arena,
                        Diag *diag)
{
    const FmuDescription *d = s->d;
    for (int i = 0; i < d->nderivative; i++) {
        const FmuUnknown *u = &d->derivative[i];
        int slope = fmu_find_unknown(d, u->reference);
        int state = slope == NONE ? NONE : resolve(d, fmu_state_of(d, slope));
        if (state == NONE || d->variable[state].n != d->variable[slope].n ||
            role[state] || role[slope] || state == slope ||
            !can_change(&d->variable[state]) ||
            !can_change(&d->variable[slope])) {
            diag_report(diag, u->span, DIAG_E0221,
                        "derivative %d of ModelStructure is no derivative of a "
                        "state",
                        i + 1);
            return false;
        }
        add(s, &s->state, state, arena);
        add(s, &s->slope, slope, arena);
        role[state] = 1;
        role[slope] = 2;
    }
    return true;
}

static bool is_set_before(const FmuVariable *v)
{
    return v->causality == FMU_PARAMETER || v->causality == FMU_STRUCTURAL ||
           v->causality == FMU_INPUT ||
           (v->is_exact && v->variability != FMU_CONSTANT && v->start);
}

/* Is it an output of ModelStructure? Derivatives of others cannot be asked for.
 */
static bool *find_listed(const FmuDescription *d, Arena *arena)
{
    bool *is = NEW_ARRAY(arena, bool, d->nvariable + 1);
    for (int k = 0; k < d->noutput; k++) {
        int i = resolve(d, fmu_find_unknown(d, d->output[k].reference));
        if (i != NONE)
            is[i] = true;
    }
    return is;
}

/* What changes always: outputs first. */
static void list_values(FmuShape *s, const bool *is_one, Arena *arena)
{
    const bool *listed = find_listed(s->d, arena);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->d->nvariable; i++)
            if (is_one[i] && listed[i] == (pass == 0))
                add(s, &s->y, i, arena);
        s->nlisted = pass == 0 ? s->y.n : s->nlisted;
    }
}

static void sort_out(FmuShape *s, const unsigned char *role, Arena *arena)
{
    const FmuDescription *d = s->d;
    bool *is_value = NEW_ARRAY(arena, bool, d->nvariable + 1);
    for (int i = 0; i < d->nvariable; i++) {
        const FmuVariable *v = &d->variable[i];
        bool continuous = v->variability == FMU_CONTINUOUS;
        if (v->alias_of != NONE || v->causality == FMU_INDEPENDENT ||
            is_text(v) || v->type == FMU_CLOCK)
            continue;
        if (is_set_before(v))
            add(s, &s->set, i, arena);
        if (v->causality == FMU_INPUT)
            add(s, s->is_block || continuous ? &s->u : &s->ud, i, arena);
        else if (v->causality == FMU_PARAMETER ||
                 v->causality == FMU_STRUCTURAL ||
                 v->variability == FMU_CONSTANT || (!s->is_block && role[i]))
            continue;
        else if (!s->is_block && continuous)
            is_value[i] = true;
        else
            add(s, &s->d_out, i, arena);
    }
    list_values(s, is_value, arena);
}

/* ---- who depends on whom ---- */

static void depend(FmuShape *s, FmuMap *m, const FmuUnknown *u, int row,
                   int nrow, const int *arg)
{
    const FmuDescription *d = s->d;
    for (int r = row; r < row + nrow; r++) {
        unsigned char *at = m->depends + (size_t)r * (size_t)m->narg;
        memset(at, u->all, (size_t)m->narg);
        at[0] = 1; /* few FMUs tell of the time */
        for (int k = 0; k < u->ndepends; k++) {
            int i = resolve(d, fmu_find_unknown(d, u->depends[k]));
            if (i != NONE && arg[i] != NONE)
                memset(at + arg[i], 1, (size_t)d->variable[i].n);
        }
    }
}

/* arg[i]: the first argument that variable i is; NONE: it is none. */
static int *find_arguments(const FmuShape *s, Arena *arena)
{
    const FmuDescription *d = s->d;
    int *arg = NEW_ARRAY(arena, int, d->nvariable + 1), next = 1;
    memset(arg, 0xff, (size_t)d->nvariable * sizeof *arg);
    const FmuList *list[] = {&s->state, &s->u};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < list[k]->n; i++) {
            arg[list[k]->at[i]] = next;
            next += d->variable[list[k]->at[i]].n;
        }
    return arg;
}

/* `last[g * nrow + row]` would be large: a group keeps the rows it has. */
static void find_groups(FmuMap *m, Arena *arena)
{
    Arena *local = arena_new();
    Vec(unsigned char *) has = {0};
    m->group = NEW_ARRAY(arena, int, m->narg + 1);
    m->is_single = true;
    for (int j = 0; j < m->narg; j++) {
        int g = j == 0 ? has.n : 1; /* the time is a group of its own */
        for (; g < has.n; g++) {
            bool free = true;
            for (int i = 0; free && i < m->nrow; i++)
                free = !(has.at[g][i] && m->depends[i * m->narg + j]);
            if (free)
                break;
        }
        if (g >= has.n) {
            g = has.n;
            vec_push(local, &has, NEW_ARRAY(local, unsigned char, m->nrow + 1));
        } else {
            m->is_single = false;
        }
        for (int i = 0; i < m->nrow; i++)
            has.at[g][i] |= m->depends[i * m->narg + j];
        m->group[j] = g;
    }
    m->ngroup = has.n;
    arena_free(local);
}

static void make_map(FmuMap *m, int nrow, int narg, Arena *arena)
{
    m->nrow = nrow;
    m->narg = narg;
    m->depends =
        arena_array(arena, (size_t)nrow * (size_t)narg + 1, sizeof(char));
    memset(m->depends, 1, (size_t)nrow * (size_t)narg);
}

static void find_structure(FmuShape *s, Arena *arena)
{
    const FmuDescription *d = s->d;
    const int *arg = find_arguments(s, arena);
    int narg = 1 + s->state.count + s->u.count, row = 0;
    make_map(&s->slope_map, s->state.count, narg, arena);
    for (int i = 0; i < s->slope.n; row += d->variable[s->slope.at[i++]].n)
        depend(s, &s->slope_map, &d->derivative[i], row,
               d->variable[s->slope.at[i]].n, arg);
    find_groups(&s->slope_map, arena);
    make_map(&s->value_map, s->y.count, narg, arena);
    row = 0;
    for (int i = 0; i < s->y.n; row += d->variable[s->y.at[i++]].n)
        for (int k = 0; k < d->noutput; k++)
            if (resolve(d, fmu_find_unknown(d, d->output[k].reference)) ==
                s->y.at[i])
                depend(s, &s->value_map, &d->output[k], row,
                       d->variable[s->y.at[i]].n, arg);
    find_groups(&s->value_map, arena);
}

/* ---- the entry ---- */

static bool count_indicators(FmuShape *s, Diag *diag)
{
    const FmuDescription *d = s->d;
    s->nz = d->version == 2 ? d->nindicator : 0;
    for (int i = 0; d->version == 3 && i < d->nindicator; i++) {
        int v = fmu_find_reference(d, d->indicator[i].reference);
        if (v == NONE) {
            diag_report(diag, d->indicator[i].span, DIAG_E0221,
                        "an event indicator is no variable");
            return false;
        }
        s->nz += d->variable[v].n;
    }
    return true;
}

static bool has_clocks(const FmuDescription *d, Diag *diag)
{
    for (int i = 0; i < d->nvariable; i++)
        if (d->variable[i].type == FMU_CLOCK) {
            diag_report(diag, d->variable[i].span, DIAG_U0224,
                        "not supported: an FMU with clocks ('%s')",
                        d->variable[i].name);
            return true;
        }
    return false;
}

FmuShape *fmu_shape(const Fmu *f, const FmuOptions *o, Arena *arena, Diag *diag)
{
    const FmuDescription *d = f->d;
    FmuShape *s = NEW(arena, FmuShape);
    s->d = d;
    s->is_block = f->use == FMU_AS_BLOCK ||
                  (f->use == FMU_AS_EITHER && !d->exchange.is_there);
    s->kind = s->is_block ? &d->cosim : &d->exchange;
    if (!s->kind->is_there) {
        diag_report(diag, d->span, DIAG_U0224,
                    "not supported: the FMU is not for %s",
                    f->use == FMU_AS_BLOCK      ? "co-simulation"
                    : f->use == FMU_AS_EXCHANGE ? "model exchange"
                                                : "model exchange or "
                                                  "co-simulation");
        return NULL;
    }
    unsigned char *role = NEW_ARRAY(arena, unsigned char, d->nvariable + 1);
    if (has_clocks(d, diag) || !find_numbers(s, o, arena, diag) ||
        (!s->is_block &&
         (!find_states(s, role, arena, diag) || !count_indicators(s, diag))))
        return NULL;
    sort_out(s, role, arena);
    if (!s->is_block)
        find_structure(s, arena);
    return s;
}
