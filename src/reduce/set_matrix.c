/* set_matrix.c - the matrix that chooses states, without what never changes.
 *
 * Most equations between the columns that are no candidates say that one is
 * another, turned or moved: their factors are numbers. Such a column is
 * eliminated here, once, on expressions, with a pivot that stays what it is;
 * of all such pivots that with the least (row count - 1)(column count - 1)
 * comes first (Markowitz 1957), numbers before parameters. What is left is
 * small and is eliminated after each step by numbers (point/states.c,
 * runtime/takt_rt_states.h). Which choice of states is best does not change:
 * the determinants of all choices are divided by the same pivots.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "reduce/reduce_internal.h"

typedef struct Cell {
    int col;
    Expr value;
    double size; /* at the start */
    bool varies; /* during a run */
} Cell;

typedef Vec(Cell) CellVec;

typedef struct Matrix {
    Reduce *r;
    int nrow, ncandidate, ncol;
    CellVec *row;
    bool *is_used; /* of each row: a pivot stands there */
    bool *is_gone; /* of each column: it is eliminated */
    int *count;    /* of each column: entries in rows without a pivot */
} Matrix;

/* An entry that is never other than 0 is none. */
static bool is_nothing(const Matrix *m, Expr e)
{
    double x;
    return e == EXPR_NONE || (expr_is_const(m->r->dag, e, &x) && x == 0);
}

static void put(Matrix *m, int row, Cell new)
{
    CellVec *v = &m->row[row];
    for (int i = 0; i < v->n; i++) {
        Cell *c = &v->at[i];
        if (c->col != new.col)
            continue;
        c->value = expr_add(m->r->dag, c->value, new.value);
        c->size += new.size;
        c->varies |= new.varies;
        return;
    }
    vec_push(m->r->tmp, v, new);
    m->count[new.col]++;
}

static Cell cell_of(Reduce *r, const DaeSetEntry *e)
{
    const Point start = {r->start, 0, 0};
    return (Cell){e->col, e->value, reduce_point_value(r, e->value, &start),
                  !reduce_is_parametric(r, e->value)};
}

static Matrix begin(Reduce *r, const DaeStateSet *s)
{
    Matrix m = {.r = r,
                .nrow = s->nrow,
                .ncandidate = s->ncandidate,
                .ncol = s->ncandidate + s->neliminated};
    m.row = NEW_ARRAY(r->tmp, CellVec, m.nrow + 1);
    m.is_used = NEW_ARRAY(r->tmp, bool, m.nrow + 1);
    m.is_gone = NEW_ARRAY(r->tmp, bool, m.ncol + 1);
    m.count = NEW_ARRAY(r->tmp, int, m.ncol + 1);
    for (int k = 0; k < s->nentry; k++)
        if (!is_nothing(&m, s->entry[k].value))
            put(&m, s->entry[k].row, cell_of(r, &s->entry[k]));
    return m;
}

/* ---- pivots ---- */

/* A pivot may be so much smaller than the largest entry of its row. */
static const double LEAST = 0.01;

static double largest(const CellVec *row)
{
    double most = 0;
    for (int i = 0; i < row->n; i++)
        if (isfinite(row->at[i].size))
            most = fmax(most, fabs(row->at[i].size));
    return most;
}

/* 0: it changes, or is too small; 2: a parameter, 1: a number. */
static int constancy(const Matrix *m, const Cell *c, double most)
{
    double x;
    bool is_number = expr_is_const(m->r->dag, c->value, &x);
    if ((c->varies && !is_number) || !isfinite(c->size) || c->size == 0 ||
        fabs(c->size) < LEAST * most)
        return 0;
    return is_number ? 1 : 2;
}

typedef struct Pivot {
    int row, at; /* place in it; row NONE: there is none */
    int kind;
    long cost;
} Pivot;

