/* fuse.c - the segments of a step, one after the other.
 *
 * The order is that of sim/sim.c and point/events.c. Segments are copied with
 * new temporaries, so that a temporary keeps being written once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tape/fold.h"
#include "tape/nests.h"
#include "tape/recall.h"
#include "tape/touch.h"

#include "step/fuse_internal.h"
#include "num/table.h"

/* ---- copies of segments ---- */

static int mapped(const int *map, int nmap, int slot)
{
    return slot == NONE || slot >= nmap ? slot : map[slot];
}

static int *mapped_list(Fuse *f, const int *map, int nmap, const int *list,
                        int n)
{
    int *out = NEW_ARRAY(f->t->arena, int, n + 1);
    for (int i = 0; i < n; i++)
        out[i] = mapped(map, nmap, list[i]);
    return out;
}

static int copy_block(Fuse *f, int number, const int *map, int nmap)
{
    TapeBlock b = f->t->block.at[number];
    b.x = mapped_list(f, map, nmap, b.x, b.n);
    b.fallback = b.fallback ? mapped_list(f, map, nmap, b.fallback, b.n) : NULL;
    b.residual = mapped_list(f, map, nmap, b.residual, b.nrow);
    b.delta = mapped_list(f, map, nmap, b.delta, b.n);
    b.full = b.full ? mapped_list(f, map, nmap, b.full, b.n) : NULL;
    b.monitor = mapped(map, nmap, b.monitor);
    vec_push(f->t->arena, &f->t->block, b);
    return f->t->block.n - 1;
}

static int copy_system(Fuse *f, int number, const int *map, int nmap)
{
    TapeSystem s = f->t->system.at[number];
    s.entry = mapped_list(f, map, nmap, s.entry, s.nnz);
    s.rhs = mapped_list(f, map, nmap, s.rhs, s.nrow);
    s.factors = mapped(map, nmap, s.factors);
    s.vector = mapped(map, nmap, s.vector);
    vec_push(f->t->arena, &f->t->system, s);
    return f->t->system.n - 1;
}

/* call[k]: what call k has become; NONE: not copied yet. */
static int copy_call(Fuse *f, int number, const int *map, int nmap, int *call)
{
    TapeCall c = f->t->call.at[number];
    if (call[number] != NONE)
        return call[number];
    if (mapped(map, nmap, c.first) == c.first &&
        mapped(map, nmap, c.row) == c.row)
        return call[number] = number;
    c.first = mapped(map, nmap, c.first);
    c.row = mapped(map, nmap, c.row);
    vec_push(f->t->arena, &f->t->call, c);
    return call[number] = f->t->call.n - 1;
}

/* New temporaries in a row for those in a row. */
static void map_row(Fuse *f, int *map, int first, int n)
{
    if (f->t->region[first] != TR_TEMP || map[first] != first)
        return;
    for (int i = 0; i < n; i++)
        map[first + i] = tape_slot(f->t, TR_TEMP, NULL, 0);
}

static void map_tables(Fuse *f, const TapeSegment *s, int *map)
{
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &f->t->code.at[i];
        int first, nlist = tape_list(f->t, in, &first);
        if (nlist > 0)
            map_row(f, map, first, nlist);
        int nrow = tape_row(f->t, in, &first);
        if (nrow > 0)
            map_row(f, map, first, nrow);
        if (in->op != TAPE_FACTOR && in->op != TAPE_SOLVE)
            continue;
        const TapeSystem *k = &f->t->system.at[in->a];
        if (!k->table)
            continue;
        map_row(f, map, k->factors, k->table->nfactor);
        map_row(f, map, k->vector, k->table->nvector);
    }
}

static void note_written(void *written, int slot)
{
    ((bool *)written)[slot] = true;
}

/* Of each slot: does the segment write it? What is made before it is read from
 * there. */
static const bool *find_written(Fuse *f, const TapeSegment *s)
{
    bool *written = NEW_ARRAY(f->local, bool, f->t->nslot + 1);
    for (int i = s->first; i < s->first + s->count; i++)
        tape_touch_writes(f->t, &f->t->code.at[i], note_written, written);
    return written;
}

static int map_temporary(Fuse *f, const int *map, const bool *written, int slot)
{
    return map[slot] != slot || !written[slot]
               ? map[slot]
               : tape_slot(f->t, TR_TEMP, NULL, 0);
}

