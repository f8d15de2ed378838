/* plan.c - reading a plan from JSON, key by key.
 *
 * Each key has one reader; the table at the end pairs them with fields.def. A
 * reader reports what is wrong with its value and goes on, so that one run
 * shows all mistakes of a file.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/plan.h"

#include <math.h>
#include <string.h>

#include "plan/json.h"
#include "plan/words.h"

static const char *const key_text[PLAN_NFIELD] = {
#define FIELD(key, name) key,
#include "plan/fields.def"
#undef FIELD
};

Plan *plan_default(Arena *arena)
{
    Plan *p = NEW(arena, Plan);
    p->model = "";
    p->method = "be";
    p->growth_bound = 1e3;
    p->events_max = 3;
    return p;
}

bool plan_find_algebraic(const char *word, PlanAlgebraic *out)
{
    for (int i = PA_AUTO; i <= PA_TEAR; i++)
        if (strcmp(word, plan_algebraic_word[i]) == 0) {
            *out = (PlanAlgebraic)i;
            return true;
        }
    return false;
}

const char *plan_algebraic_name(PlanAlgebraic a)
{
    return plan_algebraic_word[a];
}

const PlanCutRule plan_cut_rule[CUT_NKIND] = {
#define CUT(name, word, place, leaves, iterated, help)                         \
    {word, CUT_IN_##place, CUT_LEAVES_##leaves, iterated, help},
#include "plan/cuts.def"
#undef CUT
};

bool plan_cuts(const Plan *p, PlanCutPlace place)
{
    for (int i = 0; i < p->ncut; i++)
        if (plan_cut_rule[p->cut[i].kind].place == place)
            return true;
    return false;
}

bool plan_iterates(const Plan *p)
{
    for (int i = 0; i < p->ncut; i++)
        if (plan_cut_rule[p->cut[i].kind].is_iterated)
            return true;
    return false;
}

PlanMode plan_mode(const Plan *p, const char *state)
{
    for (int i = 0; i < p->nmode; i++)
        if (strcmp(p->mode[i].var, state) == 0)
            return p->mode[i].mode;
    return MODE_IMPLICIT;
}

/* ---- small parts ---- */

static bool is_object(Json *j, const cJSON *item)
{
    if (cJSON_IsObject(item))
        return true;
    json_wrong(j, item, "an object {...}");
    return false;
}

static bool is_array(Json *j, const cJSON *item)
{
    if (cJSON_IsArray(item))
        return true;
    json_wrong(j, item, "an array [...]");
    return false;
}

static void read_version(Json *j, const cJSON *item, Plan *p)
{
    int version = 0;
    (void)p;
    if (json_count(j, item, 1, &version) && version != 1)
        json_wrong(j, item, "1: this takt knows version 1 only");
}

static void read_newton(Json *j, const cJSON *item, Plan *p)
{
    if (cJSON_IsNumber(item)) {
        json_count(j, item, 1, &p->newton);
        return;
    }
    const cJSON *tol = cJSON_GetObjectItemCaseSensitive(item, "tol");
    if (!cJSON_IsObject(item) || !tol || item->child->next)
        json_wrong(j, item, "a number of iterations or {\"tol\": r}");
    else
        json_positive(j, tol, &p->newton_tol);
}

static void read_tearing(Json *j, const cJSON *item, Plan *p)
{
    if (!is_object(j, item))
        return;
    p->ntearing = cJSON_GetArraySize(item);
    p->tearing = NEW_ARRAY(j->arena, PlanTearing, p->ntearing);
    PlanTearing *t = p->tearing;
    for (const cJSON *x = item->child; x; x = x->next, t++) {
        t->block = arena_strdup(j->arena, x->string);
        t->span = json_span(j, x);
        json_texts(j, x, &t->var, &t->nvar);
    }
}

static void read_modes(Json *j, const cJSON *item, Plan *p)
{
    if (!is_object(j, item))
        return;
    p->nmode = cJSON_GetArraySize(item);
    p->mode = NEW_ARRAY(j->arena, PlanStateMode, p->nmode);
    PlanStateMode *m = p->mode;
    for (const cJSON *x = item->child; x; x = x->next, m++) {
        int mode = MODE_IMPLICIT;
        m->var = arena_strdup(j->arena, x->string);
        m->span = json_span(j, x);
        json_word(j, x, plan_mode_word, 4, &mode);
        m->mode = (PlanMode)mode;
    }
}

