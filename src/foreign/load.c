/* load.c - the wrappers compiled and loaded, as a library of their own.
 *
 * The folder they are compiled in is removed at once: what is loaded stays.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/paths.h"
#include "foreign/foreign_internal.h"

enum { MOST_WORDS = 64, MOST_LINES = 20 };

typedef Vec(char *) Words;

const char *foreign_embedded(const char *name)
{
#define EMBEDDED(file, ...)                                                    \
    if (!strcmp(name, file)) {                                                 \
        static const char text[] = {__VA_ARGS__};                              \
        return text;                                                           \
    }
#include "external_files.inc"
#undef EMBEDDED
    return "";
}

/* ---- files ---- */

bool foreign_write(const char *dir, const char *name, const char *text,
                   Arena *arena)
{
    FILE *f = fopen(arena_printf(arena, "%s/%s", dir, name), "w");
    bool fine = f && fputs(text, f) >= 0;
    return f && (fclose(f) == 0) && fine;
}

static bool write_files(const Foreign *u, const char *dir, Arena *arena)
{
    const char *text =
        arena_printf(arena, "#define TAKT_X(k) takt_x##k\n%s%s",
                     foreign_text(u, arena), foreign_files(u, arena));
    static const char *const header[] = {"ModelicaUtilities.h",
                                         "takt_rt_external.h"};
    bool fine = foreign_write(dir, "external.c", text, arena);
    for (int i = 0; i < 2 && fine; i++)
        fine =
            foreign_write(dir, header[i], foreign_embedded(header[i]), arena);
    return fine;
}

/* ---- the compiler ---- */

static void word(Words *w, Arena *arena, const char *fmt, const char *text)
{
    vec_push(arena, w, arena_printf(arena, fmt, text));
}

static bool is_file(const char *name)
{
    return strchr(name, '/') != NULL;
}

bool foreign_has_fortran(const Foreign *u)
{
    for (int i = 0; i < u->source.n; i++) {
        const char *dot = strrchr(u->source.at[i], '.');
        if (dot && (dot[1] == 'f' || dot[1] == 'F'))
            return true;
    }
    return false;
}

/* The compiler that a variable of the environment names, in words. */
static void name_compiler(Words *w, const char *variable, const char *otherwise,
                          Arena *arena)
{
    const char *named = getenv(variable);
    char *rest = NULL;
    char *text = arena_strdup(arena, named && *named ? named : otherwise);
    for (char *s = strtok_r(text, " \t", &rest); s && w->n < MOST_WORDS;
         s = strtok_r(NULL, " \t", &rest))
        word(w, arena, "%s", s);
}

/* C read by a C++ compiler, over takt_taylor.h. */
static void add_series_words(Words *w, const char *dir, Arena *arena)
{
    static const char *const words[] = {"-x", "c++", "-std=gnu++17",
                                        "-fpermissive"};
    for (int i = 0; i < 4; i++)
        word(w, arena, "%s", words[i]);
    word(w, arena, "%s", "-include");
    word(w, arena, "%s/takt_taylor.h", dir);
}

char **foreign_command(const Foreign *u, const char *dir, bool of_series,
                       Arena *arena)
{
    static const char *const usual[] = {"-O1", "-w", "-shared", "-fPIC"};
    Words w = {0};
    name_compiler(&w, of_series ? "CXX" : "CC", of_series ? "c++" : "cc",
                  arena);
    for (int i = 0; i < 4; i++)
        word(&w, arena, "%s", usual[i]);
    word(&w, arena, "-I%s", dir);
    for (int i = 0; i < u->folder.n; i++)
        word(&w, arena, "-I%s", u->folder.at[i]);
    if (of_series)
        add_series_words(&w, dir, arena);
    word(&w, arena, "%s/external.c", dir);
    for (int i = 0; i < u->source.n; i++)
        word(&w, arena, "%s", u->source.at[i]);
    if (of_series) {
        word(&w, arena, "%s", "-x");
        word(&w, arena, "%s", "none");
    }
    for (int i = 0; i < u->search.n; i++) {
        word(&w, arena, "-L%s", u->search.at[i]);
        word(&w, arena, "-Wl,-rpath,%s", u->search.at[i]);
    }
    for (int i = 0; i < u->library.n; i++)
        word(&w, arena, is_file(u->library.at[i]) ? "%s" : "-l%s",
             u->library.at[i]);
    if (foreign_has_fortran(u))
        word(&w, arena, "%s", "-lgfortran");
    word(&w, arena, "%s", "-lm");
    word(&w, arena, "%s", "-o");
    word(&w, arena, "%s/external.so", dir);
    vec_push(arena, &w, NULL);
    return w.at;
}

