/* remodel.h - what to do where structural analysis is wrong. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_REMODEL_H
#define TAKT_DRIVER_REMODEL_H

#include "driver/driver.h"

typedef enum RemodelResult {
    REMODEL_DONE,    /* c->sys has rows of its derivative array */
    REMODEL_PARTS,   /* the same of parts: structure is to be asked again, and
                        if it is wrong still, parts with more around them */
    REMODEL_REFUSED, /* c->sys is as it was */
    REMODEL_BROKEN,  /* it must be made again */
    REMODEL_AGAIN,   /* the same, with more parameters as numbers */
} RemodelResult;

typedef Vec(const char *) ParameterNames;

/* What there is to say in the end (W1708). */
typedef struct RemodelNews {
    const char *text;        /* NULL: nothing of the whole */
    const ArrayParts *parts; /* NULL: none were looked at */
    const Array *whole;      /* of these */
} RemodelNews;

/* Rows of the derivative array take the place of the equations of c->sys
 * (array/select.h), of all or of those parts that are wrong (array/parts.h),
 * with so many rings around these; `news` says that, or why not. Parameters
 * without whose values the index would be another one go to `numbers`. */
RemodelResult remodel(Compilation *c, int rings, ParameterNames *numbers,
                      RemodelNews *news);
void remodel_tell(const Compilation *c, const RemodelNews *news);
/* Where nothing was found in the end, and c->sys is as it was: the array itself
 * can be integrated, if it has an index. */
void remodel_suggest(Compilation *c);
/* A block of which structure is wrong is too large for anything to be done: it
 * is singular wherever it is solved. Returns false after a report. */
bool remodel_check_run(const Compilation *c);

#endif
