/* run.c - takt run MODEL: the generated step, held to its deadlines. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "result/outputs.h"
#include "cli/record.h"
#include "cli/run_command.h"
#include "cli/verbs.h"

/* ---- preparation ---- */

static bool read_input(RunCommand *r)
{
    Compilation *c = r->c;
    DriverOptions *d = &r->step.driver;
    d->live_inputs = r->udp_in || r->io || r->connect.n > 0;
    if (!r->input)
        return true;
    int source = sources_read(c->sources, r->input);
    if (source == NONE)
        diag_report(c->diag, NO_SPAN, DIAG_E1309, "%s: %s", r->input,
                    strerror(errno));
    else
        d->input = table_read_inputs(c->sources, source, c->arena, c->diag);
    return d->input != NULL;
}

/* Inputs that nobody else gives have a column. */
static bool has_columns(RunCommand *r, const TableInput *from)
{
    bool fine = true;
    for (int i = 0; i < r->inputs.n; i++) {
        if (from[i].column != NONE || r->inputs.number[i] == NONE)
            continue;
        diag_report(r->c->diag, NO_SPAN, DIAG_E1313,
                    "%s has no column for the input '%s'", r->input,
                    r->inputs.name[i]);
        fine = false;
    }
    return fine;
}

static bool connect_inputs(RunCommand *r)
{
    RunOptions *o = &r->run;
    Compilation *c = r->c;
    run_find_inputs(r);
    int n = r->inputs.n;
    TableInput *from = NEW_ARRAY(c->arena, TableInput, n + 1);
    double *given = NEW_ARRAY(c->arena, double, n + 1);
    const Table *table = r->step.driver.input;
    for (int i = 0; i < n; i++) {
        from[i].column = NONE;
        if (table)
            table_find_input(table, r->inputs.name[i], &from[i]);
        run_input_kind(r, i, &from[i]);
        given[i] = i < r->nplain ? NAN : 0;
    }
    o->input = r->inputs.number;
    o->ninput = n;
    o->table = table;
    o->from = from;
    o->given = given;
    if (table && !has_columns(r, from))
        return false;
    if (!r->udp_in)
        return true;
    if (n == 0) {
        diag_report(c->diag, c->flat->span, DIAG_E1606,
                    "--udp-in %s: the model has no inputs", r->udp_in);
        return false;
    }
    o->udp_in = udp_in_open(r->udp_in, n, c->arena, c->diag);
    return o->udp_in != NULL;
}

static bool connect_outputs(RunCommand *r)
{
    RunOptions *o = &r->run;
    Compilation *c = r->c;
    run_find_sent(r);
    if (!r->udp_out)
        return true;
    o->udp_out = udp_out_open(r->udp_out, r->sent.n, c->arena, c->diag);
    if (!o->udp_out)
        return false;
    o->udp_out->number = r->sent.number;
    o->udp_out->every = r->udp_every;
    o->udp_out->has_header = r->udp_header;
    if (r->sent.n > 0)
        memcpy(o->udp_out->value + 1, r->sent.value,
               (size_t)r->sent.n * sizeof(double));
    return true;
}

static ResultFile *open_file(RunCommand *r)
{
    Compilation *c = r->c;
    RunList *list = &r->recorded;
    int n = list->n;
    ResultSignal *signal = NEW_ARRAY(c->arena, ResultSignal, n + 1);
    for (int i = 0; i < n; i++)
        signal[i] = (ResultSignal){list->name[i], "", i, 1, 0};
    ResultFile *f = result_open(r->out, signal, n, n, c->arena);
    if (!f)
        diag_report(c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->out,
                    strerror(errno));
    return f;
}

static void show_progress(void *context, const LiveFigures *f)
{
    const RunCommand *r = context;
    fprintf(stderr,
            "\rt = %-10.4g step %.3g us, at most %.3g us, %" PRId64
            " overruns\033[K",
            f->time, 1e-3 * (double)f->work, 1e-3 * (double)f->longest,
            f->overruns);
    fflush(stderr);
    (void)r;
}

/* The thread beside the run: it writes the file and shows progress. */
static bool start_recorder(RunCommand *r)
{
    RunOptions *o = &r->run;
    Compilation *c = r->c;
    bool looks = r->talks && isatty(2);
    if (!r->out && !looks)
        return true;
    ResultFile *file = r->out ? open_file(r) : NULL;
    if (r->out && !file)
        return false;
    bool is_open = o->nstep == NONE || o->no_wait;
    int64_t most = is_open ? NONE : o->nstep / r->every + 2;
    Recorder *w = recorder_new(file, r->recorded.number, r->recorded.n,
                               r->recorded.value, most, c->arena);
    w->every = r->every;
    w->may_wait = o->no_wait;
    if (looks) {
        o->live = o->live ? o->live : live_new(c->arena);
        w->live = o->live;
        w->look = show_progress;
        w->context = r;
    }
    o->recorder = w;
    if (recorder_start(w))
        return true;
    diag_report(c->diag, NO_SPAN, DIAG_E1602, "no thread can be started: %s",
                strerror(errno));
    return false;
}

