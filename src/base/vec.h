/* vec.h - arrays that grow, in an arena.
 *
 *     Vec(int) stack = {0};
 *     vec_push(arena, &stack, 7);
 *     int top = vec_pop(&stack);
 *     for (int i = 0; i < stack.n; i++) use(stack.at[i]);
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_VEC_H
#define TAKT_BASE_VEC_H

#include "base/arena.h"

#define Vec(T)                                                                 \
    struct {                                                                   \
        T *at;                                                                 \
        int n;                                                                 \
        int cap;                                                               \
    }

#define vec_reserve(arena, v, want)                                            \
    do {                                                                       \
        int want_ = (want);                                                    \
        if (want_ > (v)->cap) {                                                \
            int cap_ = vec_capacity((v)->cap, want_);                          \
            (v)->at = arena_grow((arena), (v)->at,                             \
                                 (size_t)(v)->cap * sizeof *(v)->at,           \
                                 (size_t)cap_ * sizeof *(v)->at);              \
            (v)->cap = cap_;                                                   \
        }                                                                      \
    } while (0)

#define vec_push(arena, v, x)                                                  \
    do {                                                                       \
        vec_reserve((arena), (v), (v)->n + 1);                                 \
        (v)->at[(v)->n++] = (x);                                               \
    } while (0)

#define vec_pop(v)   ((v)->at[--(v)->n])
#define vec_last(v)  ((v)->at[(v)->n - 1])
#define vec_clear(v) ((v)->n = 0)

/* The capacity to go to from `cap` so that `want` fit: half as much again. */
int vec_capacity(int cap, int want);

#endif
