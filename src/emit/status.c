/* status.c - what a step says of itself: the rows of base/status.def in C.
 *
 * A cause that can happen in a segment has a flag, 0 or 1, and perhaps the
 * number of a block or of a message. All of them are computed in every step;
 * the status is that of the first cause whose flag is 1, found by products and
 * masks, so that no number decides what is executed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/ctext.h"
#include "emit/emit_internal.h"
#include "tape/touch.h"

/* ---- causes ---- */

typedef struct Cause {
    const char *flag;   /* C: 0 or 1; NULL: it cannot happen here */
    const char *number; /* C, uint32_t: the block or message, 0: none */
} Cause;

EmitAlarms emit_alarms(const Emit *e, const TapeSegment *segment)
{
    EmitAlarms a = {.iterates = false};
    for (int i = segment->first; i < segment->first + segment->count; i++) {
        const TapeInstr *in = &e->t->code.at[i];
        if (in->op == TAPE_NOTE)
            a.noted[in->a] = true;
        if (in->op != TAPE_BLOCK || e->t->block.at[in->a].is_damped)
            continue;
        const TapeBlock *b = &e->t->block.at[in->a];
        a.iterates |= b->iterations > 1 && !b->is_linear && !b->is_strict;
        a.factors |= b->monitor != 0;
    }
    return a;
}

const char *emit_noted(Emit *e, StatusCause cause)
{
    return arena_printf(e->local, "of_%s", status_row[cause].word);
}

int emit_note_place(const Emit *e, const TapeInstr *note)
{
    if (status_row[note->a].of == OF_BLOCK)
        return note->c == NONE ? emit_nblock(e) + 1 : note->c + 1;
    int number = 2; /* time and step */
    for (int i = 0; i < e->t->symbol.n; i++) {
        if (emit_in_table(e, i) && e->t->symbol.at[i].slot == note->c)
            return number + 1;
        number += emit_in_table(e, i);
    }
    return number + 1;
}

/* Can the segment say what the slot says? A part of a step does not repeat
 * what another one has said. */
static bool says(const Emit *e, const TapeSegment *segment, int slot)
{
    const FusedParts *parts = e->f->parts;
    if (slot == NONE)
        return false;
    if (!parts || segment < &e->t->segment.at[parts->advance])
        return true;
    for (int i = segment->first; i < segment->first + segment->count; i++)
        if (tape_writes(&e->t->code.at[i]) == slot)
            return true;
    return false;
}

/* Those of a segment, by row of status.def. */
static void find_causes(Emit *e, const TapeSegment *segment,
                        Cause cause[STATUS_NCAUSE])
{
    const Fused *f = e->f;
    EmitAlarms alarms = emit_alarms(e, segment);
    for (int i = 0; i < STATUS_NCAUSE; i++)
        cause[i] = (Cause){NULL, NULL};
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (alarms.noted[i])
            cause[i] =
                (Cause){arena_printf(e->local, "is_%s", status_row[i].word),
                        emit_noted(e, (StatusCause)i)};
    cause[CAUSE_FAILED] = (Cause){"failed", "bad"};
    if (alarms.iterates)
        cause[CAUSE_WARNING] = (Cause){"late", "warn"};
    if (alarms.factors)
        cause[CAUSE_FACTORS] = (Cause){"weak", "doubt"};
    if (says(e, segment, f->asserted))
        cause[CAUSE_ASSERTED] = (Cause){"stopped", "asserted"};
    if (says(e, segment, f->terminated))
        cause[CAUSE_TERMINATED] = (Cause){"over", "ended"};
    if (says(e, segment, f->warned))
        cause[CAUSE_REMARK] = (Cause){"remarked", "warned"};
    if (emit_has_ranges(e, HOME_NONE))
        cause[CAUSE_OUTSIDE] = (Cause){"outside", "beyond"};
    if (emit_has_estimate(e))
        cause[CAUSE_INACCURATE] = (Cause){"inexact", "astray"};
    if (says(e, segment, f->unsettled))
        cause[CAUSE_EVENTS] = (Cause){"left", "unsettled"};
}

