/* method_json.c - a tableau of the user, from a JSON file.
 *
 * What method.h promises of the tables in methods.c is tested here for the
 * user's: sizes, row sums, and the order that the file claims.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "plan/json.h"
#include "plan/method_internal.h"

enum { MAX_STAGES = 24, MAX_BACK = 12 };

typedef struct Reader {
    Json json;
    Method *m;
    int norder;      /* "order" was given */
    const double *c; /* given, or NULL */
    const Exact *b, *hat, *alpha, *beta;
    int nc, nb, nhat, nalpha, nbeta;
    const cJSON *a, *gamma;
    bool is_oneleg;
} Reader;

static const char *const keys[] = {
    "name",  "title",  "order",      "stage_order", "newton", "a",
    "b",     "c",      "b_hat",      "order_hat",   "alpha",  "beta",
    "start", "oneleg", "reevaluate", "gamma"};

static void read_start(Reader *r, const cJSON *item, Arena *arena)
{
    const char *name = NULL;
    if (!json_text(&r->json, item, &name))
        return;
    r->m->start = method_find(name, arena);
    if (!r->m->start || r->m->start->kind != MK_RK)
        json_wrong(&r->json, item,
                   "the name of a Runge-Kutta method, like \"radau3\"");
}

static void read_key(Reader *r, const cJSON *item, Arena *arena)
{
    Json *j = &r->json;
    Method *m = r->m;
    const char *key = item->string;
    if (strcmp(key, "name") == 0)
        json_text(j, item, &m->name);
    else if (strcmp(key, "title") == 0)
        json_text(j, item, &m->title);
    else if (strcmp(key, "order") == 0)
        r->norder = json_count(j, item, 1, &m->order);
    else if (strcmp(key, "stage_order") == 0)
        json_count(j, item, 1, &m->stage_order);
    else if (strcmp(key, "newton") == 0)
        json_count(j, item, 1, &m->newton);
    else if (strcmp(key, "a") == 0)
        r->a = item;
    else if (strcmp(key, "gamma") == 0)
        r->gamma = item;
    else if (strcmp(key, "b") == 0)
        json_exacts(j, item, &r->b, &r->nb);
    else if (strcmp(key, "c") == 0)
        json_numbers(j, item, &r->c, &r->nc);
    else if (strcmp(key, "b_hat") == 0)
        json_exacts(j, item, &r->hat, &r->nhat);
    else if (strcmp(key, "order_hat") == 0)
        json_count(j, item, 1, &m->order_hat);
    else if (strcmp(key, "alpha") == 0)
        json_exacts(j, item, &r->alpha, &r->nalpha);
    else if (strcmp(key, "beta") == 0)
        json_exacts(j, item, &r->beta, &r->nbeta);
    else if (strcmp(key, "start") == 0)
        read_start(r, item, arena);
    else if (strcmp(key, "oneleg") == 0)
        json_bool(j, item, &r->is_oneleg);
    else if (strcmp(key, "reevaluate") == 0)
        json_bool(j, item, &m->reevaluate);
    else
        json_unknown(j, item, keys, sizeof keys / sizeof *keys);
}

static void wrong(Reader *r, const cJSON *item, const char *text)
{
    r->json.failed = true;
    diag_report(r->json.diag, json_span(&r->json, item), DIAG_E1201, "%s",
                text);
}

static const cJSON *member(const Reader *r, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->json.root, key);
    return item ? item : r->json.root;
}

/* A matrix of as many rows and columns as 'b' has entries, to `a`. */
static bool read_matrix(Reader *r, const cJSON *item, Exact *a, Arena *arena)
{
    int s = r->nb;
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != s) {
        wrong(r, item,
              arena_printf(arena,
                           "'%s' must have as many rows as 'b' has entries",
                           item->string));
        return false;
    }
    int i = 0;
    for (const cJSON *row = item->child; row; row = row->next, i++) {
        const Exact *x;
        int n = 0;
        if (!json_exacts(&r->json, row, &x, &n))
            return false;
        if (n != s) {
            wrong(r, row,
                  arena_printf(arena, "each row of '%s' must be as long as 'b'",
                               item->string));
            return false;
        }
        memcpy(a + i * s, x, sizeof *a * (size_t)s);
    }
    return true;
}

/* alpha_ij below the diagonal, gamma_ij below and, all the same, on it. */
static bool is_rosenbrock(Reader *r, const Exact *alpha, const Exact *gamma)
{
    int s = r->nb;
    double diagonal = exact_double(gamma[0]);
    for (int i = 0; i < s; i++)
        for (int j = i; j < s; j++) {
            if (exact_double(alpha[i * s + j]) != 0) {
                wrong(r, r->a,
                      "'a' of a Rosenbrock method must be 0 on and above its "
                      "diagonal");
                return false;
            }
            double want = j > i ? 0 : diagonal;
            if (exact_double(gamma[i * s + j]) != want || !(diagonal > 0)) {
                wrong(r, r->gamma,
                      "'gamma' must have the same number > 0 all along its "
                      "diagonal, and 0 above it");
                return false;
            }
        }
    return true;
}

static void take_hat(Method *built, const Reader *r, Arena *arena)
{
    double *hat = NEW_ARRAY(arena, double, r->nhat);
    for (int i = 0; i < r->nhat; i++)
        hat[i] = exact_double(r->hat[i]);
    built->b_hat = hat;
    built->exact_hat = r->hat;
    built->order_hat = r->m->order_hat;
}

