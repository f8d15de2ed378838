/* method.c - takt method NAME|FILE.json...: order, stability, pictures. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/file.h"
#include "base/json.h"
#include "pages/embeddings.h"
#include "cli/options.h"
#include "result/outputs.h"
#include "cli/verbs.h"
#include "driver/driver.h"
#include "linear/linear.h"
#include "plan/method.h"
#include "result/picture.h"
#include "theory/dae.h"
#include "theory/picture.h"

typedef struct MethodRun {
    const char *domain, *damping, *page, *window, *model;
    double step;
    TextList library, set;
    bool json, dae, embeddings;
    Sources *sources;
    Diag *diag;
    Arena *arena;
    const Theory **theory;
    int n;
    Modes modes;
    Compilation *c; /* of --model */
} MethodRun;

/* ---- to a reader ---- */

static const char *family_of(const Method *m)
{
    switch (m->kind) {
    case MK_RK:
        if (m->newton == 1 && !m->is_explicit)
            return m->nstage > 1 ? "extrapolation" : "linearly implicit";
        return m->is_explicit   ? "Runge-Kutta, explicit"
               : m->is_diagonal ? "Runge-Kutta, diagonally implicit"
                                : "Runge-Kutta, fully implicit";
    case MK_ROSENBROCK: return "Rosenbrock";
    case MK_MULTISTEP:
        return m->alpha[0] == 0 ? "multistep, overimplicit" : "multistep";
    case MK_ONELEG: return "one-leg";
    case MK_CYCLE: return "cyclic";
    case MK_NONE: break;
    }
    return "none";
}

static const char *yes(const Verdict *v)
{
    return v->yes ? "yes" : "no";
}

static void print_list(MethodRun *r)
{
    printf("%-10s %5s  %-32s %-8s %-8s %s\n", "name", "order", "family",
           "A-stable", "L-stable", "");
    for (int i = 0; i < r->n; i++) {
        const Theory *t = r->theory[i];
        if (t->m->kind == MK_NONE)
            printf("%-10s %5s  %-32s %-8s %-8s %s\n", t->m->name, "-", "-", "-",
                   "-", t->m->title);
        else
            printf("%-10s %5d  %-32s %-8s %-8s %s\n", t->m->name, t->order,
                   family_of(t->m), yes(&t->a), yes(&t->l), t->m->title);
    }
    puts("\nbdf, with order and step by the error, and ida and cvode "
         "(SUNDIALS) are "
         "for takt sim.\n'takt method NAME' shows one,\nseveral names compare, "
         "FILE.json is a method of "
         "your own.");
}

static void print_verdict(const char *name, const Verdict *v)
{
    printf("  %-17s %s%s: %s\n", name, v->yes ? "yes" : "no",
           v->is_proven ? ", proven" : ", seen", v->why);
}

static const char *limit_text(double x, Arena *arena)
{
    return isinf(x) ? "all of it" : arena_printf(arena, "%.6g", x);
}

static void print_order(const Theory *t)
{
    if (t->order_is_exact)
        printf("  order             %d: %d conditions hold exactly", t->order,
               t->ncondition);
    else
        printf("  order             %d: %d conditions hold to %.1g (the "
               "coefficients are rounded)",
               t->order, t->ncondition, t->defect);
    if (t->next_defect > 0)
        printf("; the next fail by %.4g", t->next_defect);
    else if (t->is_rational)
        printf("; more than %d are not looked at", THEORY_ORDER);
    putchar('\n');
    if (t->order != t->m->order)
        printf("  stated order      %d\n", t->m->order);
    if (t->order_any > 0)
        printf("  any matrix        order %d, whatever stands in the place of "
               "the Jacobian\n",
               t->order_any);
    else if (t->is_rational)
        printf("  stage order       %d\n", t->stage_order);
    if (t->order_hat > 0)
        printf("  embedded          order %d\n", t->order_hat);
}

