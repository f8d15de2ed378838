/* check.c - sanitizers, or the environment. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/check.h"

#include <stdlib.h>
#include <string.h>

bool check_is_on(void)
{
#ifdef TAKT_SANITIZED
    return true;
#else
    const char *wish = getenv("TAKT_CHECK");
    return wish && !strcmp(wish, "1");
#endif
}
