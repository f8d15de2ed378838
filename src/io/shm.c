/* shm.c - rings in shared memory, for partners on the same machine.
 *
 * The object NAME (/dev/shm/NAME) is made and removed by the run. In words of
 * 8 bytes:
 *
 *   0      "TAKTSHM1"
 *   1 2 3  inputs, results, rows of each ring
 *   8      rows of results that were written
 *   16     rows of inputs that were written, by the partner
 *   24     ring of inputs, a row of ninput numbers (double)
 *   then   ring of results, a row of the time and noutput numbers
 *
 * A writer fills row (count mod rows), then adds 1 to the count; a reader looks
 * at the count first, and again after it has copied a row: the row holds unless
 * the writer has come round. The run takes the newest row of inputs; those it
 * has passed by count as lost.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/io_internal.h"

enum { ROWS = 1024, WRITTEN = 8, BROUGHT = 16, FIRST = 24, AGAIN = 4 };

typedef struct Shm {
    const char *name;
    uint64_t *word;
    size_t bytes;
    _Atomic uint64_t *written, *brought;
    double *in, *out, *row;
    int nin, nout;
    uint64_t seen; /* rows of inputs */
    long long ignored, lost;
} Shm;

/* A row that was not overwritten while it was copied. */
static int take(void *context, double *input)
{
    Shm *s = context;
    for (int k = 0; k < AGAIN; k++) {
        uint64_t n = atomic_load_explicit(s->brought, memory_order_acquire);
        if (n == s->seen)
            return 0;
        const double *row = s->in + (n - 1) % ROWS * (size_t)s->nin;
        memcpy(s->row, row, (size_t)s->nin * sizeof *row);
        atomic_thread_fence(memory_order_acquire);
        uint64_t now = atomic_load_explicit(s->brought, memory_order_relaxed);
        if (now - n >= ROWS - 1)
            continue;
        s->lost += n > s->seen ? (long long)(n - s->seen - 1) : 0;
        s->seen = n;
        for (int i = 0; i < s->nin; i++)
            if (!(s->row[i] - s->row[i] == 0)) {
                s->ignored++;
                return -1; /* a number that is not finite */
            }
        memcpy(input, s->row, (size_t)s->nin * sizeof *input);
        return 1;
    }
    return -1;
}

static int give(void *context, double time, const double *output)
{
    Shm *s = context;
    uint64_t n = atomic_load_explicit(s->written, memory_order_relaxed);
    double *row = s->out + n % ROWS * (size_t)(s->nout + 1);
    row[0] = time;
    if (s->nout > 0)
        memcpy(row + 1, output, (size_t)s->nout * sizeof *row);
    atomic_store_explicit(s->written, n + 1, memory_order_release);
    return 0;
}

static void end(void *context)
{
    Shm *s = context;
    munmap(s->word, s->bytes);
    shm_unlink(s->name);
}

static void count(void *context, long long *ignored, long long *lost)
{
    const Shm *s = context;
    *ignored = s->ignored;
    *lost = s->lost;
}

static const takt_io shm_io = {TAKT_IO_VERSION, NULL, take, give, end, count};

static bool fail(Diag *diag, const char *name, int error)
{
    diag_report(diag, NO_SPAN, DIAG_E1617, "--io shm:%s: %s", name,
                strerror(error));
    if (error == EEXIST)
        diag_note(diag, NO_SPAN,
                  "another run has it, or one that was killed has left it: "
                  "rm /dev/shm/%s",
                  name);
    return false;
}

static void place(Shm *s, const takt_io_about *about)
{
    memcpy(s->word, "TAKTSHM1", 8);
    s->word[1] = (uint64_t)(s->nin = about->ninput);
    s->word[2] = (uint64_t)(s->nout = about->noutput);
    s->word[3] = ROWS;
    s->written = (_Atomic uint64_t *)(s->word + WRITTEN);
    s->brought = (_Atomic uint64_t *)(s->word + BROUGHT);
    s->in = (double *)(s->word + FIRST);
    s->out = s->in + (size_t)ROWS * (size_t)s->nin;
}

bool io_open_shm(Io *io, const char *name, const takt_io_about *about,
                 Arena *arena, Diag *diag)
{
    if (!*name || strchr(name, '/') || strlen(name) > 200)
        return fail(diag, name, EINVAL);
    Shm *s = NEW(arena, Shm);
    s->name = arena_printf(arena, "/%s", name);
    s->row = NEW_ARRAY(arena, double, about->ninput + 1);
    s->bytes = 8 * (FIRST + (size_t)ROWS *
                                (size_t)(about->ninput + about->noutput + 1));
    int fd = shm_open(s->name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return fail(diag, name, errno);
    void *at =
        ftruncate(fd, (off_t)s->bytes) == 0
            ? mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
            : MAP_FAILED;
    int error = errno;
    close(fd);
    if (at == MAP_FAILED) {
        shm_unlink(s->name);
        return fail(diag, name, error);
    }
    s->word = at;
    place(s, about);
    io->call = &shm_io;
    io->context = s;
    return true;
}
