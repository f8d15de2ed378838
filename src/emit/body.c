/* body.c - blocks, loops, and the function around them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <string.h>

#include "emit/body.h"
#include "tape/masks.h"

/* ---- blocks and loops ---- */

static void range(Body *b, int first, int count);

static void correct(Body *b, int at, const TapeBlock *k, bool monitored)
{
    Emit *e = b->e;
    for (int i = 0; i < k->n; i++) {
        body_count(b);
        body_open_part(b);
        Held into = {0};
        Held d = body_operand(b, k->delta[i], &into);
        body_before_write(b, k->x[i]);
        body_indent(b);
        const char *old = b->ref[k->x[i]];
        body_move(b, k->x[i]);
        if (b->ref[k->x[i]] == old)
            text_add(e, b->out, "%s -= %s;", old, d.text);
        else
            text_add(e, b->out, "%s = %s - %s;", b->ref[k->x[i]], old,
                     body_wrap(b, d, 5));
        TapeOrigin o = body_unknown(b, at, k, i);
        body_tail(b, k->x[i], &o);
        if (!monitored)
            continue;
        const char *f = e->suffix;
        Held room = {0};
        Held full = k->full ? body_operand(b, k->full[i], &room) : d;
        double limit = k->is_strict ? (*f ? 1e-4 : 1e-8) : 1e-3;
        const char *over = arena_printf(
            e->local, "takt_abs%s(%s) - %s * (%s + takt_abs%s(%s))", f,
            full.text, emit_number(e, limit), emit_number(e, k->nominal[i]), f,
            b->ref[k->x[i]]);
        body_indent(b);
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
        body_count(b);
        body_open_part(b);
        body_indent(b);
        text_add(e, b->out, "%s %s %s;\n", b->sum, i ? "+=" : "=",
                 b->ref[k->x[i]]);
        e->checked[k->x[i]] = true;
    }
    body_indent(b);
    text_add(e, b->out, "%s = takt_note%s(%s, %s, %d);\n", b->bad, e->suffix,
             b->bad, b->sum, number);
    if (k->monitor != 0) {
        Held into = {0};
        const char *alarm = body_operand(b, k->monitor, &into).text;
        body_indent(b);
        text_add(e, b->out, "%s = takt_exceeds%s(%s, %s, %d);\n", b->doubt,
                 e->suffix, b->doubt, alarm, number);
    }
    if (!monitored)
        return;
    body_indent(b);
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

/* Has a block whose iterations are counted come to its end? */
static void insist(Body *b, int number)
{
    body_release_all(b);
    body_cut(b);
    line(b, "if (!(%s <= 0))", b->excess);
    line(b, "    return %s_stop(m, %d);", b->e->o->name, number);
}

/* Lines `to[i] = slot` in the function itself. */
static void list_uses(Body *b, const char *to, const int *slot, int n)
{
    for (int i = 0; i < n; i++) {
        Held into = {0};
        line(b, "newton.%s[%d] = %s;", to, i,
             body_operand(b, slot[i], &into).text);
    }
}

static void list_defs(Body *b, int at, const TapeBlock *k)
{
    for (int i = 0; i < k->n; i++) {
        TapeOrigin o = body_unknown(b, at, k, i);
        body_before_write(b, k->x[i]);
        body_move(b, k->x[i]);
        line(b, "%s = newton.x[%d];", b->ref[k->x[i]], i);
        emit_show(b->e, k->x[i], &o, b);
    }
}

static void damped_jacobian(Body *b, int at, const TapeBlock *k)
{
    const TapeSystem *s = body_system(b, at, k);
    line(b, "if (takt_newton_accept(&newton)) {");
    b->depth++;
    range(b, at + 1 + k->neval, k->njac - 1);
    body_cut(b);
    for (int i = 0; i < s->nnz; i++) {
        Held into = {0};
        line(b, "newton.a[%d] = %s;", s->row[i] * k->n + s->col[i],
             body_operand(b, s->entry[i], &into).text);
    }
    body_release_all(b);
    line(b, "takt_newton_direct(&newton);");
    body_cut(b);
    b->depth--;
    line(b, "}");
}

/* A system that is iterated to convergence: takt_rt_start.h. */
static void damped(Body *b, int at, const TapeBlock *k, int number)
{
    Emit *e = b->e;
    body_release_all(b);
    body_cut(b);
    text_add(e, b->out, "\n");
    body_introduce(b, at, k, number);
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
    body_cut(b);
    line(b, "for (;;) {");
    b->depth++;
    body_cut(b);
    list_defs(b, at, k);
    body_cut(b);
    range(b, at + 1, k->neval);
    body_cut(b);
    list_uses(b, "f", k->residual, k->n);
    body_release_all(b);
    body_cut(b);
    damped_jacobian(b, at, k);
    line(b, "if (takt_newton_done(&newton))");
    line(b, "    break;");
    b->depth--;
    line(b, "}");
    body_cut(b);
    list_defs(b, at, k);
    line(b, "if (newton.status < 0)");
    line(b, "    return %s_stop(m, %d);", e->o->name, number);
    b->depth--;
    line(b, "}");
    body_cut(b);
    body_leave_block(b);
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
    body_release_all(b);
    if (loops)
        body_cut(b);
    else
        body_open_part(b);
    text_add(e, b->out, "\n");
    body_introduce(b, at, k, number + 1);
    if (loops) {
        text_add(e, b->main, "%*sfor (int i = 0; i < %d; i++) {\n",
                 4 * b->depth, "", k->iterations);
        b->depth++;
    }
    range(b, at + 1, body_block_size(k));
    correct(b, at, k, monitored);
    if (loops) {
        body_release_all(b);
        body_cut(b);
        b->depth--;
        text_add(e, b->main, "%*s}\n", 4 * b->depth, "");
    }
    watch(b, k, number + 1, monitored && !k->is_strict);
    if (monitored && k->is_strict)
        insist(b, number + 1);
    text_add(e, b->out, "\n");
    body_leave_block(b);
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
    body_cut(b);
    Held into = {0};
    const char *text = body_operand(b, slot, &into).text;
    body_release_all(b);
    line(b, "if (!(%s != 0))", text);
    line(b, "    break;");
    body_cut(b);
}

static void repeat(Body *b, int at)
{
    Emit *e = b->e;
    const TapeInstr *in = &e->t->code.at[at];
    body_release_all(b);
    body_cut(b);
    text_add(e, b->main, "\n");
    line(b, "/* %s while something changes */",
         has_leave(e->t, at) ? "again" : "events: kept");
    line(b, "for (int event = 0; event < %d; event++) {", in->a);
    b->depth++;
    range(b, at + 1, in->b);
    body_release_all(b);
    body_cut(b);
    b->depth--;
    text_add(e, b->main, "%*s}\n\n", 4 * b->depth, "");
}

/* What happens at the ticks of a rate. */
static void guard(Body *b, int at)
{
    Emit *e = b->e;
    const TapeInstr *in = &e->t->code.at[at];
    body_release_all(b);
    body_cut(b);
    Held into = {0};
    const char *text = body_operand(b, in->a, &into).text;
    text_add(e, b->main, "\n");
    line(b, "/* rate %d: every %g s */", in->c + 1,
         e->t->rate.at[in->c].interval);
    line(b, "if (%s != 0) {", text);
    b->depth++;
    range(b, at + 1, in->b);
    body_release_all(b);
    body_cut(b);
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
            i += body_block_size(&t->block.at[in->a]);
        } else if (in->op == TAPE_REPEAT) {
            repeat(b, i);
            i += in->b;
        } else if (in->op == TAPE_GUARD) {
            guard(b, i);
            i += in->b;
        } else if (in->op == TAPE_LEAVE) {
            leave(b, in->a);
        } else if (in->op == TAPE_FACTOR || in->op == TAPE_SOLVE) {
            body_count(b);
            body_release_all(b);
            body_open_part(b);
            emit_factor_call(b->e, b->out, in, b->ref, body_depth(b));
        } else {
            body_count(b);
            body_plain(b, in);
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
    EmitAlarms alarms = emit_alarms(e, segment);
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (alarms.noted[i])
            text_add(e, b->parts, "    uint32_t %s;\n",
                     emit_noted(e, (StatusCause)i));
    text_add(e, b->parts,
             "    %s sum, excess;\n    uint32_t bad, warn, doubt;\n"
             "} %s_work;\n\n",
             e->real, b->name);
    b->sum = "w->sum";
    b->excess = "w->excess";
    b->bad = "w->bad";
    b->warn = "w->warn";
    b->doubt = "w->doubt";
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
            body_move(b, i);
    }
}

