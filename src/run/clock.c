/* clock.c - the monotonic clock, priorities, signals. */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* processors of a thread */
#include "run/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"

enum { SECOND = 1000000000, STACK = 512 << 10 };

/* ---- time ---- */

int64_t clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

void clock_wait(int64_t ns)
{
    struct timespec t = {.tv_sec = (time_t)(ns / SECOND),
                         .tv_nsec = (long)(ns % SECOND)};
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

ClockTicks clock_ticks(double period, int64_t begin)
{
    double whole = floor(period);
    return (ClockTicks){begin, (int64_t)whole, period - whole};
}

int64_t clock_tick(const ClockTicks *t, int64_t number)
{
    return t->begin + number * t->whole + (int64_t)((double)number * t->part);
}

int64_t clock_next(const ClockTicks *t, int64_t ns)
{
    return (int64_t)ceil((double)(ns - t->begin) /
                         ((double)t->whole + t->part));
}

/* ---- means ---- */

/* Pages of the stack that steps will use are there before they are locked. */
static void touch_stack(void)
{
    volatile char room[STACK];
    for (int i = 0; i < STACK; i += 1024)
        room[i] = 0;
    (void)room[0];
}

static bool lock_memory(Diag *diag)
{
    touch_stack();
    if (mlockall(MCL_CURRENT) == 0)
        return true;
    diag_report(diag, NO_SPAN, DIAG_W1610,
                "memory cannot be locked (%s): a page that is not there may "
                "delay a step",
                strerror(errno));
    diag_note(diag, NO_SPAN,
              "raise 'ulimit -l', or give takt the right: setcap "
              "cap_ipc_lock,cap_sys_nice=ep");
    return false;
}

static bool raise_priority(int priority, ClockSaved *saved, Diag *diag)
{
    struct sched_param p = {.sched_priority = priority};
    if (sched_setscheduler(0, SCHED_FIFO, &p) != 0) {
        diag_report(diag, NO_SPAN, DIAG_W1610,
                    "the priority %d of SCHED_FIFO is not given (%s): other "
                    "programs may delay steps",
                    priority, strerror(errno));
        diag_note(diag, NO_SPAN,
                  "raise 'ulimit -r', or give takt the right: setcap "
                  "cap_ipc_lock,cap_sys_nice=ep");
        return false;
    }
    const int32_t none = 0;
    saved->latency = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
    if (saved->latency >= 0 &&
        write(saved->latency, &none, sizeof none) != (ssize_t)sizeof none) {
        close(saved->latency);
        saved->latency = NONE;
    }
    return true;
}

static bool choose_cpu(int cpu, Diag *diag)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    errno = EINVAL;
    if (cpu < CPU_SETSIZE) {
        CPU_SET(cpu, &set);
        if (sched_setaffinity(0, sizeof set, &set) == 0)
            return true;
    }
    diag_report(diag, NO_SPAN, DIAG_W1610,
                "the run cannot be kept on processor %d (%s)", cpu,
                strerror(errno));
    diag_note(diag, NO_SPAN, "this machine has the processors 0 to %ld",
              sysconf(_SC_NPROCESSORS_CONF) - 1);
    return false;
}

ClockMeans clock_take(const ClockMeans *want, ClockSaved *saved, Diag *diag)
{
    ClockMeans got = {.cpu = NONE};
    *saved = (ClockSaved){.latency = NONE};
    if (want->lock) {
        got.lock = saved->locked = lock_memory(diag);
        saved->slack = prctl(PR_GET_TIMERSLACK);
        prctl(PR_SET_TIMERSLACK, 1L);
    }
    if (want->cpu != NONE && choose_cpu(want->cpu, diag))
        got.cpu = want->cpu;
    if (want->priority > 0 && raise_priority(want->priority, saved, diag))
        got.priority = want->priority;
    return got;
}

void clock_give_back(const ClockMeans *got, ClockSaved *saved)
{
    struct sched_param p = {0};
    if (saved->latency != NONE)
        close(saved->latency);
    if (got->priority > 0)
        (void)sched_setscheduler(0, SCHED_OTHER, &p);
    if (saved->slack > 0)
        prctl(PR_SET_TIMERSLACK, saved->slack);
    if (saved->locked)
        (void)munlockall();
    *saved = (ClockSaved){.latency = NONE};
}

/* ---- signals ---- */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { NSIGNAL = sizeof signals / sizeof signals[0] };

/* What a handler writes can live nowhere else. */
static volatile sig_atomic_t caught;
static struct sigaction saved_action[NSIGNAL];
static volatile sig_atomic_t is_catching;

static void note_signal(int number)
{
    caught = number;
}

bool clock_catch_signals(void)
{
    if (is_catching)
        return false;
    is_catching = 1;
    caught = 0;
    for (int i = 0; i < NSIGNAL; i++) {
        struct sigaction a = {.sa_handler = note_signal};
        sigemptyset(&a.sa_mask);
        sigaction(signals[i], NULL, &saved_action[i]);
        if (saved_action[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &a, NULL);
    }
    return true;
}

int clock_caught(void)
{
    return caught;
}

void clock_release_signals(void)
{
    for (int i = 0; is_catching && i < NSIGNAL; i++)
        sigaction(signals[i], &saved_action[i], NULL);
    is_catching = 0;
}
