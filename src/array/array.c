/* array.c - rows and columns of the array, its values and its Jacobian. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "told/told.h"

/* ---- what takes part ---- */

static bool is_column(const Array *a, int v)
{
    const SysVar *x = &a->sys->var[v];
    return x->role == SR_UNKNOWN && x->type == FT_REAL &&
           (!a->is_own || a->is_own[v]);
}

static bool is_discrete_eqn(const Sys *s, const SysEqn *e)
{
    return e->origin.rule == RULE_WHEN || e->origin.rule == RULE_CONDITION ||
           (expr_type(s->dag, e->lhs) != ET_REAL &&
            expr_type(s->dag, e->rhs) != ET_REAL);
}

static double nominal_of(const Sys *s, int v)
{
    double x = 0;
    Expr e = s->var[v].nominal;
    return e != EXPR_NONE && expr_is_const(s->dag, e, &x) && x != 0 ? fabs(x)
                                                                    : 1;
}

/* Highest order of each variable in the rows, and the structure. */
static const Incidence *find_orders(Array *a, Arena *arena)
{
    EdgeList edges = edges_begin(arena);
    for (int r = 0; r < a->neqn; r++) {
        Expr *leaf;
        int n = expr_leaves(a->dag, a->residual[r], &leaf, arena);
        for (int i = 0; i < n; i++) {
            int v, order;
            expr_is_var(a->dag, leaf[i], &v, &order);
            if (!is_column(a, v))
                continue;
            edges_add(&edges, r, a->first[v], EDGE_NONLINEAR, order);
            a->width[v] = order > a->width[v] ? order : a->width[v];
        }
    }
    return edges_end(&edges, a->neqn, a->neqn, arena);
}

static void add_columns(Array *a, Arena *arena)
{
    const Sys *s = a->sys;
    int total = 0;
    for (int v = 0; v < s->nvar; v++) {
        if (!is_column(a, v))
            continue;
        a->width[v] = a->width[v] > 1 ? a->width[v] : 1;
        total += a->width[v];
    }
    a->col = NEW_ARRAY(arena, ArrayColumn, total);
    ArrayRow *row = NEW_ARRAY(arena, ArrayRow, total);
    Expr *residual = NEW_ARRAY(arena, Expr, total);
    for (int r = 0; r < a->neqn; r++) {
        row[r] = a->row[r];
        residual[r] = a->residual[r];
    }
    int n = a->neqn;
    a->n = 0;
    for (int v = 0; v < s->nvar; v++) {
        a->first[v] = a->n;
        for (int q = 0; is_column(a, v) && q < a->width[v]; q++) {
            a->col[a->n] = (ArrayColumn){v, q, nominal_of(s, v)};
            if (q + 1 < a->width[v]) {
                residual[n] = EXPR_NONE;
                row[n++] = (ArrayRow){NONE, a->n, a->n + 1};
            }
            a->n++;
        }
    }
    a->row = row;
    a->residual = residual;
}

/* Rows of the Sys that are continuous; returns false if they are not as many as
 * the unknowns. */
static bool take_rows(Array *a, const ArrayPart *part, Arena *arena, Diag *diag)
{
    const Sys *s = a->sys;
    int nvar = 0;
    a->row = NEW_ARRAY(arena, ArrayRow, s->neqn);
    a->residual = NEW_ARRAY(arena, Expr, s->neqn);
    a->first = NEW_ARRAY(arena, int, s->nvar);
    a->width = NEW_ARRAY(arena, int, s->nvar);
    for (int k = 0; k < (part ? part->n : s->neqn); k++) {
        int i = part ? part->eqn[k] : k;
        if (is_discrete_eqn(s, &s->eqn[i]))
            continue;
        a->residual[a->neqn] = told_values_of_records(
            a->dag, expr_sub(a->dag, s->eqn[i].lhs, s->eqn[i].rhs));
        a->row[a->neqn++] = (ArrayRow){i, NONE, NONE};
    }
    a->unknown = NEW_ARRAY(arena, int, s->nvar);
    for (int v = 0; v < s->nvar; v++) {
        if (!is_column(a, v))
            continue;
        a->unknown[nvar] = v;
        a->first[v] = nvar++;
    }
    if (nvar == a->neqn)
        return true;
    diag_report(diag, s->flat->span, DIAG_U1701,
                "not supported: derivative arrays of a model whose discrete "
                "equations cannot be set apart: %d continuous equations, %d "
                "continuous unknowns",
                a->neqn, nvar);
    return false;
}

