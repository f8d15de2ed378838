/* give_up.c - what it means that IDA or CVODE cannot go on, and where. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <math.h>

#include "adaptive/sundials_internal.h"

typedef struct Reason {
    int ida, cvode;
    const char *text;
    bool is_of_unknown; /* the one that moved most tells more */
} Reason;

static const char NO_ITERATION[] =
    "its iterations do not converge, however short the steps: the branch of "
    "solutions that the run is on ends there (a fold), something jumps without "
    "an event, or equations become singular";

static const Reason reasons[] = {
    {IDA_CONV_FAIL, CV_CONV_FAILURE, NO_ITERATION, true},
    {IDA_ERR_FAIL, CV_ERR_FAILURE,
     "its error test fails, however short the steps: the solution is not "
     "continuous there or moves too fast, or the tolerance is below rounding",
     true},
    {IDA_LSETUP_FAIL, CV_LSETUP_FAIL,
     "its Jacobian is singular or has no value: equations become singular "
     "there",
     false},
    {IDA_LSOLVE_FAIL, CV_LSOLVE_FAIL,
     "its linear equations cannot be solved: the model becomes singular there",
     false},
    {IDA_REP_RES_ERR, CV_REPTD_RHSFUNC_ERR,
     "the equations have no solution or no value there, however short the "
     "steps",
     true},
    {IDA_RES_FAIL, CV_RHSFUNC_FAIL, "the equations have no value there", false},
    {IDA_TOO_MUCH_ACC, CV_TOO_MUCH_ACC,
     "the tolerance is below what rounding allows", false},
};

static const Reason *reason_of(bool is_ida, int code)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if ((is_ida ? reasons[i].ida : reasons[i].cvode) == code)
            return &reasons[i];
    return NULL;
}

static int slot_of(const Sundials *r, bool is_ida, int i)
{
    return is_ida ? r->ref->y[i] : sim_state_slot(r->run.sim, i);
}

/* The unknown that the last attempt moved furthest from what was expected, in
 * units of its tolerance; NULL: none has a name. */
static const char *most_moved(const Sundials *r, bool is_ida)
{
    const Tape *t = r->run.sim->low->tape;
    N_Vector weight = N_VClone(r->y), off = N_VClone(r->y);
    const char *name = NULL;
    double most = 0;
    int code = is_ida ? IDAGetErrWeights(r->memory, weight)
                      : CVodeGetErrWeights(r->memory, weight);
    code |= is_ida ? IDAGetEstLocalErrors(r->memory, off)
                   : CVodeGetEstLocalErrors(r->memory, off);
    for (int i = 0; code == 0 && i < r->run.n; i++) {
        double d =
            fabs(N_VGetArrayPointer(off)[i] * N_VGetArrayPointer(weight)[i]);
        int slot = slot_of(r, is_ida, i);
        if (d > most && slot != NONE && t->slot_name[slot]) {
            most = d;
            name = t->slot_name[slot];
        }
    }
    N_VDestroy(weight);
    N_VDestroy(off);
    return name;
}

void sundials_give_up(const Sundials *r, int code, double t)
{
    bool is_ida = r->run.options->solver == ADAPTIVE_IDA;
    const Reason *why = reason_of(is_ida, code);
    const char *name = why && why->is_of_unknown ? most_moved(r, is_ida) : NULL;
    diag_report(
        r->run.sim->diag, r->run.sim->low->inlined->sys->flat->span, DIAG_E1340,
        "%s gave up at time %.9g: %s%s%s%s (%s)", is_ida ? "IDA" : "CVODE", t,
        why ? why->text : "it cannot go on", name ? "; '" : "",
        name ? name : "", name ? "' moved furthest from what was expected" : "",
        is_ida ? IDAGetReturnFlagName(code) : CVodeGetReturnFlagName(code));
}
