/* saved.c - a run is left and continued: --save-state, --from-state.
 *
 * A state is what a step leaves for the next: the carried slots of the tape by
 * name, the choice of dynamic states, the past of delayed expressions and the
 * counters. Numbers are hexadecimal, so that the continued run has the same
 * bits. (One thing is not kept: the pivot order of KLU in systems above 24
 * unknowns, which can change the last digits.)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "saved/saved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "plan/json.h"
#include "sim/sim_parts.h"

static const int VERSION = 1;

/* Slots that hold P of a state set count as carried. */
static bool *find_carried(const Sim *s, Arena *arena)
{
    const Tape *t = s->low->tape;
    bool *carried = NEW_ARRAY(arena, bool, t->nslot + 1);
    for (int i = 0; i < t->nslot; i++)
        carried[i] = t->region[i] == TR_CARRY;
    const Dae *dae = s->low->inlined->dae;
    for (int k = 0; dae && k < dae->nset; k++) {
        const DaeStateSet *set = &dae->set[k];
        for (int i = 0; i < set->nstate * set->ncandidate; i++)
            carried[s->low->slot[set->select[i]]] = true;
    }
    return carried;
}

static const char *slot_name(const Sim *s, int i)
{
    const char *name = s->low->tape->slot_name[i];
    return name ? name : "";
}

/* ---- writing ---- */

static void put_hex(JsonOut *j, const char *key, double x)
{
    char text[32];
    json_put_text(j, key, number_hex(x, text));
}

static void put_delays(const Sim *s, JsonOut *j)
{
    json_begin_array(j, "delays");
    for (int i = 0; i < s->low->inlined->ndelay; i++) {
        const Past *d = &s->delay[i].past;
        json_begin_array(j, NULL);
        for (int k = 0; k < d->time.n; k++) {
            json_begin_array(j, NULL);
            put_hex(j, NULL, d->time.at[k]);
            put_hex(j, NULL, d->value.at[k]);
            json_end(j);
        }
        const SpreadMemory *m = &s->delay[i].spread;
        for (int k = 0; k < m->n; k++)
            put_hex(j, NULL, m->at[k]);
        json_end(j);
    }
    json_end(j);
}

static void put_pair(JsonOut *j, const char *name, double x)
{
    json_begin_array(j, NULL);
    json_put_text(j, NULL, name);
    put_hex(j, NULL, x);
    json_end(j);
}

/* The carried slots: a name and a number each. */
static void put_values(const Sim *s, JsonOut *j)
{
    Arena *arena = arena_new();
    const bool *carried = find_carried(s, arena);
    json_begin_array(j, "values");
    for (int i = 0; i < s->low->tape->nslot; i++)
        if (carried[i])
            put_pair(j, slot_name(s, i), s->exec->r[i]);
    json_end(j);
    arena_free(arena);
}

/* The start value of a state, where it is a number; NAN: it is none. */
static double start_of(const Inlined *d, int state)
{
    double x;
    Expr start = d->sys->var[d->dae->state[state].var].start;
    return start != EXPR_NONE && expr_is_const(d->dag, start, &x) ? x : NAN;
}

static const char *state_name(const Inlined *d, int state)
{
    return d->sys->var[d->dae->state[state].var].name;
}

static void put_starts(const Inlined *d, JsonOut *j)
{
    json_begin_array(j, "starts");
    for (int k = 0; d->dae && k < d->dae->nstate; k++)
        put_pair(j, state_name(d, k), start_of(d, k));
    json_end(j);
}

/* Parameters likewise: who goes on with others is told. */
static void put_parameters(const Sim *s, JsonOut *j)
{
    const Tape *t = s->low->tape;
    const bool *carried = find_carried(s, s->scratch);
    json_begin_array(j, "parameters");
    for (int i = 0; i < t->nslot; i++)
        if (t->region[i] == TR_PARAM && !carried[i])
            put_pair(j, slot_name(s, i), s->exec->r[i]);
    json_end(j);
}

bool saved_write(const Sim *s, FILE *out)
{
    const Inlined *d = s->low->inlined;
    if (s->is_shortened) {
        diag_report(s->diag, NO_SPAN, DIAG_E1354,
                    "the state cannot be saved at time %g, which is no whole "
                    "number of steps of %g after the start",
                    sim_time(s), s->options.step);
        return false;
    }
    JsonOut text = json_start(out, JSON_INDENTED), *j = &text;
    json_begin_object(j, NULL);
    json_put_count(j, "takt_state", VERSION);
    json_put_text(j, "model", d->sys->flat->model);
    json_put_text(j, "method", d->method->name);
    put_hex(j, "start", s->options.start);
    put_hex(j, "step", s->options.step);
    json_put_count(j, "steps", s->k);
    json_put_count(j, "since_break", s->since_break);
    put_parameters(s, j);
    put_starts(d, j);
    put_values(s, j);
    put_delays(s, j);
    json_end(j);
    json_finish(j);
    return true;
}

