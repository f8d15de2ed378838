/* embeddings.c - takt method --embeddings. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pages/embeddings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/estimator.h"
#include "theory/embedding.h"

/* What 8.7 and 8.8 of Cellier and Kofman count. */
typedef struct BookCounts {
    const char *method;
    const char *tried, *far, *a, *l, *kept;
} BookCounts;

static const BookCounts book[] = {
    {"radau3", "56", "6 stiffly stable", "4", "-", "3 kept"},
    {"radau5", "792", "-", "26", "-", "-"},
    {"lobatto4", "-", "-", "16", "2", "-"},
};

static const BookCounts *book_of(const Method *m)
{
    for (size_t i = 0; i < sizeof book / sizeof *book; i++)
        if (!strcmp(book[i].method, m->name))
            return &book[i];
    return NULL;
}

/* ---- formulas that are used ---- */

/* The first coefficient of the estimate on x' = lambda x over that of the true
 * error: x^ errs by more or less than the method. */
static double linear_share(const Method *m, const EmbeddingTheory *t, int nstep)
{
    double want = 1, own = 0;
    int p = m->order + 1;
    Arena *work = arena_new();
    const Theory *method = theory_make(m, work);
    own = exact_double(method->constant);
    arena_free(work);
    for (int k = 1; k <= p; k++)
        want *= (double)nstep / k;
    /* F - exp(nstep z), less what the steps of the method are off by */
    double formula = exact_double(t->series[p]) - want - nstep * own;
    return fabs(formula / own);
}

static void print_row(const Method *m, const char *name, int claimed,
                      const EmbeddingTheory *t, int nstep)
{
    printf("  %-10s %7d %7d %9.2g %9s %8.4g", name, t->order_linear, t->order,
           t->defect, t->a.yes ? "yes" : "no", t->infinity);
    if (t->order_linear >= m->order)
        printf("  estimate/error %.4g", linear_share(m, t, nstep));
    if (claimed > t->order)
        printf("  %d order%s lost", claimed - t->order,
               claimed - t->order > 1 ? "s" : "");
    putchar('\n');
}

/* x less the estimate of plan/estimator.h, for equal steps or the first one. */
static void print_estimator(const Method *m, bool two, Arena *arena)
{
    int s = m->nstage;
    double d[2 * 8 + 1];
    estimator_weights(m, two ? 1 : 0, d);
    d[s + s - 1] += d[2 * s]; /* f_n is the last slope of the step before */
    Exact *w = NEW_ARRAY(arena, Exact, 2 * s);
    for (int i = 0; i < 2 * s; i++) {
        double of = i < s ? d[s + i] : d[i - s];
        w[i] = exact_sub(m->exact[s * s + i % s], exact_near(of));
    }
    EmbeddingTheory t = embedding_theory(m, 2, w, arena);
    print_row(m, two ? "two-step" : "one-step", 0, &t, 2);
}

static void print_formulas(const Method *m, Arena *arena)
{
    printf("%s: what x less the estimate of its error is worth\n", m->name);
    printf("  %-10s %7s %7s %9s %9s %8s\n", "", "linear", "trees", "next by",
           "A-stable", "|F(oo)|");
    if (estimator_has_weights(m)) {
        print_estimator(m, true, arena);
        print_estimator(m, false, arena);
    }
    for (EmbeddingKind kind = EK_BLENDED; kind <= EK_BDF3; kind++) {
        const Embedding *e = embedding_find(m, kind, arena);
        if (!e)
            continue;
        EmbeddingTheory t = embedding_theory(
            m, e->nstep, embedding_weights(m, e, arena), arena);
        print_row(m, e->name, e->order, &t, e->nstep);
    }
    puts("  linear: order for x' = lambda x; trees: order by the conditions of "
         "all trees,\n  next by: what those of the next order fail by; "
         "estimate/error: sizes, on x' = lambda x");
}

/* ---- the search ---- */

static void print_count(const char *what, int ours, const char *theirs)
{
    printf("  %-44s %6d %18s\n", what, ours, theirs);
}

static void print_counts(const EmbeddingSearch *s, const BookCounts *b)
{
    printf("  %-44s %6s %18s\n", "", "here", "book");
    print_count("choices", s->tried, b ? b->tried : "-");
    print_count("  without a polynomial of their own", s->without, "-");
    print_count("stable far out, |F(oo)| <= 1", s->far, b ? b->far : "-");
    print_count("  with |F(oo)| < 1", s->far_strict, "-");
    print_count("A-stable, |F(iy)| <= 1", s->a, b ? b->a : "-");
    print_count("  or nearly, |F(iy)| < 1 + 1e-6 on a grid", s->a_nearly, "-");
    print_count("  different from each other", s->a_distinct,
                b ? b->kept : "-");
    print_count("  with F(oo) = 0", s->l, b ? b->l : "-");
}

static void print_candidates(const Method *m, const EmbeddingSearch *s,
                             Arena *arena)
{
    int shown = 0;
    puts("  A-stable ones, in steps from the second one on:");
    for (int i = 0; i < s->n; i++) {
        const EmbeddingCandidate *c = &s->at[i];
        if (!c->theory.a.yes || c->same_as != i)
            continue;
        printf("  %3d  order %d, %d on trees, |F(oo)| %.4g: %s\n", ++shown,
               c->theory.order_linear, c->theory.order, c->theory.infinity,
               embedding_text(m, &c->e, arena));
    }
}

static void print_search(const Method *m, const EmbeddingSearch *s,
                         Arena *arena)
{
    printf("%s: polynomials of degree %d through %d of the %d values of two "
           "equal steps\n",
           m->name, s->nchoice - 1, s->nchoice, s->npiece);
    print_counts(s, book_of(m));
    print_candidates(m, s, arena);
    puts("  F is that of (8.98): the method made both steps, and x^ = F(h "
         "lambda) x two\n  steps later. The book prints no definition of its "
         "counts, and none of those here\n  gives them; its three of (8.97) "
         "are among the ones above.");
}

bool embeddings_print(const Method *m, Arena *arena)
{
    const EmbeddingSearch *s = embedding_search(m, arena);
    if (!s)
        return false;
    print_formulas(m, arena);
    print_search(m, s, arena);
    return true;
}
