/* remodel.c - the rows chosen, as equations of the Sys. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/remodel.h"

#include <math.h>

typedef struct Remodel {
    Array *a;
    const Selection *s;
    Arena *arena;
    int *variable; /* of the Sys, of each column j: x_j */
    int *named;    /* of each column q * n + j with q >= 1 that was taken */
    int *column;   /* of a variable of the Sys: j, or NONE; size nvar */
    Expr *row;     /* of the array, over the columns: order * n + row */
    int nvar;
    const struct Remodel *all; /* the parts, this one among them */
    const int *owner;          /* of a variable of the Sys: its part, NONE */
    ExprMap *chosen;           /* derivatives as they are in the end */
} Remodel;

static Expr leaf(const Remodel *r, int var, int order)
{
    return expr_var(r->a->dag, var, order, ET_REAL);
}

static int add_variable(Remodel *r, const char *name, int like)
{
    Sys *s = r->a->sys;
    SysVar x = s->var[like];
    return sys_add_var(s, name, SR_UNKNOWN, FT_REAL, x.component, x.span,
                       r->arena);
}

/* To six digits, so that libraries that round otherwise give the same model. */
static double rounded(double x)
{
    double scale = x == 0 ? 1 : pow(10, 6 - ceil(log10(fabs(x))));
    return fabs(x) < 1e-9 || !isfinite(x) ? 0 : round(x * scale) / scale;
}

/* ---- variables ---- */

static const char *derivative_name(Remodel *r, int j, int q)
{
    const ArrayColumn *c = &r->a->col[j];
    return arena_printf(r->arena, "$der%d(%s)", c->order + q,
                        r->a->sys->var[c->var].name);
}

static void name_columns(Remodel *r)
{
    Array *a = r->a;
    int n = a->n;
    r->variable = NEW_ARRAY(r->arena, int, n);
    r->named = NEW_ARRAY(r->arena, int, (r->s->k + 2) * n);
    for (int j = 0; j < n; j++)
        r->variable[j] =
            a->col[j].order == 0
                ? a->col[j].var
                : add_variable(r, derivative_name(r, j, 0), a->col[j].var);
    for (int i = n; i < (r->s->k + 2) * n; i++) {
        int j = i % n, q = i / n;
        bool is_own = r->s->is_state[j] && q == 1;
        r->named[i] =
            r->s->taken[i] && !is_own
                ? add_variable(r, derivative_name(r, j, q), a->col[j].var)
                : NONE;
    }
}

/* Once all parts have their variables. */
static void place_columns(Remodel *r)
{
    r->nvar = r->a->sys->nvar;
    r->column = NEW_ARRAY(r->arena, int, r->nvar);
    for (int v = 0; v < r->nvar; v++)
        r->column[v] = NONE;
    for (int j = 0; j < r->a->n; j++)
        r->column[r->variable[j]] = j;
}

/* ---- expressions ---- */

/* Leaves of the Sys in terms of the columns: x'' is the derivative of der(x).
 */
static Expr to_columns(void *context, Dag *d, Expr e)
{
    const Remodel *r = context;
    const Array *a = r->a;
    int v, order;
    if (!expr_is_var(d, e, &v, &order) || v >= r->nvar || order == 0 ||
        r->column[v] == NONE || a->width[v] < 2)
        return EXPR_NONE;
    int last = a->width[v] - 1, own = order < last ? order : last;
    return leaf(r, r->variable[a->first[v] + own], order - own);
}

/* What stands for a column that was not taken: others with factors, or 0. */
static Expr mixture(const Remodel *r, int col)
{
    Dag *d = r->a->dag;
    int ncol = (r->s->k + 2) * r->a->n;
    Expr sum = expr_real(d, 0);
    for (int i = 0; r->s->mix && i < ncol; i++) {
        double f = rounded(r->s->mix[(size_t)col * (size_t)ncol + (size_t)i]);
        if (f != 0)
            sum = expr_add(
                d, sum, expr_mul(d, expr_real(d, f), leaf(r, r->named[i], 0)));
    }
    return sum;
}

/* Derivative q of column j: of a state as it is, others by name, as a
 * combination of others, or 0. */
static Expr own_derivative(const Remodel *r, int j, int q)
{
    if (q == 1 && r->s->is_state[j])
        return EXPR_NONE;
    if (q > r->s->k + 1)
        return expr_real(r->a->dag, 0);
    int named = r->named[q * r->a->n + j];
    return named == NONE ? mixture(r, q * r->a->n + j) : leaf(r, named, 0);
}

/* Derivative `order` of variable v of part r, as another equation sees it: by
 * name where the part finds it. */
