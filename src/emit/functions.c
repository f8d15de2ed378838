/* functions.c - defaults, update, start and steps. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "emit/emit_internal.h"

/* ---- beginning ---- */

static void add_default(Emit *e, Text *out)
{
    const Tape *t = e->t;
    const char *n = e->o->name;
    text_add(e, out, "void %s_default(%s *m)\n{\n", n, n);
    if (emit_has_history(e))
        text_add(e, out, "    memset(&m->h, 0, sizeof m->h);\n");
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++) {
        for (int i = 0; h != HOME_FIXED && i < t->nslot; i++)
            if (e->home[i] == h)
                text_add(e, out, "    %s = %s;\n", e->ref[i],
                         emit_number(e, e->o->value[i]));
    }
    for (int i = 0; e->f->start == NONE && i < t->delay.n; i++)
        text_add(e, out, "    m->h.past%d[0] = %s;\n", i,
                 emit_number(e, e->o->delay[i]));
    text_add(e, out,
             "    m->turn = 0;\n    m->status = 0;\n    m->block = 0;\n"
             "    m->message = 0;\n    %s_update(m);\n}\n\n",
             n);
}

static void add_init(Emit *e, Text *out)
{
    const char *n = e->o->name;
    text_add(e, out,
             "int %s_init(%s *m)\n{\n    %s_default(m);\n"
             "    return %s_start(m);\n}\n\n",
             n, n, n, n);
}

static void add_text(Emit *e, Text *out, const Text *more)
{
    if (more->n > 0)
        text_add(e, out, "%s", more->at);
}

/* ---- update, start, step ---- */

static void add_update(Emit *e, Text *out)
{
    Text parts = {0}, body = {0};
    const char *n = e->o->name;
    text_add(e, &body, "void %s_update(%s *m)\n{\n    (void)m;\n", n, n);
    emit_body(e, &parts, &body, &e->t->segment.at[0],
              arena_printf(e->local, "%s_update", n), false, false);
    text_add(e, &body, "}\n\n");
    add_text(e, out, &parts);
    add_text(e, out, &body);
}

/* "slot as a whole number", or 0 where there is none */
static const char *flag(Emit *e, int slot)
{
    return slot == NONE ? "0"
                        : arena_printf(e->local, "(int)%s", e->next[slot]);
}

/* Members that need no look: time, flags, and copies of others. */
static bool *find_plain(Emit *e, const TapeSegment *s)
{
    const Tape *t = e->t;
    bool *plain = NEW_ARRAY(e->local, bool, t->nslot);
    bool *written = NEW_ARRAY(e->local, bool, t->nslot);
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *k = &t->block.at[in->a];
            for (int j = 0; j < k->n; j++)
                plain[k->x[j]] = false, written[k->x[j]] = true;
        }
        int dst = tape_writes(in);
        if (dst == NONE)
            continue;
        bool copies = in->op == TAPE_COPY && e->home[in->a] == HOME_STATE &&
                      written[in->a];
        /* a copy of what is written later again is looked at itself */
        plain[dst] =
            (copies || (in->op < EX_NOP && op_has(in->op, OP_LOGICAL))) &&
            (!written[dst] || plain[dst]);
        written[dst] = true;
    }
    for (int i = 0; i < t->nslot; i++)
        plain[i] |= !written[i]; /* it was finite before */
    return plain;
}

/* Has a step nothing to say but that it failed or did not converge? */
static bool is_silent(const Emit *e)
{
    const Fused *f = e->f;
    return f->asserted == NONE && f->warned == NONE && f->terminated == NONE &&
           f->unsettled == NONE;
}

/* Is every number that the segment leaves finite? A sum of finite numbers
 * overflows only where they are useless anyway. */
