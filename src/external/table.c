/* table.c - the tables of Modelica.Blocks: external objects.
 *
 * Their C functions are known by name, whoever declares them. A constructor
 * makes a TableObject, whose number is the value of the object; calls with the
 * object become calls of a Lut (lut/lut.h). Names, columns, options and the
 * abscissae of tables over time are part of the structure. Other numbers may be
 * parameters that can be set, up to MOST_TUNABLE of a table.
 *
 * Events of a table over time: nextTimeEvent() of the library counts them; here
 * it is a function of time. A value that is asked for while an event has not
 * been handled yet is that before it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "external/external_internal.h"
#include "lut/lut.h"
#include "lut/read.h"

enum { MOST_TUNABLE = 3000 };

typedef enum TableKind { TABLE_1D, TABLE_2D, TABLE_TIME } TableKind;

typedef enum TimeEvents {
    ALWAYS = 1,
    AT_DISCONTINUITIES,
    NO_EVENTS
} TimeEvents;

struct TableObject {
    TableKind kind;
    int nrow, ncol;
    Expr *at;    /* row by row */
    int *column; /* from 0; of 1D and over time */
    int ncolumn;
    int smoothness, extrapolation, time_events;
    Expr start, shift; /* over time */
    const Lut **lut;   /* of each of columns; NULL: not yet */
    const Expr *event; /* times of events, less shift */
    int nevent;
};

/* ---- construction ---- */

/* Which argument is what; NONE: none. */
typedef struct Layout {
    const char *c_name;
    TableKind kind;
    int file, name, start, column, smoothness, extrapolation, shift, events,
        delimiter;
} Layout;

enum { ARG_TABLE = 2 };

static const Layout layouts[] = {
    {"ModelicaStandardTables_CombiTable1D_init", TABLE_1D, 1, 0, NONE, 5, 7,
     NONE, NONE, NONE, NONE},
    {"ModelicaStandardTables_CombiTable1D_init2", TABLE_1D, 0, 1, NONE, 5, 7, 8,
     NONE, NONE, NONE},
    {"ModelicaStandardTables_CombiTable1D_init3", TABLE_1D, 0, 1, NONE, 5, 7, 8,
     NONE, NONE, 10},
    {"ModelicaStandardTables_CombiTable2D_init", TABLE_2D, 1, 0, NONE, NONE, 5,
     NONE, NONE, NONE, NONE},
    {"ModelicaStandardTables_CombiTable2D_init2", TABLE_2D, 0, 1, NONE, NONE, 5,
     6, NONE, NONE, NONE},
    {"ModelicaStandardTables_CombiTable2D_init3", TABLE_2D, 0, 1, NONE, NONE, 5,
     6, NONE, NONE, 8},
    {"ModelicaStandardTables_CombiTimeTable_init", TABLE_TIME, 1, 0, 5, 6, 8, 9,
     NONE, NONE, NONE},
    {"ModelicaStandardTables_CombiTimeTable_init2", TABLE_TIME, 0, 1, 5, 6, 8,
     9, 10, 11, NONE},
    {"ModelicaStandardTables_CombiTimeTable_init3", TABLE_TIME, 0, 1, 5, 6, 8,
     9, 10, 11, 13},
};

/* The text stands in a library; this says where it is used. */
static void note_component(ExternalCall *c)
{
    const Context *in = c->in;
    const char *path = flat_component_path(in->flat, in->component, in->arena);
    if (*path)
        diag_note(in->diag, in->flat->component[in->component].span,
                  "it is the table of '%s'", path);
}

static bool wrong(ExternalCall *c, const char *fmt, ...) TAKT_PRINTF(2, 3);

static bool wrong(ExternalCall *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    context_report(c->in, c->span, DIAG_E0617, "%s",
                   arena_vprintf(c->in->arena, fmt, ap));
    va_end(ap);
    note_component(c);
    return false;
}

