/* eigen.c - parts of a matrix, both kinds of numbers, Schur forms.
 *
 * A complex Schur form has no 2 * 2 blocks, so that two eigenvalues change
 * places by one rotation (Golub and Van Loan, 7.6.2). It is made of the real
 * one: a rotation for each block.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/eigen.h"

#include <float.h>
#include <math.h>

enum { MOST_SWEEPS = 90 }; /* for one eigenvalue; 2 or 3 are usual */

/* ---- strongly connected parts ---- */
/* The search of Tarjan (SIAM J. Comput. 1(2), 1972) with a stack of its own:
 * node j leads to i where entry (i, j) is there. */
typedef struct Search {
    int n, count, depth, nopen, npart;
    const bool *is_entry;
    int *number; /* 0: not seen; then in the order seen, from 1 */
    int *low;    /* lowest number reached among open nodes */
    int *next;   /* row to look at next */
    int *path;   /* nodes from the root, size depth */
    int *open;   /* nodes of no part yet, size nopen */
    bool *is_open;
    int *member, *start;
} Search;

static void enter(Search *s, int node)
{
    s->number[node] = s->low[node] = ++s->count;
    s->path[s->depth++] = node;
    s->open[s->nopen++] = node;
    s->is_open[node] = true;
}

/* All of the path's last node is seen: its part is complete if nothing before
 * it is reached. */
static void leave(Search *s)
{
    int node = s->path[--s->depth];
    if (s->depth > 0) {
        int before = s->path[s->depth - 1];
        if (s->low[node] < s->low[before])
            s->low[before] = s->low[node];
    }
    if (s->low[node] < s->number[node])
        return;
    int to = s->start[s->npart], last;
    do {
        last = s->open[--s->nopen];
        s->is_open[last] = false;
        int at = to++; /* ascending within the part */
        for (; at > s->start[s->npart] && s->member[at - 1] > last; at--)
            s->member[at] = s->member[at - 1];
        s->member[at] = last;
    } while (last != node);
    s->start[++s->npart] = to;
}

static void search_from(Search *s, int root)
{
    enter(s, root);
    while (s->depth > 0) {
        int node = s->path[s->depth - 1];
        if (s->next[node] == s->n) {
            leave(s);
            continue;
        }
        int i = s->next[node]++;
        if (!s->is_entry[i + (size_t)node * (size_t)s->n])
            continue;
        if (s->number[i] == 0)
            enter(s, i);
        else if (s->is_open[i] && s->number[i] < s->low[node])
            s->low[node] = s->number[i];
    }
}

/* The strongly connected parts: part k has the nodes member[start[k]] ..
 * member[start[k+1]-1]. Returns their number. */
static int find_parts(int n, const bool *is_entry, int *member, int *start)
{
    Arena *local = arena_new();
    int *room = NEW_ARRAY(local, int, 5 * (size_t)n + 1);
    Search s = {.n = n,
                .is_entry = is_entry,
                .number = room,
                .low = room + n,
                .next = room + 2 * (size_t)n,
                .path = room + 3 * (size_t)n,
                .open = room + 4 * (size_t)n,
                .is_open = NEW_ARRAY(local, bool, n + 1),
                .member = member,
                .start = start};
    start[0] = 0;
    for (int i = 0; i < n; i++)
        if (s.number[i] == 0)
            search_from(&s, i);
    arena_free(local);
    return s.npart;
}

/* ---- the two kinds of numbers ---- */
#define HUGE_FACTOR 1e100

#define REAL    double
#define NAME(x) x##_double
#define EPSILON DBL_EPSILON
#define ABS     fabs
#define SQRT    sqrt
#include "num/eigen_body.h"
#undef REAL
#undef NAME
#undef EPSILON
#undef ABS
#undef SQRT

#define REAL    Wide
#define NAME(x) x##_wide
#define EPSILON LDBL_EPSILON
#define ABS     fabsl
#define SQRT    sqrtl
#include "num/eigen_body.h"

bool eigen_values(int n, double *a, double *re, double *im)
{
    return values_double(n, a, re, im);
}