static void add_watch(Emit *e, Text *out, const TapeSegment *segment)
{
    const bool *plain = find_plain(e, segment);
    text_add(e, out, "    sum = 0;\n");
    for (int i = 0; i < e->t->nslot; i++)
        if (e->home[i] == HOME_STATE && e->t->region[i] != TR_TIME &&
            i != e->f->count && !plain[i] && !e->checked[i])
            text_add(e, out, "    sum += %s;\n", e->next[i]);
    text_add(e, out, "    bad = takt_note%s(bad, sum, %d);\n", e->suffix,
             emit_nblock(e) + 1);
    text_add(e, out,
             "    const int failed = (int)takt_flag(bad != 0);\n"
             "    const int late = (int)takt_flag(warn != 0);\n");
    if (is_silent(e)) {
        text_add(e, out, "    const int stopped = 0;\n");
        return;
    }
    text_add(e, out,
             "    const int asserted = %s, warned = %s, ended = %s;\n"
             "    const int left = %s;\n"
             "    const int stopped = (int)takt_flag(asserted != 0);\n",
             flag(e, e->f->asserted), flag(e, e->f->warned),
             flag(e, e->f->terminated), flag(e, e->f->unsettled));
}

/* The worst comes first. */
static void add_status(Emit *e, Text *out)
{
    if (is_silent(e)) {
        text_add(e, out,
                 "    (void)stopped;\n    m->message = 0;\n"
                 "    m->block = (int)(bad | (warn & ((uint32_t)failed - 1)));"
                 "\n"
                 "    m->status = (1 - failed) * late - failed;\n"
                 "    return m->status;\n}\n\n");
        return;
    }
    text_add(e, out,
             "    int status = takt_first(-failed, -2 * stopped);\n"
             "    status = takt_first(status, 4 * (int)takt_flag(ended != 0));"
             "\n"
             "    status = takt_first(status, takt_first(late, 2 * left));\n"
             "    status = takt_first(status, 3 * (int)takt_flag(warned != 0));"
             "\n"
             "    m->message = takt_first(asserted, takt_first(ended, "
             "warned));\n"
             "    m->block = takt_first((int)bad, (1 - failed) * (int)warn);\n"
             "    m->status = status;\n    return status;\n}\n\n");
}

static void add_step(Emit *e, Text *to, int k, const char *function)
{
    const char *n = e->o->name;
    Text parts = {0}, body = {0}, *out = &body;
    text_add(e, out, "%sint %s(%s *m)\n{\n", e->f->nstep > 1 ? "static " : "",
             function, n);
    emit_body(e, &parts, out, &e->t->segment.at[k + 1], function, true, true);
    text_add(e, out, "\n    /* a state that is not finite is not kept */\n");
    add_watch(e, out, &e->t->segment.at[k + 1]);
    text_add(e, out,
             "    const %s_s *const kept[2] = {&%s, &m->s};\n"
             "    TAKT_KEEP(%s, %s, %s_s, &m->s, kept[failed | stopped]);\n",
             n, e->is_cut ? "w->next" : "next", e->suffix, e->real, n);
    add_status(e, out);
    add_text(e, to, &parts);
    add_text(e, to, &body);
}

/* Consistent initial values: the only code that iterates to convergence. */
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
    bool damped = false;
    for (int i = 0; i < e->t->block.n; i++)
        damped |= e->t->block.at[i].is_damped;
    if (damped)
        text_add(e, to,
                 "static int %s_stop(%s *m, int block)\n{\n"
                 "    m->block = block;\n    m->status = -1;\n"
                 "    return m->status;\n}\n\n",
                 n, n);
    text_add(e, out,
             "int %s_start(%s *m)\n{\n    %s_update(m);\n    m->turn = 0;\n", n,
             n, n);
    emit_body(e, &parts, out, &e->t->segment.at[e->f->start],
              arena_printf(e->local, "%s_start", n), true, false);
    add_watch(e, out, &e->t->segment.at[e->f->start]);
    add_status(e, out);
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
    add_start(e, out);
    add_init(e, out);
    if (e->f->nstep == 1) {
        add_step(e, out, 0, arena_printf(e->local, "%s_step", n));
        return;
    }
    for (int i = 0; i < e->f->nstep; i++)
        add_step(e, out, i, arena_printf(e->local, "%s_step%d", n, i));
    add_turns(e, out);
}
