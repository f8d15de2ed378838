/* table_qr.c - the symbolic part of the row-sequential Givens QR.
 *
 * Rows are rotated one after the other into R. The structure of a row of R is
 * found by doing so without numbers; each rotation then works on the final
 * structure of its row of R, so the tables are no larger than R. The first row
 * of A that arrives at an empty row of R becomes that row. Of a matrix with
 * more rows than columns nothing is left of the last ones: what is solved for
 * makes the sum of squares smallest. Its blocks are not independent then, and
 * it is taken as one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <colamd.h>
#include <stdlib.h>
#include <string.h>

#include "num/btf.h"
#include "num/table_internal.h"

/* A row of A within its diagonal block, columns by their order. */
typedef struct QrRow {
    int row;         /* of the matrix */
    int first, last; /* columns in the order of the block */
    int *entry;      /* entries within the block */
    int nentry;
} QrRow;

typedef struct QrMaker {
    int nrow, n, nnz;
    const int *row, *col;
    const BlockForm *form;
    FactorTable *t;
    Arena *arena, *local;
    int *order;    /* position of each column in R, over all blocks */
    int *column;   /* column at each position */
    QrRow *rows;   /* in the order of rotation, blocks one after the other */
    bool **filled; /* of each row of R, NULL: empty yet; over its block */
    int *first;    /* first position of the block of each position */
    int *size;     /* of that block */
    int *diag;     /* place of each row of R */
    IndexList factor, solve;
    int *at; /* place of each entry */
    int nrotation;
    int nleft; /* rows of which nothing is left */
} QrMaker;

/* The rows of a block are those at its positions; of a single block all. */
static int row_end(const QrMaker *m, int b)
{
    return m->nrow > m->n ? m->nrow : m->form->start[b + 1];
}

/* COLAMD orders the columns of a diagonal block. */
static void order_columns(QrMaker *m, int b)
{
    int first = m->form->start[b], n = m->form->start[b + 1] - first, nnz = 0;
    int nrow = row_end(m, b) - first;
    int *local_row = NEW_ARRAY(m->local, int, m->nrow + 1);
    int *local_col = NEW_ARRAY(m->local, int, m->n + 1);
    for (int i = 0; i < nrow; i++)
        local_row[m->form->row[first + i]] = i;
    for (int i = 0; i < n; i++)
        local_col[m->form->col[first + i]] = i;
    int *p = NEW_ARRAY(m->local, int, n + 2);
    for (int k = 0; k < m->nnz; k++)
        if (m->form->block_row[m->row[k]] == b &&
            m->form->block_col[m->col[k]] == b) {
            p[local_col[m->col[k]] + 1]++;
            nnz++;
        }
    for (int j = 0; j < n; j++)
        p[j + 1] += p[j];
    size_t size = colamd_recommended(nnz, nrow, n);
    int *index = NEW_ARRAY(m->local, int, size + 1);
    int *next = NEW_ARRAY(m->local, int, n + 1);
    memcpy(next, p, (size_t)n * sizeof(int));
    for (int k = 0; k < m->nnz; k++)
        if (m->form->block_row[m->row[k]] == b &&
            m->form->block_col[m->col[k]] == b)
            index[next[local_col[m->col[k]]]++] = local_row[m->row[k]];
    int stats[COLAMD_STATS];
    bool done = n > 2 && colamd(nrow, n, (int)size, index, p, NULL, stats);
    for (int i = 0; i < n; i++) {
        int j = m->form->col[first + (done ? p[i] : i)];
        m->order[j] = first + i;
        m->column[first + i] = j;
        m->first[first + i] = first;
        m->size[first + i] = n;
    }
}

static int by_ends(const void *a, const void *b)
{
    const QrRow *x = a, *y = b;
    if (x->first != y->first)
        return x->first - y->first;
    if (x->last != y->last)
        return x->last - y->last;
    return x->row - y->row;
}

/* Rows by their first column, then by their last (Schiela 5.4.4). */
static void order_rows(QrMaker *m)
{
    int *where = NEW_ARRAY(m->local, int, m->nrow + 1);
    for (int p = 0; p < m->nrow; p++) {
        QrRow *r = &m->rows[p];
        r->row = m->form->row[p];
        r->first = m->n;
        r->entry = NULL;
        where[r->row] = p;
    }
    int *count = NEW_ARRAY(m->local, int, m->nrow + 1);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < m->nnz; k++) {
            QrRow *r = &m->rows[where[m->row[k]]];
            if (m->form->block_row[m->row[k]] != m->form->block_col[m->col[k]])
                continue;
            if (pass == 0) {
                count[where[m->row[k]]]++;
                continue;
            }
            if (!r->entry)
                r->entry =
                    NEW_ARRAY(m->local, int, count[where[m->row[k]]] + 1);
            r->entry[r->nentry++] = k;
            int at = m->order[m->col[k]];
            r->first = at < r->first ? at : r->first;
            r->last = at > r->last ? at : r->last;
        }
    for (int b = 0; b < m->form->nblock; b++) {
        int first = m->form->start[b];
        qsort(m->rows + first, (size_t)(row_end(m, b) - first), sizeof(QrRow),
              by_ends);
    }
}

