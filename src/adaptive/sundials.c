/* sundials.c - IDA and CVODE on the tape. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <math.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "adaptive/adaptive_internal.h"

static double *data(N_Vector v)
{
    return N_VGetArrayPointer(v);
}

/* ---- between vectors and slots ---- */

void adaptive_to_slots(Run *r, double t, N_Vector y, N_Vector yp)
{
    double *slot = r->sim->exec->r;
    slot[r->sim->low->tape->time] = t;
    for (int i = 0; i < r->n; i++) {
        slot[r->ref->y[i]] = data(y)[i];
        if (yp && r->ref->yp[i] != NONE)
            slot[r->ref->yp[i]] = data(yp)[i];
    }
}

static void from_slots(Run *r)
{
    const double *slot = r->sim->exec->r;
    for (int i = 0; i < r->n; i++) {
        data(r->y)[i] = slot[r->ref->y[i]];
        if (r->yp)
            data(r->yp)[i] = r->ref->yp[i] == NONE ? 0 : slot[r->ref->yp[i]];
    }
}

/* ---- what IDA asks ---- */

static int ida_residual(double t, N_Vector y, N_Vector yp, N_Vector res,
                        void *user)
{
    Run *r = user;
    adaptive_to_slots(r, t, y, yp);
    sim_set_inputs(r->sim, r->begun, t);
    exec_run(r->sim->exec, &r->ref->eval);
    for (int i = 0; i < r->n; i++) {
        data(res)[i] = r->sim->exec->r[r->ref->residual[i]];
        if (!isfinite(data(res)[i]))
            return 1; /* try a smaller step */
    }
    return 0;
}

static int ida_jacobian(double t, double cj, N_Vector y, N_Vector yp,
                        N_Vector res, SUNMatrix m, void *user, N_Vector a,
                        N_Vector b, N_Vector c)
{
    Run *r = user;
    (void)res, (void)a, (void)b, (void)c;
    adaptive_to_slots(r, t, y, yp);
    exec_run(r->sim->exec, &r->ref->jacobian);
    sunindextype *start = SUNSparseMatrix_IndexPointers(m);
    sunindextype *index = SUNSparseMatrix_IndexValues(m);
    double *value = SUNSparseMatrix_Data(m);
    for (int j = 0; j <= r->n; j++)
        start[j] = r->start[j];
    for (int k = 0; k < r->nnz; k++) {
        index[k] = r->index[k];
        value[k] = 0;
    }
    for (int k = 0; k < r->ref->nnz; k++)
        value[r->place[k]] +=
            (r->ref->is_yp[k] ? cj : 1) * r->sim->exec->r[r->ref->entry[k]];
    return 0;
}

/* ---- what CVODE asks ---- */

bool adaptive_evaluate(Run *r, double t, N_Vector y)
{
    const Inlined *d = r->sim->low->inlined;
    adaptive_to_slots(r, t, y, r->yp);
    sim_set_inputs(r->sim, r->begun, t);
    exec_reset_status(r->sim->exec);
    return exec_run(r->sim->exec, &r->sim->low->system[d->event].run) >= 0;
}

static int cv_rhs(double t, N_Vector y, N_Vector ydot, void *user)
{
    Run *r = user;
    int failed = !adaptive_evaluate(r, t, y);
    for (int i = 0; i < r->n && !failed; i++) {
        data(ydot)[i] = r->sim->exec->r[r->ref->yp[i]];
        if (!isfinite(data(ydot)[i]))
            failed = 1;
    }
    return failed;
}

/* ---- setting up ---- */

