/* host.c - the C around the binary of an FMU: tables of this FMU, the functions
 * of takt_fmu_host.h, and a wrapper for each of them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/ctext.h"
#include "base/number.h"
#include "fmu/fmu_internal.h"

typedef struct Page {
    Arena *arena;
    Vec(char) text;
    int number; /* of the FMU in this model */
} Page;

static void put(Page *p, const char *fmt, ...) TAKT_PRINTF(2, 3);

static void put(Page *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *s = arena_vprintf(p->arena, fmt, ap);
    va_end(ap);
    for (; *s; s++)
        vec_push(p->arena, &p->text, *s);
}

static const char *embedded(const char *name)
{
#define EMBEDDED(file, ...)                                                    \
    if (!strcmp(name, file)) {                                                 \
        static const char text[] = {__VA_ARGS__};                              \
        return text;                                                           \
    }
#include "fmu_host_files.inc"
#undef EMBEDDED
    return "";
}

/* Without the lines that include each other. */
static void add_host(Foreign *u, Arena *arena)
{
    static const char *const file[] = {"takt_fmi2.h",      "takt_fmi3.h",
                                       "takt_fmu_table.h", "takt_fmu_host2.h",
                                       "takt_fmu_host3.h", "takt_fmu_host.h"};
    (void)arena;
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++)
        foreign_add_include(u, embedded(file[i]));
}

const char *fmu_binary(const FmuDescription *d, const FmuKind *k, Arena *arena)
{
#if defined(__x86_64__) && defined(__linux__)
    const char *machine = d->version == 2 ? "linux64" : "x86_64-linux";
#elif defined(__aarch64__) && defined(__linux__)
    const char *machine = "aarch64-linux";
#else
    const char *machine = "other";
#endif
    return arena_printf(arena, "binaries/%s/%s.so", machine, k->identifier);
}

/* ---- tables ---- */

static void put_variables(Page *p, const FmuShape *s, const char *name,
                          const FmuList *l)
{
    put(p, "static const TaktFmuVar takt_fmu%d_%s[] = {", p->number, name);
    for (int i = 0; i < l->n; i++) {
        const FmuVariable *v = &s->d->variable[l->at[i]];
        int when = v->causality == FMU_INPUT        ? 1
                   : v->causality == FMU_STRUCTURAL ? 2
                                                    : 0;
        put(p, "%s{%uu, %d, %d, %d},", i % 4 ? " " : "\n    ", v->reference,
            (int)v->type, v->n, when);
    }
    put(p, "\n    {0, 0, 0, 0}};\n");
}

static void put_ints(Page *p, const char *name, const int *at, int n)
{
    put(p, "static const int takt_fmu%d_%s[] = {", p->number, name);
    for (int i = 0; i < n; i++)
        put(p, "%s%d,", i % 12 ? " " : "\n    ", at[i]);
    put(p, " 0};\n");
}

static void put_map(Page *p, const char *name, const FmuMap *m)
{
    Vec(int) start = {0}, col = {0}, single = {0};
    for (int g = 0; m->is_single && g < m->ngroup; g++)
        for (int j = 0; j < m->narg; j++)
            if (m->group[j] == g)
                vec_push(p->arena, &single, j);
    for (int i = 0; !m->is_single && i <= m->nrow; i++) {
        vec_push(p->arena, &start, col.n);
        for (int j = 0; i < m->nrow && j < m->narg; j++)
            if (m->depends[i * m->narg + j])
                vec_push(p->arena, &col, j);
    }
    put_ints(p, arena_printf(p->arena, "%s_group", name), m->group, m->narg);
    put_ints(p, arena_printf(p->arena, "%s_single", name), single.at, single.n);
    put_ints(p, arena_printf(p->arena, "%s_start", name), start.at, start.n);
    put_ints(p, arena_printf(p->arena, "%s_col", name), col.at, col.n);
}

