/* combined_text.c - what a search has found, from one process to another.
 *
 * First a word that says whether all of it is there, then of each search the
 * name of its base, the number of moves, and of each move what it is and which
 * view the plan with it has. Strings are a length and their bytes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tuning/combined_internal.h"

/* ---- written ---- */

static void put(CombinedText *x, const void *value, size_t n)
{
    x->is_sound = x->is_sound && n <= x->size - x->at;
    if (!x->is_sound)
        return;
    memcpy(x->to + x->at, value, n);
    x->at += n;
}

static void put_int(CombinedText *x, int value)
{
    put(x, &value, sizeof value);
}

/* NULL is no string; the empty one is one. */
static void put_string(CombinedText *x, const char *s)
{
    int n = s ? (int)strlen(s) : NONE;
    put_int(x, n);
    if (s)
        put(x, s, (size_t)n);
}

static void put_move(CombinedText *x, const Move *m, const Plan *p)
{
    put_string(x, m->what);
    put_string(x, m->state);
    put_int(x, (int)p->algebraic);
    put_int(x, p->has[PLAN_ALGEBRAIC]);
    put_int(x, m->ncut);
    for (int i = 0; i < m->ncut; i++) {
        put_int(x, (int)m->cut[i].kind);
        put_string(x, m->cut[i].eqn);
        put_string(x, m->cut[i].var);
        put(x, &m->cut[i].value, sizeof m->cut[i].value);
    }
}

CombinedText combined_write(char *to, size_t size)
{
    CombinedText x = {.to = to, .size = size, .is_sound = true};
    put_int(&x, false);
    return x;
}

void combined_put(CombinedText *x, const char *name, const Combiner *k)
{
    put_string(x, name);
    put_int(x, k->n);
    for (int i = 0; i < k->n; i++)
        put_move(x, k->taken[i], k->plan[i + 1]);
}

void combined_finish(CombinedText *x)
{
    bool is_sound = x->is_sound;
    x->at = 0;
    put_int(x, is_sound);
}

/* ---- read ---- */

static void get(CombinedText *x, void *value, size_t n)
{
    x->is_sound = x->is_sound && n <= x->size - x->at;
    memset(value, 0, n);
    if (!x->is_sound)
        return;
    memcpy(value, x->from + x->at, n);
    x->at += n;
}

static int get_int(CombinedText *x)
{
    int value;
    get(x, &value, sizeof value);
    return value;
}

static const char *get_string(CombinedText *x, Arena *arena)
{
    int n = get_int(x);
    if (n < 0 || (size_t)n > x->size - x->at)
        return NULL;
    char *s = NEW_ARRAY(arena, char, n + 1);
    get(x, s, (size_t)n);
    return s;
}

static const Move *get_move(CombinedText *x, Plan *view, Arena *arena)
{
    Move *m = NEW(arena, Move);
    m->what = get_string(x, arena);
    m->state = get_string(x, arena);
    view->algebraic = (PlanAlgebraic)get_int(x);
    view->has[PLAN_ALGEBRAIC] = get_int(x);
    m->ncut = get_int(x);
    PlanCut *cut = NEW_ARRAY(arena, PlanCut, m->ncut + 1);
    for (int i = 0; i < m->ncut; i++) {
        cut[i] = (PlanCut){.kind = (PlanCutKind)get_int(x), .span = NO_SPAN};
        cut[i].eqn = get_string(x, arena);
        cut[i].var = get_string(x, arena);
        get(x, &cut[i].value, sizeof cut[i].value);
    }
    m->cut = cut;
    return m;
}

CombinedText combined_read(const char *from, size_t size)
{
    CombinedText x = {.from = from, .size = size, .is_sound = from != NULL};
    x.is_sound = get_int(&x) != 0;
    return x;
}

bool combined_get(CombinedText *x, const char *name, Combiner *k)
{
    Arena *arena = k->t->c->arena;
    const char *found = get_string(x, arena);
    x->is_sound = x->is_sound && found && !strcmp(name, found);
    k->n = get_int(x);
    x->is_sound = x->is_sound && k->n <= COMBINED_MOST_TAKEN;
    for (int i = 0; i < k->n && x->is_sound; i++) {
        Plan view = *k->base;
        k->taken[i] = get_move(x, &view, arena);
        Plan *p = combined_with(k, k->plan[i], k->taken[i]);
        p->algebraic = view.algebraic;
        p->has[PLAN_ALGEBRAIC] = view.has[PLAN_ALGEBRAIC];
        k->plan[i + 1] = p;
    }
    if (!x->is_sound)
        k->n = 0;
    return x->is_sound;
}
