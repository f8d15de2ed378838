/* functions.c - defaults, update, start and steps. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "emit/emit_internal.h"

/* ---- beginning ---- */

/* The derivative of an input is not a number until it is set. */
static double default_value(const Emit *e, int slot)
{
    const Inlined *d = e->f->low->inlined;
    int entry = e->home[slot] == HOME_INPUT ? e->t->meaning[slot].entry : NONE;
    int v = entry == NONE ? NONE : d->var[entry].sys_var;
    return v != NONE && d->sys->var[v].input_order > 0 ? NAN
                                                       : e->o->value[slot];
}

/* All members, in functions of their own where they are many. */
static void add_members(Emit *e, Text *parts, Text *out)
{
    const char *n = e->o->name;
    Text *to = out;
    int total = 0, count = 0, part = 0;
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++)
        total += h != HOME_FIXED ? e->nmember[h] : 0;
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++) {
        for (int i = 0; h != HOME_FIXED && i < e->t->nslot; i++) {
            if (e->home[i] != h)
                continue;
            if (total > WHOLE && count++ % PART_OF_VAST == 0) {
                if (part++ > 0)
                    text_add(e, to, "}\n\n");
                to = parts;
                text_add(e, to,
                         "static TAKT_RARELY void %s_default%d(%s *m)\n{\n", n,
                         part, n);
                text_add(e, out, "    %s_default%d(m);\n", n, part);
            }
            text_add(e, to, "    %s = %s;\n", e->ref[i],
                     emit_number(e, default_value(e, i)));
        }
    }
    if (part > 0)
        text_add(e, to, "}\n\n");
}

static void add_text(Emit *e, Text *out, const Text *more)
{
    if (more->n > 0)
        text_add(e, out, "%s", more->at);
}

static void add_default(Emit *e, Text *to)
{
    const Tape *t = e->t;
    const char *n = e->o->name;
    Text parts = {0}, body = {0}, *out = &body;
    text_add(e, out, "void %s_default(%s *m)\n{\n", n, n);
    if (emit_foreign(e))
        text_add(e, out, "    (void)TAKT_X(open)();\n");
    if (emit_has_history(e))
        text_add(e, out, "    memset(&m->h, 0, sizeof m->h);\n");
    add_members(e, &parts, out);
    for (int i = 0; e->f->start == NONE && i < t->delay.n; i++) {
        const char *first = emit_number(e, e->o->delay[i]);
        if (t->delay.at[i].past == TP_SPREAD)
            text_add(e, out, "    %s;\n", emit_spread_begin(e, i, first));
        else
            text_add(e, out, "    m->h.past%d[0] = %s;\n", i, first);
    }
    text_add(e, out,
             "    m->turn = 0;\n    m->status = 0;\n    m->causes = 0;\n"
             "    m->block = 0;\n    m->message = 0;\n    m->variable = 0;\n"
             "    %s_update(m);\n}\n\n",
             n);
    add_text(e, to, &parts);
    add_text(e, to, &body);
}

static void add_init(Emit *e, Text *out)
{
    const char *n = e->o->name;
    text_add(e, out,
             "int %s_init(%s *m)\n{\n    %s_default(m);\n"
             "    return %s_start(m);\n}\n\n",
             n, n, n, n);
}

/* ---- update, start, step ---- */

static void add_update(Emit *e, Text *out)
{
    Text parts = {0}, body = {0};
    const char *n = e->o->name;
    text_add(e, &body, "void %s_update(%s *m)\n{\n    (void)m;\n", n, n);
    emit_body(e, &parts, &body, &e->t->segment.at[0],
              arena_printf(e->local, "%s_update", n), false, false);
    emit_range_update(e, &body);
    text_add(e, &body, "}\n\n");
    add_text(e, out, &parts);
    add_text(e, out, &body);
}

/* A segment whose results count only where it did not fail. */
static void add_kept(Emit *e, Text *to, int k, const char *scope,
                     const char *function)
{
    const char *n = e->o->name;
    Text parts = {0}, body = {0}, *out = &body;
    text_add(e, out, "%sint %s(%s *m)\n{\n", scope, function, n);
    emit_body(e, &parts, out, &e->t->segment.at[k], function, true, true);
    text_add(e, out, "\n    /* a state that is not finite is not kept */\n");
    emit_watch(e, &parts, out, &e->t->segment.at[k], function);
    text_add(e, out,
             "    const %s_s *const kept[2] = {&%s, &m->s};\n"
             "    TAKT_KEEP(%s, %s, %s_s, &m->s, kept[%s]);\n",
             n, e->is_cut ? "w->next" : "next", e->suffix, e->real, n,
             emit_lost(e, &e->t->segment.at[k]));
    emit_status(e, out, &e->t->segment.at[k]);
    add_text(e, to, &parts);
    add_text(e, to, &body);
}

static void add_step(Emit *e, Text *to, int k, const char *function)
{
    add_kept(e, to, k + 1, e->f->nstep > 1 ? "static " : "", function);
}

/* For integrators of others. */
static void add_exchange(Emit *e, Text *to)
{
    const FusedExchange *x = e->f->exchange;
    const struct {
        const char *name;
        int segment;
    } part[] = {{"rates", x->rates},
                {"accept", x->accept},
                {"event", x->event},
                {"tangent", x->moves ? x->tangents : NONE}};
    for (int i = 0; i < 4; i++)
        if (part[i].segment != NONE)
            add_kept(e, to, part[i].segment, "",
                     arena_printf(e->local, "%s_%s", e->o->name, part[i].name));
}