static bool is_given(const char *text)
{
    return text[strspn(text, " ")] != '\0' && strcmp(text, "NoName") != 0;
}

static bool take_file(ExternalCall *c, const Layout *k, TableObject *t)
{
    const Context *in = c->in;
    const char *file = external_text_arg(c, k->file);
    const char *name = external_text_arg(c, k->name);
    LutCsv csv = {',', 0};
    const char *delimiter =
        k->delimiter == NONE ? NULL : external_text_arg(c, k->delimiter);
    if (delimiter && *delimiter)
        csv.delimiter = *delimiter;
    if (k->delimiter != NONE)
        external_int_arg(c, k->delimiter + 1, &csv.nheader);
    const char *path = in->lookup->resource(in, file, c->span);
    LutData data;
    const char *why =
        path ? lut_read(path, name ? name : "", csv, &data, in->arena) : NULL;
    if (!path)
        return false;
    if (why) {
        context_report(in, c->span, DIAG_E0618, "the table file '%s': %s", path,
                       why);
        note_component(c);
        return false;
    }
    t->nrow = data.nrow;
    t->ncol = data.ncol;
    t->at = NEW_ARRAY(in->arena, Expr, data.nrow * data.ncol + 1);
    for (int i = 0; i < data.nrow * data.ncol; i++)
        t->at[i] = expr_real(in->dag, data.at[i]);
    return true;
}

/* The numbers of the argument: tunable ones stay variables. */
static bool take_matrix(ExternalCall *c, TableObject *t)
{
    const Value *v = c->narg > ARG_TABLE ? c->arg[ARG_TABLE] : NULL;
    if (!v || v->ndim != 2 || !v->scalar)
        return external_unsupported(c, "it is not called as takt knows it");
    t->nrow = v->dim[0];
    t->ncol = v->dim[1];
    t->at = NEW_ARRAY(c->in->arena, Expr, v->nscalar + 1);
    for (int i = 0; i < v->nscalar; i++) {
        bool is_fixed = v->nscalar > MOST_TUNABLE ||
                        (t->kind == TABLE_TIME && i % t->ncol == 0);
        t->at[i] = is_fixed ? fold_expr(c->in, v->scalar[i]) : v->scalar[i];
        if (t->at[i] < 0)
            return external_unsupported(c, "a number of the table is not "
                                           "known before the run");
    }
    return true;
}

static bool take_data(ExternalCall *c, const Layout *k, TableObject *t)
{
    const char *file = external_text_arg(c, k->file);
    const char *name = external_text_arg(c, k->name);
    if (!file || !name)
        return external_unsupported(c, "its file is not known");
    if (is_given(file))
        return take_file(c, k, t);
    if (is_given(name))
        return external_unsupported(c, "tables in the function usertab");
    return take_matrix(c, t);
}

/* ---- checks ---- */

/* The number as it is before anyone sets parameters. */
static bool number_at(ExternalCall *c, const TableObject *t, int i, int j,
                      double *x)
{
    Context in = *c->in;
    in.keeps_tunable = true;
    Expr e = fold_expr(&in, t->at[i * t->ncol + j]);
    return e != EXPR_NONE && expr_is_const(in.dag, e, x);
}

/* Do the abscissae at (i0, j0) + k (di, dj) rise? */
static bool check_rising(ExternalCall *c, const TableObject *t, bool by_row,
                         int first, bool may_repeat)
{
    double last = 0;
    for (int k = first; k < (by_row ? t->nrow : t->ncol); k++) {
        double x;
        if (!number_at(c, t, by_row ? k : 0, by_row ? 0 : k, &x))
            return true; /* found by initialisation */
        if (k > first && (x < last || (x == last && !may_repeat)))
            return wrong(c,
                         "the abscissae of the table do not rise: number %d is "
                         "%g, the one before %g",
                         k - first + 1, x, last);
        last = x;
    }
    return true;
}

