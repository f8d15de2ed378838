/* attack.c - the search: edges, corners and a Latin hypercube, then from the
 * worst. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/attack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/attack_internal.h"
#include "tuning/pool.h"
#include "tuning/trial.h"

/* A run that was found is kept to so many steps after it leaves the limit, and
 * is at least this part of the scenario long. */
#define AFTER       20
#define SHORTEST    0.1
#define EDGES       0.25 /* of all, at most; of the rest: */
#define CORNERS     0.12
#define HYPERCUBE   0.38
#define APART       0.5  /* starts of the two local searches */
#define MOVED       0.6  /* probability that a coordinate of a child moves, */
#define VARIED      0.1  /* and that one is varied that was not */
#define SIGMA       0.25 /* at first */
#define LEAST_SIGMA 0.02
#define MOST_SIGMA  0.4
#define GROW        1.3
#define SHRINK      0.7
enum {
    CHILDREN = 10,
    FEW = 12,
    LEAST_NUMBER = 10,
    MOST_NUMBER = 60,
    CHECKED = 8,    /* one of so many attacks is made with h/4 too, */
    SUSPECTED = 16, /* and one of so many in the end, */
    FEWEST_SUSPECTS = 2,
    RESTS = 8, /* one of so many is at rest, at most */
    MOST_SUSPECTS = 8,
    LONGEST = 200000 /* steps */
};
/* Instructions of all attacks together, where nobody says how many there shall
 * be. */
#define WORK 4e9

/* ---- random numbers ---- */

static double uniform(uint64_t *state) /* [0, 1) */
{
    return 0.5 * (sample_random(state) + 1);
}

static double normal(uint64_t *state)
{
    const double two_pi = 6.28318530717958647692;
    double u = 1 - uniform(state);
    return sqrt(-2 * log(u)) * cos(two_pi * uniform(state));
}

/* ---- points ---- */

typedef struct Search {
    Attacker a;
    int n;         /* coordinates */
    int number;    /* of attacks */
    int nrest;     /* of these: at the end, with inputs at rest */
    int nominal;   /* runs of the scenarios as they are, before them */
    double *point; /* n each, of all attacks */
    char *record;  /* an AttackOutcome and ranges of each run, nominal first */
    size_t size;   /* of a record */
    int first;     /* run of the present batch */
    int count;     /* attacks so far */
    uint64_t random;
    AttackReport *report;
} Search;

static double *point_of(const Search *s, int attack)
{
    return s->point + (size_t)attack * (size_t)s->n;
}

static AttackOutcome *outcome_of(const Search *s, int run)
{
    return (AttackOutcome *)(s->record + (size_t)run * s->size);
}

static double *low_of(const Search *s, const AttackOutcome *o)
{
    (void)s;
    return (double *)((char *)o + (sizeof(AttackOutcome) + 7) / 8 * 8);
}

/* One batch: runs of their own processes, as a job each. */
static void work(void *context, int job, void *result)
{
    const Search *s = context;
    AttackOutcome *o = result;
    int run = s->first + job, nominal = run < s->nominal ? run : NONE;
    double *low = low_of(s, o);
    int attack = run - s->nominal;
    bool is_checked = nominal == NONE && attack % CHECKED == 0 &&
                      attack < s->number - s->nrest;
    attack_try(&s->a, nominal == NONE ? point_of(s, run - s->nominal) : NULL,
               nominal, is_checked, o, low, low + s->a.seen->n);
}

static void crashed(void *context, int job, int signal, int code, void *result)
{
    AttackOutcome *o = result;
    (void)context;
    (void)job;
    *o = (AttackOutcome){
        .verdict = ATTACK_CRASHED, .percent = INFINITY, .watch = NONE};
    o->is_flagged = true;
    if (signal)
        snprintf(o->why, sizeof o->why, "its process ended by signal %d",
                 signal);
    else
        snprintf(o->why, sizeof o->why, "its process ended with code %d", code);
}

static void run_batch(Search *s, int n)
{
    PoolJobs jobs = {.n = n,
                     .size = s->size,
                     .work = work,
                     .crashed = crashed,
                     .context = s,
                     .nprocess = s->a.o->nprocess,
                     .what = "attacks",
                     .before = s->first,
                     .all = s->nominal + s->number,
                     .progress = s->a.o->progress};
    pool_run(&jobs, outcome_of(s, s->first));
    s->first += n;
    s->count = s->first - s->nominal;
}