int foreign_run_compiler(char **argv, const char *log)
{
    pid_t child = fork();
    if (child == 0) {
        int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int null = open("/dev/null", O_RDONLY);
        if (out < 0 || null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 ||
            dup2(out, 2) < 0)
            _exit(126);
        execvp(argv[0], argv);
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

static void note_log(Diag *diag, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[300];
    for (int i = 0; f && i < MOST_LINES && fgets(line, sizeof line, f); i++) {
        line[strcspn(line, "\n")] = '\0';
        diag_note(diag, NO_SPAN, "%s", line);
    }
    if (f)
        fclose(f);
}

/* ---- loading ---- */

static void report(const Foreign *u, Diag *diag, const char *what)
{
    Span span = u->wrapper.n ? u->wrapper.at[0].span : NO_SPAN;
    if (diag)
        diag_report(diag, span, DIAG_E0621, "%s", what);
}

/* Messages of foreign code go to standard error. */
void foreign_say(int level, const char *text)
{
    static const char *const kind[] = {"", "warning: ", "error: "};
    size_t n = strlen(text);
    fprintf(stderr, "external: %s%s%s", kind[level], text,
            n && text[n - 1] == '\n' ? "" : "\n");
}

static bool find_all(Foreign *u, Diag *diag, Arena *arena)
{
    for (int i = 0; i < u->wrapper.n; i++) {
        void *at = dlsym(u->handle, arena_printf(arena, "takt_x%d", i));
        if (!at) {
            report(u, diag, "the compiled external functions are not complete");
            return false;
        }
        memcpy(&u->wrapper.at[i].call, &at, sizeof at);
    }
    void (**message)(int, const char *) =
        (void (**)(int, const char *))dlsym(u->handle, "takt_external_message");
    if (message)
        *message = foreign_say;
    u->nloaded = u->wrapper.n;
    return true;
}

static bool compile(Foreign *u, const char *dir, Diag *diag, Arena *arena)
{
    if (!write_files(u, dir, arena)) {
        report(u, diag,
               "the files of external functions cannot be written: set TMPDIR "
               "to a folder with room");
        return false;
    }
    const char *log = arena_printf(arena, "%s/log", dir);
    char **argv = foreign_command(u, dir, false, arena);
    if (foreign_run_compiler(argv, log) != 0) {
        report(u, diag,
               arena_printf(arena,
                            "the C compiler '%s' did not compile the external "
                            "functions",
                            argv[0]));
        if (diag)
            note_log(diag, log);
        return false;
    }
    u->handle = dlopen(arena_printf(arena, "%s/external.so", dir),
                       RTLD_NOW | RTLD_LOCAL);
    if (!u->handle) {
        const char *why = dlerror();
        report(u, diag,
               arena_printf(arena,
                            "the external functions cannot be loaded: %s",
                            why ? why : ""));
        return false;
    }
    return find_all(u, diag, arena);
}

static bool load(Foreign *u, Diag *diag)
{
    if (u->nloaded == u->wrapper.n)
        return true;
    Arena *arena = arena_new();
    char *dir = arena_printf(arena, "%s/takt-external-XXXXXX", temp_dir());
    bool fine = folder_make(dir);
    if (fine) {
        fine = compile(u, dir, diag, arena);
        folder_remove(dir);
    } else {
        report(u, diag,
               arena_printf(arena,
                            "external functions need a folder in %s: %s; set "
                            "TMPDIR to another one",
                            temp_dir(), strerror(errno)));
    }
    u->failed = !fine;
    arena_free(arena);
    return fine;
}

bool foreign_load(Foreign *u, Diag *diag)
{
    if (!foreign_is_used(u) || u->forbidden)
        return true;
    pthread_mutex_lock(&u->one);
    bool fine = load(u, diag);
    pthread_mutex_unlock(&u->one);
    return fine;
}

bool foreign_has_failed(const Foreign *u)
{
    return u->failed;
}

void (*foreign_find(Foreign *u, int number))(const double *a, double *y)
{
    if (u->forbidden || u->failed || !load(u, NULL))
        return NULL;
    return u->wrapper.at[number].call;
}

void foreign_forbid(Foreign *u)
{
    u->forbidden = true;
}

void foreign_close(Foreign *u)
{
    if (!u || !u->handle)
        return;
    void *at = dlsym(u->handle, "takt_xclose");
    void (*give_back)(void);
    memcpy(&give_back, &at, sizeof at);
    if (at)
        give_back();
    u->handle = u->series_handle = NULL;
}