static void print_theory(const Theory *t, Arena *arena)
{
    printf("%s: %s (%s)\n", t->m->name, t->m->title, family_of(t->m));
    if (t->m->kind == MK_NONE)
        return;
    print_order(t);
    printf("  error constant    %s", exact_text(t->constant, arena));
    if (t->constant.is_exact && (t->constant.r != 1 || t->constant.q != 0))
        printf(" = %.6g", exact_double(t->constant));
    printf(" (h^%d x^(%d), linear test equation%s)\n", t->order + 1,
           t->order + 1, t->nstep > 1 ? ", over the cycle" : "");
    printf("  F(z)              %s%s\n", theory_function(t, arena),
           t->nstep > 1 ? arena_printf(arena, " over %d steps", t->nstep) : "");
    if (!t->is_rational)
        printf("  zero-stable       %s\n", t->is_zero_stable ? "yes" : "no");
    print_verdict("A-stable", &t->a);
    print_verdict("L-stable", &t->l);
    print_verdict("stiffly stable", &t->stiff);
    printf("  negative axis     %s\n", limit_text(t->real, arena));
    printf("  imaginary axis    %s\n", limit_text(t->imaginary, arena));
    if (isinf(t->infinity))
        puts("  |F| at -infinity  grows without bound");
    else
        printf("  |F| at -infinity  %.6g\n", t->infinity);
}

static void print_modes(const MethodRun *r)
{
    printf("%s: %d eigenvalues, h lambda and |F| of each method\n",
           r->modes.name, r->modes.n);
    for (int i = 0; i < r->modes.n; i++) {
        if (r->modes.im[i] < 0)
            continue;
        printf("  %12.5g %+12.5gi", r->modes.re[i], r->modes.im[i]);
        for (int k = 0; k < r->n; k++)
            printf(
                "  %s %.5g", r->theory[k]->m->name,
                theory_growth(r->theory[k]->m, r->modes.re[i], r->modes.im[i]));
        putchar('\n');
    }
}

static void print_dae(const MethodRun *r)
{
    for (int i = 0; i < r->n; i++) {
        const Method *m = r->theory[i]->m;
        DaeTest test[DAE_TESTS];
        if (m->kind != MK_MULTISTEP && m->kind != MK_ONELEG)
            continue;
        dae_test(m, test);
        printf("%s on A x + B x' = 0: largest eigenvalue of F beside |F(z)|, "
               "over 400 values of z\n",
               m->name);
        for (int k = 0; k < DAE_TESTS; k++)
            printf("  %-34s rank %d, condition %8.2g: differs by at most "
                   "%.1e\n",
                   test[k].name, test[k].rank, test[k].condition,
                   test[k].difference);
    }
}

static void print_embeddings(const MethodRun *r)
{
    for (int i = 0; i < r->n; i++)
        if (!embeddings_print(r->theory[i]->m, r->arena))
            printf("%s: embeddings are looked for of implicit Runge-Kutta "
                   "methods with 2 or 3 stages whose last is the end of the "
                   "step\n",
                   r->theory[i]->m->name);
}

/* ---- to machines ---- */

static void put_verdict(JsonOut *j, const char *key, const Verdict *v)
{
    json_begin_object(j, key);
    json_put_bool(j, "yes", v->yes);
    json_put_bool(j, "proven", v->is_proven);
    json_put_text(j, "why", v->why);
    json_end(j);
}

static void put_texts(JsonOut *j, const char *key, Poly p, Arena *arena)
{
    json_begin_array(j, key);
    for (int i = 0; i <= p.n; i++)
        json_put_text(j, NULL, exact_text(p.c[i], arena));
    json_end(j);
}

static void put_theory(JsonOut *j, const Theory *t, Arena *arena)
{
    json_begin_object(j, NULL);
    json_put_text(j, "name", t->m->name);
    json_put_text(j, "title", t->m->title);
    json_put_text(j, "family", family_of(t->m));
    json_put_count(j, "order", t->order);
    json_put_bool(j, "order_is_exact", t->order_is_exact);
    json_put_count(j, "conditions", t->ncondition);
    json_put_count(j, "stage_order", t->stage_order);
    json_put_count(j, "order_any_matrix", t->order_any);
    json_put_count(j, "order_embedded", t->order_hat);
    json_put_text(j, "error_constant", exact_text(t->constant, arena));
    json_put_text(j, "F", theory_function(t, arena));
    if (t->is_rational) {
        put_texts(j, "up", t->up, arena);
        put_texts(j, "down", t->down, arena);
    }
    put_verdict(j, "a_stable", &t->a);
    put_verdict(j, "l_stable", &t->l);
    put_verdict(j, "stiffly_stable", &t->stiff);
    json_put_number(j, "angle", t->angle);
    json_put_number(j, "gear", t->gear);
    json_put_number(j, "infinity", t->infinity);
    json_put_number(j, "real", t->real);
    json_put_number(j, "imaginary", t->imaginary);
    json_end(j);
}