/* Rotates row p without numbers. `path` gets the rows of R it meets, then the
 * one it becomes, NONE if nothing is left of it; returns their number. */
static int rotate_structure(QrMaker *m, int p, int *path)
{
    const QrRow *r = &m->rows[p];
    int at = p < m->n ? p : 0;
    int first = m->first[at], n = m->size[at], npath = 0;
    bool *v = NEW_ARRAY(m->local, bool, n + 1);
    for (int i = 0; i < r->nentry; i++)
        v[m->order[m->col[r->entry[i]]] - first] = true;
    for (int j = 0; j < n; j++) {
        if (!v[j])
            continue;
        path[npath++] = first + j;
        bool *old = m->filled[first + j];
        if (!old) {
            m->filled[first + j] = v;
            return npath;
        }
        for (int i = j; i < n; i++)
            old[i] = v[i] = old[i] || v[i];
    }
    path[npath++] = NONE;
    return npath;
}

/* ---- programs ---- */

static void push(QrMaker *m, IndexList *list, int x)
{
    vec_push(m->local, list, (uint32_t)x);
}

static void place_r(QrMaker *m)
{
    IndexList column = {0}, diag = {0};
    for (int p = 0; p < m->n; p++) {
        m->diag[p] = column.n;
        push(m, &diag, column.n);
        for (int i = 0; i < m->size[p]; i++)
            if (m->filled[p][i] && m->first[p] + i >= p)
                push(m, &column, m->column[m->first[p] + i]);
    }
    m->diag[m->n] = column.n;
    push(m, &diag, column.n);
    m->t->qr.column = table_keep(m->t, "column", &column, m->arena);
    m->t->qr.diag = table_keep(m->t, "diag", &diag, m->arena);
}

static void push_row_of_r(QrMaker *m, IndexList *list, int p)
{
    if (p == NONE) {
        push(m, list, 0);
        push(m, list, 0);
        return;
    }
    push(m, list, m->diag[p]);
    push(m, list, m->diag[p + 1] - m->diag[p]);
}

static void add_factor_row(QrMaker *m, int p, const int *path, int npath,
                           int *next)
{
    const QrRow *r = &m->rows[p];
    push(m, &m->factor, r->nentry);
    for (int i = 0; i < r->nentry; i++) {
        m->at[r->entry[i]] = (*next)++;
        push(m, &m->factor, m->col[r->entry[i]]);
    }
    push(m, &m->factor, npath - 1);
    for (int i = 0; i < npath; i++) {
        push_row_of_r(m, &m->factor, path[i]);
        if (i < npath - 1) {
            long length = m->diag[path[i] + 1] - m->diag[path[i]];
            m->t->factor.add += 2 * length;
            m->t->factor.mul += 4 * length + 4;
            m->t->factor.div += 2;
            m->t->factor.call++;
        }
    }
    m->nrotation += npath - 1;
}

static void add_solve_row(QrMaker *m, int p, const int *path, int npath,
                          const IndexList *beside)
{
    const QrRow *r = &m->rows[p];
    push(m, &m->solve, r->row);
    push(m, &m->solve, beside->n / 2);
    for (int i = 0; i < beside->n; i++)
        vec_push(m->local, &m->solve, beside->at[i]);
    push(m, &m->solve, npath - 1);
    for (int i = 0; i < npath; i++)
        push(m, &m->solve, path[i] != NONE ? path[i] : m->n + m->nleft++);
    m->t->solve.add += beside->n / 2 + 2L * (npath - 1);
    m->t->solve.mul += beside->n / 2 + 4L * (npath - 1);
}

static void add_back_row(QrMaker *m, int p)
{
    push(m, &m->solve, p);
    push(m, &m->solve, m->column[p]);
    push_row_of_r(m, &m->solve, p);
    m->t->solve.add += m->diag[p + 1] - m->diag[p] - 1;
    m->t->solve.mul += m->diag[p + 1] - m->diag[p];
}

