/* eigen_body.h - Hessenberg form and double shifts for one type of numbers.
 *
 * Included by eigen.c once for each: REAL is the type, NAME(x) the name of a
 * function for it, EPSILON its rounding, ABS and SQRT its functions. With z
 * (may be NULL) the transformations are collected, z := z q, and the whole
 * matrix is transformed, so that a ends as a quasi-triangular Schur form;
 * without it only the part that still matters is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

#define A(i, j) a[(i) + (size_t)(j) * (size_t)n]

/* x := x - (x v) beta v^T for the columns from k+1 of an n * n matrix. */
static void NAME(reflect_columns)(int n, REAL *x, int k, const REAL *v,
                                  REAL beta, REAL *work)
{
    for (int i = 0; i < n; i++)
        work[i] = 0;
    for (int j = k + 1; j < n; j++)
        for (int i = 0; i < n && v[j] != 0; i++)
            work[i] += x[i + (size_t)j * (size_t)n] * v[j];
    for (int j = k + 1; j < n; j++)
        for (int i = 0; i < n && v[j] != 0; i++)
            x[i + (size_t)j * (size_t)n] -= beta * v[j] * work[i];
}

/* Householder's reduction to Hessenberg form. */
static void NAME(hessenberg)(int n, REAL *a, REAL *z, REAL *v, REAL *work)
{
    for (int k = 0; k + 2 < n; k++) {
        REAL scale = 0, sum = 0;
        for (int i = k + 2; i < n; i++)
            scale += ABS(A(i, k));
        if (scale == 0)
            continue;
        scale += ABS(A(k + 1, k));
        for (int i = k + 1; i < n; i++) {
            v[i] = A(i, k) / scale;
            sum += v[i] * v[i];
        }
        REAL alpha = v[k + 1] > 0 ? -SQRT(sum) : SQRT(sum);
        REAL beta = 1 / (sum - alpha * v[k + 1]); /* 2 / |v - alpha e|^2 */
        v[k + 1] -= alpha;
        for (int j = k; j < n; j++) {
            REAL product = 0;
            for (int i = k + 1; i < n; i++)
                product += v[i] * A(i, j);
            for (int i = k + 1; i < n; i++)
                A(i, j) -= beta * product * v[i];
        }
        NAME(reflect_columns)(n, a, k, v, beta, work);
        if (z)
            NAME(reflect_columns)(n, z, k, v, beta, work);
        A(k + 1, k) = alpha * scale;
        for (int i = k + 2; i < n; i++)
            A(i, k) = 0;
    }
}

/* The first row of the last part that holds together, whose last row is
 * `high`. */
static int NAME(find_part)(int n, REAL *a, int high, REAL norm)
{
    for (int l = high; l > 0; l--) {
        REAL size = ABS(A(l - 1, l - 1)) + ABS(A(l, l));
        if (ABS(A(l, l - 1)) <= EPSILON * (size == 0 ? norm : size)) {
            A(l, l - 1) = 0;
            return l;
        }
    }
    return 0;
}

/* The two shifts as the roots of a 2 * 2 block: x and y its diagonal, w the
 * product of the others. Every tenth time they are taken from elsewhere, for
 * matrices that would go round in circles. */
typedef struct NAME(Shifts) {
    REAL x, y, w;
} NAME(Shifts);

static NAME(Shifts) NAME(shifts_of)(int n, const REAL *a, int high, int times)
{
    NAME(Shifts)
    s = {A(high, high), A(high - 1, high - 1),
         A(high, high - 1) * A(high - 1, high)};
    if (times % 10 == 9) {
        REAL size = ABS(A(high, high - 1)) + ABS(A(high - 1, high - 2));
        s.x = s.y = A(high, high) + (REAL)0.75 * size;
        s.w = (REAL)-0.4375 * size * size;
    }
    return s;
}

/* The row where a sweep of part low .. high may begin, and in p the first
 * column of (a - s1)(a - s2) there, up to a factor. */