bool eigen_values_wide(int n, Wide *a, Wide *re, Wide *im)
{
    return values_wide(n, a, re, im);
}

void eigen_balance(int n, double *a, double *scale)
{
    balance_double(n, a, scale);
}

/* What a part leads to is complete before it. */
void eigen_block_order(int n, const double *a, int *place)
{
    Arena *local = arena_new();
    size_t size = (size_t)n * (size_t)n;
    bool *is_entry = NEW_ARRAY(local, bool, size + 1);
    for (size_t i = 0; i < size; i++)
        is_entry[i] = a[i] != 0;
    find_parts(n, is_entry, place, NEW_ARRAY(local, int, n + 1));
    arena_free(local);
}

void eigen_hessenberg(int n, double *a)
{
    Arena *local = arena_new();
    double *work = NEW_ARRAY(local, double, 2 * (size_t)n + 1);
    hessenberg_double(n, a, NULL, work, work + n);
    arena_free(local);
}

/* ---- complex Schur form ---- */
static WideComplex conjugate(WideComplex x)
{
    return CMPLXL(creall(x), -cimagl(x));
}

/* Without the care for infinities that C's own product takes. */
static WideComplex times(WideComplex x, WideComplex y)
{
    return CMPLXL(creall(x) * creall(y) - cimagl(x) * cimagl(y),
                  creall(x) * cimagl(y) + cimagl(x) * creall(y));
}

/* Columns k and k+1 of `m`, `count` rows, times [x0, -x1*; x1, x0*]. */
static void turn_pair(WideComplex *m, int n, int k, int count, WideComplex x0,
                      WideComplex x1)
{
    WideComplex *left = m + (size_t)k * (size_t)n, *right = left + n;
    for (int i = 0; i < count; i++) {
        WideComplex l = left[i], r = right[i];
        left[i] = times(l, x0) + times(r, x1);
        right[i] = times(r, conjugate(x0)) - times(l, conjugate(x1));
    }
}

/* A rotation of rows and columns k and k+1 that makes (x0, x1), an eigenvector
 * of their block, the first unit vector; the diagonal becomes first, second. */
static void rotate(Schur *s, int k, WideComplex x0, WideComplex x1,
                   WideComplex first, WideComplex second)
{
    int n = s->n;
    Wide size = hypotl(cabsl(x0), cabsl(x1));
    if (size == 0)
        return; /* twice the same: nothing to do */
    x0 /= size;
    x1 /= size;
    turn_pair(s->t, n, k, k + 2, x0, x1);
    turn_pair(s->q, n, k, n, x0, x1);
    for (int j = k; j < n; j++) {
        WideComplex *c = s->t + k + (size_t)j * (size_t)n;
        WideComplex top = c[0], low = c[1];
        c[0] = times(conjugate(x0), top) + times(conjugate(x1), low);
        c[1] = times(x0, low) - times(x1, top);
    }
    WideComplex *block = s->t + k + (size_t)k * (size_t)n;
    block[0] = first;
    block[1] = 0;
    block[n + 1] = second;
}

bool eigen_schur(int n, Wide *a, Schur *s, Arena *arena)
{
    size_t size = (size_t)n * (size_t)n;
    *s = (Schur){n, NEW_ARRAY(arena, WideComplex, size + 1),
                 NEW_ARRAY(arena, WideComplex, size + 1)};
    Arena *local = arena_new();
    Wide *z = NEW_ARRAY(local, Wide, size + 1);
    Wide *work = NEW_ARRAY(local, Wide, 4 * (size_t)n + 1);
    Wide *re = work + 2 * (size_t)n, *im = re + n;
    for (int i = 0; i < n; i++)
        z[i + (size_t)i * (size_t)n] = 1;
    hessenberg_wide(n, a, z, work, work + n);
    bool is_fine = francis_wide(n, a, z);
    read_values_wide(n, a, re, im);
    for (size_t i = 0; i < size; i++) {
        s->t[i] = a[i];
        s->q[i] = z[i];
    }
    for (int i = 0; i + 1 < n; i++) {
        Wide below = a[i + 1 + (size_t)i * (size_t)n];
        Wide corner = a[i + 1 + (size_t)(i + 1) * (size_t)n];
        if (below != 0)
            rotate(s, i, CMPLXL(re[i] - corner, im[i]), below,
                   CMPLXL(re[i], im[i]), CMPLXL(re[i + 1], im[i + 1]));
    }
    arena_free(local);
    return is_fine;
}