/* What a block computes for its solution. */
static void map_block(Fuse *f, const TapeBlock *b, const bool *written,
                      int *map)
{
    for (int k = 0; k < b->nrow; k++)
        map[b->residual[k]] = map_temporary(f, map, written, b->residual[k]);
    for (int k = 0; k < b->n; k++) {
        map[b->delta[k]] = map_temporary(f, map, written, b->delta[k]);
        int full = tape_full(b)[k];
        map[full] = map_temporary(f, map, written, full);
    }
    if (b->monitor != 0 && f->t->region[b->monitor] == TR_TEMP)
        map[b->monitor] = map_temporary(f, map, written, b->monitor);
}

/* block[b]: what block b has become. */
static void copy_note(Fuse *f, const TapeInstr *in, int alarm, const int *block)
{
    bool of_block = status_row[in->a].of == OF_BLOCK && in->c != NONE;
    tape_emit(f->t, TAPE_NOTE, 0, in->a, alarm,
              of_block ? block[in->c] : in->c);
}

int fuse_apart(Fuse *f, int slot)
{
    Tape *t = f->t;
    const char *name = t->slot_name[slot];
    name = name ? arena_printf(t->arena, "%s event", name) : NULL;
    int apart = tape_slot(t, TR_TEMP, name, 0);
    t->meaning[apart] = t->meaning[slot];
    t->meaning[apart].form |= TF_EVENT;
    return apart;
}

/* The iteration variables of a block begin where those of the model are, or
 * were before the passes. */
static void begin_apart(Fuse *f, const TapeBlock *b, int *map)
{
    for (int k = 0; k < b->n; k++) {
        int apart = fuse_apart(f, b->x[k]);
        bool is_known = b->is_passed && f->begin;
        fuse_copy(f, apart, is_known ? f->begin[b->x[k]] : map[b->x[k]]);
        map[b->x[k]] = apart;
    }
}

static int begin_guard(Fuse *f, int rate)
{
    tape_emit(f->t, TAPE_GUARD, 0, f->tick[rate], 0, rate);
    return f->t->code.n - 1;
}

static int end_guard(Tape *t, int guard)
{
    t->code.at[guard].b = t->code.n - guard - 1;
    return NONE;
}

static void copy_segment(Fuse *f, const TapeSegment *s, int *map, int nmap,
                         bool is_apart)
{
    Tape *t = f->t;
    int outer = t->here;
    int *system = NEW_ARRAY(f->local, int, t->system.n + 1);
    int *block = NEW_ARRAY(f->local, int, t->block.n + 1);
    int *call = NEW_ARRAY(f->local, int, t->call.n + 1);
    memset(system, 0xff, (size_t)(t->system.n + 1) * sizeof(int));
    memset(block, 0xff, (size_t)(t->block.n + 1) * sizeof(int));
    memset(call, 0xff, (size_t)(t->call.n + 1) * sizeof(int));
    map_tables(f, s, map);
    const bool *written = find_written(f, s);
    int guard = NONE, guarded = NONE; /* the open one; its last instruction */
    for (int i = s->first; i < s->first + s->count; i++) {
        if (guard != NONE && i > guarded)
            guard = end_guard(t, guard);
        TapeInstr in = t->code.at[i];
        int rate = guard == NONE ? fuse_rate(f, &in) : NONE;
        if (rate != NONE && f->rates == RATES_KEEP) {
            i += tape_body(t, i);
            continue;
        }
        t->here = in.origin;
        if (rate != NONE) {
            guard = begin_guard(f, rate);
            guarded = i + tape_body(t, i);
        }
        if (in.op == TAPE_BLOCK) {
            const TapeBlock *b = &t->block.at[in.a];
            if (is_apart)
                begin_apart(f, b, map);
            map_block(f, b, written, map);
            block[in.a] = copy_block(f, in.a, map, nmap);
            tape_emit(t, in.op, 0, block[in.a], NONE, NONE);
            continue;
        }
        if (in.op == TAPE_NOTE) {
            copy_note(f, &in, mapped(map, nmap, in.b), block);
            continue;
        }
        if (in.op == TAPE_FACTOR || in.op == TAPE_SOLVE) {
            if (system[in.a] == NONE)
                system[in.a] = copy_system(f, in.a, map, nmap);
            tape_emit(t, in.op, 0, system[in.a], NONE, NONE);
            continue;
        }
        unsigned reads = tape_op_reads(in.op); /* others are no slots */
        int a = reads & 1 ? mapped(map, nmap, in.a) : in.a;
        int b = reads & 2 ? mapped(map, nmap, in.b) : in.b;
        int c = reads & 4 ? mapped(map, nmap, in.c) : in.c;
        if (in.op == TAPE_CALL || in.op == TAPE_PICK)
            a = copy_call(f, in.a, map, nmap, call);
        if (t->region[in.dst] == TR_TEMP && map[in.dst] == in.dst)
            map[in.dst] = tape_slot(t, TR_TEMP, NULL, 0);
        else if (is_apart && tape_writes(&in) != NONE &&
                 t->region[in.dst] != TR_TEMP)
            map[in.dst] = fuse_apart(f, in.dst);
        tape_emit(t, in.op, map[in.dst], a, b, c);
        vec_last(&t->code).scaled = mapped(map, nmap, in.scaled);
    }
    if (guard != NONE)
        end_guard(t, guard);
    t->here = outer;
}

