/* file.c - output files that are written whole or not at all. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"

/* Gives a file made by mkstemp the rights that a plain open would give. */
static void usual_rights(int fd)
{
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) != 0)
        errno = 0; /* the file is readable by its owner at least */
}

/* True if `path` is something that is written to, not replaced: a pipe, a
 * terminal, /dev/null. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

bool outfile_open(OutFile *f, const char *path, Arena *arena)
{
    *f = (OutFile){.path = arena_strdup(arena, path)};
    if (strcmp(path, "-") == 0) {
        f->file = stdout;
        return true;
    }
    if (is_special(path)) {
        f->file = fopen(path, "wb");
        return f->file != NULL;
    }
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return false;
    }
    char *temp = arena_printf(arena, "%s.XXXXXX", path);
    int fd = mkstemp(temp);
    if (fd < 0)
        return false;
    usual_rights(fd);
    f->file = fdopen(fd, "wb");
    if (!f->file) {
        int failed = errno;
        close(fd);
        unlink(temp);
        errno = failed;
        return false;
    }
    f->temp = temp;
    interrupt_add(temp);
    return true;
}

bool outfile_possible(const char *path, Arena *arena)
{
    if (strcmp(path, "-") == 0 || is_special(path))
        return true;
    OutFile f;
    if (!outfile_open(&f, path, arena))
        return false;
    outfile_drop(&f);
    return true;
}

bool outfile_close(OutFile *f)
{
    int failed = 0;
    errno = 0;
    if (fflush(f->file) != 0 || ferror(f->file))
        failed = errno ? errno : EIO;
    if (f->file != stdout && fclose(f->file) != 0 && !failed)
        failed = errno ? errno : EIO;
    f->file = NULL;
    if (!failed && f->temp && rename(f->temp, f->path) != 0)
        failed = errno;
    if (failed && f->temp)
        unlink(f->temp);
    if (f->temp)
        interrupt_drop(f->temp);
    errno = failed;
    return !failed;
}

void outfile_drop(OutFile *f)
{
    if (f->file && f->file != stdout)
        fclose(f->file);
    f->file = NULL;
    if (!f->temp)
        return;
    unlink(f->temp);
    interrupt_drop(f->temp);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '.' || c == '_' || (c & 0x80) != 0;
}

const char *outfile_name(const char *text, Arena *arena)
{
    char *out = arena_strndup(arena, text, strnlen(text, 200));
    for (char *s = out; *s; s++)
        if (!is_plain(*s) || (s == out && *s == '.'))
            *s = '_';
    return out;
}