/* ---- reading ---- */

typedef struct Reader {
    Sim *s;
    Json json;
    const char *path;
    bool failed;
} Reader;

static bool broken(Reader *r, const cJSON *item, const char *what)
{
    Span span = item ? json_span(&r->json, item) : NO_SPAN;
    diag_report(r->s->diag, span, DIAG_E1352,
                "%s is no state that takt has saved: %s", r->path, what);
    return false;
}

static bool read_hex(const cJSON *item, double *x)
{
    char *end;
    if (!cJSON_IsString(item))
        return false;
    *x = number_read(item->valuestring, &end);
    return end != item->valuestring && !*end;
}

static bool read_count(const cJSON *item, long *n)
{
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) ||
        item->valuedouble > 1e15 ||
        item->valuedouble != floor(item->valuedouble))
        return false;
    *n = (long)item->valuedouble;
    return true;
}

static bool other(Reader *r, const cJSON *item, const char *what,
                  const char *saved, const char *now)
{
    diag_report(r->s->diag, json_span(&r->json, item), DIAG_E1353,
                "the state was saved with the %s %s, this run has %s", what,
                saved, now);
    return false;
}

static bool same_text(Reader *r, const char *key, const char *now)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->json.root, key);
    if (!cJSON_IsString(item))
        return broken(r, r->json.root,
                      arena_printf(r->s->scratch, "'%s' is missing", key));
    return !strcmp(item->valuestring, now) ||
           other(r, item, key, item->valuestring, now);
}

static bool same_number(Reader *r, const char *key, const char *title,
                        double now)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->json.root, key);
    double saved;
    if (!read_hex(item, &saved))
        return broken(r, r->json.root,
                      arena_printf(r->s->scratch, "'%s' is missing", key));
    return saved == now ||
           other(r, item, title, arena_printf(r->s->scratch, "%.10g", saved),
                 arena_printf(r->s->scratch, "%.10g", now));
}

static bool read_counters(Reader *r)
{
    Sim *s = r->s;
    const cJSON *steps =
        cJSON_GetObjectItemCaseSensitive(r->json.root, "steps");
    const cJSON *since =
        cJSON_GetObjectItemCaseSensitive(r->json.root, "since_break");
    if (!read_count(steps, &s->k) || !read_count(since, &s->since_break) ||
        s->since_break > s->k)
        return broken(r, steps ? steps : r->json.root,
                      "'steps' and 'since_break' must be counts");
    if (s->k < sim_nstep(&s->options))
        return true;
    diag_report(s->diag, json_span(&r->json, steps), DIAG_E1353,
                "the state was saved at time %g: the stop time %g must lie "
                "after it",
                s->options.start + (double)s->k * s->options.step,
                s->options.stop);
    return false;
}

/* Start values have no effect any more. */
static bool read_starts(Reader *r)
{
    const Inlined *d = r->s->low->inlined;
    const cJSON *list =
        cJSON_GetObjectItemCaseSensitive(r->json.root, "starts");
    const cJSON *pair = cJSON_IsArray(list) ? list->child : NULL;
    for (int k = 0; pair && d->dae && k < d->dae->nstate; k++) {
        double x, now = start_of(d, k);
        if (!cJSON_IsString(pair->child) ||
            strcmp(pair->child->valuestring, state_name(d, k)) ||
            !read_hex(pair->child->next, &x))
            return broken(r, list, "its states are those of another model");
        if (x != now && !(isnan(x) && isnan(now)))
            diag_report(r->s->diag, json_span(&r->json, pair), DIAG_W1363,
                        "the state was saved with the start value %.10g of %s, "
                        "this run has %.10g, which counts no more",
                        x, state_name(d, k), now);
        pair = pair->next;
    }
    return true;
}

