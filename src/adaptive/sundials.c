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

#include "adaptive/sundials_internal.h"
#include "base/die.h"

/* What SUNDIALS could not allocate ends the program as takt's own does. */
static void *need(void *made)
{
    if (!made)
        die("out of memory");
    return made;
}

static void must(int code)
{
    if (code < 0)
        die("out of memory: SUNDIALS could not be set up (%d)", code);
}

static double *data(N_Vector v)
{
    return N_VGetArrayPointer(v);
}

/* ---- between vectors and slots ---- */

static void put(Sundials *r, double t, N_Vector y, N_Vector yp)
{
    double *slot = r->run.sim->exec->r;
    slot[r->run.sim->low->tape->time] = t;
    for (int i = 0; i < r->run.n; i++) {
        slot[r->ref->y[i]] = data(y)[i];
        if (yp && r->ref->yp[i] != NONE)
            slot[r->ref->yp[i]] = data(yp)[i];
    }
}

static void from_slots(Sundials *r)
{
    const double *slot = r->run.sim->exec->r;
    for (int i = 0; i < r->run.n; i++) {
        data(r->y)[i] = slot[r->ref->y[i]];
        if (r->yp)
            data(r->yp)[i] = r->ref->yp[i] == NONE ? 0 : slot[r->ref->yp[i]];
    }
}

/* ---- what IDA asks ---- */

static int ida_residual(double t, N_Vector y, N_Vector yp, N_Vector res,
                        void *user)
{
    Sundials *r = user;
    put(r, t, y, yp);
    sim_set_inputs(r->run.sim, r->run.begun, t);
    exec_run(r->run.sim->exec, &r->ref->eval);
    for (int i = 0; i < r->run.n; i++) {
        data(res)[i] = r->run.sim->exec->r[r->ref->residual[i]];
        if (!isfinite(data(res)[i]))
            return 1; /* try a smaller step */
    }
    return 0;
}

static int ida_jacobian(double t, double cj, N_Vector y, N_Vector yp,
                        N_Vector res, SUNMatrix m, void *user, N_Vector a,
                        N_Vector b, N_Vector c)
{
    Sundials *r = user;
    (void)res, (void)a, (void)b, (void)c;
    put(r, t, y, yp);
    exec_run(r->run.sim->exec, &r->ref->jacobian);
    sunindextype *start = SUNSparseMatrix_IndexPointers(m);
    sunindextype *index = SUNSparseMatrix_IndexValues(m);
    double *value = SUNSparseMatrix_Data(m);
    for (int j = 0; j <= r->run.n; j++)
        start[j] = r->start[j];
    for (int k = 0; k < r->nnz; k++) {
        index[k] = r->index[k];
        value[k] = 0;
    }
    for (int k = 0; k < r->ref->nnz; k++) {
        double x = r->run.sim->exec->r[r->ref->entry[k]];
        if (isfinite(x)) /* else sqrt at 0, or the like */
            value[r->place[k]] += (r->ref->is_yp[k] ? cj : 1) * x;
    }
    return 0;
}

/* ---- what CVODE asks ---- */

static bool evaluate_at(Sundials *r, double t, N_Vector y)
{
    const Inlined *d = r->run.sim->low->inlined;
    put(r, t, y, r->yp);
    sim_set_inputs(r->run.sim, r->run.begun, t);
    exec_reset_status(r->run.sim->exec);
    return exec_run(r->run.sim->exec, &r->run.sim->low->system[d->event].run) >=
           0;
}

static bool evaluate(Run *run, double t)
{
    Sundials *r = (Sundials *)run;
    return evaluate_at(r, t, r->y);
}

static void to_slots(Run *run, double t)
{
    Sundials *r = (Sundials *)run;
    put(r, t, r->y, r->yp);
}

/* IDA's y holds everything, else what follows from the states is solved for. */
static void look(Run *run, double t)
{
    Sundials *r = (Sundials *)run;
    bool is_whole = r->run.n > 0 && r->run.options->solver == ADAPTIVE_IDA;
    if (is_whole || !evaluate_at(r, t, r->y))
        put(r, t, r->y, r->yp);
    sim_set_inputs(r->run.sim, r->run.begun, t);
    exec_reset_status(r->run.sim->exec);
}

