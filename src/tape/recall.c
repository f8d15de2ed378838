/* recall.c - numbers of values from one run of a segment to the next.
 *
 * share.h numbers the values of a run. A slot that lives from run to run begins
 * with the value it had at the end of the last: rho maps the number that it has
 * at the begin to the one at the end, and what follows from such values to what
 * follows from those. Where rho leads to a value that some slot has at the end,
 * the next run need not compute it.
 *
 *     begin   s = sin(old phi)            rho: old phi -> phi, s -> sin(phi)
 *     end     z = sin(phi); old phi = phi
 *
 * becomes s = kept at the begin and kept = z at the end, or kept = sin(phi)
 * where z is made. Of a chain of such operations the last are kept, those that
 * others read, but for negatives of what is kept.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/recall.h"

#include <string.h>

#include "expr/ops.h"
#include "tape/share_internal.h"
#include "tape/touch.h"

/* An instruction of the step; numbers of instructions count from its first. */
typedef struct Recalled {
    bool is_there; /* the last run has had its result */
    bool is_read;  /* by one that has not been replaced */
    int kept;      /* slot of what is kept, or NONE */
    int negative;  /* number of the instruction, of these, whose result it gives
                      with the other sign, or NONE */
    int makes; /* slot that its result is kept in for the next run, or NONE */
} Recalled;

typedef struct Recall {
    Tape *t;
    const RecallOptions *o;
    Arena *local;
    TapeSegment step;
    int nslot; /* without those that are added here */
    Share *s;
    int *rho;    /* of each number: the one it had in the last run, or NONE */
    int *holder; /* of each number: slot that has it at the end, or NONE */
    Recalled *at;
    int *maker; /* of each slot: number of the instruction that made what it
                   holds, as above */
    int now;
} Recall;

static const TapeInstr *instr(const Recall *r, int i)
{
    return &r->t->code.at[r->step.first + i];
}

static int number_made(const Recall *r, int i)
{
    return r->s->made[r->step.first + i];
}

/* ---- numbers ---- */

static int rho_of(const Recall *r, int number)
{
    return number == NONE ? NONE : r->rho[number];
}

static bool has_rho(const Recall *r, int number)
{
    return number == NONE || r->rho[number] != NONE;
}

/* Does it live from run to run, where nobody else changes it? */
static bool is_left(const Recall *r, int slot)
{
    const uint8_t region = r->t->region[slot];
    return region == TR_CONST ||
           ((region == TR_CARRY || region == TR_VALUE) && !r->o->wanted[slot]);
}

static void number_values(Recall *r)
{
    Share *s = r->s = share_new(r->t, r->local);
    s->made = NEW_ARRAY(r->local, int, r->t->code.n + 1);
    share_walk(s, &r->step, false);
    r->rho = NEW_ARRAY(r->local, int, s->nvalue + 1);
    r->holder = NEW_ARRAY(r->local, int, s->nvalue + 1);
    for (int i = 0; i < s->nvalue; i++)
        r->rho[i] = r->holder[i] = NONE;
    for (int i = 0; i < r->nslot; i++) {
        if (is_left(r, i))
            r->rho[i] = s->number[i];
        r->holder[s->number[i]] = i;
    }
    for (int i = 0; i < s->known.n; i++) {
        const Known *k = &s->known.at[i];
        if (!has_rho(r, k->a) || !has_rho(r, k->b) || !has_rho(r, k->c))
            continue;
        const Known *x = share_find(s, k->op, rho_of(r, k->a), rho_of(r, k->b),
                                    rho_of(r, k->c));
        r->rho[k->value] = x ? x->value : NONE;
    }
}

/* ---- which values ---- */

static void note_read(void *context, int slot)
{
    Recall *r = context;
    if (slot != NONE && r->maker[slot] != NONE)
        r->at[r->maker[slot]].is_read = true;
}

static void note_written(void *context, int slot)
{
    Recall *r = context;
    if (slot != NONE)
        r->maker[slot] = r->at[r->now].is_there ? r->now : NONE;
}

static bool was_there(const Recall *r, int i)
{
    int before =
        share_is_operation(instr(r, i)) ? r->rho[number_made(r, i)] : NONE;
    return before != NONE && r->holder[before] != NONE;
}