void fuse_copy_segment(Fuse *f, const TapeSegment *s)
{
    int nmap = f->t->nslot;
    int *map = NEW_ARRAY(f->local, int, nmap);
    for (int i = 0; i < nmap; i++)
        map[i] = i;
    copy_segment(f, s, map, nmap, false);
}

void fuse_copy_after(Fuse *f)
{
    int nmap = f->t->nslot;
    int *map = NEW_ARRAY(f->local, int, nmap);
    for (int i = 0; i < nmap; i++)
        map[i] = i;
    if (f->after_step != 0)
        map[f->t->step] = f->after_step;
    copy_segment(f, &f->low->after, map, nmap, false);
}

void fuse_copy_apart(Fuse *f, const TapeSegment *s, int *now, int nnow)
{
    copy_segment(f, s, now, nnow, true);
}

void fuse_copy_again(Fuse *f, const TapeSegment *body, int *map, int nmap)
{
    copy_segment(f, body, map, nmap, false);
}

void fuse_copy(Fuse *f, int to, int from)
{
    tape_emit(f->t, TAPE_COPY, to, from, NONE, NONE);
}

/* ---- the step ---- */

/* Clocks tick where sample() may be true for the first time: before that, and
 * while the event comes to rest, what they change stays as it is. */
static void fuse_step(Fuse *f, int system)
{
    Tape *t = f->t;
    const LoweredSystem *s = &f->low->system[system];
    f->rates = f->rate ? RATES_KEEP : RATES_RUN;
    fuse_end_sampling_before(f);
    fuse_keep_inputs(f);
    fuse_clear_messages(f);
    if (f->out->broken != NONE)
        fuse_copy(f, f->out->broken, f->zero);
    int old = tape_emit(t, TAPE_COPY, NONE, t->time, NONE, NONE);
    tape_emit(t, EX_ADD, f->out->count, f->out->count, f->one, NONE);
    int passed = tape_emit(t, EX_MUL, NONE, f->out->count, t->step, NONE);
    tape_emit(t, EX_ADD, t->time, tape_const(t, f->options->start), passed,
              NONE);
    fuse_hold_inputs(f);
    fuse_set_delays(f, old);
    if (f->low->catch_up.is_there)
        fuse_copy_segment(f, &f->low->catch_up.begin);
    fuse_copy_segment(f, &s->run);
    fuse_estimate(f, system);
    fuse_copy_segment(f, &s->carry);
    fuse_set_left(f);
    f->rates = f->rate ? RATES_GUARD : RATES_RUN;
    fuse_begin_sampling(f);
    fuse_end_ticks(f);
    f->rates = f->rate ? RATES_KEEP : RATES_RUN;
    if (f->low->catch_up.is_there)
        fuse_copy_segment(f, &f->low->catch_up.end);
    fuse_settle(f, f->options->events_max);
    if (f->low->catch_up.is_there)
        fuse_copy_segment(f, &f->low->catch_up.after);
    if (f->d->event != NONE)
        fuse_set_pre(f);
    fuse_record_delays(f);
    fuse_copy_segment(f, &f->low->output);
    fuse_choose_states(f);
    fuse_count_since(f);
    fuse_copy_segment(f, &f->low->singular);
    fuse_check_asserts(f);
    fuse_check_bounds(f);
    f->rates = RATES_RUN;
}