static int cv_rhs(double t, N_Vector y, N_Vector ydot, void *user)
{
    Sundials *r = user;
    int failed = !evaluate_at(r, t, y) || !branch_is_kept(&r->run);
    for (int i = 0; i < r->run.n && !failed; i++) {
        data(ydot)[i] = r->run.sim->exec->r[r->ref->yp[i]];
        if (!isfinite(data(ydot)[i]))
            failed = 1;
    }
    return failed;
}

/* By differences, where the model has no derivative. */
static int cv_differences(Sundials *r, double t, N_Vector y, N_Vector fy,
                          SUNMatrix m, N_Vector moved)
{
    for (int j = 0; j < r->run.n; j++) {
        double x = data(y)[j];
        double d = fmax(1e-8 * fabs(x), 10 * data(r->atol)[j]);
        data(y)[j] = x + d;
        int code = cv_rhs(t, y, moved, r);
        data(y)[j] = x;
        if (code)
            return code;
        for (int i = 0; i < r->run.n; i++)
            SM_ELEMENT_D(m, i, j) = (data(moved)[i] - data(fy)[i]) / d;
    }
    return 0;
}

static int cv_jacobian(double t, N_Vector y, N_Vector fy, SUNMatrix m,
                       void *user, N_Vector a, N_Vector b, N_Vector c)
{
    Sundials *r = user;
    (void)b, (void)c;
    if (!evaluate_at(r, t, y) || !branch_is_kept(&r->run))
        return 1;
    return slope_find(r, r->slope, m) ? 0 : cv_differences(r, t, y, fy, m, a);
}

/* ---- setting up ---- */