/* ---- everywhere ---- */

static void random_corner(Search *s, double *x)
{
    for (int j = 0; j < s->n; j++)
        x[j] = uniform(&s->random) < 0.5 ? 0 : 1;
}

/* m points: in each coordinate one in each of m equal parts. */
static void latin(Search *s, double *const *x, int m, Arena *arena)
{
    int *order = NEW_ARRAY(arena, int, m + 1);
    for (int j = 0; j < s->n; j++) {
        for (int i = 0; i < m; i++)
            order[i] = i;
        for (int i = m - 1; i > 0; i--) {
            int k = (int)(uniform(&s->random) * (i + 1));
            int old = order[i];
            order[i] = order[k];
            order[k] = old;
        }
        for (int i = 0; i < m; i++)
            x[i][j] = (order[i] + uniform(&s->random)) / m;
    }
}

/* In one dimension there is nothing to search. */
static int spread_evenly(Search *s)
{
    for (int i = 0; i < s->number; i++)
        *point_of(s, i) = s->number > 1 ? (double)i / (s->number - 1) : 1;
    return s->number;
}

static int spread_everywhere(Search *s, Arena *arena)
{
    if (s->report->is_line)
        return spread_evenly(s);
    int n = box_edges(s->a.box, s->point, (int)(EDGES * s->number));
    int corners = (int)ceil(CORNERS * (s->number - n));
    int cube = (int)ceil(HYPERCUBE * (s->number - n)), k = 0;
    double **x = NEW_ARRAY(arena, double *, cube + 1);
    for (int i = 0; i < corners + cube && n < s->number; i++, n++) {
        bool is_corner = i * corners / (corners + cube) !=
                         (i + 1) * corners / (corners + cube);
        if (is_corner)
            random_corner(s, point_of(s, n));
        else
            x[k++] = point_of(s, n);
    }
    latin(s, x, k, arena);
    return n;
}

/* ---- from the worst ---- */

/* How bad an attack is for a plan: by deviation, or by defect. Void: -1. */
static double badness(const Search *s, int attack, bool by_defect)
{
    const AttackOutcome *o = outcome_of(s, s->nominal + attack);
    if (o->verdict == ATTACK_VOID)
        return -1;
    if (o->verdict >= ATTACK_FAILED)
        return 1e300;
    return by_defect ? o->eta : o->percent;
}

static double gap(const Search *s, int a, int b)
{
    double sum = 0;
    for (int j = 0; j < s->n; j++) {
        double x = point_of(s, a)[j], y = point_of(s, b)[j];
        double d = isnan(x) != isnan(y) ? APART : isnan(x) ? 0 : x - y;
        sum += d * d;
    }
    return sqrt(sum);
}

/* The worst attack so far; NONE: all are void. */
static int find_worst(const Search *s, bool by_defect, int away_from)
{
    int worst = NONE;
    for (int i = 0; i < s->count; i++) {
        if (badness(s, i, by_defect) < 0 ||
            (away_from != NONE && gap(s, i, away_from) < APART))
            continue;
        if (worst == NONE ||
            badness(s, i, by_defect) > badness(s, worst, by_defect))
            worst = i;
    }
    return worst;
}

typedef struct Local {
    int best; /* attack */
    bool by_defect;
    double sigma;
} Local;

static double reflect(double x)
{
    x = fabs(fmod(x, 2));
    return x > 1 ? 2 - x : x;
}

/* Alone: the coordinates of an input belong together. */
static bool can_vary(const Search *s, int axis)
{
    AxisKind kind = s->a.box->axis.at[axis].kind;
    return kind == AXIS_PARAMETER || kind == AXIS_START || kind == AXIS_LENGTH;
}

static void make_child(Search *s, const Local *l, double *x)
{
    const double *from = point_of(s, l->best);
    for (int j = 0; j < s->n; j++) {
        double chance = uniform(&s->random);
        if (isnan(from[j]))
            x[j] = can_vary(s, j) && chance < VARIED ? uniform(&s->random)
                                                     : from[j];
        else
            x[j] = chance < MOVED
                       ? reflect(from[j] + l->sigma * normal(&s->random))
                       : from[j];
    }
}