static bool check_columns(ExternalCall *c, const TableObject *t)
{
    for (int i = 0; i < t->ncolumn; i++)
        if (t->column[i] < 0 || t->column[i] >= t->ncol)
            return wrong(c, "the table has %d columns, and no column %d",
                         t->ncol, t->column[i] + 1);
    return true;
}

static bool check_object(ExternalCall *c, const TableObject *t)
{
    bool is_2d = t->kind == TABLE_2D;
    if (t->smoothness < LUT_LINEAR || t->smoothness > LUT_MODIFIED_AKIMA ||
        t->extrapolation < LUT_HOLD || t->extrapolation > LUT_NONE ||
        t->time_events < ALWAYS || t->time_events > NO_EVENTS)
        return wrong(c, "an option of the table has no such value");
    if (is_2d && t->smoothness > LUT_CONSTANT)
        return external_unsupported(c, "this smoothness in two directions");
    if (t->nrow < 1 + is_2d || t->ncol < 2)
        return wrong(c, "a table of %d rows and %d columns is too small",
                     t->nrow, t->ncol);
    bool is_smooth =
        t->smoothness != LUT_LINEAR && t->smoothness != LUT_CONSTANT;
    if (!check_columns(c, t) ||
        !check_rising(c, t, true, is_2d, t->kind == TABLE_TIME && !is_smooth) ||
        (is_2d && !check_rising(c, t, false, 1, false)))
        return false;
    double first, last;
    if (t->kind == TABLE_TIME && t->extrapolation == LUT_PERIODIC &&
        t->nrow > 1 && number_at(c, t, 0, 0, &first) &&
        number_at(c, t, t->nrow - 1, 0, &last) && first == last)
        return wrong(c, "the period of the table is 0");
    return true;
}

/* ---- events ---- */

static bool is_event(const TableObject *t, int i)
{
    if (i == 0 || i == t->nrow - 1)
        return true;
    bool jumps = t->at[i * t->ncol] == t->at[(i - 1) * t->ncol];
    return t->time_events == ALWAYS ||
           (t->time_events == AT_DISCONTINUITIES && jumps);
}

static void find_events(ExternalCall *c, TableObject *t)
{
    Expr *event = NEW_ARRAY(c->in->arena, Expr, t->nrow + 1);
    for (int i = 0; i < t->nrow; i++)
        if (is_event(t, i))
            event[t->nevent++] = t->at[i * t->ncol];
    t->event = event;
}

/* ---- the constructor ---- */

static bool take_columns(ExternalCall *c, const Layout *k, TableObject *t)
{
    Value *v = external_known_arg(c, k->column);
    if (!v || v->ndim != 1)
        return external_unsupported(c, "its columns are not known");
    t->ncolumn = v->nscalar;
    t->column = NEW_ARRAY(c->in->arena, int, v->nscalar + 1);
    for (int i = 0; i < v->nscalar; i++) {
        double x = 0;
        expr_is_const(c->in->dag, v->scalar[i], &x);
        t->column[i] = (int)x - 1;
    }
    return true;
}

static bool take_options(ExternalCall *c, const Layout *k, TableObject *t)
{
    Dag *d = c->in->dag;
    t->extrapolation = LUT_LAST_TWO_POINTS;
    t->time_events = ALWAYS;
    t->start = t->shift = expr_real(d, 0);
    if (!external_int_arg(c, k->smoothness, &t->smoothness) ||
        (k->extrapolation != NONE &&
         !external_int_arg(c, k->extrapolation, &t->extrapolation)) ||
        (k->events != NONE && !external_int_arg(c, k->events, &t->time_events)))
        return external_unsupported(c, "its options are not known");
    if (k->start != NONE)
        t->start = t->shift = external_scalar_arg(c, k->start);
    if (k->shift != NONE)
        t->shift = external_scalar_arg(c, k->shift);
    return t->start != EXPR_NONE && t->shift != EXPR_NONE;
}

