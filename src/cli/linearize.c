/* linearize.c - takt linearize MODEL: A, B, C, D and eigenvalues at a point. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/file.h"
#include "base/json.h"
#include "base/script.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "result/outputs.h"
#include "cli/verbs.h"
#include "driver/driver.h"
#include "linear/linear.h"
#include "adaptive/adaptive.h"

enum { MOST_SHOWN = 12 }; /* larger matrices go to a file only */

typedef struct LinearRun {
    DriverOptions driver;
    TextList library, set;
    const char *out, *input;
    double at; /* NaN: the start */
    bool json, quiet;
    AdaptiveOptions adaptive;
    Compilation *c;
    Sim *sim;
    Linear *linear;
} LinearRun;

typedef struct Matrix {
    const char *name;
    int nrow, ncol;
    const double *value; /* by columns */
} Matrix;

static void list_matrices(const Linear *l, Matrix m[4])
{
    m[0] = (Matrix){"A", l->nx, l->nx, l->a};
    m[1] = (Matrix){"B", l->nx, l->nu, l->b};
    m[2] = (Matrix){"C", l->ny, l->nx, l->c};
    m[3] = (Matrix){"D", l->ny, l->nu, l->d};
}

static double entry(const Matrix *m, int i, int j)
{
    return m->value[(size_t)j * (size_t)m->nrow + (size_t)i];
}

/* ---- to a reader ---- */

static void print_names(const char *title, const char *const *name, int n)
{
    printf("  %s", title);
    for (int i = 0; i < n && i < MOST_SHOWN; i++)
        printf("%s%s", i ? ", " : " ", name[i]);
    if (n > MOST_SHOWN)
        printf(" and %d more", n - MOST_SHOWN);
    putchar('\n');
}

static void print_matrix(const Matrix *m)
{
    if (m->nrow == 0 || m->ncol == 0)
        return;
    printf("%s =\n", m->name);
    if (m->nrow > MOST_SHOWN || m->ncol > MOST_SHOWN) {
        printf("    %d x %d, see -o FILE\n", m->nrow, m->ncol);
        return;
    }
    for (int i = 0; i < m->nrow; i++) {
        for (int j = 0; j < m->ncol; j++)
            printf(" %12.6g", entry(m, i, j));
        putchar('\n');
    }
}

static void print_modes(const LinearRun *r)
{
    const Linear *l = r->linear;
    Arena *arena = arena_new();
    printf("eigenvalues%*sstates\n", 34, "");
    for (int i = 0; i < l->nx; i++) {
        if (l->im[i] < 0)
            continue;
        if (l->im[i] > 0)
            printf("  %13.6g +- %-13.6gi", l->re[i], l->im[i]);
        else
            printf("  %13.6g%*s", l->re[i], 18, "");
        printf("            %s\n", linear_mode_states(l, i, arena));
    }
    arena_free(arena);
}

static void print_linear(const LinearRun *r)
{
    const Linear *l = r->linear;
    Matrix m[4];
    printf("%s at time %g: %d states, %d inputs, %d outputs\n",
           r->c->flat->model, r->sim->exec->r[r->sim->low->tape->time], l->nx,
           l->nu, l->ny);
    print_names("x:", l->x, l->nx);
    print_names("u:", l->u, l->nu);
    print_names("y:", l->y, l->ny);
    list_matrices(l, m);
    for (int k = 0; k < 4; k++)
        print_matrix(&m[k]);
    print_modes(r);
}

/* ---- to machines ---- */

static void put_matrix(JsonOut *j, const Matrix *m)
{
    json_begin_array(j, m->name);
    for (int i = 0; i < m->nrow; i++) {
        json_begin_array(j, NULL);
        for (int k = 0; k < m->ncol; k++)
            json_put_number(j, NULL, entry(m, i, k));
        json_end(j);
    }
    json_end(j);
}

static void print_json(const LinearRun *r, FILE *out)
{
    const Linear *l = r->linear;
    Matrix m[4];
    Arena *arena = arena_new();
    JsonOut text = json_start(out, JSON_INDENTED), *j = &text;
    json_begin_object(j, NULL);
    json_put_text(j, "model", r->c->flat->model);
    json_put_number(j, "time", r->sim->exec->r[r->sim->low->tape->time]);
    json_put_texts(j, "x", l->x, l->nx);
    json_put_texts(j, "u", l->u, l->nu);
    json_put_texts(j, "y", l->y, l->ny);
    list_matrices(l, m);
    for (int k = 0; k < 4; k++)
        put_matrix(j, &m[k]);
    json_begin_array(j, "eigenvalues");
    for (int i = 0; i < l->nx; i++) {
        json_begin_object(j, NULL);
        json_put_number(j, "re", l->re[i]);
        json_put_number(j, "im", l->im[i]);
        json_put_text(j, "states", linear_mode_states(l, i, arena));
        json_end(j);
    }
    json_end(j);
    json_end(j);
    json_finish(j);
    arena_free(arena);
}