static int NAME(start_of)(int n, const REAL *a, int low, int high,
                          const NAME(Shifts) * s, REAL *p)
{
    for (int m = high - 2;; m--) {
        REAL d = A(m, m), r = s->x - d, t = s->y - d;
        p[0] = (r * t - s->w) / A(m + 1, m) + A(m, m + 1);
        p[1] = A(m + 1, m + 1) - d - r - t;
        p[2] = A(m + 2, m + 1);
        REAL size = ABS(p[0]) + ABS(p[1]) + ABS(p[2]);
        for (int i = 0; i < 3 && size > 0; i++)
            p[i] /= size;
        if (m == low)
            return m;
        REAL left = ABS(A(m, m - 1)) * (ABS(p[1]) + ABS(p[2]));
        REAL right =
            ABS(p[0]) * (ABS(A(m - 1, m - 1)) + ABS(d) + ABS(A(m + 1, m + 1)));
        if (left <= EPSILON * right)
            return m;
    }
}

/* Columns k .. k+count-1 of rows first .. last: x := x (I - u w^T). */
static void NAME(turn_columns)(int n, REAL *x, int k, int count, int first,
                               int last, const REAL *u, const REAL *w)
{
    REAL *c0 = x + (size_t)k * (size_t)n, *c1 = c0 + n;
    REAL *c2 = count == 3 ? c1 + n : NULL;
    for (int i = first; i <= last; i++) {
        REAL sum = u[0] * c0[i] + u[1] * c1[i] + (c2 ? u[2] * c2[i] : 0);
        c0[i] -= sum;
        c1[i] -= sum * w[1];
        if (c2)
            c2[i] -= sum * w[2];
    }
}