static void put_nominals(Page *p, const FmuShape *s)
{
    char text[40];
    put(p, "static const double takt_fmu%d_nominal[] = {", p->number);
    for (int i = 0; i < s->state.n; i++) {
        const FmuVariable *v = &s->d->variable[s->state.at[i]];
        double x = v->has_nominal && isfinite(v->nominal) && v->nominal != 0
                       ? fabs(v->nominal)
                       : 1;
        for (int k = 0; k < v->n; k++)
            put(p, "%s%s,", i % 6 ? " " : "\n    ", number_text(x, text));
    }
    put(p, " 1};\n");
}

/* What the FMU has by itself need not be set. */
static void put_usual(Page *p, const FmuShape *s)
{
    char text[40];
    put(p, "static const double takt_fmu%d_usual[] = {", p->number);
    for (int i = 0, at = 0; i < s->set.n; i++) {
        const FmuVariable *v = &s->d->variable[s->set.at[i]];
        for (int k = 0; k < v->n; k++, at++) {
            double x = s->usual[s->first[s->set.at[i]] + k];
            put(p, "%s%s,", at % 6 ? " " : "\n    ",
                isnan(x) ? "NAN" : number_text(x, text));
        }
    }
    put(p, " 0};\n");
}

static int longest(const FmuShape *s)
{
    int all = s->set.count + s->state.count + s->u.count + s->ud.count +
              s->y.count + s->d_out.count;
    return all + s->nz + 16;
}

static const char *map_text(Page *p, const char *name, const FmuMap *m,
                            const char *row, int nvar)
{
    Arena *a = p->arena;
    int n = p->number;
    const char *single =
        m->is_single ? arena_printf(a, "takt_fmu%d_%s_single", n, name) : "0";
    return arena_printf(a,
                        "{%d, takt_fmu%d_%s_group, %s, takt_fmu%d_%s_start, "
                        "takt_fmu%d_%s_col, takt_fmu%d_%s, %d}",
                        m->nrow, n, name, single, n, name, n, name, n, row,
                        nvar);
}

static void put_is(Page *p, const Fmu *f, const FmuShape *s)
{
    Arena *a = p->arena;
    const FmuDescription *d = s->d;
    const char *folder = f->folder ? f->folder : "";
    const char *where =
        arena_printf(a, "%s%s/resources%s", d->version == 2 ? "file://" : "",
                     folder, d->version == 2 ? "" : "/");
    put(p, "static const TaktFmuIs takt_fmu%d_is = {\n    %s,\n", p->number,
        c_string(d->model, a));
    put(p, "    %s,\n    %s,\n    %s,\n", c_string(d->token, a),
        c_string(arena_printf(a, "%s/%s", folder, fmu_binary(d, s->kind, a)),
                 a),
        c_string(where, a));
    put(p, "    %d, %d, %d, %d, %d, %d,\n", d->version, s->is_block,
        s->kind->has_state, s->kind->has_directional, s->state.count, s->nz);
    put(p,
        "    takt_fmu%d_nominal, takt_fmu%d_set, %d, %d, takt_fmu%d_usual,\n",
        p->number, p->number, s->set.n, s->set.count, p->number);
    put(p, "    takt_fmu%d_x, %d, takt_fmu%d_u, %d, %d,\n", p->number,
        s->state.n, p->number, s->u.n, s->u.count);
    put(p, "    takt_fmu%d_ud, %d, %d, takt_fmu%d_d, %d, %d,\n", p->number,
        s->ud.n, s->ud.count, p->number, s->d_out.n, s->d_out.count);
    put(p, "    takt_fmu%d_y, %d, %d,\n    %s,\n    %s,\n    %d};\n\n",
        p->number, s->y.n, s->y.count,
        map_text(p, "slope", &s->slope_map, "dx", s->slope.n),
        map_text(p, "value", &s->value_map, "y", s->nlisted), longest(s));
}