/* After its children first .. first + n - 1 have run. */
static void select_best(const Search *s, Local *l, int first, int n)
{
    bool better = false;
    for (int i = first; i < first + n; i++)
        if (badness(s, i, l->by_defect) > badness(s, l->best, l->by_defect)) {
            l->best = i;
            better = true;
        }
    l->sigma *= better ? GROW : SHRINK;
    l->sigma = fmin(fmax(l->sigma, LEAST_SIGMA), MOST_SIGMA);
}

static void search_locally(Search *s)
{
    Local l[2] = {{find_worst(s, false, NONE), false, SIGMA}};
    l[1] = (Local){NONE, true, SIGMA};
    if (l[0].best == NONE)
        return;
    l[1].best = find_worst(s, true, l[0].best);
    int nlocal = l[1].best == NONE ? 1 : 2;
    while (s->count < s->number - s->nrest) {
        int left = s->number - s->nrest - s->count, n[2] = {0, 0};
        int first = s->count, k = first;
        for (int j = 0; j < nlocal; j++) {
            n[j] = left < CHILDREN ? left : CHILDREN;
            left -= n[j];
            for (int i = 0; i < n[j]; i++)
                make_child(s, &l[j], point_of(s, k++));
        }
        run_batch(s, k - first);
        for (int j = 0; j < nlocal; j++) {
            select_best(s, &l[j], first, n[j]);
            first += n[j];
        }
    }
}

/* The last of all: inputs and parameters rest at ends of their ranges. */
static void run_rests(Search *s)
{
    if (s->count == s->number - s->nrest && s->nrest > 0)
        run_batch(s, s->nrest);
}

/* ---- where the step itself may be wrong ---- */

typedef struct Suspects {
    const Search *s;
    int run[MOST_SUSPECTS];
    int n;
} Suspects;

/* The next attack survived whose error is not known, the most bent first. */
static int next_suspect(const Suspects *u)
{
    int found = NONE;
    for (int i = u->s->nominal; i < u->s->first; i++) {
        const AttackOutcome *o = outcome_of(u->s, i);
        bool is_known = o->is_checked || o->is_excused;
        for (int j = 0; j < u->n; j++)
            is_known |= u->run[j] == i;
        if (o->verdict == ATTACK_SURVIVED && !is_known &&
            (found == NONE || o->bend > outcome_of(u->s, found)->bend))
            found = i;
    }
    return found;
}

static void work_again(void *context, int job, void *result)
{
    const Suspects *u = context;
    const Search *s = u->s;
    double *low = low_of(s, result);
    attack_try(&s->a, point_of(s, u->run[job] - s->nominal), NONE, true, result,
               low, low + s->a.seen->n);
}

static void crashed_again(void *context, int job, int signal, int code,
                          void *result)
{
    (void)context, (void)job, (void)signal, (void)code;
    *(AttackOutcome *)result = (AttackOutcome){.watch = NONE};
}

/* A plan claims what it was seen to be off by (tune_text.c). Where the full
 * step is likely to be off most, that is looked at, for the claim alone: these
 * attacks are chosen, and say nothing of how often. */
static void check_suspects(Search *s)
{
    Suspects u = {.s = s};
    int most = s->count / SUSPECTED, at;
    most = most < FEWEST_SUSPECTS ? FEWEST_SUSPECTS
           : most > MOST_SUSPECTS ? MOST_SUSPECTS
                                  : most;
    while (u.n < most && (at = next_suspect(&u)) != NONE)
        u.run[u.n++] = at;
    char *out =
        NEW_ARRAY(s->a.c->arena, char, s->size *(size_t)(MOST_SUSPECTS + 1));
    PoolJobs jobs = {.n = u.n,
                     .size = s->size,
                     .work = work_again,
                     .crashed = crashed_again,
                     .context = &u,
                     .nprocess = s->a.o->nprocess,
                     .what = "attacks with a finer step",
                     .progress = s->a.o->progress};
    pool_run(&jobs, out);
    for (int i = 0; i < u.n; i++)
        outcome_of(s, u.run[i])->off =
            ((const AttackOutcome *)(out + (size_t)i * s->size))->off;
}

/* ---- the report ---- */

static bool has_failed(const Search *s)
{
    for (int i = 0; i < s->first; i++)
        if (outcome_of(s, i)->verdict > ATTACK_SURVIVED)
            return true;
    return false;
}