/* Columns of the Jacobian; dF/dy and dF/dy' share places. */
static void compress(Run *r)
{
    const LoweredReference *ref = r->ref;
    Arena *arena = r->sim->scratch;
    int n = r->n;
    int *count = NEW_ARRAY(arena, int, n + 1);
    int *order = NEW_ARRAY(arena, int, ref->nnz + 1);
    int *last = NEW_ARRAY(arena, int, n), *where = NEW_ARRAY(arena, int, n);
    r->start = NEW_ARRAY(arena, int, n + 1);
    r->index = NEW_ARRAY(arena, int, ref->nnz + 1);
    r->place = NEW_ARRAY(arena, int, ref->nnz + 1);
    for (int k = 0; k < ref->nnz; k++)
        count[ref->col[k] + 1]++;
    for (int j = 0; j < n; j++)
        count[j + 1] += count[j];
    int *next = NEW_ARRAY(arena, int, n + 1);
    memcpy(next, count, (size_t)(n + 1) * sizeof(int));
    for (int k = 0; k < ref->nnz; k++)
        order[next[ref->col[k]]++] = k;
    memset(last, 0xff, (size_t)n * sizeof(int));
    for (int j = 0; j < n; j++) {
        r->start[j] = r->nnz;
        for (int i = count[j]; i < count[j + 1]; i++) {
            int k = order[i], row = ref->row[k];
            if (last[row] != j) {
                last[row] = j;
                where[row] = r->nnz;
                r->index[r->nnz++] = row;
            }
            r->place[k] = where[row];
        }
    }
    r->start[n] = r->nnz;
}

static double nominal_of(const Run *r, int i)
{
    const Lowered *low = r->sim->low;
    const Inlined *d = low->inlined;
    double x = 0;
    for (int k = 0; k < d->nvar; k++) {
        if (low->slot[k] != r->ref->y[i] || d->var[k].sys_var == NONE)
            continue;
        Expr e = d->sys->var[d->var[k].sys_var].nominal;
        if (e != EXPR_NONE && expr_is_const(d->dag, e, &x) && x != 0)
            return fabs(x);
        return 1;
    }
    return 1;
}

static void make_vectors(Run *r)
{
    r->y = N_VNew_Serial(r->n, r->context);
    r->atol = N_VNew_Serial(r->n, r->context);
    if (r->options->solver == ADAPTIVE_IDA) {
        r->yp = N_VNew_Serial(r->n, r->context);
        r->id = N_VNew_Serial(r->n, r->context);
    }
    for (int i = 0; i < r->n; i++) {
        data(r->atol)[i] = r->options->atol > 0
                               ? r->options->atol
                               : 1e-3 * r->options->rtol * nominal_of(r, i);
        if (r->id)
            data(r->id)[i] = r->ref->yp[i] != NONE;
    }
    from_slots(r);
}

static void open_ida(Run *r, double t)
{
    r->memory = IDACreate(r->context);
    IDAInit(r->memory, ida_residual, t, r->y, r->yp);
    IDASetUserData(r->memory, r);
    IDASVtolerances(r->memory, r->options->rtol, r->atol);
    IDASetId(r->memory, r->id);
    IDASetSuppressAlg(r->memory, 1);
    IDASetMaxNumSteps(r->memory, 1000000);
    compress(r);
    r->matrix = SUNSparseMatrix(r->n, r->n, r->nnz > 0 ? r->nnz : 1, CSC_MAT,
                                r->context);
    r->solver = SUNLinSol_KLU(r->y, r->matrix, r->context);
    IDASetLinearSolver(r->memory, r->solver, r->matrix);
    IDASetJacFn(r->memory, ida_jacobian);
}

static void open_cvode(Run *r, double t)
{
    r->memory = CVodeCreate(CV_BDF, r->context);
    CVodeInit(r->memory, cv_rhs, t, r->y);
    CVodeSetUserData(r->memory, r);
    CVodeSVtolerances(r->memory, r->options->rtol, r->atol);
    CVodeSetMaxNumSteps(r->memory, 1000000);
    r->matrix = SUNDenseMatrix(r->n, r->n, r->context);
    r->solver = SUNLinSol_Dense(r->y, r->matrix, r->context);
    CVodeSetLinearSolver(r->memory, r->solver, r->matrix);
}

static void close_run(Run *r)
{
    long a = 0, b = 0, c = 0;
    if (r->options->solver == ADAPTIVE_IDA && r->memory) {
        IDAGetNumSteps(r->memory, &a);
        IDAGetNumResEvals(r->memory, &b);
        IDAGetNumJacEvals(r->memory, &c);
        IDAFree(&r->memory);
    } else if (r->memory) {
        CVodeGetNumSteps(r->memory, &a);
        CVodeGetNumRhsEvals(r->memory, &b);
        CVodeGetNumJacEvals(r->memory, &c);
        CVodeFree(&r->memory);
    }
    r->stats->steps += a;
    r->stats->residuals += b;
    r->stats->jacobians += c;
    if (r->solver)
        SUNLinSolFree(r->solver);
    if (r->matrix)
        SUNMatDestroy(r->matrix);
    if (r->y)
        N_VDestroy(r->y);
    if (r->yp)
        N_VDestroy(r->yp);
    if (r->id)
        N_VDestroy(r->id);
    if (r->atol)
        N_VDestroy(r->atol);
    SUNContext_Free(&r->context);
}