static Expr others_derivative(const Remodel *r, int v, int order)
{
    const Array *a = r->a;
    int last = a->width[v] - 1, own = order < last ? order : last;
    int j = a->first[v] + own, q = order - own;
    bool is_named = q > 0 && q <= r->s->order && !(q == 1 && r->s->is_state[j]);
    return is_named ? leaf(r, r->named[q * a->n + j], 0)
                    : leaf(r, r->variable[j], q);
}

static Expr to_chosen(void *context, Dag *d, Expr e)
{
    const Remodel *r = context;
    int v, order;
    if (!expr_is_var(d, e, &v, &order) || v >= r->nvar || order == 0)
        return EXPR_NONE;
    if (r->column[v] != NONE)
        return own_derivative(r, r->column[v], order);
    SysRole role = r->a->sys->var[v].role;
    if ((role == SR_UNKNOWN || role == SR_INPUT) &&
        !selection_feels(r->s, v, order))
        return expr_real(d, 0);
    int owner = v < r->a->nvar ? r->owner[v] : NONE;
    return owner == NONE ? EXPR_NONE
                         : others_derivative(&r->all[owner], v, order);
}

/* The same in equations of no part. */
static Expr to_named(void *context, Dag *d, Expr e)
{
    const Remodel *r = context;
    int v, order;
    if (!expr_is_var(d, e, &v, &order) || v >= r->a->nvar || order == 0 ||
        r->owner[v] == NONE)
        return EXPR_NONE;
    return others_derivative(&r->all[r->owner[v]], v, order);
}

static Expr row_of(Remodel *r, ExprMap *map, int row)
{
    const ArrayRow *x = &r->a->row[row];
    if (x->eqn != NONE)
        return expr_map(map, r->a->residual[row]);
    return expr_sub(r->a->dag, leaf(r, r->variable[x->column], 1),
                    leaf(r, r->variable[x->next], 0));
}

/* A row as it was written, where nothing in it is replaced. */
static SysEqn equation(Remodel *r, int row, int order, Expr residual)
{
    Dag *d = r->a->dag;
    int from = r->a->row[row].eqn;
    SysEqn e = {.lhs = expr_real(d, 0),
                .rhs = residual,
                .span = array_row_span(r->a, row),
                .origin = {RULE_COMBINED, from == NONE ? 0 : from}};
    if (from == NONE)
        return e;
    SysEqn was = r->a->eqn[from];
    e.component = was.component;
    e.ordinal = was.ordinal;
    if (order > 0)
        return e;
    was.lhs = expr_map(r->chosen, was.lhs);
    was.rhs = expr_map(r->chosen, was.rhs);
    return was;
}

static bool has_second_orders(const Array *a)
{
    return a->n > a->neqn;
}

/* Rows of all orders, each differentiated once more than the one before. */
static bool make_rows(Remodel *r, SysEqn *out, int *nout)
{
    Array *a = r->a;
    bool *varies = NEW_ARRAY(r->arena, bool, r->nvar);
    Expr *f = NEW_ARRAY(r->arena, Expr, a->n);
    r->row = NEW_ARRAY(r->arena, Expr, (r->s->k + 1) * a->n);
    for (int v = 0; v < r->nvar; v++)
        varies[v] = r->column[v] != NONE || a->sys->var[v].role == SR_INPUT ||
                    a->sys->var[v].role == SR_UNKNOWN;
    ExprMap *columns = expr_map_new(a->dag, to_columns, r, r->arena);
    for (int row = 0; row < a->n; row++)
        f[row] = row_of(r, columns, row);
    for (int i = 0, next = 0; i <= r->s->k; i++) {
        for (int row = 0; row < a->n; row++) {
            if (i > 0)
                f[row] = expr_total_diff(a->dag, f[row], varies, r->nvar);
            r->row[i * a->n + row] = f[row];
            if (f[row] == EXPR_NONE)
                return false;
            if (next >= r->s->m || r->s->row[next] != i * a->n + row)
                continue;
            next++;
            out[*nout] = equation(r, row, i, expr_map(r->chosen, f[row]));
            if (i == 0 && has_second_orders(a)) {
                out[*nout].lhs = expr_real(a->dag, 0);
                out[*nout].rhs = expr_map(r->chosen, f[row]);
            }
            ++*nout;
        }
    }
    return true;
}

/* What no part has, with its derivatives in terms of the columns. */
static void take_others(const Remodel *part, int n, SysEqn *out, int *nout)
{
    const Array *a = part[0].a;
    bool *is_row = NEW_ARRAY(part[0].arena, bool, a->nsys);
    int from = *nout;
    for (int p = 0; p < n; p++)
        for (int r = 0; r < part[p].a->neqn; r++)
            is_row[part[p].a->row[r].eqn] = true;
    for (int i = 0; i < a->nsys; i++)
        if (!is_row[i])
            out[(*nout)++] = a->eqn[i];
    ExprMap *named =
        expr_map_new(a->dag, to_named, (void *)&part[0], part[0].arena);
    for (int i = from; i < *nout; i++) {
        out[i].lhs = expr_map(named, out[i].lhs);
        out[i].rhs = expr_map(named, out[i].rhs);
    }
}

