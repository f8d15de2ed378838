/* read_mat.c - a table of a MAT file.
 *
 * A file may come from anywhere, and neither libmatio nor the HDF5 library
 * below it survives every file: they run in a process of their own, with limits
 * of memory and time, which hands over the numbers or why there are none. If it
 * dies, the file is to blame.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lut/read_mat.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <matio.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/dynamic.h"

enum {
    MOST_SECONDS = 5,          /* of processor */
    MOST_WAIT = 60,            /* of the clock */
    MOST_MEMORY = 1024L << 20, /* bytes more than takt has */
    WHY_SIZE = 120
};

/* In front of the numbers. */
typedef struct Head {
    int nrow, ncol;
    char why[WHY_SIZE]; /* "": numbers follow */
} Head;

#if defined(__SANITIZE_ADDRESS__)
#define HAS_LIMIT 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LIMIT 0
#endif
#endif
#ifndef HAS_LIMIT
#define HAS_LIMIT 1 /* sanitizers reserve all addresses there are */
#endif

/* ---- the reader ---- */

/* what is used of libmatio */
typedef struct Matio {
    __typeof__(&Mat_Open) open;
    __typeof__(&Mat_VarRead) read;
    __typeof__(&Mat_VarGetStructField) field;
} Matio;

static bool open_matio(Matio *m)
{
    void *library = dynamic_open(TAKT_LATER_matio);
    return library && dynamic_take(library, "Mat_Open", &m->open) &&
           dynamic_take(library, "Mat_VarRead", &m->read) &&
           dynamic_take(library, "Mat_VarGetStructField", &m->field);
}

/* Column by column of any type of number to row by row. */
static const char *take(const matvar_t *v, LutData *out, Arena *arena)
{
    if (v->rank != 2 || !v->dims || v->isComplex || !v->data ||
        (v->data_type != MAT_T_DOUBLE && v->data_type != MAT_T_SINGLE))
        return "it is no matrix of real numbers";
    size_t nrow = v->dims[0], ncol = v->dims[1];
    if (nrow > LUT_MOST_NUMBERS || ncol > LUT_MOST_NUMBERS ||
        (ncol > 0 && nrow > LUT_MOST_NUMBERS / ncol))
        return arena_printf(arena, "it has more than %d numbers",
                            LUT_MOST_NUMBERS);
    size_t size = v->data_type == MAT_T_DOUBLE ? sizeof(double) : sizeof(float);
    if (v->nbytes < nrow * ncol * size)
        return "it has fewer numbers than it says";
    double *at = NEW_ARRAY(arena, double, nrow *ncol + 1);
    for (size_t i = 0; i < nrow; i++)
        for (size_t j = 0; j < ncol; j++) {
            size_t k = j * nrow + i;
            double x = v->data_type == MAT_T_DOUBLE
                           ? ((const double *)v->data)[k]
                           : (double)((const float *)v->data)[k];
            if (!isfinite(x))
                return "it holds a number that is not finite";
            at[i * ncol + j] = x;
        }
    *out = (LutData){(int)nrow, (int)ncol, at};
    return NULL;
}

/* The variable `name`; s.t is the member t of the struct s, or of the first one
 * if s is an array of them. NULL: there is none. */
static const matvar_t *find(const Matio *m, mat_t *file, const char *name,
                            Arena *arena)
{
    char *part = arena_strdup(arena, name), *dot = strchr(part, '.');
    if (dot)
        *dot = '\0';
    matvar_t *v = m->read(file, part);
    while (v && dot) {
        part = dot + 1;
        dot = strchr(part, '.');
        if (dot)
            *dot = '\0';
        v = v->class_type == MAT_C_STRUCT ? m->field(v, part, MAT_BY_NAME, 0)
                                          : NULL;
    }
    return v;
}

static const char *read_file(const Matio *m, const char *path, const char *name,
                             LutData *out, Arena *arena)
{
    mat_t *file = m->open(path, MAT_ACC_RDONLY);
    if (!file)
        return "it is no MAT file";
    const matvar_t *v = find(m, file, name, arena);
    return v ? take(v, out, arena)
             : arena_printf(arena, "it has no matrix '%s'", name);
}

/* ---- the process ---- */

/* Bytes of addresses in use; 0: not known. */
static long addresses(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return 0;
    if (fscanf(f, "%ld", &pages) != 1)
        pages = 0;
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

/* It dies quietly, soon, and without a trace. */
static void limit(void)
{
    static const int deadly[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGABRT, SIGILL,
                                 SIGALRM, SIGXCPU, SIGTERM, SIGINT,  SIGPIPE};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signal(deadly[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS});
    long now = HAS_LIMIT ? addresses() : 0;
    if (now > 0)
        setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)(now + MOST_MEMORY),
                                              (rlim_t)(now + MOST_MEMORY)});
    alarm(MOST_WAIT);
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
}

static bool send_all(int to, const void *from, size_t size)
{
    for (const char *p = from; size > 0;) {
        ssize_t n = write(to, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool receive(int from, void *to, size_t size)
{
    for (char *p = to; size > 0;) {
        ssize_t n = read(from, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

_Noreturn static void serve(int to, const Matio *m, const char *path,
                            const char *name)
{
    limit();
    Arena *arena = arena_new();
    LutData data = {0};
    const char *why = read_file(m, path, name, &data, arena);
    Head head = {.nrow = data.nrow, .ncol = data.ncol};
    if (why)
        snprintf(head.why, sizeof head.why, "%s", why);
    bool fine = send_all(to, &head, sizeof head) &&
                (why || send_all(to, data.at,
                                 (size_t)data.nrow * (size_t)data.ncol *
                                     sizeof *data.at));
    _exit(fine ? 0 : 1);
}

static const char *take_over(int from, LutData *out, Arena *arena)
{
    Head head;
    if (!receive(from, &head, sizeof head))
        return "it is no sound MAT file";
    head.why[WHY_SIZE - 1] = '\0';
    if (head.why[0])
        return arena_strdup(arena, head.why);
    size_t n = (size_t)head.nrow * (size_t)head.ncol;
    double *at = NEW_ARRAY(arena, double, n + 1);
    if (!receive(from, at, n * sizeof *at))
        return "it is no sound MAT file";
    *out = (LutData){head.nrow, head.ncol, at};
    return NULL;
}

const char *lut_read_mat(const char *path, const char *name, LutData *out,
                         Arena *arena)
{
    Matio m;
    if (!open_matio(&m))
        return "libmatio, which reads MAT files, is not there";
    int end[2];
    if (pipe(end) != 0)
        return arena_strdup(arena, strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(end[0]);
        serve(end[1], &m, path, name);
    }
    int why_not = errno;
    close(end[1]);
    const char *why = child < 0 ? arena_strdup(arena, strerror(why_not))
                                : take_over(end[0], out, arena);
    close(end[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return why;
}