static void add_system(Fuse *f, int system)
{
    for (int i = 0; i < f->out->nstep; i++)
        if (f->system[i] == system)
            return;
    f->system[f->out->nstep++] = system;
}

void fuse_want(Fuse *f, int slot)
{
    if (slot != NONE && f->t->region[slot] != TR_CONST)
        f->wanted[slot] = true;
}

/* Room for slots to come: temporaries of passes that are written out, logic. */
enum { MORE_SLOTS = 20000 };

static void mark_wanted(Fuse *f)
{
    Tape *t = f->t;
    f->wanted = NEW_ARRAY(f->arena, bool, 3 * t->nslot + MORE_SLOTS);
    for (int i = 0; i < t->symbol.n; i++)
        if (f->options->wanted[i] &&
            t->region[t->symbol.at[i].slot] != TR_CONST)
            f->wanted[t->symbol.at[i].slot] = true;
    f->wanted[t->time] = f->wanted[t->step] = true;
    if (f->out->broken != NONE)
        f->wanted[f->out->broken] = true;
    fuse_want_estimate(f);
    fuse_want_exchange(f);
    const int flag[] = {f->out->unsettled, f->out->asserted, f->out->warned,
                        f->out->terminated};
    for (int i = 0; i < 4; i++)
        if (flag[i] != NONE)
            f->wanted[flag[i]] = true;
}

/* segment[n], the initialisation, with copies in front of it: where its
 * iteration begins, for slots that need not live from call to call. */
static TapeSegment with_guesses(Fuse *f, const TapeSegment *segment, int n)
{
    Tape *t = f->t;
    bool *member = tape_prune(t, segment, n, f->wanted, f->local)->carried;
    for (int i = 0; i < t->nslot; i++)
        member[i] |= f->wanted[i];
    Pruned *start = tape_prune(t, &segment[n], 1, member, f->local);
    tape_begin(t, segment[n].name);
    int nslot = t->nslot;
    for (int i = 0; i < nslot; i++) {
        bool is_own = t->region[i] == TR_CARRY || t->region[i] == TR_VALUE ||
                      t->region[i] == TR_TIME;
        if (is_own && start->carried[i] && !member[i] && i != t->step)
            fuse_copy(f, i,
                      tape_const(t, i < f->options->nvalue
                                        ? f->options->value[i]
                                        : t->initial[i]));
    }
    for (int i = 0; i < segment[n].count; i++)
        vec_push(t->arena, &t->code, t->code.at[segment[n].first + i]);
    tape_end(t);
    return vec_last(&t->segment);
}

/* ---- states kept once ---- */

typedef struct Writes {
    int n;        /* how often a slot is written */
    int from;     /* what by, if by a copy of a slot; else NONE */
    int last;     /* instruction */
    bool is_read; /* before it is written */
} Writes;

static void see_read(Writes *w, int slot)
{
    if (slot != NONE && w[slot].n == 0)
        w[slot].is_read = true;
}

static void see_write(Writes *w, int slot, int from, int at)
{
    w[slot].n++;
    w[slot].from = from;
    w[slot].last = at;
}

/* A segment without loops but those of blocks. */
static Writes *find_writes(Fuse *f, const Tape *t, const TapeSegment *s)
{
    Writes *w = NEW_ARRAY(f->local, Writes, t->nslot);
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        int arg[3];
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &t->block.at[in->a];
            for (int k = 0; k < b->n; k++) {
                see_read(w, b->x[k]);
                see_write(w, b->x[k], NONE, i + b->neval + b->njac + b->nsolve);
            }
        } else if (in->op != TAPE_FACTOR && in->op != TAPE_SOLVE &&
                   in->op != TAPE_REPEAT) {
            for (int k = tape_reads(in, arg) - 1; k >= 0; k--)
                see_read(w, arg[k]);
            see_write(w, in->dst, in->op == TAPE_COPY ? in->a : NONE, i);
        }
    }
    return w;
}

/* Do the initial values, as they were found here and as the segment `start`
 * (NULL: there is none) finds them, leave `old` equal to `x`? */