/* Iterations start from the consistent point where the model says nothing. */
static void give_starts(Remodel *r, const ArrayIndex *x)
{
    Array *a = r->a;
    int n = a->n;
    for (int i = 0; i < (r->s->k + 2) * n && i < (x->k + 2) * n; i++) {
        int v = i < n ? r->variable[i] : r->named[i];
        if (v != NONE && a->sys->var[v].start == EXPR_NONE)
            a->sys->var[v].start = expr_real(a->dag, rounded(x->z[i]));
    }
}

/* ---- sets ---- */

/* The entries of the matrix that decides: rows of the array by candidates and
 * eliminated columns, then with what stands for these in the system. */
static void make_matrix(Remodel *r, const SelectSet *s, DaeStateSet *out)
{
    Dag *d = r->a->dag;
    int n = r->a->n, ncol = s->n + s->neliminated;
    Expr *row = NEW_ARRAY(r->arena, Expr, s->nrow + 1);
    Expr *col = NEW_ARRAY(r->arena, Expr, ncol + 1);
    for (int i = 0; i < s->nrow; i++)
        row[i] = r->row[s->row[i]];
    for (int j = 0; j < ncol; j++) {
        int at = j < s->n ? s->candidate[j] : s->eliminated[j - s->n];
        col[j] = leaf(r, r->variable[at % n], at / n);
    }
    const ExprJacobian *m = expr_jacobian(d, row, s->nrow, col, ncol, r->arena);
    out->nrow = s->nrow;
    out->neliminated = s->neliminated;
    out->entry = NEW_ARRAY(r->arena, DaeSetEntry, m->start[s->nrow] + 1);
    for (int i = 0; i < s->nrow; i++)
        for (int e = m->start[i]; e < m->start[i + 1]; e++)
            out->entry[out->nentry++] =
                (DaeSetEntry){i, m->col[e], expr_map(r->chosen, m->value[e])};
}

static DaeStateSet make_set(Remodel *r, const SelectSet *s)
{
    DaeStateSet out = {.ncandidate = s->n,
                       .nstate = s->nstate,
                       .initial = s->initial,
                       .candidate = NEW_ARRAY(r->arena, Expr, s->n),
                       .candidate_der = NEW_ARRAY(r->arena, Expr, s->n)};
    for (int i = 0; i < s->n; i++) {
        int j = s->candidate[i];
        out.candidate[i] = leaf(r, r->variable[j], 0);
        out.candidate_der[i] = r->s->is_state[j]
                                   ? leaf(r, r->variable[j], 1)
                                   : leaf(r, r->named[r->a->n + j], 0);
    }
    make_matrix(r, s, &out);
    return out;
}

/* The parts with their variables. */
static Remodel *make_parts(const RemodelPart *part, int n, Arena *arena)
{
    Remodel *r = NEW_ARRAY(arena, Remodel, n);
    int nvar = part[0].a->nvar;
    int *owner = NEW_ARRAY(arena, int, nvar);
    for (int v = 0; v < nvar; v++)
        owner[v] = NONE;
    for (int p = 0; p < n; p++) {
        Array *a = part[p].a;
        for (int j = 0; j < a->n; j++)
            owner[a->col[j].var] = p;
        r[p] = (Remodel){
            .a = a, .s = part[p].s, .arena = arena, .all = r, .owner = owner};
        name_columns(&r[p]);
    }
    for (int p = 0; p < n; p++) {
        place_columns(&r[p]);
        r[p].chosen = expr_map_new(r[p].a->dag, to_chosen, &r[p], arena);
    }
    return r;
}

bool array_remodel(const RemodelPart *part, int n, DaeStateSet *sets,
                   Arena *arena)
{
    Remodel *r = make_parts(part, n, arena);
    Sys *sys = part[0].a->sys;
    int most = sys->neqn, neqn = 0, nset = 0;
    for (int p = 0; p < n; p++)
        most += part[p].s->m;
    SysEqn *eqn = NEW_ARRAY(arena, SysEqn, most);
    for (int p = 0; p < n; p++) {
        const Selection *s = part[p].s;
        if (!make_rows(&r[p], eqn, &neqn))
            return false;
        for (int i = 0; i < s->nset; i++)
            sets[nset++] = make_set(&r[p], &s->set[i]);
        give_starts(&r[p], part[p].x);
    }
    take_others(r, n, eqn, &neqn);
    sys->eqn = eqn;
    sys->neqn = neqn;
    sys_find_derivatives(sys);
    return true;
}