static void read_cut(Json *j, const cJSON *item, PlanCut *c)
{
    static const char *const known[] = {"kind", "eq", "var", "value"};
    int kind = NONE;
    c->span = json_span(j, item);
    c->value = NAN;
    for (const cJSON *x = item->child; x; x = x->next) {
        if (strcmp(x->string, "kind") == 0)
            json_word(j, x, plan_cut_word, CUT_NKIND, &kind);
        else if (strcmp(x->string, "eq") == 0)
            json_text(j, x, &c->eqn);
        else if (strcmp(x->string, "var") == 0)
            json_text(j, x, &c->var);
        else if (strcmp(x->string, "value") == 0)
            json_number(j, x, &c->value);
        else
            json_unknown(j, x, known, 4);
    }
    if (!j->failed && (kind == NONE || !c->eqn || !c->var))
        json_wrong(j, item, "a cut with 'kind', 'eq' and 'var'");
    c->kind = (PlanCutKind)kind;
}

static void read_cuts(Json *j, const cJSON *item, Plan *p)
{
    if (!is_array(j, item))
        return;
    p->ncut = cJSON_GetArraySize(item);
    p->cut = NEW_ARRAY(j->arena, PlanCut, p->ncut);
    PlanCut *c = p->cut;
    for (const cJSON *x = item->child; x; x = x->next, c++)
        if (is_object(j, x))
            read_cut(j, x, c);
}

static void read_force(Json *j, const cJSON *item, Plan *p)
{
    if (!is_array(j, item))
        return;
    p->nforce = cJSON_GetArraySize(item);
    p->force = NEW_ARRAY(j->arena, PlanPair, p->nforce);
    PlanPair *f = p->force;
    for (const cJSON *x = item->child; x; x = x->next, f++) {
        const char **text = NULL;
        int n = 0;
        f->span = json_span(j, x);
        if (!json_texts(j, x, &text, &n))
            continue;
        if (n != 2) {
            json_wrong(j, x, "a pair [\"equation\", \"variable\"]");
            continue;
        }
        f->eqn = text[0];
        f->var = text[1];
    }
}

/* "lu", or {"kind": "lu", "unroll": true, "refine": true, "monitor": false} */
static void read_block_factor(Json *j, const cJSON *item, PlanBlockFactor *f)
{
    static const char *const known[] = {"kind", "unroll", "refine", "monitor"};
    int kind = PF_AUTO;
    bool monitor = true;
    f->block = arena_strdup(j->arena, item->string);
    f->span = json_span(j, item);
    if (!cJSON_IsObject(item)) {
        json_word(j, item, plan_factor_word, 4, &kind);
    } else {
        for (const cJSON *x = item->child; x; x = x->next) {
            if (strcmp(x->string, "kind") == 0)
                json_word(j, x, plan_factor_word, 4, &kind);
            else if (strcmp(x->string, "unroll") == 0)
                f->has_unroll = json_bool(j, x, &f->unroll);
            else if (strcmp(x->string, "refine") == 0)
                json_bool(j, x, &f->refine);
            else if (strcmp(x->string, "monitor") == 0)
                json_bool(j, x, &monitor);
            else
                json_unknown(j, x, known, 4);
        }
    }
    f->no_monitor = !monitor;
    f->factor = (PlanFactor)kind;
}

static void read_factor(Json *j, const cJSON *item, Plan *p)
{
    if (!is_object(j, item))
        return;
    p->nfactor = cJSON_GetArraySize(item);
    p->factor = NEW_ARRAY(j->arena, PlanBlockFactor, p->nfactor);
    PlanBlockFactor *f = p->factor;
    for (const cJSON *x = item->child; x; x = x->next)
        read_block_factor(j, x, f++);
}

/* {"max": 3} */
static void read_events(Json *j, const cJSON *item, Plan *p)
{
    static const char *const known[] = {"max"};
    if (!is_object(j, item))
        return;
    for (const cJSON *x = item->child; x; x = x->next) {
        if (strcmp(x->string, "max") == 0)
            json_count(j, x, 1, &p->events_max);
        else
            json_unknown(j, x, known, 1);
    }
}

