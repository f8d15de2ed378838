/* foreign.c - wrappers of foreign functions, and functions of the DAG. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ctext.h"
#include "foreign/foreign_internal.h"

Foreign *foreign_new(Arena *arena)
{
    Foreign *u = NEW(arena, Foreign);
    u->arena = arena;
    u->what.include = "";
    pthread_mutex_init(&u->one, NULL);
    return u;
}

bool foreign_is_used(const Foreign *u)
{
    return u && u->wrapper.n > 0;
}

/* ---- what wrappers need ---- */

/* Lists of ExprForeign end with NULL, which stands after the last one. */
static void add(Foreign *u, TextVec *list, const char *text)
{
    for (int i = 0; i < list->n; i++)
        if (strcmp(list->at[i], text) == 0)
            return;
    vec_push(u->arena, list, arena_strdup(u->arena, text));
    vec_push(u->arena, list, NULL);
    list->n--;
}

/* Generated code stands elsewhere: paths are whole. What is not there is not
 * added. */
static void add_path(Foreign *u, TextVec *list, const char *path)
{
    char *whole = realpath(path, NULL);
    if (whole)
        add(u, list, whole);
    free(whole);
}

static void publish(Foreign *u)
{
    static const char *const none[] = {NULL};
    u->what.folder = u->folder.n ? u->folder.at : none;
    u->what.source = u->source.n ? u->source.at : none;
    u->what.library = u->library.n ? u->library.at : none;
    u->what.search = u->search.n ? u->search.at : none;
    u->what.file = u->file.n ? u->file.at : none;
    u->what.files = foreign_files(u, u->arena);
    u->what.nobject = u->object.n;
    u->what.wrapper = foreign_text(u, u->arena);
}

void foreign_add_include(Foreign *u, const char *text)
{
    add(u, &u->include, text);
}

void foreign_add_folder(Foreign *u, const char *path)
{
    add_path(u, &u->folder, path);
}

void foreign_add_source(Foreign *u, const char *path)
{
    add_path(u, &u->source, path);
}

void foreign_add_library(Foreign *u, const char *name)
{
    add(u, &u->library, name);
}

void foreign_add_search(Foreign *u, const char *path)
{
    add_path(u, &u->search, path);
}

int foreign_add_file(Foreign *u, const char *path)
{
    add(u, &u->file, path);
    for (int i = 0;; i++)
        if (strcmp(u->file.at[i], path) == 0)
            return i;
}

void foreign_set_impure(Foreign *u)
{
    u->what.is_impure = true;
}

void foreign_add_prototype(Foreign *u, const char *text)
{
    add(u, &u->prototype, text);
}

int foreign_add_wrapper(Foreign *u, const char *body, Span span)
{
    for (int i = 0; i < u->wrapper.n; i++)
        if (strcmp(u->wrapper.at[i].body, body) == 0)
            return i;
    Wrapper w = {.body = arena_strdup(u->arena, body), .span = span};
    vec_push(u->arena, &u->wrapper, w);
    return u->wrapper.n - 1;
}

int foreign_add_object(Foreign *u, const char *make, const char *release)
{
    Object o = {arena_strdup(u->arena, make), arena_strdup(u->arena, release)};
    vec_push(u->arena, &u->object, o);
    return u->object.n - 1;
}

/* ---- the file ---- */