static bool construct(ExternalCall *c)
{
    const Layout *k = layouts;
    while (strcmp(k->c_name, c->c_name) != 0)
        k++;
    TableObject *t = NEW(c->in->arena, TableObject);
    t->kind = k->kind;
    if (!take_options(c, k, t) || !take_data(c, k, t) ||
        (k->column != NONE && !take_columns(c, k, t)) || !check_object(c, t))
        return false;
    t->lut = NEW_ARRAY(c->in->arena, const Lut *, t->ncolumn + 1);
    if (t->kind == TABLE_TIME)
        find_events(c, t);
    Memo *memo = c->in->memo;
    vec_push(c->in->arena, &memo->table, t);
    const FunctionVar *out = NULL;
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].direction == DIR_OUTPUT)
            out = &c->x->fn->var[i];
    return out && external_set_result(
                      c, value_scalar(c->in, out->type,
                                      expr_int(c->in->dag, memo->table.n - 1),
                                      FV_PARAMETER));
}

/* ---- values ---- */

static TableObject *object(ExternalCall *c, TableKind kind)
{
    double number;
    Memo *memo = c->in->memo;
    if (c->narg > 0 && is_kind(c->arg[0], TYPE_OBJECT) &&
        is_scalar(c->arg[0]) &&
        expr_is_const(c->in->dag, c->arg[0]->scalar[0], &number) &&
        number < memo->table.n && memo->table.at[(int)number]->kind == kind)
        return memo->table.at[(int)number];
    external_unsupported(c, "which table it is called with is not known");
    return NULL;
}

/* Column icol of the table, argument 1; a Lut if there is more than one row. */
static bool find_column(ExternalCall *c, TableObject *t, int *col)
{
    int k;
    if (!external_int_arg(c, 1, &k))
        return external_unsupported(c, "its column is not known");
    if (k < 1 || k > t->ncolumn)
        return wrong(c, "%d columns of the table were chosen, and no number %d",
                     t->ncolumn, k);
    *col = k - 1;
    return true;
}

static Expr *column(ExternalCall *c, const TableObject *t, int first, int col)
{
    Expr *x = NEW_ARRAY(c->in->arena, Expr, t->nrow + 1);
    for (int i = first; i < t->nrow; i++)
        x[i - first] = t->at[i * t->ncol + col];
    return x;
}

static const Lut *column_lut(ExternalCall *c, TableObject *t, int k)
{
    if (!t->lut[k])
        t->lut[k] = lut_new(c->in->dag, column(c, t, 0, 0),
                            column(c, t, 0, t->column[k]), t->nrow,
                            (LutSmoothness)t->smoothness,
                            (LutExtrapolation)t->extrapolation, c->in->arena);
    return t->lut[k];
}

/* Extrapolation is an error: an assertion that the argument is inside. */
static void assert_inside(ExternalCall *c, const TableObject *t, Expr u,
                          Expr least, Expr most)
{
    const Context *in = c->in;
    Dag *d = in->dag;
    if (t->extrapolation != LUT_NONE)
        return;
    Expr inside = expr_binary(d, EX_AND, expr_binary(d, EX_GE, u, least),
                              expr_binary(d, EX_LE, u, most));
    Expr ok = expr_binary(d, EX_OR, expr_not(in, in->path),
                          expr_unary(d, EX_NOEVENT, inside));
    left_assert(in, (FlatAssert){.condition = ok,
                                 .message = expr_string(
                                     d, "the argument of a table is outside "
                                        "of its abscissae"),
                                 .component = in->component,
                                 .span = c->span});
}

/* f' du, f'' du^2 + f' ddu, from arguments `at` and on; order 0: f */
static Expr along(ExternalCall *c, const Expr *f, int order, int at)
{
    Dag *d = c->in->dag;
    if (order == 0)
        return f[0];
    Expr du = external_scalar_arg(c, at);
    if (du == EXPR_NONE)
        return du;
    if (order == 1)
        return expr_mul(d, f[1], du);
    Expr ddu = external_scalar_arg(c, at + 1);
    if (ddu == EXPR_NONE)
        return ddu;
    return expr_add(d, expr_mul(d, f[2], expr_mul(d, du, du)),
                    expr_mul(d, f[1], ddu));
}

