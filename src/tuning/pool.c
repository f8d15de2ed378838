/* pool.c - processes that take one job after the other from a common counter.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/die.h"
#include "tuning/pool.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum { MOST_PROCESSES = 64, LOOK_MS = 20 };

typedef enum JobState { JOB_OPEN, JOB_TAKEN, JOB_DONE } JobState;

/* What the processes share; the results follow the states. */
typedef struct Shared {
    atomic_int next; /* the first job that nobody has taken */
    atomic_int done;
} Shared;

typedef struct Job {
    atomic_int state; /* of JobState */
    atomic_int owner; /* process that took it */
} Job;

typedef struct Pool {
    const PoolJobs *jobs;
    size_t bytes;
    Shared *shared;
    Job *job;
    char *result;
    pid_t child[MOST_PROCESSES];
    int nchild;
} Pool;

static size_t stride(const Pool *p)
{
    return (p->jobs->size + 15) / 16 * 16;
}

static bool open_pool(Pool *p)
{
    size_t n = (size_t)p->jobs->n;
    size_t head = (sizeof(Shared) + n * sizeof(Job) + 63) / 64 * 64;
    p->bytes = head + n * stride(p);
    void *at = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return false;
    p->shared = at;
    p->job = (Job *)(p->shared + 1);
    p->result = (char *)at + head;
    return true;
}

/* Takes jobs until there are none, or one. */
static void work(Pool *p, pid_t owner)
{
    for (int done = 0; done == 0 || !p->jobs->alone; done++) {
        int i = atomic_fetch_add(&p->shared->next, 1);
        if (i >= p->jobs->n)
            return;
        atomic_store(&p->job[i].owner, (int)owner);
        atomic_store(&p->job[i].state, JOB_TAKEN);
        p->jobs->work(p->jobs->context, i, p->result + (size_t)i * stride(p));
        atomic_store(&p->job[i].state, JOB_DONE);
        atomic_fetch_add(&p->shared->done, 1);
    }
}

/* Where the parent ends, or has ended, so does its child. */
static void become_child(pid_t parent)
{
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(0);
}

/* Returns false where there is no further process. */
static bool start_child(Pool *p)
{
    fflush(NULL); /* what is in a buffer must not be written twice */
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        become_child(parent);
        DieCatch own; /* not that of a host of the library */
        die_catch(&own);
        if (setjmp(own.there) != 0)
            _exit(EXIT_TAKT);
        work(p, getpid());
        _exit(0);
    }
    p->child[p->nchild++] = child;
    return true;
}

/* A process has ended: what it had taken and not finished ended it. */
static void bury(Pool *p, pid_t child, int status)
{
    for (int i = 0; i < p->jobs->n; i++) {
        if (atomic_load(&p->job[i].state) != JOB_TAKEN ||
            atomic_load(&p->job[i].owner) != (int)child)
            continue;
        p->jobs->crashed(p->jobs->context, i,
                         WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                         WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                         p->result + (size_t)i * stride(p));
        atomic_store(&p->job[i].state, JOB_DONE);
        atomic_fetch_add(&p->shared->done, 1);
    }
}

/* Looks for processes that have ended. */
static void look(Pool *p)
{
    for (int i = 0; i < p->nchild;) {
        int status;
        pid_t ended = waitpid(p->child[i], &status, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR)) {
            i++;
            continue;
        }
        bury(p, p->child[i], ended < 0 ? 0 : status);
        p->child[i] = p->child[--p->nchild];
    }
}

int pool_width(int nprocess)
{
    long n = nprocess > 0 ? nprocess : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MOST_PROCESSES ? MOST_PROCESSES : (int)n;
}

/* Who is told may leave by die(): no process goes on then. */
static void say(Pool *p)
{
    DieCatch c;
    die_catch(&c);
    if (setjmp(c.there) == 0) {
        const PoolJobs *j = p->jobs;
        tune_say(j->progress, j->what,
                 j->before + atomic_load(&p->shared->done),
                 j->all > 0 ? j->all : j->n);
        die_release(&c);
        return;
    }
    die_release(&c);
    for (int i = 0; i < p->nchild; i++) {
        kill(p->child[i], SIGKILL);
        while (waitpid(p->child[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
    munmap(p->shared, p->bytes);
    die("%s", c.message);
}

void pool_run(const PoolJobs *jobs, void *out)
{
    Pool p = {.jobs = jobs};
    int width = pool_width(jobs->nprocess);
    int n = width < jobs->n ? width : jobs->n;
    if (jobs->n == 0)
        return;
    if (!open_pool(&p)) {
        for (int i = 0; i < jobs->n; i++)
            jobs->work(jobs->context, i, (char *)out + (size_t)i * jobs->size);
        return;
    }
    while (atomic_load(&p.shared->next) < jobs->n || p.nchild > 0) {
        while (p.nchild < n && atomic_load(&p.shared->next) < jobs->n)
            if (!start_child(&p))
                break;
        if (p.nchild == 0 && atomic_load(&p.shared->next) < jobs->n)
            work(&p, getpid());
        nanosleep(&(struct timespec){0, LOOK_MS * 1000000L}, NULL);
        look(&p);
        say(&p);
    }
    for (int i = 0; i < jobs->n; i++)
        memcpy((char *)out + (size_t)i * jobs->size,
               p.result + (size_t)i * stride(&p), jobs->size);
    munmap(p.shared, p.bytes);
}

/* ---- one job aside ---- */

struct PoolAside {
    pid_t child; /* 0: it has been waited for */
    size_t size;
    void *result;
};

PoolAside *pool_begin(void (*job)(void *context, void *result), void *context,
                      size_t size, Arena *arena)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        become_child(parent);
        DieCatch own;
        die_catch(&own);
        if (setjmp(own.there) != 0)
            _exit(EXIT_TAKT);
        job(context, at);
        _exit(0);
    }
    if (child < 0) {
        munmap(at, size);
        return NULL;
    }
    PoolAside *a = NEW(arena, PoolAside);
    *a = (PoolAside){child, size, at};
    return a;
}

/* Its exit status; it is at its end then. */
static int wait_for(PoolAside *a)
{
    int status = -1;
    while (waitpid(a->child, &status, 0) < 0)
        if (errno != EINTR) {
            status = -1;
            break;
        }
    a->child = 0;
    return status;
}

bool pool_end(PoolAside *a, void *out)
{
    if (!a || !a->child)
        return false;
    int status = wait_for(a);
    bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (fine)
        memcpy(out, a->result, a->size);
    munmap(a->result, a->size);
    return fine;
}

void pool_drop(PoolAside *a)
{
    if (!a || !a->child)
        return;
    kill(a->child, SIGKILL);
    wait_for(a);
    munmap(a->result, a->size);
}
