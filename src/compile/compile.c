/* compile.c - writes, compiles, cleans up.
 *
 * Between the making of the folder and its removal nothing is called that may
 * end the program: paths are in fixed buffers, files are written with stdio.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "compile/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/paths.h"

enum { MOST_WORDS = 64, MOST_LOG = 16 << 10, MOST_LINES = 20 };
enum { PATH = COMPILE_PATH };

typedef struct Run {
    const CompileJob *job;
    Compiled *out;
    char **argv;                /* of the compiler, NULL at the end */
    char (*code)[COMPILE_PATH]; /* paths of what it compiles, in argv */
    char folder[COMPILE_PATH];  /* of the job */
    const char *compiler;       /* as the user wrote it */
    char *log;                  /* what it said: MOST_LOG bytes */
    int status;                 /* of it, as waitpid() gives it */
} Run;

/* ---- files ---- */

static bool path_in(const Compiled *c, const char *name, char *path)
{
    int n = snprintf(path, PATH, "%s/%s", c->dir, name);
    return n > 0 && n < PATH;
}

/* The folders beneath that of the job that `path` leads through. */
static bool make_folders(const Compiled *c, char *path)
{
    for (char *s = path + strlen(c->dir) + 1; (s = strchr(s, '/')); s++) {
        *s = '\0';
        bool fine = mkdir(path, 0700) == 0 || errno == EEXIST;
        *s = '/';
        if (!fine)
            return false;
    }
    return true;
}

static bool write_file(const Compiled *c, const char *name, const char *text)
{
    char path[PATH];
    errno = ENAMETOOLONG;
    FILE *f = path_in(c, name, path) && make_folders(c, path) ? fopen(path, "w")
                                                              : NULL;
    if (!f)
        return false;
    bool fine = fputs(text, f) >= 0;
    return (fclose(f) == 0) & fine;
}

/* Files beneath other folders, such as an example, are of no use here. */
static bool is_wanted(const CompileJob *j, const CompileFile *f)
{
    size_t n = j->folder ? strlen(j->folder) : 0;
    return (n > 0 && !strncmp(f->name, j->folder, n)) || !strchr(f->name, '/');
}

static bool is_code(const CompileJob *j, int i)
{
    const CompileFile *f = &j->file[i];
    size_t n = strlen(f->name);
    return is_wanted(j, f) && !(j->is_part && j->is_part[i]) && n > 2 &&
           !strcmp(f->name + n - 2, ".c");
}

static bool write_files(const Run *r)
{
    for (int i = 0; i < r->job->nfile; i++) {
        const CompileFile *f = &r->job->file[i];
        if (is_wanted(r->job, f) && !write_file(r->out, f->name, f->text))
            return false;
    }
    return true;
}

void compile_end(Compiled *c)
{
    if (c->dir[0])
        folder_remove(c->dir);
    c->dir[0] = '\0';
}

static bool make_dir(Run *r)
{
    int n = snprintf(r->out->dir, PATH, "%s/takt-run-XXXXXX", temp_dir());
    errno = ENAMETOOLONG;
    if (n <= 0 || n >= PATH || !folder_make(r->out->dir)) {
        r->out->dir[0] = '\0';
        return false;
    }
    bool fit = path_in(r->out, r->job->output, r->out->path);
    if (fit && r->job->folder)
        fit = path_in(r->out, r->job->folder, r->folder);
    for (int i = 0; i < r->job->nfile; i++)
        fit &= path_in(r->out, r->job->file[i].name, r->code[i]);
    return fit;
}

/* ---- the compiler ---- */

static int count(const char *const *words)
{
    int n = 0;
    while (words && words[n])
        n++;
    return n;
}

/* The words of the compiler, which may have options of its own. */
static int split_command(const char *cc, char **argv, Arena *arena)
{
    char *text = arena_strdup(arena, cc), *rest = NULL;
    int n = 0;
    for (char *s = strtok_r(text, " \t", &rest); s && n < MOST_WORDS;
         s = strtok_r(NULL, " \t", &rest))
        argv[n++] = s;
    if (n == 0)
        argv[n++] = arena_strdup(arena, "cc");
    return n;
}

static const char *command_of(const char *compiler)
{
    const char *cc = getenv("CC");
    return compiler ? compiler : cc && *cc ? cc : "cc";
}

/* The paths of files get their texts when there is a folder. */
static void make_command(Run *r, Arena *arena)
{
    const CompileJob *j = r->job;
    r->compiler = command_of(j->compiler);
    r->argv = NEW_ARRAY(arena, char *,
                        MOST_WORDS + count(j->option) + count(j->library) +
                            j->nfile + 8);
    r->code = arena_alloc(arena, (size_t)(j->nfile + 1) * sizeof *r->code);
    int n = split_command(r->compiler, r->argv, arena);
    for (int i = 0; i < count(j->option); i++)
        r->argv[n++] = arena_strdup(arena, j->option[i]);
    r->argv[n++] = arena_strdup(arena, "-I"); /* for sources elsewhere */
    r->argv[n++] = r->out->dir;
    if (j->folder) {
        r->argv[n++] = arena_strdup(arena, "-I");
        r->argv[n++] = r->folder;
    }
    r->argv[n++] = arena_strdup(arena, "-o");
    r->argv[n++] = r->out->path;
    for (int i = 0; i < j->nfile; i++)
        if (is_code(j, i))
            r->argv[n++] = r->code[i];
    for (int i = 0; i < count(j->library); i++)
        r->argv[n++] = arena_strdup(arena, j->library[i]);
    r->log = arena_alloc(arena, MOST_LOG);
}