static bool value_1d(ExternalCall *c, int order)
{
    TableObject *t = object(c, TABLE_1D);
    int k;
    if (!t || !find_column(c, t, &k))
        return false;
    Dag *d = c->in->dag;
    Expr u = external_scalar_arg(c, 2), f[3];
    if (u == EXPR_NONE)
        return false;
    const Expr *last = &t->at[(t->nrow - 1) * t->ncol];
    assert_inside(c, t, u, t->at[0], last[0]);
    for (int i = 0; i < 3; i++)
        f[i] = t->nrow > 1 ? lut_value(d, column_lut(c, t, k), i, u)
               : i == 0    ? t->at[t->column[k]]
                           : expr_real(d, 0);
    Expr y = along(c, f, order, 3);
    return y != EXPR_NONE && external_set_real(c, y);
}

static bool value_1d_0(ExternalCall *c)
{
    return value_1d(c, 0);
}

static bool value_1d_1(ExternalCall *c)
{
    return value_1d(c, 1);
}

static bool value_1d_2(ExternalCall *c)
{
    return value_1d(c, 2);
}

static bool end_of(ExternalCall *c, TableKind kind, bool is_last)
{
    TableObject *t = object(c, kind);
    return t &&
           external_set_real(c, t->at[is_last ? (t->nrow - 1) * t->ncol : 0]);
}

static bool least_1d(ExternalCall *c)
{
    return end_of(c, TABLE_1D, false);
}

static bool most_1d(ExternalCall *c)
{
    return end_of(c, TABLE_1D, true);
}

static bool least_time(ExternalCall *c)
{
    return end_of(c, TABLE_TIME, false);
}

static bool most_time(ExternalCall *c)
{
    return end_of(c, TABLE_TIME, true);
}

/* ---- over time ---- */

static Expr when(Dag *d, Expr condition, Expr yes, Expr no)
{
    return expr_if(d, expr_unary(d, EX_NOEVENT, condition), yes, no);
}

/* Of a point of the table and a time, as in takt_table_time(): so close before
 * an event that has not been yet, it is still the value before it. */
static Expr closeness(Dag *d, const TableObject *t)
{
    Expr range = expr_sub(d, t->at[(t->nrow - 1) * t->ncol], t->at[0]);
    return expr_mul(d, expr_real(d, 1e-10), range);
}

static bool value_time(ExternalCall *c, int order)
{
    TableObject *t = object(c, TABLE_TIME);
    int k;
    if (!t || !find_column(c, t, &k))
        return false;
    Dag *d = c->in->dag;
    Expr now = external_scalar_arg(c, 2), next = external_scalar_arg(c, 3);
    Expr before = external_scalar_arg(c, 4), f[3];
    if (now == EXPR_NONE || next == EXPR_NONE || before == EXPR_NONE)
        return false;
    Expr rests = expr_binary(d, EX_EQ, next, before);
    Expr waits =
        expr_binary(d, EX_AND, rests, expr_binary(d, EX_GE, now, next));
    Expr soon = expr_binary(
        d, EX_AND, rests,
        expr_binary(d, EX_GE, expr_add(d, now, closeness(d, t)), next));
    Expr side = when(d, soon, expr_real(d, -1), expr_real(d, 1));
    Expr u = expr_sub(d, when(d, waits, next, now), t->shift);
    Expr plain = expr_sub(d, now, t->shift);
    Expr early = expr_binary(
        d, EX_OR, expr_binary(d, EX_LT, now, t->start),
        expr_binary(d, EX_AND, waits, expr_binary(d, EX_LE, next, t->start)));
    assert_inside(c, t, plain, t->at[0], t->at[(t->nrow - 1) * t->ncol]);
    const Lut *lut = t->nrow > 1 ? column_lut(c, t, k) : NULL;
    bool jumps = lut && (lut->has_jumps || t->smoothness == LUT_CONSTANT ||
                         t->extrapolation == LUT_PERIODIC);
    for (int i = 0; i < 3; i++) {
        f[i] = jumps    ? lut_value_over_time(d, lut, i, u, side)
               : lut    ? lut_value(d, lut, i, plain)
               : i == 0 ? t->at[t->column[k]]
                        : expr_real(d, 0);
        f[i] = when(d, early, expr_real(d, 0), f[i]);
    }
    Expr y = along(c, f, order, 5);
    return y != EXPR_NONE && external_set_real(c, y);
}