/* ---- steps ---- */

int adaptive_step(Run *r, double stop, double *t)
{
    double far = stop + (stop - *t) + 1; /* the direction only */
    if (r->options->solver == ADAPTIVE_IDA) {
        IDASetStopTime(r->memory, stop);
        return IDASolve(r->memory, far, t, r->y, r->yp, IDA_ONE_STEP);
    }
    CVodeSetStopTime(r->memory, stop);
    return CVode(r->memory, far, r->y, t, CV_ONE_STEP);
}

void adaptive_interpolate(Run *r, double t)
{
    if (r->options->solver == ADAPTIVE_IDA) {
        IDAGetDky(r->memory, t, 0, r->y);
        IDAGetDky(r->memory, t, 1, r->yp);
    } else {
        CVodeGetDky(r->memory, t, 0, r->y);
    }
}

/* After an event: from the present slots. */
void adaptive_restart(Run *r, double t)
{
    long a = 0, b = 0, c = 0;
    from_slots(r);
    r->stats->restarts++;
    if (r->options->solver == ADAPTIVE_IDA) {
        IDAGetNumSteps(r->memory, &a);
        IDAGetNumResEvals(r->memory, &b);
        IDAGetNumJacEvals(r->memory, &c);
        IDAReInit(r->memory, t, r->y, r->yp);
    } else {
        CVodeGetNumSteps(r->memory, &a);
        CVodeGetNumRhsEvals(r->memory, &b);
        CVodeGetNumJacEvals(r->memory, &c);
        CVodeReInit(r->memory, t, r->y);
    }
    r->stats->steps += a;
    r->stats->residuals += b;
    r->stats->jacobians += c;
}

bool adaptive_report(Run *r, int code, double t)
{
    const char *name = r->options->solver == ADAPTIVE_IDA ? "IDA" : "CVODE";
    diag_report(r->sim->diag, r->sim->low->inlined->sys->flat->span, DIAG_E1340,
                "%s gave up at time %g: %s", name, t,
                r->options->solver == ADAPTIVE_IDA
                    ? IDAGetReturnFlagName(code)
                    : CVodeGetReturnFlagName(code));
    return false;
}

/* Failures are reported once, by adaptive_report(). */
static void quiet_handler(int code, const char *module, const char *function,
                          char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}

bool adaptive_run(Sim *s, const AdaptiveOptions *options, SimRow *row,
                  void *context, AdaptiveStats *stats)
{
    memset(stats, 0, sizeof *stats);
    if (!s->low->reference) {
        diag_report(s->diag, s->low->inlined->sys->flat->span, DIAG_U1342,
                    "not supported yet: a reference run of a model whose "
                    "discrete and continuous equations cannot be separated");
        return false;
    }
    s->exec->tolerance = 1e-12;
    if (!sim_init(s))
        return false;
    if (!row(context, s, s->options.start, false))
        return true;
    Run r = {.sim = s,
             .ref = s->low->reference,
             .options = options,
             .stats = stats,
             .nstate = s->low->inlined->dae->nstate,
             .begun = s->options.start};
    r.n = options->solver == ADAPTIVE_IDA ? r.ref->n : r.nstate;
    if (r.n == 0) {
        diag_report(s->diag, NO_SPAN, DIAG_E1343,
                    "the model has no continuous unknowns: use a fixed step");
        return false;
    }
    SUNContext_Create(NULL, &r.context);
    make_vectors(&r);
    if (options->solver == ADAPTIVE_IDA) {
        open_ida(&r, s->options.start);
        IDASetErrHandlerFn(r.memory, quiet_handler, NULL);
    } else {
        open_cvode(&r, s->options.start);
        CVodeSetErrHandlerFn(r.memory, quiet_handler, NULL);
    }
    bool fine = adaptive_march(&r, row, context);
    close_run(&r);
    return fine;
}