/* The hull of the nominal runs and of attacks survived. */
static void make_domain(const Search *s)
{
    int n = s->a.seen->n;
    Arena *arena = s->a.c->arena;
    double *low = NEW_ARRAY(arena, double, n + 1);
    double *high = NEW_ARRAY(arena, double, n + 1);
    double stop = s->a.box->stop;
    for (int j = 0; j < n; j++)
        low[j] = INFINITY, high[j] = -INFINITY;
    for (int i = 0; i < s->first; i++) {
        const AttackOutcome *o = outcome_of(s, i);
        const double *range = low_of(s, o);
        if (o->verdict != ATTACK_SURVIVED)
            continue;
        stop = fmax(stop, o->stop);
        for (int j = 0; j < n; j++) {
            low[j] = fmin(low[j], range[j]);
            high[j] = fmax(high[j], range[n + j]);
        }
    }
    s->report->domain = seen_domain(s->a.seen, low, high, stop, arena);
}

static void count_up(Search *s)
{
    AttackReport *r = s->report;
    int worst = NONE;
    for (int i = 0; i < s->first; i++) {
        const AttackOutcome *o = outcome_of(s, i);
        bool is_attack = i >= s->nominal;
        if (o->verdict == ATTACK_VOID) {
            r->nvoid += is_attack;
            if (!is_attack && o->is_stopped)
                r->stops = arena_strdup(s->a.c->arena, o->why);
            continue;
        }
        r->tried += is_attack;
        if (o->verdict != ATTACK_SURVIVED) {
            r->fell = fmax(r->fell, o->percent);
            continue;
        }
        r->survived += is_attack;
        r->excused += is_attack && o->is_excused;
        r->own = fmax(r->own, o->own);
        r->off = fmax(r->off, o->off);
        r->checked += o->is_checked;
        r->poor += o->is_poor;
        r->eta = fmax(r->eta, o->eta);
        if (is_attack && !o->is_excused &&
            (worst == NONE || o->percent > outcome_of(s, worst)->percent))
            worst = i;
    }
    if (worst != NONE) {
        r->percent = outcome_of(s, worst)->percent;
        r->worst =
            box_text(s->a.box, point_of(s, worst - s->nominal), s->a.c->arena);
    }
}

/* The next failure that is not listed, the worst first. */
static int next_failure(const Search *s, const bool *listed)
{
    int worst = NONE;
    for (int i = s->nominal; i < s->first; i++) {
        const AttackOutcome *o = outcome_of(s, i);
        if (o->verdict > ATTACK_SURVIVED && !listed[i] &&
            (worst == NONE || o->percent > outcome_of(s, worst)->percent))
            worst = i;
    }
    return worst;
}

static void list_failures(Search *s)
{
    Arena *arena = s->a.c->arena;
    AttackReport *r = s->report;
    bool *listed = NEW_ARRAY(arena, bool, s->first + 1);
    r->found = NEW_ARRAY(arena, SampleScenario, ATTACK_MOST_FOUND);
    for (int i = 0; i < s->nominal; i++) /* not even what it was made for */
        if (outcome_of(s, i)->verdict > ATTACK_SURVIVED) {
            r->why = arena_strdup(arena, outcome_of(s, i)->why);
            r->fell_to = s->a.box->spec->scenario[i].name;
        }
    for (int i; r->nfound < ATTACK_MOST_FOUND &&
                (i = next_failure(s, listed)) != NONE;) {
        const double *x = point_of(s, i - s->nominal);
        const AttackOutcome *o = outcome_of(s, i);
        BoxRun run = box_run(s->a.box, x, 0, arena);
        listed[i] = true;
        if (!r->why) {
            r->why = arena_strdup(arena, o->why);
            r->fell_to = box_text(s->a.box, x, arena);
        }
        r->found[r->nfound++] = (SampleScenario){
            .name = arena_printf(arena, "attack %d", i - s->nominal + 1),
            .set = run.set,
            .nset = run.nset,
            .table = run.input,
            .is_found = true,
            .stop = fmin(o->stop,
                         fmax(o->first + AFTER * s->a.box->step,
                              s->a.box->start + SHORTEST * (s->a.box->stop -
                                                            s->a.box->start))),
            .span = NO_SPAN};
    }
}

/* ---- all of it ---- */

/* Watched as takt sim watches it: a step that fails there has failed. What the
 * full step fails in shows nothing of a plan. The finer one only says where the
 * solution is. */