static bool value_time_0(ExternalCall *c)
{
    return value_time(c, 0);
}

static bool value_time_1(ExternalCall *c)
{
    return value_time(c, 1);
}

static bool value_time_2(ExternalCall *c)
{
    return value_time(c, 2);
}

static bool next_event(ExternalCall *c)
{
    TableObject *t = object(c, TABLE_TIME);
    Expr now = t ? external_scalar_arg(c, 1) : EXPR_NONE;
    if (now == EXPR_NONE)
        return false;
    Dag *d = c->in->dag;
    Expr next = expr_real(d, 1e300); /* never */
    if (t->nevent > 1)
        next = expr_add(d,
                        lut_next(d, t->event, t->nevent,
                                 t->extrapolation == LUT_PERIODIC,
                                 expr_sub(d, now, t->shift)),
                        t->shift);
    return external_set_real(
        c, when(d, expr_binary(d, EX_LT, now, t->start), t->start, next));
}

/* ---- two directions ---- */

/* What a table with more than one row and column is. */
static const Lut *surface(ExternalCall *c, TableObject *t)
{
    if (t->lut[0])
        return t->lut[0];
    int n = t->nrow - 1, m = t->ncol - 1;
    const Expr *x = column(c, t, 1, 0), *y = t->at + 1;
    Expr *z = NEW_ARRAY(c->in->arena, Expr, n * m);
    for (int i = 0; i < n; i++)
        memcpy(z + i * m, t->at + (i + 1) * t->ncol + 1, (size_t)m * sizeof *z);
    LutSmoothness s = (LutSmoothness)t->smoothness;
    LutExtrapolation o = (LutExtrapolation)t->extrapolation;
    t->lut[0] = n == 1 ? lut_new(c->in->dag, y, z, m, s, o, c->in->arena)
                : m == 1
                    ? lut_new(c->in->dag, x, z, n, s, o, c->in->arena)
                    : lut_new2(c->in->dag, x, n, y, m, z, s, o, c->in->arena);
    return t->lut[0];
}

/* The derivative number i by u[0] and j by u[1]. */
static Expr on_surface(ExternalCall *c, TableObject *t, int i, int j,
                       const Expr *u)
{
    Dag *d = c->in->dag;
    int n = t->nrow - 1, m = t->ncol - 1;
    if (n == 1 && m == 1)
        return i + j > 0 ? expr_real(d, 0) : t->at[t->ncol + 1];
    const Lut *lut = surface(c, t);
    if (n == 1)
        return i > 0 ? expr_real(d, 0) : lut_value(d, lut, j, u[1]);
    if (m == 1)
        return j > 0 ? expr_real(d, 0) : lut_value(d, lut, i, u[0]);
    return lut_value2(d, lut, i, j, u[0], u[1]);
}