static bool has_delay(const Array *a, Diag *diag)
{
    for (int r = 0; r < a->neqn; r++) {
        if (!expr_has_op(a->dag, a->residual[r], EX_DELAY))
            continue;
        diag_report(diag, array_row_span(a, r), DIAG_U1701,
                    "not supported: derivative arrays of a model with delay()");
        return true;
    }
    return false;
}

/* ---- Jacobian ---- */

static Expr leaf_of(const Array *a, int col, int order)
{
    const ArrayColumn *c = &a->col[col];
    return expr_var(a->dag, c->var, c->order + order, ET_REAL);
}

static int count_entries(const Array *a, const ExprJacobian *m)
{
    return m->start[a->neqn] + 2 * (a->n - a->neqn);
}

/* Leaves of all columns, then those of their derivatives that are no columns
 * themselves. */
static int list_leaves(const Array *a, Expr *leaf, int *col, bool *is_der)
{
    int n = 0;
    for (int j = 0; j < a->n; j++) {
        leaf[n] = leaf_of(a, j, 0);
        col[n] = j;
        is_der[n++] = false;
    }
    for (int j = 0; j < a->n; j++) {
        if (a->col[j].order + 1 < a->width[a->col[j].var])
            continue;
        leaf[n] = leaf_of(a, j, 1);
        col[n] = j;
        is_der[n++] = true;
    }
    return n;
}

/* ---- what has no derivative ---- */

typedef struct Opaque {
    const char *name; /* NULL: any that has no derivative */
    Expr call;        /* EXPR_NONE: none found */
} Opaque;

static void look_for_opaque(void *context, const Dag *d, Expr e)
{
    Opaque *o = context;
    const ExprNode *x = expr_node(d, e);
    const ExprFunction *f = x->op == EX_CALL ? dag_function(d, x->fn) : NULL;
    bool is_it = f && (o->name ? !strncmp(f->name, o->name, strlen(f->name))
                               : !f->derivative);
    if (is_it && o->call == EXPR_NONE)
        o->call = e;
}

/* The row in which `call`, or the function it is the derivative of, stands. */
static int row_of(const Array *a, Expr call)
{
    const ExprFunction *f = dag_function(a->dag, expr_node(a->dag, call)->fn);
    for (int r = 0; f && r < a->neqn; r++) {
        Opaque o = {f->name, EXPR_NONE};
        expr_walk(a->dag, &a->residual[r], 1, look_for_opaque, &o);
        if (o.call != EXPR_NONE)
            return r;
    }
    return 0;
}

/* Names the function: that of `call`, or one in the row. */
static bool report_opaque(const Array *a, int row, Expr call, Diag *diag)
{
    Opaque o = {NULL, call};
    if (call == EXPR_NONE)
        expr_walk(a->dag, &a->residual[row], 1, look_for_opaque, &o);
    const ExprFunction *f =
        o.call == EXPR_NONE
            ? NULL
            : dag_function(a->dag, expr_node(a->dag, o.call)->fn);
    const char *why = f && f->series ? f->no_series(f) : NULL;
    int length = f ? (int)strlen(f->name) : 0;
    if (f && f->is_rough && length > 3) /* f_by: the derivatives of f */
        length -= 3;
    diag_report(diag, array_row_span(a, row), DIAG_U1701,
                "not supported: derivative arrays of a model with the function "
                "'%.*s', which cannot be differentiated %d times%s%s",
                length, f ? f->name : "", a->most + 1,
                why                  ? "; its Taylor series: "
                : f && !f->series    ? ""
                : f && f->derivative ? ""
                                     : "; it does not say that it is "
                                       "smooth (smoothOrder)",
                why ? why : "");
    if (f && f->is_rough)
        diag_note(diag, array_row_span(a, row),
                  "its derivatives would be finite differences, which decide "
                  "no ranks");
    return false;
}