static bool open_page(RunCommand *r)
{
    RunOptions *o = &r->run;
    Compilation *c = r->c;
    if (!r->page_at)
        return true;
    RunList shown = run_find_shown(r);
    double period = o->no_wait ? 0 : o->step / o->rate;
    o->feed = feed_new(shown.number, shown.value, shown.n, period, c->arena);
    PageAbout about = {.model = c->flat->model,
                       .method = c->method->title,
                       .step = o->step,
                       .period = period,
                       .deadline = o->deadline > 0 ? o->deadline : period,
                       .name = shown.name,
                       .unit = run_find_units(r, &shown)};
    r->page =
        page_open(r->page_at, &about, o->feed, o->control, c->arena, c->diag);
    return r->page != NULL;
}

static bool open_console(RunCommand *r)
{
    Control *control = r->run.control;
    if (r->paused)
        control_give(control, &(ControlOrder){.kind = CONTROL_PAUSE});
    if (!r->control_at)
        return true;
    if (!r->run.live)
        r->run.live = live_new(r->c->arena);
    r->console = console_open(r->control_at, control, r->run.live, r->c->arena,
                              r->c->diag);
    return r->console != NULL;
}

static bool prepare(RunCommand *r)
{
    Compilation *c = r->c;
    RunOptions *o = &r->run;
    if (!output_possible(r->out, c->arena, c->diag) ||
        !output_possible(r->junit, c->arena, c->diag) || !read_input(r) ||
        !output_possible(r->a2l, c->arena, c->diag) ||
        !driver_compile(c, &r->step.driver, PHASE_CODE) || !run_load_models(r))
        return false;
    bool is_alone = !r->step.driver.live_inputs && r->with.n == 0;
    if (!is_alone || !step_trial_warn(c, &r->step.driver, NULL))
        step_modes_warn(c);
    SimOptions times = {.start = c->start, .stop = c->stop, .step = c->size};
    o->start = c->start;
    o->step = c->size;
    o->nstep = r->forever ? NONE : sim_nstep(&times);
    o->means.lock = !o->no_wait;
    run_report_init(&r->report, r->model, o, c->arena);
    run_find_parameters(r);
    run_find_recorded(r);
    return connect_inputs(r) && connect_outputs(r) && run_read_scenario(r) &&
           run_start(r->model, o, c->diag) && run_open_io(r) &&
           run_write_a2l(r) && run_open_xcp(r) && open_page(r) &&
           open_console(r) && start_recorder(r);
}

/* ---- the command ---- */

static void end_recorder(RunCommand *r)
{
    Recorder *w = r->run.recorder;
    if (!w)
        return;
    recorder_stop(w);
    if (w->look)
        fprintf(stderr, "\r\033[K");
    if (w->file && !result_close(w->file)) {
        diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->out,
                    strerror(errno));
        w->file = NULL;
    }
}

/* Where it can be reached: known only now where any free port will do. */
static void print_addresses(const RunCommand *r, FILE *out)
{
    if (r->run.udp_in)
        fprintf(out, "  takes datagrams of %d numbers at port %d\n",
                r->run.udp_in->n, r->run.udp_in->port);
    if (r->console)
        fprintf(out, "  obeys orders at port %d\n", console_port(r->console));
    if (r->xcp)
        fprintf(out, "  measured by XCP over UDP at port %d\n",
                xcp_port(r->xcp));
    if (r->page)
        fprintf(out, "  shows itself at http://127.0.0.1:%d/#token=%s\n",
                page_port(r->page), page_token(r->page));
    fflush(out);
}

static void print_head(const RunCommand *r)
{
    const Compilation *c = r->c;
    if (r->talks)
        printf("%s: %s, step %g s, %s\n", c->flat->model, c->method->title,
               c->size, run_speed(r));
    if (!r->quiet)
        print_addresses(r, r->json ? stderr : stdout);
}

static void run(RunCommand *r)
{
    print_head(r);
    run_march(r->model, &r->run, &r->report, r->c->diag);
    end_recorder(r);
    run_warn(r);
    run_judge_scenario(r);
    if (r->json)
        run_print_json(r);
    else if (!r->quiet)
        run_print_text(r);
}