const char *emit_code(Emit *e, StatusCause cause)
{
    return arena_printf(e->local, "%s_%s", emit_upper(e, e->o->name),
                        status_row[cause].name);
}

const char *emit_cause(Emit *e, StatusCause cause)
{
    return arena_printf(e->local, "%s_HAS_%s", emit_upper(e, e->o->name),
                        status_row[cause].name);
}

/* ---- looking ---- */

/* Does the instruction leave a number that is finite if those it selects from
 * are? */
static bool is_selection(const TapeInstr *in, const bool *open)
{
    if (in->op == TAPE_COPY)
        return !open[in->a];
    if (in->op == EX_IF)
        return !open[in->b] && !open[in->c];
    return in->op < EX_NOP && op_has(in->op, OP_LOGICAL);
}

/* What instructions write besides their destinations: results of blocks,
 * systems and calls. */
typedef struct Further {
    int dst;
    bool *is_one; /* of each slot */
} Further;

static void note_further(void *context, int slot)
{
    Further *f = context;
    if (slot != NONE && slot != f->dst)
        f->is_one[slot] = true;
}

static bool *find_further(Emit *e, const TapeSegment *s)
{
    Further f = {.is_one = NEW_ARRAY(e->local, bool, e->t->nslot + 1)};
    for (int i = s->first; i < s->first + s->count; i++) {
        f.dst = tape_writes(&e->t->code.at[i]);
        tape_touch_writes(e->t, &e->t->code.at[i], note_further, &f);
    }
    return f.is_one;
}

/* Of each slot: may it become infinite? Not if it is only ever chosen from
 * truths, numbers and what members were. */
static bool *find_open(Emit *e, const TapeSegment *s)
{
    const Tape *t = e->t;
    bool *open = find_further(e, s), again = true;
    bool *written = NEW_ARRAY(e->local, bool, t->nslot + 1);
    for (int i = s->first; i < s->first + s->count; i++) {
        int dst = tape_writes(&t->code.at[i]);
        if (dst != NONE)
            written[dst] = true;
    }
    for (int i = 0; i < t->nslot; i++)
        open[i] |= t->region[i] == TR_CONST
                       ? !isfinite(t->initial[i])
                       : !written[i] && e->home[i] != HOME_STATE;
    while (again) {
        again = false;
        for (int i = s->first; i < s->first + s->count; i++) {
            int dst = tape_writes(&t->code.at[i]);
            if (dst == NONE || open[dst] || is_selection(&t->code.at[i], open))
                continue;
            open[dst] = again = true;
        }
    }
    return open;
}

/* Members that need no look: time, flags, what is chosen from such, and copies
 * of others. */
static bool *find_plain(Emit *e, const TapeSegment *s)
{
    const Tape *t = e->t;
    bool *plain = NEW_ARRAY(e->local, bool, t->nslot);
    bool *written = find_further(e, s);
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &t->code.at[i];
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
    const bool *open = find_open(e, s);
    for (int i = 0; i < t->nslot; i++)
        plain[i] |= !written[i] || !open[i]; /* it was finite before */
    return plain;
}

/* A number from a slot that is a whole one, and the flag that it is not 0. */
static void add_flag(Emit *e, Text *out, const Cause *c, int slot)
{
    if (!c->number)
        text_add(e, out, "    const int %s = (int)%s;\n", c->flag,
                 e->next[slot]);
    else
        text_add(e, out,
                 "    const uint32_t %s = (uint32_t)(int)%s;\n"
                 "    const int %s = (int)takt_flag(%s != 0);\n",
                 c->number, e->next[slot], c->flag, c->number);
}

/* Is every number that the segment leaves finite? What follows from others is
 * not looked at: the next step would compute the same of them. A sum of finite
 * numbers overflows only where they are useless anyway. Long sums stand in
 * functions of their own. */