/* In the child: messages of the compiler go to a file. */
static void become_compiler(const Run *r)
{
    char path[PATH];
    int log = path_in(r->out, "log", path)
                  ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600)
                  : -1;
    int null = open("/dev/null", O_RDONLY);
    if (log < 0 || null < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 ||
        dup2(log, 2) < 0)
        _exit(126);
    execvp(r->argv[0], r->argv);
    _exit(errno == ENOENT ? 127 : 126);
}

static bool is_interrupted(const CompileJob *j)
{
    return j->interrupted && j->interrupted();
}

static bool run_compiler(Run *r)
{
    pid_t child = fork();
    if (child == 0)
        become_compiler(r);
    if (child < 0)
        return false;
    /* looked at now and then: a signal may come before any wait begins */
    for (pid_t ended; (ended = waitpid(child, &r->status, WNOHANG)) != child;) {
        if (ended < 0 && errno == ECHILD)
            return true; /* nobody kept its status: what it made will tell */
        if (is_interrupted(r->job))
            kill(child, SIGTERM);
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    return WIFEXITED(r->status) && WEXITSTATUS(r->status) == 0;
}

static void read_log(Run *r)
{
    char path[PATH];
    FILE *f = path_in(r->out, "log", path) ? fopen(path, "r") : NULL;
    size_t n = f ? fread(r->log, 1, MOST_LOG - 1, f) : 0;
    r->log[n] = '\0';
    if (f)
        fclose(f);
}

static void report_absent(const char *compiler, Diag *diag)
{
    diag_report(diag, NO_SPAN, DIAG_E1601,
                "the C compiler '%s' cannot be started", compiler);
    diag_note(diag, NO_SPAN,
              "takt compiles the model: install a C compiler as 'cc', or name "
              "one in the environment variable CC");
}

static void report_compiler(const Run *r, Diag *diag)
{
    bool absent =
        WIFEXITED(r->status) && WEXITSTATUS(r->status) >= 126 && !r->log[0];
    if (absent) {
        report_absent(r->compiler, diag);
        return;
    }
    diag_report(diag, NO_SPAN, DIAG_E1601,
                "the C compiler '%s' did not compile the model", r->compiler);
    const char *s = r->log;
    for (int i = 0; *s && i < MOST_LINES; i++) {
        int n = (int)strcspn(s, "\n");
        diag_note(diag, NO_SPAN, "%.*s", n, s);
        s += n + (s[n] == '\n');
    }
}

/* ---- the entries ---- */

bool compile_make(const CompileJob *job, Compiled *out, Arena *arena,
                  Diag *diag)
{
    Run r = {.job = job, .out = out};
    out->dir[0] = '\0';
    make_command(&r, arena);
    bool written = make_dir(&r) && write_files(&r);
    int failed = errno;
    if (written && run_compiler(&r))
        return true;
    if (written)
        read_log(&r);
    compile_end(out);
    if (is_interrupted(job))
        return false;
    if (!written)
        diag_report(diag, NO_SPAN, DIAG_E1602,
                    "the files to compile cannot be written (%s): set TMPDIR "
                    "to a folder with room",
                    strerror(failed));
    else
        report_compiler(&r, diag);
    return false;
}

/* In the child: what it says goes to `out`. */
static void become_teller(char **argv, int out)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 2) < 0 || dup2(out, 1) < 0)
        _exit(126);
    execvp(argv[0], argv);
    _exit(127);
}

/* All that comes, as a text to be freed; NULL: no memory. */
static char *read_text(int from)
{
    size_t used = 0, room = 4096;
    char *text = malloc(room);
    for (ssize_t got; text; used += (size_t)got) {
        if (room - used < 2) {
            char *more = realloc(text, room *= 2);
            if (!more)
                free(text);
            text = more;
        }
        got = text ? read(from, text + used, room - used - 1) : 0;
        if (got <= 0)
            break;
    }
    if (text)
        text[used] = '\0';
    return text;
}

/* What a command prints, to be freed; NULL: it cannot be started, or fails. */
static char *tell(char **argv)
{
    int way[2], status = 0;
    pid_t child = pipe(way) == 0 ? fork() : -1;
    if (child == 0)
        become_teller(argv, way[1]);
    if (child < 0)
        return NULL;
    close(way[1]);
    char *text = read_text(way[0]);
    close(way[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return text;
    free(text);
    return NULL;
}

/* The first line of what the compiler says to `option`; NULL: nothing. */
static const char *ask(const char *compiler, const char *option, Arena *arena)
{
    char **argv = NEW_ARRAY(arena, char *, MOST_WORDS + 4);
    int n = split_command(command_of(compiler), argv, arena);
    argv[n] = arena_strdup(arena, option);
    char *text = tell(argv);
    const char *line =
        text ? arena_strndup(arena, text, strcspn(text, "\r\n")) : "";
    free(text);
    return line[0] ? line : NULL;
}

const char *compile_machine(const char *compiler, Arena *arena, Diag *diag)
{
    const char *machine = ask(compiler, "-dumpmachine", arena);
    if (!machine)
        report_absent(command_of(compiler), diag);
    return machine;
}

char *compile_symbols(const CompileJob *job, Arena *arena, Diag *diag)
{
    const char *nm = ask(job->compiler, "-print-prog-name=nm", arena);
    Compiled made;
    if (!compile_make(job, &made, arena, diag))
        return NULL;
    char program[PATH], global[] = "-g", form[] = "-P",
                        defined[] = "--defined-only";
    snprintf(program, sizeof program, "%s", nm ? nm : "nm");
    char *text =
        tell((char *[]){program, global, form, defined, made.path, NULL});
    compile_end(&made);
    if (!text)
        diag_report(diag, NO_SPAN, DIAG_E1601,
                    "the program '%s', which lists the names of what was "
                    "compiled, cannot be started",
                    program);
    return text;
}