/* A script that Octave and Matlab read. */
static void print_script(const LinearRun *r, FILE *out)
{
    const Linear *l = r->linear;
    Matrix m[4];
    char text[32];
    list_matrices(l, m);
    Arena *arena = arena_new();
    fprintf(out, "%% %s at time %g\n", octave_comment(r->c->flat->model, arena),
            r->sim->exec->r[r->sim->low->tape->time]);
    const char *const *name[] = {l->x, l->u, l->y};
    const int count[] = {l->nx, l->nu, l->ny};
    for (int k = 0; k < 3; k++) {
        fprintf(out, "%c = {", "xuy"[k]);
        for (int i = 0; i < count[k]; i++)
            fprintf(out, "%s%s", i ? ", " : "",
                    octave_string(name[k][i], arena));
        fputs("};\n", out);
    }
    for (int k = 0; k < 4; k++) {
        if (m[k].nrow == 0 || m[k].ncol == 0) {
            fprintf(out, "%s = zeros(%d, %d);\n", m[k].name, m[k].nrow,
                    m[k].ncol);
            continue;
        }
        fprintf(out, "%s = [\n", m[k].name);
        for (int i = 0; i < m[k].nrow; i++) {
            for (int j = 0; j < m[k].ncol; j++)
                fprintf(out, " %s", number_text(entry(&m[k], i, j), text));
            fputc('\n', out);
        }
        fputs("];\n", out);
    }
    arena_free(arena);
}

static bool write_file(const LinearRun *r)
{
    OutFile f;
    size_t n = strlen(r->out);
    bool is_json = n > 5 && !strcmp(r->out + n - 5, ".json");
    bool fine = outfile_open(&f, r->out, r->c->arena);
    if (fine) {
        if (is_json)
            print_json(r, f.file);
        else
            print_script(r, f.file);
        fine = outfile_close(&f);
    }
    if (!fine)
        diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->out,
                    strerror(errno));
    return fine;
}

/* ---- the command ---- */

static bool on_row(void *context, const Sim *sim, double time, bool at_event)
{
    (void)context, (void)sim, (void)time, (void)at_event;
    return true;
}

/* Compiles, and runs to the point with IDA. */
static bool go_there(LinearRun *r)
{
    Compilation *c = r->c;
    if (!output_possible(r->out, c->arena, c->diag))
        return false;
    r->driver.goal = STEP_REFERENCE;
    r->driver.stop = r->at;
    if (!driver_compile(c, &r->driver, PHASE_STEP))
        return false;
    bool at_start = isnan(r->at) || r->at == c->start;
    SimOptions o = {.start = c->start,
                    .stop = at_start ? c->start : c->stop,
                    .step = c->size > 0 ? c->size : 1};
    if (r->input) {
        int source = sources_read(c->sources, r->input);
        if (source == NONE)
            diag_report(c->diag, NO_SPAN, DIAG_E1309, "%s: %s", r->input,
                        strerror(errno));
        else
            o.input = table_read_inputs(c->sources, source, c->arena, c->diag);
        if (!o.input)
            return false;
    }
    r->sim = sim_new(c->step->lowered, &o, c->arena, c->diag);
    if (!r->sim)
        return false;
    r->sim->exec->tolerance = 1e-12;
    if (at_start)
        return sim_init(r->sim);
    AdaptiveStats stats;
    if (!adaptive_run(r->sim, &r->adaptive, on_row, r, &stats))
        return false;
    /* IDA's unknowns are near the solution; these are on it */
    exec_reset_status(r->sim->exec);
    exec_run(r->sim->exec,
             &c->step->lowered->system[c->step->inlined->event].run);
    return true;
}

static bool linearize(LinearRun *r)
{
    if (!go_there(r))
        return false;
    r->linear = linear_new(r->sim, r->c->arena, r->c->diag);
    if (!r->linear)
        return false;
    if (!linear_modes(r->linear, r->c->arena)) {
        diag_report(r->c->diag, NO_SPAN, DIAG_E1356,
                    "the eigenvalues of A could not be found");
        return false;
    }
    if (r->out && !write_file(r))
        return false;
    if (r->json)
        print_json(r, stdout);
    else if (!r->quiet)
        print_linear(r);
    return true;
}

int cmd_linearize(int argc, char **argv)
{
    Arena *arena = arena_new();
    LinearRun run = {.driver = driver_defaults(NULL),
                     .at = NAN,
                     .adaptive = {ADAPTIVE_IDA, 1e-10, 0}};
    const Option option[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &run.library},
        {"external", NULL, "run external functions (foreign code) of the model",
         OPT_FLAG, &run.driver.external},
        {"at", "TIME", "when (default: the start); IDA runs there", OPT_TIME,
         &run.at},
        {"tolerance", "X", "relative tolerance of the way there (1e-10)",
         OPT_NUMBER, &run.adaptive.rtol},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &run.set},
        {"input", "FILE", "CSV file with the inputs over time", OPT_TEXT,
         &run.input},
        {"o", "FILE", "write as JSON (.json) or as a script for Octave",
         OPT_TEXT, &run.out},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &run.json},
        {"quiet", NULL, "print errors only", OPT_FLAG, &run.quiet},
        {0},
    };
    const Command command = {
        "linearize", "MODEL",
        "Linearises a model at a point: x' = A x + B u, y = C x + D u.",
        "takt linearize models/gallery/Pendulum.mo --at 0.5 -o pendulum.json",
        option};
    TextList args = {0};
    int code;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    const char *wrong = output_wrong("-o", run.out, "json|m", arena);
    if (args.n != 1)
        wrong = "exactly one MODEL is needed";
    if (wrong) {
        code = options_wrong(&command, "%s", wrong);
        arena_free(arena);
        return code;
    }
    model_options(&run.driver, &args, &run.library, &run.set);
    run.c = driver_new();
    linearize(&run);
    sim_free(run.sim);
    code = driver_end(run.c);
    arena_free(arena);
    return code;
}
