/* model.c - writes, compiles, loads, cleans up.
 *
 * Between the making of the folder and its removal nothing is called that may
 * end the program: paths are in fixed buffers, files are written with stdio.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/model.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "run/clock.h"

enum { MOST_WORDS = 64, MOST_LOG = 16 << 10, MOST_LINES = 20, PATH = 4096 };

typedef struct Job {
    const RunSource *source;
    const char *adapter; /* text */
    char dir[PATH];      /* the folder; "": there is none */
    char **argv;         /* of the compiler, NULL at the end */
    char library[PATH], code[PATH], run[PATH]; /* its files, in argv */
    const char *compiler;                      /* as the user wrote it */
    char *log;  /* what it said: MOST_LOG bytes */
    int status; /* of it, as waitpid() gives it */
} Job;

/* ---- the adapter ---- */

#define TEXT_(...) #__VA_ARGS__
#define TEXT(...)  TEXT_(__VA_ARGS__)

/* Its own names are not those of a model: none of c_prefix() has two
 * underscores side by side, or is one of the others. */
static const char *make_adapter(const char *n, const char *upper, Arena *arena)
{
    return arena_printf(
        arena,
        "/* takt__run.c - %s for takt run. */\n"
        "#include <stddef.h>\n#include \"%s.h\"\n%s;\n"
        "static void defaults_(void *m) { %s_default(m); }\n"
        "static int start_(void *m) { return %s_start(m); }\n"
        "static int step_(void *m) { return %s_step(m); }\n"
        "static int set_(void *m, int number, double value)\n"
        "{ return %s_set(m, number, value); }\n"
        "static void get_(const void *m, const int *number, int n, double "
        "*value)\n"
        "{ for (int i = 0; i < n; i++) if (number[i] >= 0) value[i] = "
        "%s_get(m, number[i]); }\n"
        "static const char *where_(const void *m) { return %s_where(m); }\n"
        "static unsigned what_(const void *p, int *place)\n"
        "{ const %s *m = p; place[1] = m->block; place[2] = m->message;\n"
        "  place[3] = m->variable; return m->causes; }\n"
        "extern const TaktRun takt__run;\n"
        "const TaktRun takt__run = {sizeof(%s), %s_NVAR, %s_NBLOCK, "
        "defaults_, start_, step_, %s_find, set_, get_, %s_status_text, "
        "%s_block_name, %s_message, %s_name, where_, what_};\n",
        n, n, TEXT(RUN_INTERFACE), n, n, n, n, n, n, n, n, upper, upper, n, n,
        n, n, n);
}

static const char *to_upper(const char *text, Arena *arena)
{
    char *out = arena_strdup(arena, text);
    for (char *s = out; *s; s++)
        if (*s >= 'a' && *s <= 'z')
            *s = (char)(*s - 'a' + 'A');
    return out;
}

/* ---- files ---- */

static bool path_in(const Job *j, const char *name, char *path)
{
    int n = snprintf(path, PATH, "%s/%s", j->dir, name);
    return n > 0 && n < PATH;
}

static bool write_file(const Job *j, const char *name, const char *text)
{
    char path[PATH];
    errno = ENAMETOOLONG;
    FILE *f = path_in(j, name, path) ? fopen(path, "w") : NULL;
    if (!f)
        return false;
    bool fine = fputs(text, f) >= 0;
    return (fclose(f) == 0) & fine;
}

/* Files beneath folders, such as an example, are of no use here. */
static bool write_files(const Job *j)
{
    for (int i = 0; i < j->source->nfile; i++) {
        const RunFile *f = &j->source->file[i];
        if (!strchr(f->name, '/') && !write_file(j, f->name, f->text))
            return false;
    }
    return write_file(j, "takt__run.c", j->adapter);
}

/* The folder has files only. */
static void remove_dir(Job *j)
{
    DIR *d = j->dir[0] ? opendir(j->dir) : NULL;
    char path[PATH];
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
            path_in(j, e->d_name, path))
            unlink(path);
    if (d)
        closedir(d);
    if (j->dir[0])
        rmdir(j->dir);
    j->dir[0] = '\0';
}

static bool make_dir(Job *j)
{
    const char *base = getenv("TMPDIR");
    base = base && *base ? base : "/tmp";
    char name[PATH];
    int n = snprintf(j->dir, PATH, "%s/takt-run-XXXXXX", base);
    errno = ENAMETOOLONG;
    if (n <= 0 || n >= PATH || !mkdtemp(j->dir)) {
        j->dir[0] = '\0';
        return false;
    }
    n = snprintf(name, PATH, "%s.c", j->source->name);
    return n < PATH && path_in(j, "model.so", j->library) &&
           path_in(j, name, j->code) && path_in(j, "takt__run.c", j->run);
}

/* ---- the compiler ---- */