static void print_json(const MethodRun *r)
{
    JsonOut text = json_start(stdout, JSON_INDENTED), *j = &text;
    json_begin_object(j, NULL);
    json_begin_array(j, "methods");
    for (int i = 0; i < r->n; i++)
        put_theory(j, r->theory[i], r->arena);
    json_end(j);
    if (r->modes.name) {
        json_put_text(j, "model", r->modes.name);
        json_begin_array(j, "modes");
        for (int i = 0; i < r->modes.n; i++) {
            json_begin_array(j, NULL);
            json_put_number(j, NULL, r->modes.re[i]);
            json_put_number(j, NULL, r->modes.im[i]);
            json_end(j);
        }
        json_end(j);
    }
    json_end(j);
    json_finish(j);
}

/* ---- the eigenvalues of a model ---- */

static bool find_modes(MethodRun *r)
{
    DriverOptions d = driver_defaults(NULL);
    d.model = r->model;
    d.library = r->library.at;
    d.nlibrary = r->library.n;
    d.set = r->set.at;
    d.nset = r->set.n;
    d.goal = STEP_REFERENCE;
    if (!driver_compile(r->c, &d, PHASE_STEP))
        return false;
    SimOptions o = {.start = r->c->start, .stop = r->c->start, .step = r->step};
    Sim *sim = sim_new(r->c->step->lowered, &o, r->c->arena, r->c->diag);
    if (!sim)
        return false;
    sim->exec->tolerance = 1e-12;
    Linear *l = sim_init(sim) ? linear_new(sim, r->c->arena, r->c->diag) : NULL;
    bool fine = l && linear_modes(l, r->c->arena);
    if (l && !fine)
        diag_report(r->c->diag, NO_SPAN, DIAG_E1356,
                    "the eigenvalues of A could not be found");
    sim_free(sim);
    if (!fine)
        return false;
    for (int i = 0; i < l->nx; i++) {
        l->re[i] *= r->step;
        l->im[i] *= r->step;
    }
    r->modes = (Modes){arena_printf(r->c->arena, "%s at its start, step %g s",
                                    r->c->flat->model, r->step),
                       l->re, l->im, l->nx};
    return true;
}

/* ---- pictures ---- */

static bool saved(const MethodRun *r, bool fine, const char *path)
{
    if (!fine)
        diag_report(r->diag, NO_SPAN, DIAG_E1308, "%s: %s", path,
                    strerror(errno));
    return fine;
}

static bool draw(const MethodRun *r, Window w)
{
    Picture p;
    OutFile f;
    bool fine = true;
    if (r->domain) {
        picture_open(&p);
        theory_domain_svg(r->theory, r->n, &r->modes, w, p.svg);
        fine &= saved(r, picture_save(&p, r->domain, r->arena), r->domain);
    }
    if (r->damping) {
        picture_open(&p);
        theory_damping_svg(r->theory, r->n, p.svg);
        fine &= saved(r, picture_save(&p, r->damping, r->arena), r->damping);
    }
    if (r->page) {
        bool opened = outfile_open(&f, r->page, r->arena);
        if (opened)
            theory_page(r->theory, r->n, &r->modes, w, f.file);
        fine &= saved(r, opened && outfile_close(&f), r->page);
    }
    return fine;
}

/* ---- the command ---- */