static bool begins_equal(const Fuse *f, const Writes *start, int old, int x)
{
    const FuseOptions *o = f->options;
    double a = old < o->nvalue ? o->value[old] : f->t->initial[old];
    double b = x < o->nvalue ? o->value[x] : f->t->initial[x];
    return a == b && (!start || (start[old].from == x && start[old].n > 0 &&
                                 start[x].last < start[old].last));
}

/* Where a step ends by making its result x the next old value, and so does the
 * start, x need not be kept beside it: who asks for x is given the old value,
 * which is the same. Returns that slot for each slot. */
static int *keep_once(Fuse *f, const TapeSegment *segment, int n)
{
    const Tape *t = tape_prune(f->t, segment, n, f->wanted, f->local)->tape;
    int *now = NEW_ARRAY(f->local, int, t->nslot);
    for (int i = 0; i < t->nslot; i++)
        now[i] = i;
    if (f->out->nstep != 1 || f->out->exchange || fuse_has_events(f) ||
        t->delay.n > 0 || t->set.n > 0)
        return now;
    const Writes *w = find_writes(f, t, &t->segment.at[1]);
    const Writes *start =
        f->out->start == NONE ? NULL : find_writes(f, f->t, &segment[n]);
    for (int old = 0; old < t->nslot; old++) {
        int x = w[old].n == 1 ? w[old].from : NONE;
        if (x == NONE || t->region[old] != TR_CARRY || !w[old].is_read ||
            (t->region[x] != TR_CARRY && t->region[x] != TR_VALUE) ||
            w[x].n == 0 || w[x].is_read || now[x] != x ||
            w[x].last > w[old].last || !begins_equal(f, start, old, x))
            continue;
        now[x] = old;
        f->wanted[old] |= f->wanted[x];
        f->wanted[x] = false;
    }
    return now;
}

/* Names go with the values. */
static void rename_kept(Tape *t, const int *now, int n)
{
    const char **name = NEW_ARRAY(t->arena, const char *, t->nslot);
    TapeMeaning *meaning = NEW_ARRAY(t->arena, TapeMeaning, t->nslot);
    memcpy(name, t->slot_name, (size_t)t->nslot * sizeof *name);
    memcpy(meaning, t->meaning, (size_t)t->nslot * sizeof *meaning);
    for (int x = 0; x < n; x++)
        if (now[x] != x) {
            name[now[x]] = name[x];
            meaning[now[x]] = meaning[x];
            meaning[x].form = TF_NEW;
            name[x] =
                name[x] ? arena_printf(t->arena, "new %s", name[x]) : NULL;
        }
    for (int i = 0; i < t->code.n; i++) { /* and what is said of them */
        TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_NOTE && status_row[in->a].of == OF_VARIABLE &&
            in->c != NONE && in->c < n)
            in->c = now[in->c];
    }
    t->slot_name = name;
    t->meaning = meaning;
    t->slot_capacity = t->nslot;
    TapeSymbol *symbol = NEW_ARRAY(t->arena, TapeSymbol, t->symbol.n + 1);
    for (int i = 0; i < t->symbol.n; i++) {
        symbol[i] = t->symbol.at[i];
        if (symbol[i].slot < n)
            symbol[i].slot = now[symbol[i].slot];
    }
    t->symbol.at = symbol;
}

/* The systems of the method, each once, and slots that a step has besides those
 * of the tape. */
static void place(Fuse *f)
{
    const Inlined *d = f->d;
    Fused *out = f->out;
    bool events = fuse_has_events(f);
    out->system = f->system =
        NEW_ARRAY(f->arena, int, d->nstart + d->ncycle + 1);
    for (int i = 0; i < d->nstart; i++)
        add_system(f, d->start[i]);
    for (int i = 0; i < d->ncycle; i++)
        add_system(f, d->cycle[i]);
    tape_from(f->t, (TapeOrigin){TO_STEP, NONE, NONE, NONE, NO_SPAN});
    f->zero = tape_const(f->t, 0);
    f->one = tape_const(f->t, 1);
    out->count = tape_slot(f->t, TR_CARRY, "steps done", 0);
    bool breaks = (d->nstart > 0 || d->estimate.mode != PE_OFF) &&
                  (events || (d->dae && d->dae->nset > 0));
    out->broken =
        breaks ? tape_slot(f->t, TR_CARRY, "history broken", 0) : NONE;
    out->unsettled =
        events ? tape_slot(f->t, TR_CARRY, "events left", 0) : NONE;
    fuse_place_messages(f);
    fuse_place_rates(f);
    fuse_place_inputs(f);
    fuse_place_estimate(f);
    fuse_place_delays(f);
    fuse_place_sets(f);
}