/* What stands in a loop stays. */
static void find_known(Recall *r, const bool *live)
{
    int body = 0;
    for (int i = 0; i<r->step.count; i++, body -= body> 0) {
        const TapeInstr *in = instr(r, i);
        Recalled *x = &r->at[i];
        int at = r->step.first + i;
        int own = share_runs_once(r->t, at) ? 0 : tape_body(r->t, at);
        body = own >= body && own > 0 ? own + 1 : body;
        r->now = i;
        x->kept = x->makes = NONE;
        x->negative = in->op == EX_NEG ? r->maker[in->a] : NONE;
        x->is_there = body == 0 && was_there(r, i);
        if (!x->is_there)
            tape_touch_reads(r->t, in, note_read, r);
        tape_touch_writes(r->t, in, note_written, r);
    }
    for (int i = 0; i < r->nslot; i++)
        if (live[i])
            note_read(r, i);
}

/* A value is written and copied with the state: what is left out has to be
 * worth that. Returns how many are kept. */
static int choose(Recall *r)
{
    enum { PRICE_OF_KEEPING = 2 };
    int n = 0, gain = 0;
    for (int i = 0; i < r->step.count; i++) {
        Recalled *x = &r->at[i];
        x->is_there &= x->negative == NONE || !r->at[x->negative].is_read;
        if (!x->is_there)
            continue;
        gain += expr_op_info[instr(r, i)->op].instructions;
        gain -= x->is_read ? PRICE_OF_KEEPING : 0;
    }
    for (int i = 0; gain > 0 && i < r->step.count; i++)
        if (r->at[i].is_there && r->at[i].is_read) {
            int kept = r->at[i].kept = tape_slot(
                r->t, TR_CARRY, arena_printf(r->t->arena, "kept %d", ++n), 0);
            r->t->meaning[kept].form |= TF_KEPT;
        }
    return n;
}

/* ---- where they are made ---- */

typedef struct Makers {
    int *at; /* of each slot: the instruction that writes it; NONE: there are
                several, or none */
    int now;
    bool *seen;
} Makers;

static void note_maker(void *context, int slot)
{
    Makers *m = context;
    m->at[slot] = m->seen[slot] ? NONE : m->now;
    m->seen[slot] = true;
}

/* The operation that makes a temporary, once and in no block or loop, may write
 * it where it is kept, if the value of the last run is not asked for any more
 * then. */
static void find_makers(Recall *r)
{
    Makers m = {.at = NEW_ARRAY(r->local, int, r->t->nslot + 1),
                .seen = NEW_ARRAY(r->local, bool, r->t->nslot + 1)};
    bool *inside = NEW_ARRAY(r->local, bool, r->step.count + 1);
    for (m.now = 0; m.now < r->step.count; m.now++) {
        int body = tape_body(r->t, r->step.first + m.now);
        for (int k = 1; k <= body; k++)
            inside[m.now + k] = true;
        tape_touch_writes(r->t, instr(r, m.now), note_maker, &m);
    }
    for (int i = 0; i < r->step.count; i++) {
        if (r->at[i].kept == NONE)
            continue;
        int slot = r->holder[r->rho[number_made(r, i)]];
        int at = m.seen[slot] ? m.at[slot] : NONE;
        if (at > i && r->t->region[slot] == TR_TEMP && !inside[at] &&
            share_is_operation(instr(r, at)) && !r->at[at].is_there &&
            r->at[at].makes == NONE)
            r->at[at].makes = r->at[i].kept;
    }
}

/* ---- first values ---- */

/* Of each number: does what is kept follow from it? */
static bool *find_needed(const Recall *r)
{
    const Share *s = r->s;
    bool *needed = NEW_ARRAY(r->local, bool, s->nvalue + 1);
    for (int i = 0; i < r->step.count; i++)
        if (r->at[i].kept != NONE)
            needed[number_made(r, i)] = true;
    for (int i = s->known.n - 1; i >= 0; i--) {
        const Known *k = &s->known.at[i];
        const int arg[3] = {k->a, k->b, k->c};
        for (int j = 0; needed[k->value] && j < 3; j++)
            if (arg[j] != NONE)
                needed[arg[j]] = true;
    }
    return needed;
}