static void add_sum(Emit *e, Text *parts, Text *out, const TapeSegment *segment,
                    const char *name)
{
    const bool *plain = find_plain(e, segment);
    Text *to = out;
    int count = 0, part = 0;
    text_add(e, out, "    sum = 0;\n");
    for (int i = 0; i < e->t->nslot; i++) {
        if (e->home[i] != HOME_STATE || e->t->region[i] == TR_TIME ||
            i == e->f->count || plain[i] || e->checked[i] ||
            e->t->meaning[i].form & TF_KEPT)
            continue;
        if (e->is_cut && count++ % PART_OF_VAST == 0) {
            if (part++ > 0)
                text_add(e, to, "    return sum;\n}\n\n");
            to = parts;
            text_add(e, to,
                     "static TAKT_APART %s %s_sum%d(const %s *m, const "
                     "%s_work *w, %s sum)\n{\n    (void)m;\n    (void)w;\n",
                     e->real, name, part, e->o->name, name, e->real);
            text_add(e, out, "    sum = %s_sum%d(m, w, sum);\n", name, part);
        }
        text_add(e, to, "    sum += %s;\n", e->next[i]);
    }
    if (part > 0)
        text_add(e, to, "    return sum;\n}\n\n");
    text_add(e, out, "    bad = takt_note%s(bad, sum, %d);\n", e->suffix,
             emit_nblock(e) + 1);
}

void emit_watch(Emit *e, Text *parts, Text *out, const TapeSegment *segment,
                const char *name)
{
    const Fused *f = e->f;
    const struct {
        StatusCause cause;
        int slot; /* NONE: the variable is there already */
    } flags[] = {{CAUSE_FAILED, NONE},
                 {CAUSE_WARNING, NONE},
                 {CAUSE_FACTORS, NONE},
                 {CAUSE_ASSERTED, f->asserted},
                 {CAUSE_TERMINATED, f->terminated},
                 {CAUSE_REMARK, f->warned},
                 {CAUSE_EVENTS, f->unsettled},
                 {CAUSE_OUTSIDE, NONE}};
    Cause cause[STATUS_NCAUSE];
    add_sum(e, parts, out, segment, name);
    emit_range_look(e, out);
    emit_estimate_look(e, out);
    find_causes(e, segment, cause);
    EmitAlarms alarms = emit_alarms(e, segment);
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (alarms.noted[i])
            text_add(e, out, "    const int %s = (int)takt_flag(%s != 0);\n",
                     cause[i].flag, cause[i].number);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        const Cause *c = &cause[flags[i].cause];
        if (c->flag && flags[i].slot == NONE)
            text_add(e, out, "    const int %s = (int)takt_flag(%s != 0);\n",
                     c->flag, c->number);
        else if (c->flag)
            add_flag(e, out, c, flags[i].slot);
    }
}

const char *emit_lost(Emit *e, const TapeSegment *segment)
{
    Cause cause[STATUS_NCAUSE];
    const char *text = NULL;
    find_causes(e, segment, cause);
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (cause[i].flag && status_row[i].severity == SEVERITY_FAILED)
            text = text ? arena_printf(e->local, "%s | %s", text, cause[i].flag)
                        : cause[i].flag;
    return text;
}

/* ---- saying ---- */

/* The code of the first cause: flag * code + (1 - flag) * rest. */
static const char *first_code(Emit *e, const Cause *cause)
{
    const char *rest = NULL;
    for (int i = STATUS_NCAUSE - 1; i >= 0; i--) {
        if (!cause[i].flag)
            continue;
        const char *own = arena_printf(e->local, "%s * %s", cause[i].flag,
                                       emit_code(e, (StatusCause)i));
        rest = !rest ? own
                     : arena_printf(e->local, "%s +\n        (1 - %s) * (%s)",
                                    own, cause[i].flag, rest);
    }
    return rest;
}

