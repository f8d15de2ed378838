/* diag_internal.h - what diag.c collects and diag_print.c prints. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_DIAG_INTERNAL_H
#define TAKT_BASE_DIAG_INTERNAL_H

#include "base/diag.h"
#include "base/vec.h"

/* Messages of one kind that are shown; the rest is only counted. */
#define DIAG_SHOWN 50
/* Notes of one message that are kept. */
#define DIAG_NOTES 20

typedef struct Note {
    Span span;
    const char *text;
} Note;

typedef struct Message {
    DiagCode code;
    Span span;
    const char *text;
    int note, nnote; /* note .. note+nnote-1 of Diag.note belong to it */
} Message;

struct Diag {
    const Sources *sources;
    Arena *arena;
    Vec(Message) message; /* at most DIAG_SHOWN of each kind */
    Vec(Note) note;
    int count[3];       /* by DiagKind, muted ones included */
    Vec(uint64_t) seen; /* open hash table of reports, 0: free */
    int nseen;
    bool last_kept; /* the last report can take notes */
    struct {
        int count[3];
    } muted[64]; /* the counts at each mute */
    int nmute;
    int printed; /* messages printed before */
    int told[3]; /* counts told as "not shown" before */
};

DiagKind diag_kind(DiagCode code);

#endif