/* Returns whether a signal came before the first step. */
static bool execute(RunCommand *r)
{
    clock_catch_signals();
    bool ready = prepare(r), caught = clock_caught() != 0;
    if (ready && !caught)
        run(r);
    else
        end_recorder(r);
    page_close(r->page);
    xcp_close(r->xcp);
    console_close(r->console);
    udp_in_close(r->run.udp_in);
    udp_out_close(r->run.udp_out);
    io_close(r->run.io);
    run_unload(r->model);
    clock_release_signals();
    return caught;
}

/* Returns what is wrong, or NULL. */
static const char *take_options(RunCommand *r, const TextList *args,
                                Arena *arena)
{
    static const char *const policy[] = {"continue", "skip", "stop", "hold"};
    static const char *const silence[] = {"last", "zero", "stop"};
    RunOptions *o = &r->run;
    const char *wrong = step_take(&r->step, args, arena);
    if (wrong)
        return wrong;
    for (int i = 0; i < 4; i++)
        if (!strcmp(r->on_overrun, policy[i]))
            o->overrun = (RunOverrun)i;
    for (int i = 0; i < 3; i++)
        if (!strcmp(r->on_silence, silence[i]))
            o->silence = (RunSilence)i;
    o->watchdog = r->watchdog;
    if (r->watchdog < 0 || (r->watchdog > 0 && !r->udp_in && !r->io))
        return "--watchdog takes a number of steps, and needs --udp-in or --io";
    if (r->connect.n > 0 && r->with.n == 0)
        return "--connect needs --with";
    if (r->junit && !r->scenario)
        return "--junit needs --scenario";
    if (o->deadline < 0 || (o->deadline > 0 && o->no_wait))
        return "--deadline takes a time, and a run that waits";
    if (r->paused && !r->control_at && !r->page_at)
        return "--paused needs --control or --page: who should resume it?";
    if (!(o->rate > 0))
        return "--rate takes a positive number";
    if (o->means.priority < 0 || o->means.priority > 99)
        return "--priority takes a number from 1 to 99";
    if (o->means.cpu < NONE)
        return "--cpu takes the number of a processor, from 0";
    if (r->every < 1 || r->udp_every < 1)
        return "--every and --udp-every take a number from 1";
    const char *ending = output_wrong("-o", r->out, "csv|mat|h5", arena);
    if (!ending)
        ending = output_wrong("--junit", r->junit, "xml", arena);
    if (!ending)
        ending = output_wrong("--a2l", r->a2l, "a2l", arena);
    if (ending)
        return ending;
    if ((r->input != NULL) + (r->udp_in != NULL) + (r->io != NULL) > 1)
        return "--input, --udp-in and --io exclude each other";
    if (o->no_wait)
        o->means = (ClockMeans){.cpu = NONE};
    r->talks = !r->json && !r->quiet;
    return NULL;
}

static void add_options(Option *to, int *n, const Option *from, int count)
{
    for (int i = 0; i < count; i++)
        to[(*n)++] = from[i];
}

enum { MOST_OPTIONS = 48 };

/* Time, deadlines, processors. */
static void clock_options(RunCommand *r, Option *to, int *n)
{
    RunOptions *o = &r->run;
    const Option clock[] = {
        {"stop", "TIME", "end of the run", OPT_TIME, &r->step.driver.stop},
        {"forever", NULL, "run until a signal comes (Ctrl-C)", OPT_FLAG,
         &r->forever},
        {"rate", "X", "seconds of the model in a second (default 1)",
         OPT_NUMBER, &o->rate},
        {"no-wait", NULL, "as fast as possible, without deadlines", OPT_FLAG,
         &o->no_wait},
        {"on-overrun", "continue|skip|hold|stop",
         "of a step that ends too late: continue (default) and catch up, skip "
         "the ticks that were missed, hold the last results until the next "
         "tick too, stop",
         OPT_WORD, &r->on_overrun},
        {"deadline", "TIME",
         "results are due so long after a tick (default: the period)", OPT_TIME,
         &o->deadline},
        {"priority", "N", "real-time priority (SCHED_FIFO), 1 to 99", OPT_INT,
         &o->means.priority},
        {"cpu", "N", "stay on this processor", OPT_INT, &o->means.cpu},
    };
    add_options(to, n, clock, sizeof clock / sizeof *clock);
}