/* `param` and the steps; returns how many segments that are. */
static int fuse_steps(Fuse *f, TapeSegment *segment)
{
    const FuseOptions *o = f->options;
    int n = 0;
    segment[n++] = *tape_find_segment(f->t, "param");
    for (int i = 0; i < f->out->nstep; i++) {
        int system = f->system[i];
        tape_begin(f->t, arena_printf(f->arena, "fused.%s",
                                      f->d->system[system].name));
        fuse_step(f, system);
        tape_end(f->t);
        segment[n++] = vec_last(&f->t->segment);
        tape_fold(f->t, &segment[n - 1], o->fixed ? o->value : NULL, o->nvalue);
    }
    return n;
}

/* What a step computes twice, in the system of the method and in those of
 * events and assertions. */
static Pruned *share(Fuse *f, const Pruned *p)
{
    Tape *t = tape_copy(p->tape, f->arena);
    for (int i = 1; i <= f->out->nstep; i++) {
        tape_share(t, &t->segment.at[i]);
        tape_fold(t, &t->segment.at[i], NULL, 0);
    }
    return tape_prune(t, t->segment.at, t->segment.n, f->wanted, f->arena);
}

/* What events have computed of the end of a step the next one begins with. */
static Pruned *recall(Fuse *f, Pruned *p)
{
    const FuseOptions *o = f->options;
    if (f->out->nstep != 1 || f->out->exchange || o->parts ||
        !fuse_has_events(f))
        return p;
    Tape *t = tape_copy(p->tape, f->arena);
    bool *live = NEW_ARRAY(f->local, bool, t->nslot + 1);
    for (int i = 0; i < t->nslot; i++)
        live[i] = p->carried[i] || f->wanted[i];
    RecallOptions r = {.step = 1,
                       .start = f->out->start,
                       .wanted = f->wanted,
                       .live = live,
                       .value = o->value,
                       .nvalue = o->nvalue};
    if (tape_recall(t, &r) == 0)
        return p;
    tape_fold(t, &t->segment.at[1], NULL, 0);
    return tape_prune(t, t->segment.at, t->segment.n, f->wanted, f->arena);
}

const Fused *fuse(const Lowered *low, const FuseOptions *options, Arena *arena)
{
    Fuse f = {.low = low,
              .d = low->inlined,
              .options = options,
              .t = tape_copy(low->tape, arena),
              .arena = arena,
              .local = arena_new(),
              .out = NEW(arena, Fused)};
    Fused *out = f.out;
    if (low->inlined->event != NONE)
        f.event = &low->system[low->inlined->event].run;
    out->low = low;
    place(&f);
    TapeSegment *segment = NEW_ARRAY(f.local, TapeSegment, out->nstep + 6);
    int n = fuse_steps(&f, segment);
    if (options->exchange)
        n = fuse_exchange(&f, segment, n);
    out->start = NONE;
    if (options->start_too) {
        fuse_start(&f);
        out->start = n;
        segment[n] = vec_last(&f.t->segment);
    }
    mark_wanted(&f);
    int nslot = f.t->nslot;
    int *now = keep_once(&f, segment, n);
    if (out->start != NONE) {
        segment[n] = with_guesses(&f, segment, n);
        n++;
    }
    Pruned *p = tape_prune(f.t, segment, n, f.wanted, arena);
    if (fuse_has_events(&f)) {
        const Tape *t = fuse_split_passes(share(&f, p)->tape, arena);
        p = tape_prune(t, t->segment.at, t->segment.n, f.wanted, arena);
        p = share(&f, fuse_write_out(&f, p));
    }
    p->tape = tape_flatten_nests(p->tape, arena);
    p = recall(&f, share(&f, p));
    p->tape = fuse_gather_guards(p->tape, arena);
    p = fuse_parts(&f, p);
    rename_kept(p->tape, now, nslot);
    fuse_name_exchange(&f, p->tape);
    out->tape = p->tape;
    out->carried = p->carried;
    out->wanted = f.wanted;
    arena_free(f.local);
    return out;
}