static bool finish_rk(Reader *r, Arena *arena)
{
    Method *m = r->m;
    if (r->nb > MAX_STAGES) {
        wrong(r, member(r, "b"), "a method may have at most 24 stages");
        return false;
    }
    int square = r->nb * r->nb;
    Exact *table = NEW_ARRAY(arena, Exact, 2 * square + r->nb);
    Exact *b = table + (r->gamma ? 2 : 1) * square;
    if (!r->a || !read_matrix(r, r->a, table, arena))
        return false;
    if (r->gamma && (!read_matrix(r, r->gamma, table + square, arena) ||
                     !is_rosenbrock(r, table, table + square)))
        return false;
    MethodSpec spec = {.kind = r->gamma ? MK_ROSENBROCK : MK_RK};
    memcpy(b, r->b, sizeof *table * (size_t)r->nb);
    spec.name = m->name;
    spec.title = m->title;
    spec.size = r->nb;
    spec.order = m->order;
    spec.stage_order = m->stage_order;
    Method *built = method_build(&spec, table, arena);
    built->newton = m->newton;
    if (r->nhat == r->nb)
        take_hat(built, r, arena);
    r->m = built;
    if (r->nhat && r->nhat != r->nb) {
        wrong(r, member(r, "b_hat"), "'b_hat' must be as long as 'b'");
        return false;
    }
    if (r->c && r->nc != r->nb) {
        wrong(r, member(r, "c"), "'c' must be as long as 'b'");
        return false;
    }
    for (int i = 0; r->c && i < r->nc; i++)
        if (fabs(r->c[i] - built->c[i]) > 1e-12) {
            wrong(r, member(r, "c"),
                  arena_printf(arena,
                               "row %d of 'a' sums to %.15g, but c is "
                               "%.15g",
                               i + 1, built->c[i], r->c[i]));
            return false;
        }
    return true;
}

/* 1 ..., or 0 1 ... where x'_{n+1} follows from the past. */
static bool begins_right(const Reader *r)
{
    double first = exact_double(r->alpha[0]);
    return first == 1 ||
           (first == 0 && r->nalpha > 2 && exact_double(r->alpha[1]) == 1 &&
            exact_double(r->beta[0]) != 0);
}

static bool finish_multistep(Reader *r, Arena *arena)
{
    Method *m = r->m;
    if (r->nalpha < 2 || r->nalpha > MAX_BACK + 1 || r->nbeta > r->nalpha ||
        r->nbeta < 1) {
        wrong(r, member(r, "alpha"),
              "'alpha' must have 2 to 13 numbers, 'beta' at least one and not "
              "more than 'alpha'");
        return false;
    }
    if (!r->is_oneleg && !begins_right(r)) {
        wrong(r, member(r, "alpha"),
              "the first number of 'alpha' must be 1; of an overimplicit "
              "formula 0, then 1, and the first of 'beta' must not be 0");
        return false;
    }
    Exact *table = NEW_ARRAY(arena, Exact, 2 * r->nalpha);
    for (int i = 0; i < 2 * r->nalpha; i++)
        table[i] = exact_of(0, 1);
    memcpy(table, r->alpha, sizeof *table * (size_t)r->nalpha);
    memcpy(table + r->nalpha, r->beta, sizeof *table * (size_t)r->nbeta);
    MethodSpec spec = {.name = m->name,
                       .title = m->title,
                       .order = m->order,
                       .stage_order = m->order};
    spec.kind = r->is_oneleg ? MK_ONELEG : MK_MULTISTEP;
    spec.size = r->nalpha - 1;
    spec.flags = m->reevaluate ? METHOD_REEVALUATE : 0;
    Method *built = method_build(&spec, table, arena);
    built->newton = m->newton;
    built->start = m->start;
    if (!built->start && spec.size > 1)
        built->start = method_find(m->order > 2 ? "radau5" : "radau3", arena);
    r->m = built;
    return true;
}

/* Is the claimed order true, as far as it is tested? */
static bool order_holds(Reader *r, Arena *arena)
{
    const Method *m = r->m;
    int tested = method_tested_order(m);
    for (int p = 1; p <= tested; p++)
        if (method_order_defect(m, p) > 1e-9) {
            wrong(r, member(r, "order"),
                  arena_printf(arena,
                               "the method is not of order %d: the "
                               "conditions of order %d fail by %.3g",
                               m->order, p, method_order_defect(m, p)));
            return false;
        }
    return true;
}

static bool read_all(Reader *r, Arena *arena)
{
    if (!cJSON_IsObject(r->json.root)) {
        wrong(r, r->json.root, "a method is an object: {\"name\": ...}");
        return false;
    }
    for (const cJSON *item = r->json.root->child; item; item = item->next)
        read_key(r, item, arena);
    if (r->json.failed)
        return false;
    if (!r->norder || (!r->nb && !r->nalpha) || (r->nb && r->nalpha)) {
        wrong(r, r->json.root,
              "a method has 'order' and either 'a' and 'b' (Runge-Kutta; with "
              "'gamma': Rosenbrock) or 'alpha' and 'beta' (multistep)");
        return false;
    }
    if (r->nb ? !finish_rk(r, arena) : !finish_multistep(r, arena)) {
        if (!r->json.failed)
            wrong(r, r->json.root, "a Runge-Kutta method needs the matrix 'a'");
        return false;
    }
    return order_holds(r, arena);
}

const Method *method_read_json(const Sources *sources, int source, Arena *arena,
                               Diag *diag)
{
    Reader r = {.m = NEW(arena, Method)};
    r.m->name = arena_strdup(arena, sources_get(sources, source)->path);
    r.m->title = "a method of the user";
    r.m->stage_order = 1;
    if (!json_open(&r.json, sources, source, arena, diag))
        return NULL;
    bool good = read_all(&r, arena);
    json_close(&r.json);
    return good ? r.m : NULL;
}