/* The numbers of blocks that are not as they should be. */
static void begin_watch(Body *b, EmitAlarms alarms)
{
    Emit *e = b->e;
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (alarms.noted[i])
            text_add(e, b->out, "    %s%s = 0;\n",
                     b->is_cut ? "w->" : "uint32_t ",
                     emit_noted(e, (StatusCause)i));
    if (b->is_cut) {
        text_add(e, b->out, "    w->bad = w->warn = w->doubt = 0;\n");
        return;
    }
    text_add(e, b->out, "    uint32_t bad = 0%s%s;\n",
             alarms.iterates ? ", warn = 0" : "",
             alarms.factors ? ", doubt = 0" : "");
    text_add(e, b->out, "    %s sum = 0, excess = 0;\n    (void)excess;\n",
             e->real);
}

static void end_watch(Body *b, EmitAlarms alarms)
{
    Emit *e = b->e;
    text_add(e, b->out, "    uint32_t bad = w->bad;\n    %s sum;\n", e->real);
    if (alarms.iterates)
        text_add(e, b->out, "    const uint32_t warn = w->warn;\n");
    if (alarms.factors)
        text_add(e, b->out, "    const uint32_t doubt = w->doubt;\n");
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (alarms.noted[i])
            text_add(e, b->out, "    const uint32_t %s = w->%s;\n",
                     emit_noted(e, (StatusCause)i),
                     emit_noted(e, (StatusCause)i));
}

static bool *find_masks(const Emit *e, const TapeSegment *segment)
{
    bool *may = NEW_ARRAY(e->local, bool, e->t->nslot);
    for (int i = 0; i < e->t->nslot; i++)
        may[i] =
            e->home[i] == HOME_LOCAL && !e->array[i] && !e->t->slot_name[i];
    return tape_masks(e->t, segment, may, e->local);
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
              .doubt = "doubt",
              .is_step = is_often,
              .most = segment->count > VAST ? PART_OF_VAST : PART,
              .is_cut =
                  segment->count > (!is_often             ? PART
                                    : e->o->undivided > 0 ? e->o->undivided
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
    b.now = body_new_scope(&b);
    body_see(&b, segment->first, segment->count);
    b.mask = find_masks(e, segment);
    b.part = b.length = 0;
    if (b.is_cut)
        add_work(&b, segment);
    if (b.is_cut)
        text_add(e, out, "    %s_work work, *const w = &work;\n", name);
    else
        body_declare(&b, 0);
    if (!b.is_cut)
        emit_factor_arrays(e, out, segment, "    ");
    if (is_watched)
        begin_watch(&b, emit_alarms(e, segment));
    if (is_often)
        begin_next(&b);
    range(&b, segment->first, segment->count);
    body_release_all(&b);
    body_cut(&b);
    if (is_watched && b.is_cut)
        end_watch(&b, emit_alarms(e, segment));
}
