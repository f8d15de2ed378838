/* can.c - frames of a CAN bus: inputs and results by the names of signals.
 *
 * A signal belongs to the input or result of the same name, where characters
 * that no signal can have (motor.w) are underlines (motor_w). Messages with
 * inputs are taken, those with results are sent, every step or in the cycle
 * that the file says. Frames travel as struct can_frame: of a socket of the
 * kernel (AF_CAN), or of any other that keeps messages apart.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <math.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/dbc.h"
#include "io/io_internal.h"

enum { MOST_TICK = 64 /* frames looked at in a tick: bounded work */ };

typedef struct Way {
    const DbcMessage *message;
    int64_t every; /* steps; of those that are sent */
    struct can_frame frame;
} Way;

typedef struct Can {
    int fd;
    Way *in, *out;
    int nin, nout;
    int64_t step;
    long long ignored; /* frames of no message, too short, or out of range */
} Can;

/* ---- frames ---- */

static const Way *find_way(const Can *c, uint32_t id)
{
    for (int i = 0; i < c->nin; i++)
        if (c->in[i].message->id == id)
            return &c->in[i];
    return NULL;
}

static bool is_in_range(const DbcSignal *s, double x)
{
    double slack = 1e-9 * (s->max - s->min);
    return isfinite(x) &&
           (!(s->min < s->max) || (x >= s->min - slack && x <= s->max + slack));
}

/* All signals of a frame, or none. */
static bool take_frame(Can *c, const struct can_frame *f, double *input)
{
    uint32_t flags = CAN_RTR_FLAG | CAN_ERR_FLAG;
    const Way *w = f->can_id & flags ? NULL : find_way(c, f->can_id);
    if (!w || f->can_dlc < w->message->bytes || f->can_dlc > DBC_BYTES)
        return false;
    const DbcMessage *m = w->message;
    for (int i = 0; i < m->signal.n; i++)
        if (m->signal.at[i].bound != NONE &&
            dbc_has(m, &m->signal.at[i], f->data) &&
            !is_in_range(&m->signal.at[i], dbc_get(&m->signal.at[i], f->data)))
            return false;
    for (int i = 0; i < m->signal.n; i++)
        if (m->signal.at[i].bound != NONE &&
            dbc_has(m, &m->signal.at[i], f->data))
            input[m->signal.at[i].bound] = dbc_get(&m->signal.at[i], f->data);
    return true;
}

static int take(void *context, double *input)
{
    Can *c = context;
    bool is_new = false;
    for (int k = 0; k < MOST_TICK; k++) {
        struct can_frame f[2] = {0}; /* longer ones are seen as such */
        ssize_t n = recv(c->fd, f, sizeof *f + 1, MSG_DONTWAIT);
        if (n <= 0)
            break;
        if (n == sizeof *f && take_frame(c, f, input))
            is_new = true;
        else
            c->ignored++;
    }
    return is_new;
}