/* Numbers below nslot are those of slots. */
static void find_first_values(Recall *r, const bool *needed)
{
    Tape *t = r->t;
    const Share *s = r->s;
    double *x = NEW_ARRAY(r->local, double, s->nvalue + 1);
    for (int i = 0; i < r->nslot; i++)
        x[i] = i < r->o->nvalue && t->region[i] != TR_CONST ? r->o->value[i]
                                                            : t->initial[i];
    for (int i = 0; i < s->known.n; i++) {
        const Known *k = &s->known.at[i];
        if (needed[k->value])
            x[k->value] = expr_apply((ExprOp)k->op, k->a == NONE ? 0 : x[k->a],
                                     k->b == NONE ? 0 : x[k->b],
                                     k->c == NONE ? 0 : x[k->c]);
    }
    for (int i = 0; i < r->step.count; i++)
        if (r->at[i].kept != NONE)
            t->initial[r->at[i].kept] = x[number_made(r, i)];
}

/* The same at the end of the segment that makes them. */
static void put_first(Recall *r, const bool *needed)
{
    const Share *s = r->s;
    int *slot = NEW_ARRAY(r->local, int, s->nvalue + 1);
    for (int i = 0; i < r->nslot; i++)
        slot[i] = i;
    for (int i = 0; i < s->known.n; i++) {
        const Known *k = &s->known.at[i];
        if (needed[k->value])
            slot[k->value] =
                tape_emit(r->t, k->op, NONE, k->a == NONE ? NONE : slot[k->a],
                          k->b == NONE ? NONE : slot[k->b],
                          k->c == NONE ? NONE : slot[k->c]);
    }
    for (int i = 0; i < r->step.count; i++)
        if (r->at[i].kept != NONE)
            tape_emit(r->t, TAPE_COPY, r->at[i].kept, slot[number_made(r, i)],
                      NONE, NONE);
}

/* ---- the new code ---- */

static void put_step(Recall *r, const TapeInstr *code)
{
    Tape *t = r->t;
    for (int i = 0; i < r->step.count; i++) {
        TapeInstr in = code[r->step.first + i];
        if (r->at[i].kept != NONE)
            in = (TapeInstr){.op = TAPE_COPY,
                             .dst = in.dst,
                             .a = r->at[i].kept,
                             .b = NONE,
                             .c = NONE,
                             .origin = in.origin};
        int slot = in.dst, kept = r->at[i].makes;
        in.dst = kept == NONE ? slot : kept;
        vec_push(t->arena, &t->code, in);
        if (kept != NONE)
            tape_emit(t, TAPE_COPY, slot, kept, NONE, NONE);
    }
    for (int i = 0; i < r->step.count; i++)
        if (r->at[i].kept != NONE)
            tape_emit(t, TAPE_COPY, r->at[i].kept,
                      r->holder[r->rho[number_made(r, i)]], NONE, NONE);
}

static void rebuild(Recall *r)
{
    Tape *t = r->t;
    int n = t->segment.n;
    const TapeInstr *code = t->code.at;
    const TapeSegment *segment = t->segment.at;
    const bool *needed = find_needed(r);
    find_first_values(r, needed);
    memset(&t->code, 0, sizeof t->code);
    memset(&t->segment, 0, sizeof t->segment);
    for (int k = 0; k < n; k++) {
        const TapeSegment *s = &segment[k];
        tape_begin(t, s->name);
        if (k == r->o->step)
            put_step(r, code);
        else
            for (int i = s->first; i < s->first + s->count; i++)
                vec_push(t->arena, &t->code, code[i]);
        if (k == r->o->start)
            put_first(r, needed);
        tape_end(t);
    }
}

int tape_recall(Tape *t, const RecallOptions *o)
{
    Arena *local = arena_new();
    int n = t->nslot;
    Recall r = {.t = t,
                .o = o,
                .local = local,
                .step = t->segment.at[o->step],
                .nslot = n,
                .maker = NEW_ARRAY(local, int, n + 1)};
    r.at = NEW_ARRAY(local, Recalled, r.step.count + 1);
    memset(r.maker, 0xff, (size_t)(n + 1) * sizeof *r.maker);
    number_values(&r);
    find_known(&r, o->live);
    int nkept = choose(&r);
    if (nkept > 0) {
        find_makers(&r);
        rebuild(&r);
    }
    arena_free(local);
    return nkept;
}
