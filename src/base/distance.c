/* distance.c - how far two names are apart.
 *
 * Edit distance with transpositions of neighbours (optimal string alignment),
 * three rows of the table at a time. Names longer than MOST letters are not
 * compared: nobody misspells those by hand.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/distance.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Both at most MOST letters. */
static int distance(const char *a, int na, const char *b, int nb)
{
    int row[3][MOST + 1];
    for (int j = 0; j <= nb; j++)
        row[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int d = up[j - 1] + !same(a[i - 1], b[j - 1]);
            d = least(d, least(up[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
                same(a[i - 2], b[j - 1]))
                d = least(d, up2[j - 2] + 1);
            now[j] = d;
        }
    }
    return row[na % 3][nb];
}

const char *distance_nearest(const char *name, const char *const *candidate,
                             int ncandidate)
{
    int n = (int)strnlen(name, MOST + 1);
    if (n > MOST)
        return NULL;
    int bound = n < 3 ? 1 : n / 3;
    const char *nearest = NULL;
    for (int k = 0; k < ncandidate; k++) {
        int m = (int)strnlen(candidate[k], MOST + 1);
        if (m > MOST || abs(m - n) > bound || strcmp(candidate[k], name) == 0)
            continue;
        int d = distance(name, n, candidate[k], m);
        if (d > bound || (d > 0 && d >= least(n, m)))
            continue; /* nothing of the name would be left */
        if (nearest && d == bound)
            continue; /* not nearer than the one found before */
        nearest = candidate[k];
        bound = d;
        if (d == 0)
            break;
    }
    return nearest;
}