/* The number of the first cause that speaks of `of`. */
static const char *first_number(Emit *e, const Cause *cause, StatusOf of)
{
    const char *rest = NULL;
    bool is_sum = false;
    for (int i = STATUS_NCAUSE - 1; i >= 0; i--) {
        if (!cause[i].flag || status_row[i].of != of)
            continue;
        is_sum = rest != NULL;
        rest = !rest ? cause[i].number
                     : arena_printf(e->local,
                                    strchr(rest, ' ')
                                        ? "%s | (((uint32_t)%s - 1) & (%s))"
                                        : "%s | (((uint32_t)%s - 1) & %s)",
                                    cause[i].number, cause[i].flag, rest);
    }
    return !rest    ? "0"
           : is_sum ? arena_printf(e->local, "(int)(%s)", rest)
                    : arena_printf(e->local, "(int)%s", rest);
}

static const char *all_causes(Emit *e, const Cause *cause)
{
    const char *text = NULL;
    for (int i = 0; i < STATUS_NCAUSE; i++) {
        if (!cause[i].flag)
            continue;
        const char *own =
            arena_printf(e->local, "(unsigned)%s * %s", cause[i].flag,
                         emit_cause(e, (StatusCause)i));
        text =
            text ? arena_printf(e->local, "%s |\n                %s", text, own)
                 : own;
    }
    return text;
}

void emit_status(Emit *e, Text *out, const TapeSegment *segment)
{
    Cause cause[STATUS_NCAUSE];
    find_causes(e, segment, cause);
    text_add(e, out,
             "    m->causes = %s;\n    m->block = %s;\n"
             "    m->message = %s;\n    m->variable = %s;\n"
             "    m->status =\n        %s;\n"
             "    return m->status;\n}\n\n",
             all_causes(e, cause), first_number(e, cause, OF_BLOCK),
             first_number(e, cause, OF_MESSAGE),
             first_number(e, cause, OF_VARIABLE), first_code(e, cause));
}

/* ---- names ---- */

void emit_status_names(Emit *e, Text *out)
{
    const char *u = emit_upper(e, e->o->name);
    text_add(e, out,
             "/* What start and step return. Below 0 the last good state was "
             "kept. */\n"
             "enum {\n    %s_FINE = 0,\n",
             u);
    for (int i = 0; i < STATUS_NCAUSE; i++)
        text_add(e, out, "    %s = %d%s /* %s */\n",
                 emit_code(e, (StatusCause)i), (int)status_row[i].code,
                 i < STATUS_NCAUSE - 1 ? "," : "",
                 c_comment(status_row[i].text, e->local));
    text_add(e, out,
             "};\n\n/* All that happened in a step, as bits of m.causes. "
             "*/\nenum {");
    for (int i = 0; i < STATUS_NCAUSE; i++)
        text_add(e, out, "%s\n    %s = %d", i ? "," : "",
                 emit_cause(e, (StatusCause)i), 1 << i);
    text_add(e, out, "\n};\n\n");
}

void emit_status_functions(Emit *e, Text *out)
{
    const char *n = e->o->name, *u = emit_upper(e, n);
    text_add(e, out,
             "const char *%s_status_text(int status)\n{\n"
             "    switch (status) {\n    case %s_FINE: return \"fine\";\n",
             n, u);
    for (int i = 0; i < STATUS_NCAUSE; i++)
        text_add(e, out, "    case %s: return %s;\n",
                 emit_code(e, (StatusCause)i),
                 c_string(status_row[i].text, e->local));
    text_add(e, out,
             "    default: return \"\";\n    }\n}\n\n"
             "int %s_fmi_status(int status)\n{\n    switch (status) {\n"
             "    case %s_FINE: return 0;\n",
             n, u);
    for (int i = 0; i < STATUS_NCAUSE; i++)
        text_add(e, out, "    case %s: return %d;\n",
                 emit_code(e, (StatusCause)i), (int)status_row[i].fmi);
    text_add(e, out, "    default: return %d;\n    }\n}\n\n", FMI_ERROR);
}
