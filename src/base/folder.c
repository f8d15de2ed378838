/* folder.c - temporary folders. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"

bool folder_make(char *path)
{
    if (!mkdtemp(path))
        return false;
    interrupt_add_folder(path);
    return true;
}

static int remove_one(const char *path, const struct stat *st, int kind,
                      struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

void folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    interrupt_drop_folder(path);
}
