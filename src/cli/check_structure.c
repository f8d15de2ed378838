/* check_structure.c - index, states and blocks, as text, JSON and picture. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/check_structure.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "report/blt.h"
#include "report/structure.h"

enum { MOST_STATES = 12 };

/* The schedule of a step, or NULL. */
static const Schedule *step_schedule(const Compilation *c)
{
    const Inlined *d = c->step->inlined;
    return d->ncycle > 0 ? c->step->schedule[d->cycle[0]] : NULL;
}

static const Schedule *model_schedule(const Compilation *c)
{
    const Inlined *d = c->step->inlined;
    return d->event != NONE ? c->step->schedule[d->event] : NULL;
}

static void print_leaves(const char *title, const Dae *d, const Expr *leaf,
                         int n)
{
    Arena *a = arena_new();
    printf("  %-18s %d", title, n);
    for (int i = 0; i < n && i < MOST_STATES; i++)
        printf("%s%s", i ? ", " : ": ", dae_leaf_text(d, leaf[i], a));
    if (n > MOST_STATES)
        printf(" and %d more", n - MOST_STATES);
    putchar('\n');
    arena_free(a);
}

static Expr *state_leaves(const Dae *d, Arena *arena)
{
    Expr *leaf = NEW_ARRAY(arena, Expr, d->nstate + 1);
    for (int i = 0; i < d->nstate; i++)
        leaf[i] = dae_state_shown(d, i);
    return leaf;
}

static void print_dae(const Dae *d)
{
    Arena *a = arena_new();
    printf("  index              %d", d->index);
    if (d->structural_index != d->index)
        printf(" (structural index %d)", d->structural_index);
    putchar('\n');
    print_leaves("states", d, state_leaves(d, a), d->nstate);
    if (d->ndummy > 0)
        print_leaves("dummy derivatives", d, d->dummy, d->ndummy);
    if (d->nset > 0)
        printf("  state sets         %d, chosen anew while running\n", d->nset);
    arena_free(a);
}

void check_structure_print(const Compilation *c, bool inlined)
{
    if (c->dae)
        print_dae(c->dae);
    if (model_schedule(c))
        structure_print(model_schedule(c), "the model as it is", stdout);
    if (!inlined || !step_schedule(c))
        return;
    Arena *a = arena_new();
    char step[32];
    structure_print(step_schedule(c),
                    arena_printf(a, "difference equations by %s, step %s s",
                                 c->method->title, number_text(c->size, step)),
                    stdout);
    arena_free(a);
}

static void put_dae(const Dae *d, JsonOut *j)
{
    Arena *a = arena_new();
    json_break(j, 0);
    json_put_count(j, "index", d->index);
    json_put_count(j, "structural_index", d->structural_index);
    json_begin_array(j, "states");
    for (int i = 0; i < d->nstate; i++)
        json_put_text(j, NULL, dae_leaf_text(d, dae_state_shown(d, i), a));
    json_end(j);
    json_begin_array(j, "dummy_derivatives");
    for (int i = 0; i < d->ndummy; i++)
        json_put_text(j, NULL, dae_leaf_text(d, d->dummy[i], a));
    json_end(j);
    json_put_count(j, "state_sets", d->nset);
    arena_free(a);
}

void check_structure_json(const Compilation *c, bool inlined, JsonOut *j)
{
    if (c->dae)
        put_dae(c->dae, j);
    const Schedule *step = inlined ? step_schedule(c) : NULL;
    const Schedule *model = model_schedule(c);
    if (step) {
        json_break(j, 0);
        json_put_text(j, "method", c->method->name);
        json_put_number(j, "step", c->size);
        if (model) {
            json_break(j, 0);
            json_begin_object(j, "model_as_is");
            structure_json(model, j);
            json_end(j);
        }
    }
    json_break(j, 0);
    structure_json(step ? step : model, j);
}

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

bool check_structure_draw(const Compilation *c, bool inlined, const char *path)
{
    const Schedule *s = inlined ? step_schedule(c) : NULL;
    if (!s)
        s = model_schedule(c) ? model_schedule(c) : step_schedule(c);
    OutFile f;
    if (!outfile_open(&f, path, c->arena)) {
        fprintf(stderr, "takt: '%s' cannot be written: %s\n", path,
                strerror(errno));
        return false;
    }
    if (ends_in(path, ".svg"))
        blt_draw_svg(s, c->sources, f.file);
    else
        blt_draw_html(s, c->sources, f.file);
    if (outfile_close(&f))
        return true;
    fprintf(stderr, "takt: '%s' cannot be written: %s\n", path,
            strerror(errno));
    return false;
}