static Expr derivative_2d(ExternalCall *c, TableObject *t, const Expr *u,
                          int order)
{
    Dag *d = c->in->dag;
    if (order == 0)
        return on_surface(c, t, 0, 0, u);
    Expr du[4], sum = expr_real(d, 0);
    for (int i = 0; i < 2 * order; i++)
        if ((du[i] = external_scalar_arg(c, 3 + i)) == EXPR_NONE)
            return EXPR_NONE;
    for (int i = 0; i < 2; i++) {
        Expr by = on_surface(c, t, i == 0, i == 1, u);
        sum = expr_add(d, sum, expr_mul(d, by, du[2 * order - 2 + i]));
    }
    for (int i = 0; order == 2 && i < 3; i++) {
        Expr by = on_surface(c, t, 2 - i, i, u);
        Expr product = expr_mul(d, du[i == 2], du[i > 0]);
        if (i == 1)
            product = expr_mul(d, expr_real(d, 2), product);
        sum = expr_add(d, sum, expr_mul(d, by, product));
    }
    return sum;
}

static bool value_2d(ExternalCall *c, int order)
{
    TableObject *t = object(c, TABLE_2D);
    if (!t)
        return false;
    Expr u[2] = {external_scalar_arg(c, 1), external_scalar_arg(c, 2)};
    if (u[0] == EXPR_NONE || u[1] == EXPR_NONE)
        return false;
    if (t->nrow > 2)
        assert_inside(c, t, u[0], t->at[t->ncol],
                      t->at[(t->nrow - 1) * t->ncol]);
    if (t->ncol > 2)
        assert_inside(c, t, u[1], t->at[1], t->at[t->ncol - 1]);
    Expr y = derivative_2d(c, t, u, order);
    return y != EXPR_NONE && external_set_real(c, y);
}

static bool value_2d_0(ExternalCall *c)
{
    return value_2d(c, 0);
}

static bool value_2d_1(ExternalCall *c)
{
    return value_2d(c, 1);
}

static bool value_2d_2(ExternalCall *c)
{
    return value_2d(c, 2);
}

static bool end_2d(ExternalCall *c, bool is_last)
{
    TableObject *t = object(c, TABLE_2D);
    if (!t)
        return false;
    Expr end[2] = {t->at[(is_last ? t->nrow - 1 : 1) * t->ncol],
                   t->at[is_last ? t->ncol - 1 : 1]};
    return external_set_arg(c, 1,
                            value_new(c->in, type_builtin(TYPE_REAL), 1,
                                      (int[]){2}, end, c->arg[0]->variability));
}

static bool least_2d(ExternalCall *c)
{
    return end_2d(c, false);
}

static bool most_2d(ExternalCall *c)
{
    return end_2d(c, true);
}

#define TABLES "ModelicaStandardTables_Combi"

const ExternalKnown external_tables[] = {
    {TABLES "Table1D_init", construct},
    {TABLES "Table1D_init2", construct},
    {TABLES "Table1D_init3", construct},
    {TABLES "Table1D_getValue", value_1d_0},
    {TABLES "Table1D_getDerValue", value_1d_1},
    {TABLES "Table1D_getDer2Value", value_1d_2},
    {TABLES "Table1D_minimumAbscissa", least_1d},
    {TABLES "Table1D_maximumAbscissa", most_1d},
    {TABLES "Table2D_init", construct},
    {TABLES "Table2D_init2", construct},
    {TABLES "Table2D_init3", construct},
    {TABLES "Table2D_getValue", value_2d_0},
    {TABLES "Table2D_getDerValue", value_2d_1},
    {TABLES "Table2D_getDer2Value", value_2d_2},
    {TABLES "Table2D_minimumAbscissa", least_2d},
    {TABLES "Table2D_maximumAbscissa", most_2d},
    {TABLES "TimeTable_init", construct},
    {TABLES "TimeTable_init2", construct},
    {TABLES "TimeTable_init3", construct},
    {TABLES "TimeTable_getValue", value_time_0},
    {TABLES "TimeTable_getDerValue", value_time_1},
    {TABLES "TimeTable_getDer2Value", value_time_2},
    {TABLES "TimeTable_minimumTime", least_time},
    {TABLES "TimeTable_maximumTime", most_time},
    {TABLES "TimeTable_nextTimeEvent", next_event},
    {NULL, NULL},
};