/* What is told of derivatives over time is no Taylor series. */
static bool report_told(const Array *a, Diag *diag)
{
    for (int r = 0; r < a->neqn; r++)
        if (told_has(a->dag, a->residual[r])) {
            diag_report(diag, array_row_span(a, r), DIAG_U1701,
                        "not supported: derivative arrays of a model with a "
                        "function whose derivative leaves a Real out "
                        "(noDerivative)");
            return false;
        }
    return true;
}

static bool make_program(Array *a, Arena *arena, Diag *diag)
{
    if (!report_told(a, diag))
        return false;
    int *col = NEW_ARRAY(arena, int, 2 * a->n);
    bool *is_der = NEW_ARRAY(arena, bool, 2 * a->n);
    Expr *leaf = NEW_ARRAY(arena, Expr, 2 * a->n);
    int nleaf = list_leaves(a, leaf, col, is_der);
    const ExprJacobian *m =
        expr_jacobian(a->dag, a->residual, a->neqn, leaf, nleaf, arena);
    int nnz = m->start[a->neqn];
    Expr *root = NEW_ARRAY(arena, Expr, a->neqn + nnz);
    a->entry = NEW_ARRAY(arena, ArrayEntry, count_entries(a, m));
    Expr wrong = EXPR_NONE;
    int bad = NONE;
    for (int r = 0; r < a->neqn; r++) {
        root[r] = a->residual[r];
        for (int k = m->start[r]; k < m->start[r + 1]; k++) {
            root[a->neqn + k] = m->value[k];
            bad = m->value[k] == EXPR_NONE ? r : bad;
            a->entry[a->nentry++] = (ArrayEntry){
                r, col[m->col[k]], is_der[m->col[k]], a->neqn + k, 0};
        }
    }
    for (int r = a->neqn; r < a->n; r++) {
        a->entry[a->nentry++] =
            (ArrayEntry){r, a->row[r].column, true, NONE, 1};
        a->entry[a->nentry++] =
            (ArrayEntry){r, a->row[r].next, false, NONE, -1};
    }
    if (bad == NONE)
        a->taylor =
            taylor_new(a->dag, root, a->neqn + nnz, a->most, arena, &wrong);
    return a->taylor ||
           report_opaque(a, bad == NONE ? row_of(a, wrong) : bad, wrong, diag);
}

Array *array_new(Sys *sys, double t, int most, Arena *arena, Diag *diag)
{
    return array_new_part(sys, NULL, t, most, arena, diag);
}

Array *array_new_part(Sys *sys, const ArrayPart *part, double t, int most,
                      Arena *arena, Diag *diag)
{
    Array *a = NEW(arena, Array);
    a->sys = sys;
    a->dag = sys->dag;
    a->eqn = sys->eqn;
    a->nsys = sys->neqn;
    a->nvar = sys->nvar;
    if (part)
        a->is_own = NEW_ARRAY(arena, bool, sys->nvar);
    for (int i = 0; part && i < part->n; i++)
        a->is_own[part->var[i]] = true;
    a->most = most < ARRAY_MOST ? most : ARRAY_MOST;
    a->span = 1;
    if (!take_rows(a, part, arena, diag) || has_delay(a, diag))
        return NULL;
    a->value = NEW_ARRAY(arena, double, sys->nvar);
    if (!sys_start_values(sys, sys->set, sys->nset, a->value, diag))
        return NULL;
    a->sigma = find_orders(a, arena);
    a->offsets = signature_offsets(a->sigma, arena);
    add_columns(a, arena);
    if (!make_program(a, arena, diag))
        return NULL;
    Arena *local = arena_new();
    double *z = NEW_ARRAY(local, double, 2 * a->n);
    array_start(a, 0, t, z);
    array_find_span(a, t, z);
    arena_free(local);
    return a;
}

/* ---- start values ---- */

typedef struct StartPoint {
    const Array *a;
    const double *z;
    double t;
} StartPoint;