typedef struct Page {
    Arena *arena;
    Vec(char) text;
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

static void put_objects(const Foreign *u, Page *p)
{
    put(p,
        "#if defined(TAKT_INSTANCES)\n"
        "#define takt_objects TAKT_X(objects)() /* of the instance */\n"
        "#else\nstatic void *takt_objects[%d];\n#endif\n\n"
        "static void *takt_object(int i)\n{\n"
        "    void **at = takt_objects + i;\n"
        "    if (!*at)\n        switch (i) {\n",
        u->object.n + 1);
    for (int i = 0; i < u->object.n; i++)
        put(p, "        case %d: *at = (void *)(%s); break;\n", i,
            u->object.at[i].make);
    put(p,
        "        default: break;\n        }\n"
        "    return *at;\n}\n\n"
        "int TAKT_X(open)(void)\n{\n    jmp_buf back;\n"
        "    takt_external_back = &back;\n"
        "    if (setjmp(back)) {\n        takt_external_back = 0;\n"
        "        return 1;\n    }\n"
        "    for (int i = 0; i < %d; i++)\n        (void)takt_object(i);\n"
        "    takt_external_back = 0;\n    return 0;\n}\n\n"
        "void TAKT_X(close)(void)\n{\n",
        u->object.n);
    for (int i = u->object.n - 1; i >= 0; i--)
        put(p,
            "    if (takt_objects[%d]) {\n"
            "        void *object = takt_objects[%d];\n"
            "        (void)object;\n        %s\n"
            "        takt_objects[%d] = 0;\n    }\n",
            i, i, u->object.at[i].release, i);
    put(p, "}\n");
}

const char *foreign_text(const Foreign *u, Arena *arena)
{
    Page p = {.arena = arena};
    put(&p, "#include \"takt_rt_external.h\"\n");
    if (u->file.n > 0)
        put(&p, "const char *TAKT_X(file)(int k);\n");
    for (int i = 0; i < u->include.n; i++)
        put(&p, "%s\n", u->include.at[i]);
    for (int i = 0; i < u->prototype.n; i++)
        put(&p, "%s\n", u->prototype.at[i]);
    put(&p, "\n");
    put_objects(u, &p);
    for (int i = 0; i < u->wrapper.n; i++)
        put(&p,
            "\nvoid TAKT_X(%d)(const double *a, double *y);\n"
            "void TAKT_X(%d)(const double *a, double *y)\n%s",
            i, i, u->wrapper.at[i].body);
    vec_push(arena, &p.text, '\0');
    return p.text.at;
}

const char *foreign_files(const Foreign *u, Arena *arena)
{
    Page p = {.arena = arena};
    if (u->file.n == 0)
        return "";
    put(&p, "\nconst char *TAKT_X(file)(int k)\n{\n"
            "    static const char *const path[] = {\n");
    for (int i = 0; i < u->file.n; i++)
        put(&p, "        %s,\n", c_string(u->file.at[i], arena));
    put(&p, "    };\n    return path[k];\n}\n");
    vec_push(arena, &p.text, '\0');
    return p.text.at;
}

/* ---- functions of the DAG ---- */

typedef struct Info {
    Foreign *u;
    ForeignFunction f;
    const ForeignFunction *of; /* differences of this one; NULL: it is none */
} Info;

static const Info *info_of(const ExprFunction *f)
{
    return *(const Info *const *)f->info;
}

/* What cannot be called fails with status 1. */
static void values(const ExprFunction *f, const double *arg, double *out)
{
    const Info *i = info_of(f);
    pthread_mutex_lock(&i->u->one);
    void (*call)(const double *, double *) = foreign_find(i->u, i->f.number);
    for (int k = 0; k < f->nout; k++)
        out[k] = k == 0 ? 1 : NAN;
    if (call)
        call(arg, out);
    pthread_mutex_unlock(&i->u->one);
}

/* Of a function of differences the last argument says by which one. */
static void series(const ExprFunction *f, int degree, const double *arg,
                   double *out)
{
    const Info *i = info_of(f);
    const Wrapper *w = &i->u->wrapper.at[i->f.number];
    int narg = i->f.narg, by = NONE, stride = degree + 1;
    if (i->of) {
        w = &i->u->wrapper.at[i->of->number];
        by = (int)arg[--narg * stride];
    }
    pthread_mutex_lock(&i->u->one);
    w->series(degree, by, narg, f->nout, arg, out);
    pthread_mutex_unlock(&i->u->one);
}

static const char *no_series(const ExprFunction *f)
{
    Foreign *u = info_of(f)->u;
    pthread_mutex_lock(&u->one);
    const char *why = foreign_no_series(u);
    pthread_mutex_unlock(&u->one);
    return why;
}

static const char *c_call(const ExprFunction *f, int out, bool is_float,
                          const char *const *plain, const char *list,
                          Arena *arena)
{
    (void)out, (void)is_float;
    return arena_printf(arena, "TAKT_X(%d)(%s, %s)", info_of(f)->f.number,
                        list ? list : "0", plain[0]);
}

static const char *c_define(const ExprFunction *f, const ExprCStyle *style,
                            Arena *arena)
{
    (void)style;
    return arena_printf(arena, "void TAKT_X(%d)(const double *a, double *y);\n",
                        info_of(f)->f.number);
}

static Expr derivative(Dag *d, Expr call, int i);

static int add_function(Foreign *u, Dag *d, const ForeignFunction *f,
                        const ForeignFunction *of, bool has_derivative)
{
    Info *info = NEW(u->arena, Info);
    *info = (Info){u, *f, of};
    Info **at = NEW(u->arena, Info *);
    *at = info;
    publish(u);
    ExprFunction e = {.name = f->name,
                      .nlist = f->narg,
                      .info = at,
                      .ninfo = sizeof *at,
                      .nout = f->nout,
                      .values = values,
                      .is_impure = f->needs_object,
                      .derivative = has_derivative ? derivative : NULL,
                      .series = f->needs_object ? NULL : series,
                      .no_series = no_series,
                      .is_rough = of && !of->is_exact,
                      .c_call = c_call,
                      .c_define = c_define,
                      .c_name = arena_printf(u->arena, "takt_x%d", f->number),
                      .foreign = &u->what,
                      .needs_double = true,
                      .instructions = 200 + 4 * (f->narg + f->nout)};
    return dag_add_function(d, &e);
}

static int find_function(const Dag *d, const Foreign *u, int number)
{
    const ExprFunction *f;
    for (int i = 0; (f = dag_function(d, i)); i++)
        if (f->values == values && info_of(f)->u == u &&
            info_of(f)->f.number == number)
            return i;
    return NONE;
}

int foreign_find_function(const Foreign *u, const Dag *d, int number)
{
    return find_function(d, u, number);
}

int foreign_function(Foreign *u, Dag *d, const ForeignFunction *f)
{
    int old = find_function(d, u, f->number);
    return old != NONE ? old
                       : add_function(u, d, f, NULL,
                                      f->along || f->differences != NONE);
}

/* ---- derivatives ---- */

static Expr given(Dag *d, const Info *f, const ExprNode *n, int i)
{
    Arena *local = arena_new();
    ExprMap *m = expr_map_new(d, NULL, NULL, local);
    for (int k = 0; k < f->f.narg; k++) {
        for (int t = ET_REAL; t <= ET_BOOLEAN; t++)
            expr_map_fix(m, expr_formal(d, k, (ExprType)t), n->args[k]);
        expr_map_fix(m, expr_formal(d, f->f.narg + k, ET_REAL),
                     expr_real(d, k == i));
    }
    Expr e = expr_map(m, f->f.along[n->order - 1]);
    arena_free(local);
    return e;
}

static Expr differenced(Dag *d, const Info *f, const ExprNode *n, int i)
{
    ForeignFunction by = {.name = arena_printf(f->u->arena, "%s_by", f->f.name),
                          .number = f->f.differences,
                          .narg = f->f.narg + 1,
                          .nout = f->f.nout,
                          .differences = NONE,
                          .needs_object = f->f.needs_object};
    int fn = find_function(d, f->u, by.number);
    if (fn == NONE)
        fn = add_function(f->u, d, &by, &f->f, false);
    Arena *local = arena_new();
    Expr *arg = NEW_ARRAY(local, Expr, n->narg + 1);
    memcpy(arg, n->args, n->narg * sizeof *arg);
    arg[n->narg] = expr_real(d, f->f.group ? f->f.group[i] : i);
    Expr e = expr_call(d, fn, n->order, ET_REAL, arg, n->narg + 1);
    arena_free(local);
    return e;
}

static Expr derivative(Dag *d, Expr call, int i)
{
    const ExprNode *n = expr_node(d, call);
    const Info *f = info_of(dag_function(d, n->fn));
    if (n->order == 0 || n->type != ET_REAL ||
        expr_type(d, n->args[i]) != ET_REAL ||
        (f->f.depends && !f->f.depends[(n->order - 1) * f->f.narg + i]))
        return expr_real(d, 0);
    return f->f.along ? given(d, f, n, i) : differenced(d, f, n, i);
}

void foreign_set_derivatives(Dag *d, int fn, const Expr *along, int differences)
{
    Info *f = *(Info *const *)dag_function(d, fn)->info;
    f->f.along = along;
    f->f.differences = differences;
    dag_set_derivative(d, fn, derivative);
}