/* Columns of the Jacobian; dF/dy and dF/dy' share places. */
static void compress(Sundials *r)
{
    const LoweredReference *ref = r->ref;
    Arena *arena = r->run.sim->scratch;
    int n = r->run.n;
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

static double nominal_of(const Sundials *r, int i)
{
    const Lowered *low = r->run.sim->low;
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

static N_Vector new_vector(Sundials *r)
{
    return need(N_VNew_Serial(r->run.n, r->context));
}

/* That of an algebraic unknown only ends IDA's iteration, whose corrections
 * cannot become smaller than its rounding: 1e-9 of the nominal value is asked
 * for at most. Values that are shown are solved for (march.c). */
static double absolute_tolerance(const Sundials *r, int i)
{
    double nominal = r->nominal[i], rtol = r->run.options->rtol;
    bool is_state = r->ref->yp[i] != NONE;
    double given =
        r->run.options->atol > 0 ? r->run.options->atol : 1e-3 * rtol * nominal;
    return is_state ? given : fmax(given, fmax(rtol, 1e-9) * nominal);
}

static void make_vectors(Sundials *r)
{
    r->y = new_vector(r);
    r->atol = new_vector(r);
    r->nominal = NEW_ARRAY(r->run.sim->scratch, double, r->run.n + 1);
    if (r->run.options->solver == ADAPTIVE_IDA) {
        r->yp = new_vector(r);
        r->id = new_vector(r);
        r->off = new_vector(r);
    }
    for (int i = 0; i < r->run.n; i++) {
        r->nominal[i] = nominal_of(r, i);
        data(r->atol)[i] = absolute_tolerance(r, i);
        if (r->id)
            data(r->id)[i] = r->ref->yp[i] != NONE;
    }
    from_slots(r);
}

/* Failures are reported once, by adaptive_report(). */
static void quiet_handler(int code, const char *module, const char *function,
                          char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}

/* A first step is shortened so often before it is given up: one that begins
 * with a slope of 0 may be 1e8 times too long, where the model is stiff. */
enum { MOST_FAILS = 40 };

/* KLU factorises with the pivots of before. One of them may have become 0,
 * where a branch of noEvent(if ...) has changed: then others are looked for,
 * else no step would lead over that place, however short. */
static int klu_setup(SUNLinearSolver solver, SUNMatrix m)
{
    int code = SUNLinSolSetup_KLU(solver, m);
    if (code <= 0)
        return code;
    SUNLinSol_KLUReInit(solver, m, SUNSparseMatrix_NNZ(m),
                        SUNKLU_REINIT_PARTIAL);
    return SUNLinSolSetup_KLU(solver, m);
}

/* Algebraic unknowns are not in the error test: they follow from the states,
 * and are solved for at every point of output and event. */
static void open_ida(Sundials *r, double t)
{
    r->memory = need(IDACreate(r->context));
    must(IDASetErrHandlerFn(r->memory, quiet_handler, NULL));
    must(IDAInit(r->memory, ida_residual, t, r->y, r->yp));
    must(IDASetUserData(r->memory, r));
    must(IDASVtolerances(r->memory, r->run.options->rtol, r->atol));
    must(IDASetId(r->memory, r->id));
    must(IDASetSuppressAlg(r->memory, 1));
    must(IDASetMaxErrTestFails(r->memory, MOST_FAILS));
    compress(r);
    r->matrix = need(SUNSparseMatrix(
        r->run.n, r->run.n, r->nnz > 0 ? r->nnz : 1, CSC_MAT, r->context));
    r->solver = need(SUNLinSol_KLU(r->y, r->matrix, r->context));
    r->solver->ops->setup = klu_setup;
    must(IDASetLinearSolver(r->memory, r->solver, r->matrix));
    must(IDASetJacFn(r->memory, ida_jacobian));
}

static void open_cvode(Sundials *r, double t)
{
    r->memory = need(CVodeCreate(CV_BDF, r->context));
    must(CVodeSetErrHandlerFn(r->memory, quiet_handler, NULL));
    must(CVodeInit(r->memory, cv_rhs, t, r->y));
    must(CVodeSetUserData(r->memory, r));
    must(CVodeSVtolerances(r->memory, r->run.options->rtol, r->atol));
    must(CVodeSetMaxErrTestFails(r->memory, MOST_FAILS));
    r->matrix = need(SUNDenseMatrix(r->run.n, r->run.n, r->context));
    r->solver = need(SUNLinSol_Dense(r->y, r->matrix, r->context));
    must(CVodeSetLinearSolver(r->memory, r->solver, r->matrix));
    r->slope = slope_new(r);
    must(CVodeSetJacFn(r->memory, cv_jacobian));
}

/* A model without states needs no integrator. */
static void open_run(Sundials *r, double t)
{
    if (r->run.n == 0)
        return;
    must(SUNContext_Create(NULL, &r->context));
    make_vectors(r);
    if (r->run.options->solver == ADAPTIVE_IDA)
        open_ida(r, t);
    else
        open_cvode(r, t);
}

/* What the integrator has counted since it started. */
static void count_work(Sundials *r)
{
    long steps = 0, residuals = 0, jacobians = 0;
    if (r->run.options->solver == ADAPTIVE_IDA) {
        IDAGetNumSteps(r->memory, &steps);
        IDAGetNumResEvals(r->memory, &residuals);
        IDAGetNumJacEvals(r->memory, &jacobians);
    } else {
        CVodeGetNumSteps(r->memory, &steps);
        CVodeGetNumRhsEvals(r->memory, &residuals);
        CVodeGetNumJacEvals(r->memory, &jacobians);
    }
    r->run.stats->steps += steps;
    r->run.stats->residuals += residuals;
    r->run.stats->jacobians += jacobians;
}

static void close_run(Sundials *r)
{
    if (r->run.n == 0)
        return;
    count_work(r);
    if (r->run.options->solver == ADAPTIVE_IDA)
        IDAFree(&r->memory);
    else
        CVodeFree(&r->memory);
    slope_free(r->slope);
    SUNLinSolFree(r->solver);
    SUNMatDestroy(r->matrix);
    N_VDestroy(r->y);
    N_VDestroy(r->atol);
    if (r->yp)
        N_VDestroy(r->yp);
    if (r->id)
        N_VDestroy(r->id);
    if (r->off)
        N_VDestroy(r->off);
    SUNContext_Free(&r->context);
}

/* ---- steps ---- */

/* Without states: so many points of an interval are looked at for events. */
enum { PARTS_WITHOUT_STATES = 16 };

static int step_without_states(Sundials *r, double stop, double *t)
{
    const Inlined *d = r->run.sim->low->inlined;
    int parts = d->nrelation + d->ndelay > 0 ? PARTS_WITHOUT_STATES : 1;
    double length = r->run.sim->options.step / parts;
    *t = *t + 1.001 * length < stop ? *t + length : stop;
    r->run.stats->steps++;
    return evaluate_at(r, *t, NULL) ? 0 : -1;
}

/* Did a factorisation fail for want of memory? */
static void check_memory(const Sundials *r, int code)
{
    if (code == IDA_MEM_FAIL ||
        (code < 0 && r->run.options->solver == ADAPTIVE_IDA &&
         SUNLinSol_KLUGetCommon(r->solver)->status == KLU_OUT_OF_MEMORY))
        die("out of memory");
}

/* The direction, and the first step: a thousandth of it at the most where
 * nothing moves yet. That must not be a whole interval: what begins with a
 * slope of 0 (a sine from 0 on) is 0 at its end again. */
static double reach(double interval)
{
    return fmin(2 * interval + 1, 16 * interval);
}

static int step(Run *run, double stop, double *t)
{
    Sundials *r = (Sundials *)run;
    if (r->run.n == 0)
        return step_without_states(r, stop, t);
    double far = *t + reach(stop - *t);
    int code;
    if (r->run.options->solver == ADAPTIVE_IDA) {
        IDASetStopTime(r->memory, stop);
        code = IDASolve(r->memory, far, t, r->y, r->yp, IDA_ONE_STEP);
    } else {
        CVodeSetStopTime(r->memory, stop);
        code = CVode(r->memory, far, r->y, t, CV_ONE_STEP);
    }
    check_memory(r, code);
    return code;
}

static void interpolate(Run *run, double t)
{
    Sundials *r = (Sundials *)run;
    if (r->run.n == 0)
        return;
    if (r->run.options->solver == ADAPTIVE_IDA) {
        IDAGetDky(r->memory, t, 0, r->y);
        IDAGetDky(r->memory, t, 1, r->yp);
    } else {
        CVodeGetDky(r->memory, t, 0, r->y);
    }
}

/* Where the algebraic unknowns of IDA go from here, as the model has it a
 * little later. */
static void find_slopes(Sundials *r, double t)
{
    Sim *s = r->run.sim;
    double *slot = s->exec->r, after = 1e-6 * s->options.step;
    for (int i = 0; i < r->run.n; i++)
        if (r->ref->yp[i] != NONE)
            slot[r->ref->y[i]] += after * data(r->yp)[i];
    slot[s->low->tape->time] = t + after;
    sim_set_inputs(s, r->run.begun, t + after);
    exec_reset_status(s->exec);
    bool fine =
        exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
    for (int i = 0; fine && i < r->run.n; i++)
        if (r->ref->yp[i] == NONE)
            data(r->yp)[i] = (slot[r->ref->y[i]] - data(r->y)[i]) / after;
    put(r, t, r->y, r->yp);
    sim_set_inputs(s, r->run.begun, t);
    exec_reset_status(s->exec);
}

/* After an event: from the present slots, which were solved for; order 1. Where
 * that has failed before, the unknowns may stand on a corner (|x| at 0) that
 * they leave at once: the first step begins on the side where they go. */
static bool restart(Run *run, double t)
{
    Sundials *r = (Sundials *)run;
    if (r->run.n == 0)
        return true;
    from_slots(r);
    if (r->run.options->solver == ADAPTIVE_IDA && r->run.nfailed > 0 &&
        r->run.failed_at == t)
        find_slopes(r, t);
    r->run.stats->restarts++;
    count_work(r);
    if (r->run.options->solver == ADAPTIVE_IDA)
        must(IDAReInit(r->memory, t, r->y, r->yp));
    else
        must(CVodeReInit(r->memory, t, r->y));
    return true;
}

/* Algebraic unknowns that IDA's polynomials did not see coming, by the errors
 * it estimates, or that are not what the saved slots lead to. */
static bool is_sudden(const Sundials *r, const double *slot)
{
    double most = slot ? 1e-3 : fmin(10 * r->run.options->rtol, 1e-3);
    for (int i = 0; i < r->run.n; i++) {
        double y = data(r->y)[i];
        double d = slot ? slot[r->ref->y[i]] - y : data(r->off)[i];
        if (r->ref->yp[i] == NONE &&
            !(fabs(d) <= most * fmax(r->nominal[i], fabs(y))))
            return true;
    }
    return false;
}

/* What follows from the states of y, beginning where the last step began. */
static bool solve_from_saved(Sundials *r, double t)
{
    Sim *s = r->run.sim;
    sim_restore_slots(s);
    s->exec->r[s->low->tape->time] = t;
    for (int i = 0; i < r->run.n; i++)
        if (r->ref->yp[i] != NONE)
            s->exec->r[r->ref->y[i]] = data(r->y)[i];
    sim_set_inputs(s, r->run.begun, t);
    return exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
}

static bool has_jumped(Run *run, double t)
{
    Sundials *r = (Sundials *)run;
    if (run->options->solver != ADAPTIVE_IDA)
        return !branch_is_kept(run);
    IDAGetEstLocalErrors(r->memory, r->off);
    if (!is_sudden(r, NULL))
        return false;
    if (!solve_from_saved(r, t) || !branch_is_kept(run) ||
        is_sudden(r, run->sim->exec->r))
        return true;
    look(run, t);
    return false;
}

static void limit(Run *run, double length)
{
    Sundials *r = (Sundials *)run;
    if (run->options->solver == ADAPTIVE_IDA)
        IDASetMaxStep(r->memory, length);
    else
        CVodeSetMaxStep(r->memory, length);
}

static bool report(Run *run, int code, double t)
{
    Sundials *r = (Sundials *)run;
    if (r->run.n == 0) {
        sim_report_block(r->run.sim, r->run.sim->low->inlined->event,
                         "in a step");
        return false;
    }
    sundials_give_up(r, code, t);
    return false;
}

static const AdaptiveOps sundials_ops = {.step = step,
                                         .interpolate = interpolate,
                                         .to_slots = to_slots,
                                         .evaluate = evaluate,
                                         .look = look,
                                         .restart = restart,
                                         .report = report,
                                         .has_jumped = has_jumped,
                                         .limit = limit,
                                         .on_tape = true};

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
    s->has_smooth_past = s->is_exact = true;
    if (!sim_init(s))
        return false;
    s->exec->tolerance = 1e-12;
    s->exec->watch_folds = true;
    sim_begin_bands(s);
    if (!row(context, s, s->options.start, false))
        return true;
    Sundials r = {.run = {.ops = &sundials_ops,
                          .sim = s,
                          .options = options,
                          .stats = stats,
                          .begun = s->options.start,
                          .jump_at = INFINITY,
                          .tried_at = NAN},
                  .ref = s->low->reference,
                  .nstate = s->low->inlined->dae->nstate};
    r.run.n =
        options->solver == ADAPTIVE_IDA && r.nstate > 0 ? r.ref->n : r.nstate;
    open_run(&r, s->options.start);
    r.run.branches = branches_new(&r.run);
    if (s->band && r.run.n > 0) {
        s->crests = crests_new(s->low->inlined->nrelation, s->arena);
        r.run.sides =
            NEW_ARRAY(s->scratch, CrestSides, s->low->inlined->nrelation);
    }
    bool fine = adaptive_march(&r.run, row, context);
    close_run(&r);
    return fine;
}