static void swap(Schur *s, int k)
{
    const WideComplex *t = s->t + k + (size_t)k * (size_t)s->n;
    WideComplex first = t[0], second = t[s->n + 1];
    rotate(s, k, t[s->n], second - first, second, first);
}

void eigen_reorder(Schur *s, const bool *select, bool is_bottom)
{
    int to = is_bottom ? s->n - 1 : 0;
    for (int c = 0; c < s->n; c++) {
        int i = is_bottom ? s->n - 1 - c : c;
        if (!select[i])
            continue;
        for (int k = i; k > to; k--)
            swap(s, k - 1);
        for (int k = i; k < to; k++)
            swap(s, k);
        to += is_bottom ? -1 : 1;
    }
}

/* ---- vectors ---- */
/* x / (t(i, i) - t(k, k)); where these are equal, by what rounding makes of it.
 */
static WideComplex over_gap(const Schur *s, int i, int k, Wide least,
                            WideComplex x)
{
    size_t n = (size_t)s->n;
    WideComplex gap = s->t[(size_t)i * (n + 1)] - s->t[(size_t)k * (n + 1)];
    return x / (cabsl(gap) < least ? CMPLXL(least, 0) : gap);
}

static Wide rounding_of(const Schur *s)
{
    Wide most = 0;
    for (size_t i = 0; i < (size_t)s->n * (size_t)s->n; i++)
        most = fmaxl(most, cabsl(s->t[i]));
    return LDBL_EPSILON * (most > 0 ? most : 1);
}

static void scale_to_one(int n, WideComplex *v)
{
    Wide square = 0, most = 0;
    for (int i = 0; i < n; i++)
        most = fmaxl(most, cabsl(v[i]));
    for (int i = 0; i < n; i++)
        square += powl(cabsl(v[i]) / most, 2);
    for (int i = 0; i < n; i++)
        v[i] /= most * sqrtl(square);
}

/* out = q v, of v the places first .. last. */
static void by_columns(const Schur *s, const WideComplex *v, int first,
                       int last, WideComplex *out)
{
    for (int i = 0; i < s->n; i++)
        out[i] = 0;
    for (int j = first; j <= last; j++)
        for (int i = 0; i < s->n; i++)
            out[i] += times(s->q[i + (size_t)j * (size_t)s->n], v[j]);
    scale_to_one(s->n, out);
}

void eigen_vectors(const Schur *s, int k, WideComplex *right, WideComplex *left)
{
    int n = s->n;
    Arena *local = arena_new();
    WideComplex *v = NEW_ARRAY(local, WideComplex, n);
    Wide least = rounding_of(s);
    for (int i = 0; i < k; i++)
        v[i] = -s->t[i + (size_t)k * (size_t)n];
    v[k] = 1;
    for (int j = k - 1; j >= 0; j--) { /* (t - t(k, k)) v = 0 */
        v[j] = over_gap(s, j, k, least, v[j]);
        for (int i = 0; i < j; i++)
            v[i] -= times(s->t[i + (size_t)j * (size_t)n], v[j]);
    }
    by_columns(s, v, 0, k, right);
    for (int j = k + 1; j < n; j++) { /* w (t - t(k, k)) = 0 */
        WideComplex sum = 0;
        for (int i = k; i < j; i++)
            sum += times(v[i], s->t[i + (size_t)j * (size_t)n]);
        v[j] = over_gap(s, j, k, least, -sum);
    }
    for (int j = k; j < n; j++)
        v[j] = conjugate(v[j]);
    by_columns(s, v, k, n - 1, left);
    arena_free(local);
}
