/* vec.c - how arrays grow. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/vec.h"

#include <limits.h>

#include "base/die.h"

int vec_capacity(int cap, int want)
{
    if (want < 0)
        die("out of memory: an array of more than %d elements", INT_MAX);
    int next = cap > INT_MAX - cap / 2 - 8 ? INT_MAX : cap + cap / 2 + 8;
    return next > want ? next : want;
}