static void look_at_row(const Matrix *m, int row, Pivot *best)
{
    const CellVec *v = &m->row[row];
    double most = largest(v);
    for (int i = 0; i < v->n; i++) {
        int col = v->at[i].col;
        long cost = (long)(v->n - 1) * (m->count[col] - 1);
        if (col < m->ncandidate ||
            (best->row != NONE && best->kind == 1 && cost >= best->cost))
            continue;
        int kind = constancy(m, &v->at[i], most);
        if (kind == 0 ||
            (best->row != NONE &&
             (kind > best->kind || (kind == best->kind && cost >= best->cost))))
            continue;
        *best = (Pivot){row, i, kind, cost};
    }
}

static Pivot find_pivot(const Matrix *m)
{
    Pivot best = {.row = NONE};
    for (int i = 0; i < m->nrow; i++)
        if (!m->is_used[i])
            look_at_row(m, i, &best);
    return best;
}

/* ---- elimination ---- */

/* Takes the cell of a column out of a row; false: there is none. */
static bool take(Matrix *m, int row, int col, Cell *out)
{
    CellVec *v = &m->row[row];
    for (int i = 0; i < v->n; i++)
        if (v->at[i].col == col) {
            *out = v->at[i];
            v->at[i] = v->at[--v->n];
            m->count[col]--;
            return true;
        }
    return false;
}

/* What has become 0 is none. */
static void clean(Matrix *m, int row)
{
    Cell none;
    CellVec *v = &m->row[row];
    for (int i = v->n - 1; i >= 0; i--)
        if (is_nothing(m, v->at[i].value))
            take(m, row, v->at[i].col, &none);
}

/* Row `row` plus f times the row of the pivot, where f makes `c` vanish. */
static void add_row(Matrix *m, int row, const Cell *c, const Cell *pivot,
                    const CellVec *from)
{
    Dag *d = m->r->dag;
    Expr f = expr_neg(d, expr_div(d, c->value, pivot->value));
    double size = -c->size / pivot->size;
    for (int k = 0; k < from->n; k++) {
        const Cell *x = &from->at[k];
        put(m, row,
            (Cell){x->col, expr_mul(d, f, x->value), size * x->size,
                   c->varies || x->varies});
    }
    clean(m, row);
}

static void eliminate(Matrix *m, const Pivot *p)
{
    Cell pivot, c;
    int col = m->row[p->row].at[p->at].col;
    take(m, p->row, col, &pivot);
    const CellVec *from = &m->row[p->row];
    m->is_used[p->row] = m->is_gone[col] = true;
    for (int i = 0; i < m->nrow; i++)
        if (!m->is_used[i] && take(m, i, col, &c))
            add_row(m, i, &c, &pivot, from);
    for (int k = 0; k < from->n; k++)
        m->count[from->at[k].col]--;
}

/* The rows and columns that are left, numbered anew. */
static void give_back(const Matrix *m, DaeStateSet *s)
{
    int *place = NEW_ARRAY(m->r->tmp, int, m->ncol + 1);
    Vec(DaeSetEntry) list = {0};
    int ncol = 0;
    for (int j = 0; j < m->ncol; j++)
        if (!m->is_gone[j])
            place[j] = ncol++;
    s->nrow = 0;
    for (int i = 0; i < m->nrow; i++) {
        for (int k = 0; !m->is_used[i] && k < m->row[i].n; k++) {
            const Cell *c = &m->row[i].at[k];
            vec_push(m->r->arena, &list,
                     ((DaeSetEntry){s->nrow, place[c->col], c->value}));
        }
        s->nrow += !m->is_used[i];
    }
    s->neliminated = ncol - m->ncandidate;
    s->entry = list.at;
    s->nentry = list.n;
}

void reduce_shrink_matrix(Reduce *r, DaeStateSet *s)
{
    Matrix m = begin(r, s);
    for (Pivot p = find_pivot(&m); p.row != NONE; p = find_pivot(&m))
        eliminate(&m, &p);
    give_back(&m, s);
}