static const char *tables(const Fmu *f, const FmuShape *s, Arena *arena)
{
    Page p = {.arena = arena, .number = f->number};
    put_variables(&p, s, "set", &s->set);
    put_variables(&p, s, "x", &s->state);
    put_variables(&p, s, "dx", &s->slope);
    put_variables(&p, s, "u", &s->u);
    put_variables(&p, s, "ud", &s->ud);
    put_variables(&p, s, "y", &s->y);
    put_variables(&p, s, "d", &s->d_out);
    put_nominals(&p, s);
    put_usual(&p, s);
    put_map(&p, "slope", &s->slope_map);
    put_map(&p, "value", &s->value_map);
    put_is(&p, f, s);
    vec_push(arena, &p.text, '\0');
    return p.text.at;
}

/* ---- functions ---- */

typedef struct Host {
    const Fmu *f;
    const FmuShape *s;
    Foreign *u;
    Dag *dag;
    Arena *arena;
    int object;
} Host;

static int wrapper(const Host *h, const char *call)
{
    return foreign_add_wrapper(
        h->u,
        arena_printf(h->arena,
                     "{\n    takt_fmu_%s((TaktFmu *)takt_object(%d), a, y);\n"
                     "}\n",
                     call, h->object),
        h->s->d->span);
}

static int function(const Host *h, const char *call, int narg, int nout,
                    const FmuMap *map)
{
    ForeignFunction f = {
        .name = arena_printf(h->arena, "%s.%s", h->s->d->model, call),
        .number = wrapper(h, call),
        .narg = narg,
        .nout = nout,
        .differences =
            map ? wrapper(h, arena_printf(h->arena, "%s_by", call)) : NONE,
        .is_exact = h->s->kind->has_directional,
        .needs_object = true};
    if (map) { /* the epoch is an argument more */
        int n = narg;
        int *group = NEW_ARRAY(h->arena, int, n + 1);
        unsigned char *on = arena_array(
            h->arena, (size_t)(nout - 1) * (size_t)n + 1, sizeof(char));
        for (int j = 0; j < map->narg; j++)
            group[j] = map->group[j];
        for (int i = 0; i < map->nrow; i++)
            memcpy(on + (size_t)i * (size_t)n,
                   map->depends + (size_t)i * (size_t)map->narg,
                   (size_t)map->narg);
        f.group = group;
        f.depends = on;
    }
    return foreign_function(h->u, h->dag, &f);
}

FmuFunctions fmu_host(const Fmu *f, const FmuShape *s, Foreign *u, Dag *dag)
{
    Arena *arena = dag_arena(dag);
    Host h = {f, s, u, dag, arena, 0};
    int now = 2 + s->state.count + s->u.count;
    int event = 4 + s->state.count + s->d_out.count + s->nz;
    FmuFunctions c = {NONE, NONE, NONE, NONE, NONE, NONE, NONE};
    if (f->number == 0)
        add_host(u, arena);
    foreign_add_include(u, tables(f, s, arena));
    foreign_add_library(u, "dl");
    h.object = foreign_add_object(
        u, arena_printf(arena, "takt_fmu_new(&takt_fmu%d_is)", f->number),
        "takt_fmu_free((TaktFmu *)object);");
    c.start = function(&h, "start", 1 + s->set.count,
                       s->is_block ? 4 + s->d_out.count : event, NULL);
    if (s->is_block) {
        c.step = function(&h, "step", 2 + s->u.count, 4 + s->d_out.count, NULL);
        return c;
    }
    c.event = function(&h, "event", now + s->ud.count + 1, event, NULL);
    if (s->state.count)
        c.slope = function(&h, "slope", now, 1 + s->state.count, &s->slope_map);
    if (s->y.count)
        c.value = function(&h, "value", now, 1 + s->y.count, &s->value_map);
    if (s->nz)
        c.cross = function(&h, "cross", now, 1 + s->nz, NULL);
    if (s->kind->needs_completed)
        c.done = function(&h, "done", now, 2, NULL);
    return c;
}