/* Have they changed? They count from here on. */
static bool read_parameters(Reader *r, bool *changed)
{
    const Sim *s = r->s;
    const Tape *t = s->low->tape;
    const cJSON *list =
        cJSON_GetObjectItemCaseSensitive(r->json.root, "parameters");
    const cJSON *pair = cJSON_IsArray(list) ? list->child : NULL;
    const bool *carried = find_carried(s, s->scratch);
    for (int i = 0; pair && i < t->nslot; i++) {
        double x;
        if (t->region[i] != TR_PARAM || carried[i])
            continue;
        if (!cJSON_IsString(pair->child) ||
            strcmp(pair->child->valuestring, slot_name(s, i)) ||
            !read_hex(pair->child->next, &x))
            return broken(r, list, "its parameters are those of another model");
        if (x != s->exec->r[i] && !(isnan(x) && isnan(s->exec->r[i]))) {
            *changed = true;
            diag_report(s->diag, json_span(&r->json, pair), DIAG_W1363,
                        "the state was saved with %s = %.10g, this run goes on "
                        "with %.10g",
                        slot_name(s, i), x, s->exec->r[i]);
        }
        pair = pair->next;
    }
    return true;
}

static bool read_values(Reader *r)
{
    Sim *s = r->s;
    const cJSON *values =
        cJSON_GetObjectItemCaseSensitive(r->json.root, "values");
    const cJSON *pair = cJSON_IsArray(values) ? values->child : NULL;
    const bool *carried = find_carried(s, s->scratch);
    if (!cJSON_IsArray(values))
        return broken(r, r->json.root, "'values' is missing");
    for (int i = 0; i < s->low->tape->nslot; i++) {
        if (!carried[i])
            continue;
        const cJSON *name = cJSON_IsArray(pair) ? pair->child : NULL;
        double x;
        if (pair && (!cJSON_IsString(name) || !read_hex(name->next, &x)))
            return broken(r, pair, "a value is a name and a number");
        if (!pair || strcmp(name->valuestring, slot_name(s, i))) {
            diag_report(s->diag, json_span(&r->json, pair ? pair : values),
                        DIAG_E1353,
                        "the state has no value for '%s' at this place: the "
                        "model has changed since",
                        slot_name(s, i));
            return false;
        }
        s->exec->r[i] = x;
        pair = pair->next;
    }
    return !pair || broken(r, pair, "it has more values than the model");
}

static bool read_delays(Reader *r)
{
    Sim *s = r->s;
    const cJSON *delays =
        cJSON_GetObjectItemCaseSensitive(r->json.root, "delays");
    const cJSON *points = cJSON_IsArray(delays) ? delays->child : NULL;
    for (int i = 0; i < s->low->inlined->ndelay; i++) {
        SimDelay *d = &s->delay[i];
        if (!cJSON_IsArray(points))
            return broken(r, r->json.root, "the past of a delay is missing");
        const cJSON *pair;
        cJSON_ArrayForEach(pair, points)
        {
            double time, value;
            if (cJSON_IsString(pair) && read_hex(pair, &value)) {
                vec_push(s->arena, &d->spread, value);
                continue;
            }
            if (!cJSON_IsArray(pair) || !read_hex(pair->child, &time) ||
                !read_hex(pair->child->next, &value))
                return broken(r, pair, "a point is a time and a value");
            vec_push(s->arena, &d->past.time, time);
            vec_push(s->arena, &d->past.value, value);
        }
        if (s->low->inlined->delay[i].past == IP_SPREAD &&
            !spread_is_sound(&d->spread))
            return broken(r, points,
                          "it is no memory of spatialDistribution()");
        points = points->next;
    }
    return true;
}

static bool read_state(Reader *r, bool *changed)
{
    Sim *s = r->s;
    const Inlined *d = s->low->inlined;
    const cJSON *version =
        cJSON_GetObjectItemCaseSensitive(r->json.root, "takt_state");
    if (!cJSON_IsNumber(version) || version->valuedouble != VERSION)
        return broken(r, r->json.root, "'takt_state' is not 1");
    return same_text(r, "model", d->sys->flat->model) &&
           same_text(r, "method", d->method->name) &&
           same_number(r, "step", "step", s->options.step) &&
           same_number(r, "start", "start time", s->options.start) &&
           read_counters(r) && read_parameters(r, changed) && read_starts(r) &&
           read_values(r) && read_delays(r);
}

bool saved_read(Sim *s, const Sources *sources, int source)
{
    Reader r = {.s = s, .path = sources_get(sources, source)->path};
    if (!json_open(&r.json, sources, source, s->scratch, s->diag))
        return false;
    bool changed = false;
    bool fine = read_state(&r, &changed);
    json_close(&r.json);
    if (!fine)
        return false;
    s->exec->r[s->low->tape->step] = s->options.step;
    s->exec->r[s->low->tape->time] = sim_time(s);
    sim_restore_sets(s);
    sim_continue(s);
    return !changed || sim_continue_otherwise(s);
}