static double start_leaf(void *context, const Dag *d, Expr e)
{
    const StartPoint *p = context;
    if (expr_op(d, e) == EX_TIME)
        return p->t;
    if (expr_op(d, e) == EX_PRE)
        e = expr_arg(d, e, 0);
    int v, order;
    if (!expr_is_var(d, e, &v, &order))
        return 0;
    if (p->a->width[v] == 0)
        return order == 0 ? p->a->value[v] : 0;
    return order < p->a->width[v] ? p->z[p->a->first[v] + order] : 0;
}

/* The column that equation `e` gives a value by v = expression, if v has no
 * start value of its own; NONE. */
static int assigned_column(const Array *a, const SysEqn *e, Expr *value)
{
    for (int side = 0; side < 2; side++) {
        Expr leaf = side ? e->rhs : e->lhs;
        int v, order;
        *value = side ? e->lhs : e->rhs;
        if (expr_is_var(a->dag, leaf, &v, &order) && order == 0 &&
            a->width[v] > 0 && a->sys->var[v].start == EXPR_NONE &&
            !expr_contains(a->dag, *value, leaf))
            return a->first[v];
    }
    return NONE;
}

/* What has no start value gets one by its equation, as far as that goes: an
 * iteration that starts at sqrt(0) goes nowhere. */
static void propagate(const Array *a, double t, double *z)
{
    enum { MOST_SWEEPS = 20 };
    StartPoint p = {a, z, t};
    bool changed = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && changed; sweep++) {
        changed = false;
        for (int r = 0; r < a->neqn; r++) {
            Expr value;
            const SysEqn *e = &a->eqn[a->row[r].eqn];
            int j = assigned_column(a, e, &value);
            double x =
                j == NONE ? NAN : expr_eval(a->dag, value, start_leaf, &p);
            if (!isfinite(x) || x == z[j])
                continue;
            z[j] = x;
            changed = true;
        }
    }
}

void array_start(const Array *a, int k, double t, double *z)
{
    for (int i = 0; i < (k + 2) * a->n; i++)
        z[i] = 0;
    for (int j = 0; j < a->n; j++)
        if (a->col[j].order == 0 && isfinite(a->value[a->col[j].var]))
            z[j] = a->value[a->col[j].var];
    propagate(a, t, z);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void array_find_span(Array *a, double t, const double *z)
{
    Arena *arena = arena_new();
    double *der = NEW_ARRAY(arena, double, a->n);
    double *own = NEW_ARRAY(arena, double, a->n);
    double *ratio = NEW_ARRAY(arena, double, a->n);
    int n = 0;
    array_values(a, t, z);
    for (int i = 0; i < a->nentry; i++) {
        const ArrayEntry *e = &a->entry[i];
        double x = fabs(array_entry(a, i)) * a->col[e->col].nominal;
        double *most = e->is_der ? &der[e->row] : &own[e->row];
        *most = fmax(*most, x);
    }
    for (int r = 0; r < a->n; r++)
        if (der[r] > 0 && own[r] > 0 && isfinite(der[r] / own[r]))
            ratio[n++] = der[r] / own[r];
    qsort(ratio, (size_t)n, sizeof *ratio, compare_numbers);
    if (n > 0)
        a->span = ratio[n / 2];
    arena_free(arena);
}

/* ---- words ---- */

const char *array_name(const Array *a, int j, int q, Arena *arena)
{
    const char *name = a->sys->var[a->col[j].var].name;
    for (int i = 0; i < a->col[j].order + q; i++)
        name = arena_printf(arena, "der(%s)", name);
    return name;
}

const char *array_row_text(const Array *a, int row, Arena *arena)
{
    const ArrayRow *r = &a->row[row];
    if (r->eqn == NONE)
        return array_name(a, r->next, 0, arena);
    return sys_eqn_text(a->sys, &a->eqn[r->eqn], 100, arena);
}

Span array_row_span(const Array *a, int row)
{
    int e = row < a->neqn ? a->row[row].eqn : NONE;
    return e == NONE ? a->sys->flat->span : a->eqn[e].span;
}