static const Step *make_step(const Compilation *c, const Plan *plan, double h,
                             bool is_watched)
{
    Plan own = *plan;
    Plan *kept = NEW(c->arena, Plan);
    own.step = h;
    if (is_watched && !own.has[PLAN_DEFECT])
        own.defect = PD_FULL;
    *kept = own;
    diag_mute(c->diag);
    const Step *s = tuning_step(c, kept, STEP_STATIC, c->arena, c->diag);
    diag_unmute(c->diag);
    return s;
}

/* The steps that the plan is compared with, kept in `steps`. */
static void make_compared(Search *s, const Plan *full, double h,
                          AttackSteps *steps)
{
    if (steps->plan != full || steps->size != h)
        *steps =
            (AttackSteps){.plan = full,
                          .size = h,
                          .full = make_step(s->a.c, full, h, true),
                          .fine = make_step(s->a.c, full, h / FINER, false)};
    s->a.full = steps->full;
    s->a.fine = steps->fine;
}

static double work_of_step(const Step *s)
{
    return (double)s->lowered->system[s->inlined->cycle[0]].run.count + 1;
}

/* As many as the work allows. */
static int choose_number(const Attacker *a)
{
    if (a->o->number != NONE)
        return a->o->number;
    double steps = 2 * (a->box->stop - a->box->start) / a->box->step;
    double each = steps * (work_of_step(a->plan) + work_of_step(a->full));
    double n = floor(WORK / fmax(each, 1));
    return n < LEAST_NUMBER  ? LEAST_NUMBER
           : n > MOST_NUMBER ? MOST_NUMBER
                             : (int)n;
}

static void open_search(Search *s)
{
    Arena *arena = s->a.c->arena;
    s->n = s->a.box->axis.n;
    s->number = choose_number(&s->a);
    s->nominal = s->a.box->spec->nscenario;
    s->random = 0x9e3779b97f4a7c15u * (s->a.o->seed + 11u) + 1;
    s->size = (sizeof(AttackOutcome) + 7) / 8 * 8 +
              2 * (size_t)s->a.seen->n * sizeof(double);
    s->point =
        NEW_ARRAY(arena, double, (size_t)s->n *(size_t)(s->number + 1) + 1);
    s->record =
        NEW_ARRAY(arena, char, s->size *(size_t)(s->number + s->nominal + 1));
    s->report = NEW(arena, AttackReport);
    s->report->is_line = attack_is_line(&s->a);
    int most = s->number / RESTS; /* their points stand at the end */
    s->nrest = box_rests(s->a.box, s->point, most);
    if (s->nrest > 0)
        memmove(point_of(s, s->number - s->nrest), s->point,
                (size_t)s->nrest * (size_t)s->n * sizeof *s->point);
    if (s->report->is_line)
        s->a.whole = attack_whole(arena);
}

/* The scenarios as they are, then corners and hypercube; where one failure is
 * enough, a few at a time, unless they are one run. */
static void run_everywhere(Search *s)
{
    int n = s->number > 0 ? spread_everywhere(s, s->a.c->arena) : 0;
    int each = s->a.o->stop_early && !s->report->is_line ? FEW : n;
    run_batch(s, s->nominal + (n < each ? n : each));
    while (s->count < n && !(s->a.o->stop_early && has_failed(s)))
        run_batch(s, n - s->count < each ? n - s->count : each);
}

AttackReport *tuning_attack(Compilation *c, const Plan *plan, const Plan *full,
                            const SampleSpec *spec, const char *const *watch,
                            int nwatch, const AttackOptions *options)
{
    Search s = {.a = {.c = c,
                      .o = options,
                      .watch = watch,
                      .nwatch = nwatch,
                      .longest = LONGEST}};
    double h = plan->step > 0 ? plan->step : c->size;
    AttackSteps own = {0};
    make_compared(&s, full, h, options->steps ? options->steps : &own);
    s.a.plan = plan == full ? s.a.full : make_step(c, plan, h, true);
    if (!s.a.plan || !s.a.full)
        return NULL;
    s.a.box = box_make(c, spec, s.a.plan, options->range, options->nrange);
    if (!s.a.box)
        return NULL;
    s.a.seen = seen_names(c, plan, s.a.plan->lowered->tape);
    open_search(&s);
    run_everywhere(&s);
    if (!options->stop_early || !has_failed(&s)) {
        search_locally(&s);
        run_rests(&s);
    }
    if (!has_failed(&s))
        check_suspects(&s);
    count_up(&s);
    make_domain(&s);
    list_failures(&s);
    return s.report;
}