static int give(void *context, double time, const double *output)
{
    Can *c = context;
    int failed = 0;
    (void)time;
    for (int i = 0; i < c->nout; i++) {
        Way *w = &c->out[i];
        const DbcMessage *m = w->message;
        bool fine = true;
        if (c->step % w->every)
            continue;
        for (int k = 0; k < m->signal.n; k++) {
            const DbcSignal *s = &m->signal.at[k];
            fine &= s->bound == NONE || isfinite(output[s->bound]);
            if (s->bound != NONE && fine)
                dbc_put(s, output[s->bound], w->frame.data);
        }
        if (!fine || send(c->fd, &w->frame, sizeof w->frame,
                          MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof w->frame)
            failed = -1;
    }
    c->step++;
    return failed;
}

static void end(void *context)
{
    close(((Can *)context)->fd);
}

static void count(void *context, long long *ignored, long long *lost)
{
    *ignored = ((Can *)context)->ignored;
    *lost = 0;
}

static const takt_io can_io = {TAKT_IO_VERSION, NULL, take, give, end, count};

/* ---- names ---- */

static bool is_named(const char *signal, const char *name)
{
    for (; *signal && *name; signal++, name++) {
        bool plain = (*name >= 'a' && *name <= 'z') ||
                     (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || *name == '_';
        if (*signal != (plain ? *name : '_') && *signal != *name)
            return false;
    }
    return *signal == *name;
}

/* The one with this name; -2 if there are several. */
static int find_name(const char *signal, const char *const *name, int n)
{
    int found = NONE;
    for (int i = 0; i < n; i++)
        if (is_named(signal, name[i]))
            found = found == NONE ? i : -2;
    return found;
}

typedef struct Binder {
    Can *c;
    const takt_io_about *about;
    bool *is_given; /* of each input */
    Diag *diag;
    bool failed;
} Binder;

static void refuse(Binder *b, const DbcSignal *s, const char *why)
{
    diag_report(b->diag, s->span, DIAG_E1618, "%s: %s", s->name, why);
    b->failed = true;
}

static int64_t steps_of(const DbcMessage *m, const takt_io_about *about)
{
    double steps = about->step > 0 ? rint(m->cycle / about->step) : 1;
    return steps > 1 ? (int64_t)steps : 1;
}

/* A message has inputs, or results, or neither. */
static void bind_message(Binder *b, DbcMessage *m)
{
    const takt_io_about *a = b->about;
    int nin = 0, nout = 0;
    for (int i = 0; i < m->signal.n; i++) {
        DbcSignal *s = &m->signal.at[i];
        int in = find_name(s->name, a->input, a->ninput);
        int out = in == NONE ? find_name(s->name, a->output, a->noutput) : NONE;
        if (in == -2 || out == -2)
            refuse(b, s, "several inputs or results have this name");
        nin += in >= 0;
        nout += out >= 0;
        s->bound = in >= 0 ? in : out >= 0 ? out : NONE;
        if (in >= 0)
            b->is_given[in] = true;
        if (nin > 0 && nout > 0)
            refuse(b, s, "a message cannot have inputs and results");
        if (out >= 0 && (s->when != NONE || s->is_switch))
            refuse(b, s, "multiplexed results cannot be sent");
    }
    Way w = {.message = m, .every = steps_of(m, a)};
    w.frame.can_id = m->id;
    w.frame.can_dlc = (unsigned char)m->bytes;
    if (nin > 0)
        b->c->in[b->c->nin++] = w;
    if (nout > 0)
        b->c->out[b->c->nout++] = w;
}

static bool bind_all(Can *c, Dbc *dbc, const char *path,
                     const takt_io_about *about, Arena *arena, Diag *diag)
{
    Binder b = {.c = c,
                .about = about,
                .is_given = NEW_ARRAY(arena, bool, about->ninput + 1),
                .diag = diag};
    c->in = NEW_ARRAY(arena, Way, dbc->n + 1);
    c->out = NEW_ARRAY(arena, Way, dbc->n + 1);
    for (int i = 0; i < dbc->n; i++)
        bind_message(&b, &dbc->at[i]);
    if (!b.failed && c->nin + c->nout == 0) {
        diag_report(diag, NO_SPAN, DIAG_E1618,
                    "%s: no signal has the name of an input or a result", path);
        return false;
    }
    for (int i = 0; !b.failed && i < about->ninput; i++)
        if (!b.is_given[i])
            diag_report(diag, NO_SPAN, DIAG_W1619,
                        "%s: no signal gives the input '%s'", path,
                        about->input[i]);
    return !b.failed;
}

/* ---- sockets ---- */

static bool fail(Diag *diag, const char *name, const char *why)
{
    diag_report(diag, NO_SPAN, DIAG_E1617, "--io can:%s: %s", name, why);
    return false;
}

/* A descriptor that was inherited, or an interface. */
static int open_socket(const char *name)
{
    if (!strncmp(name, "fd:", 3)) {
        char *last;
        long fd = strtol(name + 3, &last, 10);
        int type;
        socklen_t size = sizeof type;
        if (*last || fd < 0 || fd > 1 << 20) {
            errno = EINVAL;
            return NONE;
        }
        if (getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
            return NONE;
        errno = EPROTOTYPE; /* frames must stay apart */
        return type == SOCK_STREAM ? NONE : (int)fd;
    }
    struct sockaddr_can at = {.can_family = AF_CAN};
    at.can_ifindex = (int)if_nametoindex(name);
    if (at.can_ifindex == 0)
        return NONE;
    int fd = socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC, CAN_RAW);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return NONE;
}

bool io_open_can(Io *io, const char *spec, const takt_io_about *about,
                 Sources *sources, Arena *arena, Diag *diag)
{
    const char *comma = strchr(spec, ',');
    if (!comma)
        return fail(diag, spec, "INTERFACE,FILE.dbc is expected");
    const char *name = arena_strndup(arena, spec, (size_t)(comma - spec));
    int source = sources_read(sources, comma + 1);
    if (source == NONE)
        return fail(diag, spec, strerror(errno));
    Dbc *dbc = dbc_read(sources, source, arena, diag);
    Can *c = NEW(arena, Can);
    if (!dbc || !bind_all(c, dbc, comma + 1, about, arena, diag))
        return false;
    c->fd = open_socket(name);
    if (c->fd == NONE)
        return fail(diag, spec, strerror(errno));
    io->call = &can_io;
    io->context = c;
    return true;
}