/* For schedulers of others. */
static void add_parts(Emit *e, Text *to)
{
    const FusedParts *p = e->f->parts;
    const char *n = e->o->name;
    add_kept(e, to, p->advance, "", arena_printf(e->local, "%s_advance", n));
    for (int r = 0; r < p->nrate; r++)
        add_kept(e, to, p->tick[r], "static ",
                 arena_printf(e->local, "%s_tick%d", n, r + 1));
    add_kept(e, to, p->settle, "", arena_printf(e->local, "%s_settle", n));
    text_add(e, to, "int %s_due(const %s *m, int rate)\n{\n", n, n);
    text_add(e, to, "    switch (rate) {\n");
    for (int r = 0; r < p->nrate; r++)
        text_add(e, to, "    case %d: return %s != 0;\n", r, e->ref[p->due[r]]);
    text_add(e, to, "    default: (void)m; return 0;\n    }\n}\n\n");
    text_add(e, to, "int %s_tick(%s *m, int rate)\n{\n", n, n);
    text_add(e, to, "    switch (rate) {\n");
    for (int r = 0; r < p->nrate; r++)
        text_add(e, to, "    case %d: return %s_tick%d(m);\n", r, n, r + 1);
    text_add(e, to, "    default: return m->status;\n    }\n}\n\n");
}

/* What a function returns whose block has no solution. */
static void add_stop(Emit *e, Text *to)
{
    const char *n = e->o->name;
    bool can_stop = false;
    for (int i = 0; i < e->t->block.n; i++)
        can_stop |= e->t->block.at[i].is_damped || e->t->block.at[i].is_strict;
    if (can_stop)
        text_add(e, to,
                 "static int %s_stop(%s *m, int block)\n{\n"
                 "    m->block = block;\n    m->message = 0;\n"
                 "    m->variable = 0;\n"
                 "    m->causes = %s;\n    m->status = %s;\n"
                 "    return m->status;\n}\n\n",
                 n, n, emit_cause(e, CAUSE_UNSOLVED),
                 emit_code(e, CAUSE_UNSOLVED));
}

/* Consistent initial values: iterated to convergence, with work that is bounded
 * and not constant. */
static void add_start(Emit *e, Text *to)
{
    const char *n = e->o->name;
    if (e->f->start == NONE) {
        text_add(e, to,
                 "int %s_start(%s *m)\n{\n    %s_update(m);\n"
                 "    return m->status;\n}\n\n",
                 n, n, n);
        return;
    }
    Text parts = {0}, body = {0}, *out = &body;
    text_add(e, out,
             "int %s_start(%s *m)\n{\n    %s_update(m);\n    m->turn = 0;\n", n,
             n, n);
    const char *function = arena_printf(e->local, "%s_start", n);
    emit_body(e, &parts, out, &e->t->segment.at[e->f->start], function, true,
              false);
    emit_watch(e, &parts, out, &e->t->segment.at[e->f->start], function);
    emit_status(e, out, &e->t->segment.at[e->f->start]);
    add_text(e, to, &parts);
    add_text(e, to, &body);
}

static int step_of(const Emit *e, int system)
{
    for (int i = 0; i < e->f->nstep; i++)
        if (e->f->system[i] == system)
            return i;
    return 0;
}

/* Methods with a history: the first steps and those in turn differ. */
static void add_turns(Emit *e, Text *out)
{
    const Inlined *d = e->f->low->inlined;
    const char *n = e->o->name;
    text_add(e, out, "int %s_step(%s *m)\n{\n", n, n);
    text_add(e, out, "    static const unsigned char turn[%d] = {",
             d->nstart + d->ncycle);
    for (int i = 0; i < d->nstart + d->ncycle; i++)
        text_add(
            e, out, "%s%d", i ? ", " : "",
            step_of(e, i < d->nstart ? d->start[i] : d->cycle[i - d->nstart]));
    text_add(e, out,
             "};\n    const int now = m->turn;\n    int status = 0;\n"
             "    switch (turn[now]) {\n");
    for (int i = 0; i < e->f->nstep; i++)
        text_add(e, out, "    %s status = %s_step%d(m); break;\n",
                 i == e->f->nstep - 1 ? "default:"
                                      : arena_printf(e->local, "case %d:", i),
                 n, i);
    text_add(e, out,
             "    }\n    if (status >= 0)\n"
             "        m->turn = now + 1 < %d ? now + 1 : %d;\n",
             d->nstart + d->ncycle, d->nstart);
    if (e->f->broken != NONE)
        text_add(e, out, "    m->turn *= %s == 0;\n", e->ref[e->f->broken]);
    text_add(e, out, "    return status;\n}\n\n");
}

void emit_functions(Emit *e, Text *out)
{
    const char *n = e->o->name;
    add_update(e, out);
    add_default(e, out);
    add_stop(e, out);
    add_start(e, out);
    add_init(e, out);
    if (e->f->exchange)
        add_exchange(e, out);
    if (e->f->parts)
        add_parts(e, out);
    if (e->f->nstep == 1) {
        add_step(e, out, 0, arena_printf(e->local, "%s_step", n));
        return;
    }
    for (int i = 0; i < e->f->nstep; i++)
        add_step(e, out, i, arena_printf(e->local, "%s_step%d", n, i));
    add_turns(e, out);
}