/* {} or {"factor": 0.5} */
static void read_damping(Json *j, const cJSON *item, Plan *p)
{
    static const char *const known[] = {"factor"};
    if (!is_object(j, item))
        return;
    for (const cJSON *x = item->child; x; x = x->next) {
        if (strcmp(x->string, "factor") == 0)
            json_positive(j, x, &p->damping);
        else
            json_unknown(j, x, known, 1);
    }
}

/* A section that another part of takt reads: kept as text. */
static void read_section(Json *j, const cJSON *item, const char **out)
{
    if (!is_object(j, item))
        return;
    char *text = cJSON_PrintUnformatted(item);
    if (!text)
        return;
    *out = arena_strdup(j->arena, text);
    cJSON_free(text);
}

static int read_word(Json *j, const cJSON *item, const char *const *word,
                     int nword)
{
    int k = 0;
    json_word(j, item, word, nword, &k);
    return k;
}

static void read_field(Json *j, const cJSON *x, PlanField field, Plan *p)
{
    switch (field) {
    case PLAN_VERSION: read_version(j, x, p); break;
    case PLAN_MODEL: json_text(j, x, &p->model); break;
    case PLAN_METHOD: json_text(j, x, &p->method); break;
    case PLAN_STEP: json_positive(j, x, &p->step); break;
    case PLAN_NEWTON: read_newton(j, x, p); break;
    case PLAN_DIRECT: json_bool(j, x, &p->direct); break;
    case PLAN_ALGEBRAIC:
        p->algebraic = (PlanAlgebraic)read_word(j, x, plan_algebraic_word, 5);
        break;
    case PLAN_TEARER:
        p->tearer = (PlanTearer)read_word(j, x, plan_tearer_word, 4);
        break;
    case PLAN_GROWTH_BOUND: json_positive(j, x, &p->growth_bound); break;
    case PLAN_TEARING: read_tearing(j, x, p); break;
    case PLAN_STATES: json_texts(j, x, &p->state, &p->nstate); break;
    case PLAN_MODES: read_modes(j, x, p); break;
    case PLAN_CUTS: read_cuts(j, x, p); break;
    case PLAN_FORCE: read_force(j, x, p); break;
    case PLAN_DAMPING: read_damping(j, x, p); break;
    case PLAN_SCALAR:
        p->scalar = (PlanScalar)read_word(j, x, plan_scalar_word, 2);
        break;
    case PLAN_MATH:
        p->math = (PlanMath)read_word(j, x, plan_math_word, 2);
        break;
    case PLAN_FACTOR: read_factor(j, x, p); break;
    case PLAN_PIVOTS: read_section(j, x, &p->pivots); break;
    case PLAN_EVENTS: read_events(j, x, p); break;
    case PLAN_SAMPLES: read_section(j, x, &p->samples); break;
    case PLAN_EVIDENCE: read_section(j, x, &p->evidence); break;
    case PLAN_NFIELD: break;
    }
}

static PlanField find_field(const char *key)
{
    for (int f = 0; f < PLAN_NFIELD; f++)
        if (strcmp(key_text[f], key) == 0)
            return (PlanField)f;
    return PLAN_NFIELD;
}

static void read_keys(Json *j, Plan *p)
{
    for (const cJSON *x = j->root->child; x; x = x->next) {
        PlanField f = find_field(x->string);
        if (f == PLAN_NFIELD) {
            json_unknown(j, x, key_text, PLAN_NFIELD);
        } else if (p->has[f]) {
            json_wrong(j, x, "given only once");
        } else {
            p->has[f] = true;
            read_field(j, x, f, p);
        }
    }
}

Plan *plan_read(const Sources *sources, int source, Arena *arena, Diag *diag)
{
    Json j;
    if (!json_open(&j, sources, source, arena, diag))
        return NULL;
    Plan *p = plan_default(arena);
    if (is_object(&j, j.root))
        read_keys(&j, p);
    if (!j.failed && !p->has[PLAN_VERSION])
        json_wrong(&j, j.root, "a plan: it begins with \"takt_plan\": 1");
    json_close(&j);
    return j.failed ? NULL : p;
}

Plan *plan_read_file(Sources *sources, const char *path, Arena *arena,
                     Diag *diag)
{
    int source = sources_read(sources, path);
    if (source != NONE)
        return plan_read(sources, source, arena, diag);
    diag_report(diag, NO_SPAN, DIAG_E1202, "the plan '%s' cannot be read",
                path);
    return NULL;
}