/* $CC may have options of its own. */
static void make_command(Job *j, Arena *arena)
{
    const char *cc = getenv("CC");
    char *text = arena_strdup(arena, cc && *cc ? cc : "cc"), *rest = NULL;
    static const char *const options[] = {
        "-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-o"};
    enum { NOPTION = sizeof options / sizeof options[0] };
    int n = 0;
    j->compiler = arena_strdup(arena, text);
    j->argv = NEW_ARRAY(arena, char *, MOST_WORDS + NOPTION + 8);
    for (char *s = strtok_r(text, " \t", &rest); s && n < MOST_WORDS;
         s = strtok_r(NULL, " \t", &rest))
        j->argv[n++] = s;
    if (n == 0)
        j->argv[n++] = arena_strdup(arena, "cc");
    for (int i = 0; i < NOPTION; i++)
        j->argv[n++] = arena_strdup(arena, options[i]);
    j->argv[n++] = j->library;
    j->argv[n++] = j->code;
    j->argv[n++] = j->run;
    j->argv[n++] = arena_strdup(arena, "-lm");
    j->log = arena_alloc(arena, MOST_LOG);
}

/* In the child: messages of the compiler go to a file. */
static void become_compiler(const Job *j)
{
    char path[PATH];
    int log = path_in(j, "log", path)
                  ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600)
                  : -1;
    int null = open("/dev/null", O_RDONLY);
    if (log < 0 || null < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 ||
        dup2(log, 2) < 0)
        _exit(126);
    execvp(j->argv[0], j->argv);
    _exit(errno == ENOENT ? 127 : 126);
}

static bool run_compiler(Job *j)
{
    pid_t child = fork();
    if (child == 0)
        become_compiler(j);
    if (child < 0)
        return false;
    /* looked at now and then: a signal may come before any wait begins */
    for (pid_t ended; (ended = waitpid(child, &j->status, WNOHANG)) != child;) {
        if (ended < 0 && errno == ECHILD)
            return true; /* nobody kept its status: what it made will tell */
        if (clock_caught())
            kill(child, SIGTERM);
        clock_wait(clock_now() + 5000000);
    }
    return WIFEXITED(j->status) && WEXITSTATUS(j->status) == 0;
}

static void read_log(Job *j)
{
    char path[PATH];
    FILE *f = path_in(j, "log", path) ? fopen(path, "r") : NULL;
    size_t n = f ? fread(j->log, 1, MOST_LOG - 1, f) : 0;
    j->log[n] = '\0';
    if (f)
        fclose(f);
}

static void report_compiler(const Job *j, Diag *diag)
{
    bool absent =
        WIFEXITED(j->status) && WEXITSTATUS(j->status) >= 126 && !j->log[0];
    if (absent) {
        diag_report(diag, NO_SPAN, DIAG_E1601,
                    "the C compiler '%s' cannot be started", j->compiler);
        diag_note(diag, NO_SPAN,
                  "takt run compiles the model: install a C compiler as 'cc', "
                  "or name one in the environment variable CC");
        return;
    }
    diag_report(diag, NO_SPAN, DIAG_E1601,
                "the C compiler '%s' did not compile the model", j->compiler);
    const char *s = j->log;
    for (int i = 0; *s && i < MOST_LINES; i++) {
        int n = (int)strcspn(s, "\n");
        diag_note(diag, NO_SPAN, "%.*s", n, s);
        s += n + (s[n] == '\n');
    }
}

/* ---- the entry ---- */

static void *load(const Job *j, char *why, size_t room)
{
    void *handle = dlopen(j->library, RTLD_NOW | RTLD_LOCAL);
    const char *error = handle ? NULL : dlerror();
    snprintf(why, room, "%s", error ? error : "");
    return handle;
}

/* From files to a loaded library. Reports, when the folder is gone. */
static void *make_library(Job *j, Diag *diag)
{
    char why[512] = "";
    void *handle = NULL;
    bool written = make_dir(j) && write_files(j);
    int failed = errno;
    bool compiled = written && run_compiler(j);
    if (compiled)
        handle = load(j, why, sizeof why);
    else if (written)
        read_log(j);
    remove_dir(j);
    if (handle || clock_caught())
        return handle;
    if (!written)
        diag_report(diag, NO_SPAN, DIAG_E1602,
                    "the files to compile cannot be written (%s): set TMPDIR "
                    "to a folder with room",
                    strerror(failed));
    else if (!compiled)
        report_compiler(j, diag);
    else
        diag_report(diag, NO_SPAN, DIAG_E1602,
                    "the compiled model cannot be loaded: %s", why);
    return NULL;
}

RunModel *run_load(const RunSource *source, Arena *arena, Diag *diag)
{
    Job *job = NEW(arena, Job);
    job->source = source;
    job->adapter =
        make_adapter(source->name, to_upper(source->name, arena), arena);
    make_command(job, arena);
    void *handle = make_library(job, diag);
    if (!handle)
        return NULL;
    const TaktRun *call = dlsym(handle, "takt__run");
    if (!call) {
        diag_report(diag, NO_SPAN, DIAG_E1602,
                    "the compiled model has no table of functions");
        dlclose(handle);
        return NULL;
    }
    RunModel *m = NEW(arena, RunModel);
    *m = (RunModel){handle, arena_alloc(arena, call->bytes), call};
    return m;
}

void run_unload(RunModel *m)
{
    if (m)
        dlclose(m->handle);
}