static void make_programs(QrMaker *m, int *const *path, const int *npath)
{
    int next = 0;
    for (int p = 0; p < m->nrow; p++)
        add_factor_row(m, p, path[p], npath[p], &next);
    IndexList *beside = NEW_ARRAY(m->local, IndexList, m->nrow + 1);
    for (int k = 0; k < m->nnz; k++) {
        if (m->form->block_row[m->row[k]] == m->form->block_col[m->col[k]])
            continue;
        m->at[k] = next++;
        push(m, &beside[m->row[k]], m->at[k]);
        push(m, &beside[m->row[k]], m->nrow + m->col[k]);
    }
    for (int b = 0; b < m->form->nblock; b++) {
        int first = m->form->start[b], end = m->form->start[b + 1];
        push(m, &m->solve, row_end(m, b) - first);
        push(m, &m->solve, end - first);
        for (int p = first; p < row_end(m, b); p++)
            add_solve_row(m, p, path[p], npath[p], &beside[m->rows[p].row]);
        for (int p = end - 1; p >= first; p--)
            add_back_row(m, p);
    }
    takt_qr32 *q = &m->t->qr;
    q->n = (uint32_t)m->n;
    q->m = (uint32_t)m->nrow;
    q->nblock = (uint32_t)m->form->nblock;
    q->r = (uint32_t)m->nnz;
    q->cs = q->r + (uint32_t)m->diag[m->n];
    q->x = q->cs + 2 * (uint32_t)m->nrotation;
    m->t->nfactor = (int)q->x + m->n;
    m->t->factor.div += m->n;
    q->factor = table_keep(m->t, "factor", &m->factor, m->arena);
    q->solve = table_keep(m->t, "solve", &m->solve, m->arena);
}

/* The paths of all rows through R. False if a row of R stays empty. */
static bool find_structure(QrMaker *m, int **path, int *npath)
{
    for (int p = 0; p < m->nrow; p++) {
        path[p] = NEW_ARRAY(m->local, int, m->size[p < m->n ? p : 0] + 2);
        npath[p] = rotate_structure(m, p, path[p]);
    }
    for (int p = 0; p < m->n; p++)
        if (!m->filled[p])
            return false;
    return true;
}

static bool make(QrMaker *m)
{
    int n = m->n, nrow = m->nrow;
    m->order = NEW_ARRAY(m->local, int, n + 1);
    m->column = NEW_ARRAY(m->local, int, n + 1);
    m->rows = NEW_ARRAY(m->local, QrRow, nrow + 1);
    m->filled = NEW_ARRAY(m->local, bool *, n + 1);
    m->first = NEW_ARRAY(m->local, int, n + 1);
    m->size = NEW_ARRAY(m->local, int, n + 1);
    m->diag = NEW_ARRAY(m->local, int, n + 2);
    m->at = NEW_ARRAY(m->arena, int, m->nnz + 1);
    for (int b = 0; b < m->form->nblock; b++)
        order_columns(m, b);
    order_rows(m);
    int **path = NEW_ARRAY(m->local, int *, nrow + 1);
    int *npath = NEW_ARRAY(m->local, int, nrow + 1);
    if (!find_structure(m, path, npath))
        return false;
    place_r(m);
    make_programs(m, path, npath);
    m->t->place = m->at;
    return true;
}

/* All rows and columns as they come, in one block. */
static const BlockForm *one_block(int nrow, int n, Arena *arena)
{
    BlockForm *f = NEW(arena, BlockForm);
    *f = (BlockForm){.n = n,
                     .nblock = 1,
                     .row = NEW_ARRAY(arena, int, nrow + 1),
                     .col = NEW_ARRAY(arena, int, n + 1),
                     .start = NEW_ARRAY(arena, int, 2),
                     .block_row = NEW_ARRAY(arena, int, nrow + 1),
                     .block_col = NEW_ARRAY(arena, int, n + 1)};
    for (int i = 0; i < nrow; i++)
        f->row[i] = i;
    for (int j = 0; j < n; j++)
        f->col[j] = j;
    f->start[1] = n;
    return f;
}

const FactorTable *table_qr(int nrow, int n, int nnz, const int *row,
                            const int *col, const TableOptions *options,
                            Arena *arena)
{
    QrMaker m = {.nrow = nrow,
                 .n = n,
                 .nnz = nnz,
                 .row = row,
                 .col = col,
                 .arena = arena,
                 .local = arena_new()};
    FactorTable *made = NULL;
    m.form = nrow > n ? one_block(nrow, n, m.local)
                      : btf_find(n, nnz, row, col, m.local);
    m.t = NEW(arena, FactorTable);
    *m.t = (FactorTable){.is_qr = true, .nrow = nrow, .n = n, .nnz = nnz};
    if (m.form && make(&m)) {
        made = m.t;
        table_finish(made, row, col, options, arena);
    }
    arena_free(m.local);
    return made;
}
