/* mixed.c - plans in mixed mode. Sets of explicit states are looked for aside
 * (aside.c): for a rod of 200 volumes that is a fifth of all the work.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tuning/tuning_internal.h"

/* Of PROOF_RINGING, in pencils: what is nonlinear comes on top. */
#define RINGING (0.8 * PROOF_RINGING)
/* Gustafsson's partition, and the best set of each form. */
enum { MOST_SETS = MIX_PLACE + 2 };

/* What is kept of a set: its head, then is_explicit and at_old. */
typedef struct Head {
    bool is_there;
    MixForm form;
    int nexplicit;
} Head;

static size_t size_of(const PencilSet *p)
{
    size_t n = sizeof(Head) + (size_t)p->nx + (size_t)p->nnz;
    return (n + 15) / 16 * 16;
}

static void put(const PencilSet *p, const MixedSet *s, char *to)
{
    Head head = {true, s->form, s->nexplicit};
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, s->is_explicit, (size_t)p->nx);
    memcpy(to + sizeof head + p->nx, s->at_old, (size_t)p->nnz);
}

static MixedSet get(const PencilSet *p, const char *from)
{
    Head head;
    memcpy(&head, from, sizeof head);
    from += sizeof head;
    return (MixedSet){.form = head.form,
                      .nexplicit = head.nexplicit,
                      .is_explicit = (const bool *)from,
                      .at_old = (const bool *)(from + p->nx)};
}

size_t tuner_mixed_size(const Tuner *t)
{
    return MOST_SETS * size_of(t->r->pencil);
}

void tuner_mixed_find(const Tuner *t, char *to)
{
    const PencilSet *p = t->r->pencil;
    Arena *arena = arena_new();
    MixOptions mo = mixed_defaults();
    mo.margin = TUNER_MARGIN;
    mo.ringing = RINGING;
    mo.growth = 0; /* the proof looks at products */
    const MixedList *list = mixed_find(p, t->c->size, &mo, arena);
    bool done[MIX_PLACE + 1] = {false};
    memset(to, 0, tuner_mixed_size(t));
    if (list->gustafsson.nexplicit > 0)
        put(p, &list->gustafsson, to);
    for (int i = 0, n = 1; i < list->n; i++) {
        const MixedSet *s = &list->set[i];
        if (done[s->form])
            continue;
        done[s->form] = true;
        put(p, s, to + (size_t)n++ * size_of(p));
    }
    arena_free(arena);
}

static const char *state_list(const Tuner *t, const bool *is_explicit)
{
    const PencilSet *p = t->r->pencil;
    const char *text = "";
    int n = 0;
    for (int i = 0; i < p->nx; i++) {
        if (!is_explicit[i])
            continue;
        if (n++ < 6)
            text = arena_printf(t->c->arena, "%s%s%s", text, n > 1 ? ", " : "",
                                p->var[i]);
    }
    return n > 6 ? arena_printf(t->c->arena, "%s, ... (%d)", text, n) : text;
}

static void add_mixed_set(Tuner *t, const char *name, const MixedSet *s)
{
    Plan *plan = tuner_plan(t, "lie");
    if (!mixed_to_plan(t->r->pencil, s, t->r->inlined, plan, t->c->arena))
        return;
    TuneCandidate *k = tuner_add(t, name, TUNE_MIXED, plan);
    bool *keep = NEW_ARRAY(t->c->arena, bool, t->r->pencil->nnz + 1);
    for (int e = 0; e < t->r->pencil->nnz; e++)
        keep[e] = !s->at_old[e];
    k->keep = keep; /* for a linear model, the same step */
    k->modes =
        s->form == MIX_PLACE
            ? arena_printf(t->c->arena, "%d places explicit", s->nexplicit)
            : state_list(t, s->is_explicit);
}

void tuner_mixed(Tuner *t, const char *found)
{
    const PencilSet *p = t->r->pencil;
    for (int i = 0; i < MOST_SETS; i++) {
        const char *from = found + (size_t)i * size_of(p);
        Head head;
        memcpy(&head, from, sizeof head);
        if (!head.is_there)
            continue;
        MixedSet s = get(p, from);
        add_mixed_set(t,
                      i == 0 ? "mixed, partition"
                             : arena_printf(t->c->arena, "mixed, %s",
                                            mixed_form_name(s.form)),
                      &s);
    }
}
