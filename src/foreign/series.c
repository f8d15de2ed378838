/* series.c - the wrappers over Taylor series: exact derivatives of C sources.
 *
 * The same file of wrappers and the same sources, read by the C++ compiler
 * ($CXX, c++) with takt_taylor.h in front, in which `double` is a series. That
 * needs the sources: what comes as a library, in FORTRAN, or with objects has
 * no series.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/paths.h"
#include "foreign/foreign_internal.h"

/* ---- the file ---- */

static const char head[] =
    "\n#undef double\n"
    "int takt_taylor_degree;\n\n"
    "static void takt_call(void (*f)(const takt_taylor *, takt_taylor *),\n"
    "    int degree, int by, int narg, int nout, const double *a, double *y)\n"
    "{\n"
    "    takt_taylor *x = new takt_taylor[narg + nout];\n"
    "    takt_taylor *r = x + narg;\n"
    "    takt_taylor_degree = degree;\n"
    "    for (int i = 0; i < narg; i++) {\n"
    "        for (int m = 0; m <= degree; m++)\n"
    "            x[i].c.at[m] = a[i * (degree + 1) + m];\n"
    "        x[i].d.at[0] = i == by;\n"
    "    }\n"
    "    f(x, r);\n"
    "    for (int i = 0; i < nout; i++)\n"
    "        for (int m = 0; m <= degree; m++)\n"
    "            y[i * (degree + 1) + m] = i == 0 ? r[0].c.at[m]\n"
    "                : by < 0 ? r[i].c.at[m] : r[i].d.at[m];\n"
    "    delete[] x;\n"
    "}\n";

static const char *text_of(const Foreign *u, Arena *arena)
{
    const char *text =
        arena_printf(arena, "#define TAKT_X(k) takt_x##k\n%s%s%s",
                     foreign_text(u, arena), foreign_files(u, arena), head);
    for (int i = 0; i < u->wrapper.n; i++)
        text = arena_printf(
            arena,
            "%s\nextern \"C\" void takt_series%d(int degree, int by, int narg,"
            "\n    int nout, const double *a, double *y)\n{\n"
            "    takt_call(takt_x%d, degree, by, narg, nout, a, y);\n}\n",
            text, i, i);
    return text;
}

static bool write_files(const Foreign *u, const char *dir, Arena *arena)
{
    static const char *const header[] = {"ModelicaUtilities.h",
                                         "takt_rt_external.h", "takt_taylor.h"};
    bool fine = foreign_write(dir, "external.c", text_of(u, arena), arena);
    for (int i = 0; i < 3 && fine; i++)
        fine =
            foreign_write(dir, header[i], foreign_embedded(header[i]), arena);
    return fine;
}

/* ---- compiling and loading ---- */

/* The first error of the compiler, without the folder that is gone. */
static const char *first_error(const char *log, const char *dir, Arena *arena)
{
    FILE *f = fopen(log, "r");
    char line[400];
    const char *found = NULL;
    while (f && !found && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        const char *at = strstr(line, "error: ");
        if (!at)
            at = strstr(line, "undefined reference");
        size_t n = strlen(dir);
        const char *from = strncmp(line, dir, n) ? line : line + n + 1;
        if (at)
            found = arena_strdup(arena, from);
    }
    if (f)
        fclose(f);
    return found ? found : "there is no C++ compiler";
}

static const char *find_all(Foreign *u, Arena *arena)
{
    for (int i = 0; i < u->wrapper.n; i++) {
        void *at =
            dlsym(u->series_handle, arena_printf(arena, "takt_series%d", i));
        if (!at)
            return "the compiled functions are not complete";
        memcpy(&u->wrapper.at[i].series, &at, sizeof at);
    }
    void (**message)(int, const char *) = (void (**)(int, const char *))dlsym(
        u->series_handle, "takt_external_message");
    if (message)
        *message = foreign_say;
    u->nseries = u->wrapper.n;
    return NULL;
}

static const char *compile(Foreign *u, const char *dir, Arena *arena)
{
    const char *log = arena_printf(arena, "%s/log", dir);
    if (!write_files(u, dir, arena))
        return "their files cannot be written";
    char **argv = foreign_command(u, dir, true, arena);
    if (foreign_run_compiler(argv, log) != 0)
        return arena_printf(u->arena, "'%s' does not compile them: %s", argv[0],
                            first_error(log, dir, arena));
    u->series_handle = dlopen(arena_printf(arena, "%s/external.so", dir),
                              RTLD_NOW | RTLD_LOCAL);
    if (!u->series_handle) {
        const char *why = dlerror();
        const char *at = why ? strstr(why, "undefined symbol") : NULL;
        return arena_printf(u->arena, "not all of their sources are there (%s)",
                            at    ? at
                            : why ? why
                                  : "");
    }
    return find_all(u, arena);
}

static const char *load(Foreign *u)
{
    Arena *arena = arena_new();
    char *dir = arena_printf(arena, "%s/takt-series-XXXXXX", temp_dir());
    const char *why = folder_make(dir) ? compile(u, dir, arena)
                                       : "they need a folder: set TMPDIR";
    folder_remove(dir);
    why = why ? arena_strdup(u->arena, why) : NULL;
    arena_free(arena);
    return why;
}

const char *foreign_no_series(Foreign *u)
{
    if (u->no_series || u->nseries == u->wrapper.n)
        return u->no_series;
    if (u->forbidden)
        u->no_series = "foreign code may not run";
    else if (u->object.n > 0)
        u->no_series = "external objects have no series";
    else if (foreign_has_fortran(u))
        u->no_series = "their source is FORTRAN";
    else
        u->no_series = load(u);
    return u->no_series;
}
