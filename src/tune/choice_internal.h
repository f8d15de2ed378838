/* choice_internal.h - what the files of the choice share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_CHOICE_INTERNAL_H
#define TAKT_TUNE_CHOICE_INTERNAL_H

#include "tune/choice.h"

/* A choice on its way. */
typedef struct ChoiceWork {
    const PencilSet *p;
    const ChoiceOptions *o;
    Arena *arena;
    ChoiceSample *sample; /* size nsample, spectrum NULL: not looked at */
    bool *keep;           /* found so far */
    bool *forced;
    double *held; /* see Choice */
    int tests;
} ChoiceWork;

/* A place with a number to sort by. */
typedef struct ChoiceRank {
    int place;
    double score;
} ChoiceRank;

/* The lowest score first. */
void choice_sort(ChoiceRank *list, int n);

/* Does the pattern pass in all samples? */
bool choice_passes(ChoiceWork *w, const double *frozen);
/* Freezes as many entries as pass in all samples; NULL if that is none. */
const double *choice_freeze(ChoiceWork *w, int *nfrozen,
                            const TuneProgress *progress);
/* Forces entries without which the outputs would stray too far. False if there
 * is none. */
bool choice_hold(ChoiceWork *w);

#endif
