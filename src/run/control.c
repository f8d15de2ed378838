/* control.c - a queue of orders, and orders as text. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

Control *control_new(const ControlParameter *parameter, int n, Arena *arena)
{
    Control *c = NEW(arena, Control);
    c->parameter = parameter;
    c->n = n;
    c->value = NEW_ARRAY(arena, _Atomic double, n + 1);
    c->is_changed = NEW_ARRAY(arena, bool, n + 1);
    pthread_mutex_init(&c->giving, NULL);
    return c;
}

static bool put(Control *c, const ControlOrder *o)
{
    size_t head = atomic_load_explicit(&c->head, memory_order_relaxed);
    if (head - atomic_load_explicit(&c->tail, memory_order_acquire) ==
        CONTROL_ROOM)
        return false;
    c->order[head % CONTROL_ROOM] = *o;
    atomic_store_explicit(&c->head, head + 1, memory_order_release);
    return true;
}

bool control_give(Control *c, const ControlOrder *o)
{
    pthread_mutex_lock(&c->giving);
    bool is_taken = put(c, o);
    pthread_mutex_unlock(&c->giving);
    return is_taken;
}

bool control_take(Control *c, ControlOrder *o)
{
    size_t tail = atomic_load_explicit(&c->tail, memory_order_relaxed);
    if (tail == atomic_load_explicit(&c->head, memory_order_acquire))
        return false;
    *o = c->order[tail % CONTROL_ROOM];
    atomic_store_explicit(&c->tail, tail + 1, memory_order_release);
    return true;
}

const char *control_refuses(const ControlParameter *p, double value)
{
    if (!isfinite(value))
        return "the value is not finite";
    if (value < p->min)
        return "the value is below the least one";
    if (value > p->max)
        return "the value is above the largest one";
    if (p->is_whole && value != rint(value))
        return "the value must be a whole number";
    return NULL;
}

/* Words of a text that is copied to `to`; returns their number, at most 4. The
 * second one may be in quotes: a name with blanks. */
static int split(const char *text, size_t n, char *to, char *word[4])
{
    int count = 0;
    memcpy(to, text, n);
    to[n] = '\0';
    for (char *s = to; *s && count < 4;) {
        s += strspn(s, " \t\r\n");
        if (!*s)
            break;
        bool quoted = count == 1 && *s == '"';
        word[count++] = s += quoted;
        s += strcspn(s, quoted ? "\"" : " \t\r\n");
        if (*s)
            *s++ = '\0';
    }
    return count;
}

static const char *read_set(const Control *c, char *const *word, int n,
                            ControlOrder *o)
{
    char *end;
    if (n != 3)
        return "set takes a name and a value";
    o->kind = CONTROL_SET;
    o->value = number_read(word[2], &end);
    if (end == word[2] || *end)
        return "the value is no number";
    for (o->index = 0; o->index < c->n; o->index++)
        if (!strcmp(c->parameter[o->index].name, word[1]))
            return control_refuses(&c->parameter[o->index], o->value);
    return "there is no such parameter that can be changed";
}

const char *control_read(const Control *c, const char *text, size_t n,
                         ControlOrder *o)
{
    static const struct {
        const char *word;
        ControlKind kind;
    } plain[] = {{"pause", CONTROL_PAUSE},
                 {"resume", CONTROL_RESUME},
                 {"reset", CONTROL_RESET},
                 {"stop", CONTROL_STOP}};
    char copy[CONTROL_TEXT + 1], *word[4];
    if (n > CONTROL_TEXT || memchr(text, 0, n))
        return "an order has at most 512 characters";
    int count = split(text, n, copy, word);
    *o = (ControlOrder){.count = 1};
    if (count == 0)
        return "an order is expected";
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!strcmp(word[0], plain[i].word)) {
            o->kind = plain[i].kind;
            return count == 1 ? NULL : "one word is expected";
        }
    if (!strcmp(word[0], "set"))
        return read_set(c, word, count, o);
    if (strcmp(word[0], "step"))
        return "pause, resume, reset, stop, step and set are understood";
    char *end = NULL;
    o->kind = CONTROL_STEP;
    o->count = count > 1 ? strtoll(word[1], &end, 10) : 1;
    return count > 2 || (end && *end) || o->count < 1 || o->count > 1000000000
               ? "step takes a number from 1"
               : NULL;
}