/* What goes in and comes out. */
static void talk_options(RunCommand *r, Option *to, int *n)
{
    const Option talk[] = {
        {"input", "FILE", "CSV file with the inputs over time", OPT_TEXT,
         &r->input},
        {"udp-in", "PORT",
         "inputs from datagrams to PORT of this machine, or HOST:PORT",
         OPT_TEXT, &r->udp_in},
        {"io", "PARTNER",
         "inputs and results: can:INTERFACE,FILE.dbc, shm:NAME, or a driver, "
         "FILE.so,ARGUMENT",
         OPT_TEXT, &r->io},
        {"watchdog", "N", "inputs are silent after N steps without a datagram",
         OPT_INT, &r->watchdog},
        {"on-silence", "last|zero|stop",
         "inputs are then: the last ones (default), zero, or the run stops",
         OPT_WORD, &r->on_silence},
        {"udp-out", "HOST:PORT", "send time and outputs as datagrams", OPT_TEXT,
         &r->udp_out},
        {"udp-every", "N", "send every N-th step", OPT_INT, &r->udp_every},
        {"udp-header", NULL,
         "results have a header: sequence number and time stamp", OPT_FLAG,
         &r->udp_header},
        {"with", "MODEL,STEP",
         "another model in the same run; its step is a multiple (may be "
         "repeated)",
         OPT_LIST, &r->with},
        {"connect", "INPUT=SOURCE",
         "an input is a quantity of another model: Controller.u=speed (may be "
         "repeated)",
         OPT_LIST, &r->connect},
        {"scenario", "FILE",
         "orders, inputs and expectations over time: pass or fail", OPT_TEXT,
         &r->scenario},
        {"junit", "FILE", "write what came of the expectations (.xml)",
         OPT_TEXT, &r->junit},
        {"control", "PORT",
         "obey orders in datagrams to PORT: pause, resume, step, reset, stop, "
         "set NAME VALUE",
         OPT_TEXT, &r->control_at},
        {"xcp", "PORT",
         "measurement and calibration by XCP over UDP; --a2l has the "
         "description",
         OPT_TEXT, &r->xcp_at},
        {"a2l", "FILE",
         "an ASAP2 description of all quantities of the run, for XCP (.a2l)",
         OPT_TEXT, &r->a2l},
        {"paused", NULL, "wait for the order to begin", OPT_FLAG, &r->paused},
        {"no-cache", NULL, "compile the model anew", OPT_FLAG, &r->no_cache},
        {"page", "PORT", "a page that shows the run, at this port", OPT_TEXT,
         &r->page_at},
        {"o", "FILE", "write the trajectories (.csv, .mat or .h5)", OPT_TEXT,
         &r->out},
        {"every", "N", "write every N-th step", OPT_INT, &r->every},
        {"name", "NAME",
         "prefix of the symbols in C (default: the model's name)", OPT_TEXT,
         &r->step.driver.name},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &r->json},
        {"quiet", NULL, "print errors only", OPT_FLAG, &r->quiet},
    };
    add_options(to, n, talk, sizeof talk / sizeof *talk);
}

static const Option *run_table(RunCommand *r, Arena *arena)
{
    Option *own = NEW_ARRAY(arena, Option, MOST_OPTIONS + 1);
    int n = 0;
    clock_options(r, own, &n);
    talk_options(r, own, &n);
    return step_table(&r->step, own, arena);
}

int cmd_run(int argc, char **argv)
{
    Arena *arena = arena_new();
    RunCommand r = {.step = step_defaults(),
                    .run = {.rate = 1, .means = {.cpu = NONE}},
                    .on_overrun = "continue",
                    .on_silence = "last",
                    .every = 1,
                    .udp_every = 1};
    const Command command = {
        "run", "MODEL",
        "Compiles the generated C, loads it and holds a deadline every step.",
        "takt run models/gallery/MotorDrive.mo --step 1ms --stop 10s -o "
        "motor.csv\n"
        "takt run plant.mo --plan plant.plan.json --forever --priority 80 "
        "--udp-in 5000 --udp-out 127.0.0.1:5001",
        run_table(&r, arena)};
    TextList args = {0};
    int code;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    const char *wrong = take_options(&r, &args, arena);
    if (wrong) {
        code = options_wrong(&command, "%s", wrong);
        arena_free(arena);
        return code;
    }
    r.c = driver_new();
    bool caught = execute(&r);
    code = run_close_mates(&r, EXIT_FINE);
    int own = driver_end(r.c);
    code = own > code ? own : code;
    if (caught && code == EXIT_FINE) {
        fprintf(stderr, "takt: ended by a signal before the first step\n");
        code = EXIT_TAKT;
    }
    arena_free(arena);
    return code;
}