/* One sweep of a double shift over part low .. high. */
static void NAME(sweep)(int n, REAL *a, REAL *z, int low, int high,
                        const NAME(Shifts) * s)
{
    REAL p[3];
    int start = NAME(start_of)(n, a, low, high, s, p);
    int first = z ? 0 : low, last = z ? n - 1 : high;
    for (int k = start; k < high; k++) {
        int count = k + 2 <= high ? 3 : 2;
        REAL size = 1;
        if (k > start) {
            p[0] = A(k, k - 1);
            p[1] = A(k + 1, k - 1);
            p[2] = count == 3 ? A(k + 2, k - 1) : 0;
            size = ABS(p[0]) + ABS(p[1]) + ABS(p[2]);
            if (size == 0)
                continue;
            for (int i = 0; i < 3; i++)
                p[i] /= size;
            for (int i = 1; i < count; i++)
                A(k + i, k - 1) = 0;
        }
        REAL root = SQRT(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        root = p[0] < 0 ? -root : root;
        if (root == 0)
            continue;
        if (k > start)
            A(k, k - 1) = -root * size;
        else if (low != start)
            A(k, k - 1) = -A(k, k - 1);
        p[0] += root;
        const REAL u[3] = {p[0] / root, p[1] / root, p[2] / root};
        const REAL w[3] = {1, p[1] / p[0], p[2] / p[0]};
        for (int j = k; j <= last; j++) {
            REAL *c = &A(k, j);
            REAL sum = c[0] + w[1] * c[1] + (count == 3 ? w[2] * c[2] : 0);
            for (int i = 0; i < count; i++)
                c[i] -= sum * u[i];
        }
        int bottom = k + 3 < high ? k + 3 : high;
        NAME(turn_columns)(n, a, k, count, first, bottom, u, w);
        if (z)
            NAME(turn_columns)(n, z, k, count, 0, n - 1, u, w);
    }
}

/* Sweeps until every part has one or two rows. */
static bool NAME(francis)(int n, REAL *a, REAL *z)
{
    REAL norm = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            norm += ABS(A(i, j));
    int times = 0;
    for (int high = n - 1; high >= 0;) {
        int low = NAME(find_part)(n, a, high, norm);
        if (high - low < 2) {
            high = low - 1;
            times = 0;
            continue;
        }
        if (times == MOST_SWEEPS)
            return false;
        NAME(Shifts) s = NAME(shifts_of)(n, a, high, times++);
        NAME(sweep)(n, a, z, low, high, &s);
    }
    return true;
}

/* The roots of the 2 * 2 block that begins in row i. */
static void NAME(roots)(int n, const REAL *a, int i, REAL *re, REAL *im)
{
    REAL half = (A(i, i) - A(i + 1, i + 1)) / 2;
    REAL product = A(i, i + 1) * A(i + 1, i);
    REAL square = half * half + product;
    im[0] = im[1] = 0;
    if (square < 0) {
        re[0] = re[1] = A(i + 1, i + 1) + half;
        im[0] = SQRT(-square);
        im[1] = -im[0];
        return;
    }
    REAL far = half + (half < 0 ? -SQRT(square) : SQRT(square));
    re[0] = A(i + 1, i + 1) + far;
    re[1] = far == 0 ? re[0] : A(i + 1, i + 1) - product / far;
}

/* The eigenvalues of a quasi-triangular form. */
static void NAME(read_values)(int n, const REAL *a, REAL *re, REAL *im)
{
    for (int i = 0; i < n; i++) {
        if (i + 1 < n && A(i + 1, i) != 0) {
            NAME(roots)(n, a, i, re + i, im + i);
            i++;
        } else {
            re[i] = A(i, i);
            im[i] = 0;
        }
    }
}

/* Brings rows and columns to like sizes by powers of two (EISPACK balanc), in
 * scale (may be NULL) those of the columns. */
static void NAME(balance)(int n, REAL *a, REAL *scale)
{
    bool is_done = false;
    for (int i = 0; scale && i < n; i++)
        scale[i] = 1;
    for (int times = 0; times < 100 && !is_done; times++) {
        is_done = true;
        for (int i = 0; i < n; i++) {
            REAL column = 0, row = 0, factor = 1;
            for (int j = 0; j < n; j++) {
                column += j == i ? 0 : ABS(A(j, i));
                row += j == i ? 0 : ABS(A(i, j));
            }
            if (column == 0 || row == 0)
                continue;
            REAL before = column + row;
            for (; column < row / 2 && factor < HUGE_FACTOR; factor *= 2)
                column *= 4;
            for (; column >= row * 2 && factor > 1 / HUGE_FACTOR; factor /= 2)
                column /= 4;
            if ((column + row) / factor >= (REAL)0.95 * before)
                continue;
            is_done = false;
            if (scale)
                scale[i] *= factor;
            for (int j = 0; j < n; j++)
                A(i, j) /= factor;
            for (int j = 0; j < n; j++)
                A(j, i) *= factor;
        }
    }
}

/* One strongly connected part, rows and columns `member` (ascending). */
static bool NAME(part_values)(int n, const REAL *a, const int *member, int m,
                              REAL *re, REAL *im)
{
    Arena *local = arena_new();
    REAL *part = NEW_ARRAY(local, REAL, (size_t)m * (size_t)m);
    REAL *work = NEW_ARRAY(local, REAL, 2 * m);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            part[i + (size_t)j * (size_t)m] = A(member[i], member[j]);
    NAME(balance)(m, part, NULL);
    NAME(hessenberg)(m, part, NULL, work, work + m);
    bool is_fine = NAME(francis)(m, part, NULL);
    NAME(read_values)(m, part, re, im);
    arena_free(local);
    return is_fine;
}

static bool NAME(values)(int n, const REAL *a, REAL *re, REAL *im)
{
    Arena *local = arena_new();
    size_t size = (size_t)n * (size_t)n;
    bool *is_entry = NEW_ARRAY(local, bool, size + 1);
    int *member = NEW_ARRAY(local, int, n + 1);
    int *start = NEW_ARRAY(local, int, n + 1);
    for (size_t i = 0; i < size; i++)
        is_entry[i] = a[i] != 0;
    int count = find_parts(n, is_entry, member, start);
    bool is_fine = true;
    for (int k = 0; k < count && is_fine; k++)
        is_fine =
            NAME(part_values)(n, a, member + start[k], start[k + 1] - start[k],
                              re + start[k], im + start[k]);
    arena_free(local);
    return is_fine;
}

#undef A