static bool read_window(const char *text, Window *w)
{
    double *x[] = {&w->left, &w->right, &w->low, &w->high};
    for (int i = 0; i < 4; i++) {
        char *end;
        *x[i] = number_read(text, &end);
        if (end == text || !isfinite(*x[i]) || *end != (i < 3 ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return w->left < w->right && w->low < w->high;
}

static const char *wrong_use(const MethodRun *r, const TextList *args,
                             Arena *arena)
{
    Window w;
    const char *wrong = output_wrong("--domain", r->domain, "svg|png", arena);
    if (!wrong)
        wrong = output_wrong("--damping", r->damping, "svg|png", arena);
    if (!wrong)
        wrong = output_wrong("--page", r->page, "html", arena);
    if (wrong)
        return wrong;
    if (args->n == 0 &&
        (r->domain || r->damping || r->page || r->dae || r->embeddings))
        return "pictures are of one method or more: name them";
    if (args->n == 0 && r->model)
        return "--model puts eigenvalues beside methods: name one or more";
    if (r->model && !(r->step > 0))
        return "--model needs --step: h times its eigenvalues are looked at";
    if (!r->model && (r->step > 0 || r->set.n || r->library.n))
        return "--step, --set and -L belong to --model";
    if (r->window && !read_window(r->window, &w))
        return "--window takes LEFT,RIGHT,LOW,HIGH, as in -4,1,-3,3";
    return NULL;
}

static bool read_methods(MethodRun *r, const TextList *args)
{
    int n = args->n > 0 ? args->n : method_count();
    r->theory = NEW_ARRAY(r->arena, const Theory *, n);
    for (int i = 0; i < n; i++) {
        const char *name = args->n > 0 ? args->at[i] : method_name(i);
        const Method *m = method_read(name, r->sources, r->arena, r->diag);
        if (m)
            r->theory[r->n++] = theory_make(m, r->arena);
    }
    return r->n == n;
}

static void show(MethodRun *r, bool is_list)
{
    if (r->json)
        print_json(r);
    else if (is_list)
        print_list(r);
    else
        for (int i = 0; i < r->n; i++)
            print_theory(r->theory[i], r->arena);
    if (!r->json && r->modes.name)
        print_modes(r);
    if (!r->json && r->dae)
        print_dae(r);
    if (!r->json && r->embeddings)
        print_embeddings(r);
}

static void method(MethodRun *r, const TextList *args)
{
    if (!output_possible(r->domain, r->arena, r->diag) ||
        !output_possible(r->damping, r->arena, r->diag) ||
        !output_possible(r->page, r->arena, r->diag) ||
        !read_methods(r, args) || (r->model && !find_modes(r)))
        return;
    Window w = theory_window(r->theory, r->n);
    if (r->window)
        read_window(r->window, &w);
    if (draw(r, w))
        show(r, args->n == 0);
}

int cmd_method(int argc, char **argv)
{
    Arena *arena = arena_new();
    MethodRun run = {.arena = arena};
    const Option option[] = {
        {"domain", "FILE", "draw the stability domains (.svg or .png)",
         OPT_TEXT, &run.domain},
        {"damping", "FILE",
         "draw the damping along the negative axis (.svg or .png)", OPT_TEXT,
         &run.damping},
        {"page", "FILE", "write an interactive page of both (.html)", OPT_TEXT,
         &run.page},
        {"window", "L,R,B,T", "part of the plane that is drawn", OPT_TEXT,
         &run.window},
        {"model", "MODEL", "put h times the eigenvalues of a model into it",
         OPT_TEXT, &run.model},
        {"step", "TIME", "the step h of --model", OPT_TIME, &run.step},
        {"set", "NAME=VALUE", "value of a parameter of --model", OPT_LIST,
         &run.set},
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &run.library},
        {"dae", NULL,
         "multistep methods on A x + B x' = 0: does B change the stability?",
         OPT_FLAG, &run.dae},
        {"embeddings", NULL,
         "formulas that tell the error of a step, their orders; all "
         "polynomials through values of two steps",
         OPT_FLAG, &run.embeddings},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &run.json},
        {0},
    };
    const Command command = {
        "method", "[NAME|FILE.json ...]",
        "Shows integration methods: order, error constant, stability. "
        "Without a name it lists all.",
        "takt method bdf3 radau5 --page methods.html\n"
        "takt method radau5 --model models/gallery/Hires.mo --step 0.1 "
        "--domain hires.svg",
        option};
    TextList args = {0};
    int code;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    const char *wrong = wrong_use(&run, &args, arena);
    if (wrong) {
        code = options_wrong(&command, "%s", wrong);
        arena_free(arena);
        return code;
    }
    run.c = driver_new();
    run.sources = run.c->sources;
    run.diag = run.c->diag;
    method(&run, &args);
    code = driver_end(run.c);
    arena_free(arena);
    return code;
}
