/* fmu_source.c - NAME_fmu.c: the table of variables for the functions of FMI,
 * which stand in runtime/fmu/. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "base/ctext.h"
#include "base/die.h"
#include "base/number.h"
#include "target/fmu.h"
#include "target/foreign.h"

/* A double of C. */
static const char *number(double x, Arena *arena)
{
    char text[40];
    return arena_printf(arena, "(%s + 0.0)", number_shortest(x, false, text));
}

static const char *access_of(const FmuVar *v)
{
    return v->causality == FMU_PARAMETER ? "FMU_PARAMETER"
           : v->causality == FMU_INPUT   ? "FMU_INPUT"
           : v->start_row != NONE        ? "FMU_START"
                                         : "FMU_READ";
}

static void write_rows(FILE *out, const FmuModel *m, Arena *arena)
{
    static const char *const type[] = {"FMU_REAL", "FMU_INTEGER", "FMU_BOOLEAN",
                                       "FMU_NONE", "FMU_ENUMERATION"};
    int n = m->in->out->nvar;
    const FmuVar **of = NEW_ARRAY(arena, const FmuVar *, n + 1);
    for (int i = 0; i < m->nvar; i++)
        if (m->var[i].row != NONE && m->var[i].alias == NONE)
            of[m->var[i].row] = &m->var[i];
    fprintf(out, "static const FmuRow fmu_row[FMU_NVAR] = {\n");
    for (int i = 0; i < n; i++) {
        const FmuVar *v = of[i];
        const char *name = c_comment(m->in->out->row[i].name, arena);
        if (v)
            fprintf(out, "    {%s, %s, %d, %d, %d}, /* %s */\n", type[v->type],
                    access_of(v), v->start_row, v->base,
                    v->variability == FMU_DISCRETE, name);
        else
            fprintf(out, "    {FMU_NONE, FMU_READ, -1, -1, 0}, /* %s */\n",
                    name);
    }
    fprintf(out, "};\n\n");
}

static void write_numbers(FILE *out, const char *name, const int *row, int n)
{
    fprintf(out, "static const int %s[%d] = {", name, n + 1);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%d,", i % 12 == 0 ? "\n    " : " ", row[i]);
    fprintf(out, "%s-1};\n", n % 12 == 0 ? "\n    " : " ");
}

/* Rows of inputs that are derivatives of inputs. */
static void write_slopes(FILE *out, const FmuModel *m, Arena *arena)
{
    int *row = NEW_ARRAY(arena, int, m->nvar + 1), n = 0;
    for (int i = 0; i < m->nvar; i++)
        if (m->var[i].row != NONE && m->var[i].alias == NONE &&
            m->var[i].base != NONE)
            row[n++] = m->var[i].row;
    fprintf(out, "enum { FMU_NSLOPE = %d };\n", n);
    write_numbers(out, "fmu_slope_input", row, n);
    fprintf(out, "\n");
}

static void write_texts(FILE *out, const FmuModel *m, Arena *arena)
{
    fprintf(out, "static const char *const fmu_text[FMU_NTEXT + 1] = {\n");
    for (int i = m->nvar - m->ntext; i < m->nvar; i++)
        fprintf(out, "    %s,\n", c_string(m->var[i].text, arena));
    fprintf(out, "    \"\"};\n\n");
}

static void write_moves(FILE *out, const char *name, const FmuMove *move, int n)
{
    fprintf(out, "static const FmuMove %s[%d] = {\n", name, n + 1);
    for (int i = 0; i < n; i++)
        fprintf(out, "    {%d, %d, %d},\n", move[i].reference, move[i].row,
                (int)move[i].sign);
    fprintf(out, "    {0, 0, 0}};\n");
}

/* Tables of takt_fmu_exchange.h. */
static void write_exchange(FILE *out, const FmuModel *m)
{
    const FmuExchange *e = m->exchange;
    fprintf(out,
            "enum {\n    FMU_NX = %d,\n    FMU_NZ = %d,\n"
            "    FMU_NKNOWN = %d,\n    FMU_NUNKNOWN = %d,\n"
            "    FMU_NEXT = %d,\n    FMU_ASKS = %d\n};\n",
            e->nx, e->nz, e->nknown, e->nunknown, e->next, e->asks);
    for (int k = 0; k < 2; k++) {
        fprintf(out, "static const int fmu_%s[%d] = {", k ? "slope" : "state",
                e->nx + 1);
        for (int i = 0; i < e->nx; i++)
            fprintf(out, "%s%d,", i % 12 == 0 ? "\n    " : " ",
                    m->var[k ? e->slope[i] : e->state[i]].row);
        fprintf(out, "\n    -1};\n");
    }
    write_numbers(out, "fmu_indicator", e->indicator, e->nz);
    fprintf(out, "static const double fmu_nominal[%d] = {", e->nx + 1);
    for (int i = 0; i < e->nx; i++) {
        char text[40];
        fprintf(out, "\n    %s,", number_shortest(e->nominal[i], false, text));
    }
    fprintf(out, "\n    0};\n");
    if (e->moves) {
        write_moves(out, "fmu_known", e->known, e->nknown);
        write_moves(out, "fmu_unknown", e->unknown, e->nunknown);
    }
    fprintf(out, "\n");
}

/* Tables of takt_fmi3_scheduled.h. */
static void write_clocks(FILE *out, const FmuModel *m, Arena *arena)
{
    fprintf(out,
            "enum { FMU_NCLOCK = %d };\n"
            "static const FmuClock fmu_clock[FMU_NCLOCK] = {\n",
            m->nclock);
    for (int i = 0; i < m->nclock; i++) {
        const FmuClock *c = &m->clock[i];
        fprintf(out, "    {%s, %d, %d, %s, %s},\n", c_string(c->name, arena),
                c->rate, c->priority, number(c->interval, arena),
                number(c->shift, arena));
    }
    fprintf(out, "};\n\n");
}

/* Of takt_fmu_external.h. */
static void write_external(FILE *out, const FmuModel *m, Arena *arena)
{
    const TargetForeign *f = m->in->foreign;
    int n = 0;
    if (!f) {
        fprintf(out, "#define FMU_EXTERNAL 0\n");
        return;
    }
    while (f->what->file[n])
        n++;
    fprintf(out,
            "#define FMU_EXTERNAL 1\n#define FMU_ONCE %d\n"
            "#define FMU_X(f) %s_x##f\n"
            "enum { FMU_NOBJECT = %d, FMU_NFILE = %d };\n"
            "static const char *const fmu_file[FMU_NFILE + 1] = {\n",
            fmu_has_memory(m), m->in->name, f->what->nobject, n);
    for (int i = 0; i < n; i++)
        fprintf(out, "    %s,\n", c_string(f->file[i], arena));
    fprintf(out, "    \"\"};\n");
}

static void write_all(FILE *out, const FmuModel *m, Arena *arena)
{
    const char *n = m->in->name, *u = target_upper(n, arena);
    int version = m->version;
    fprintf(out,
            "/* %s_fmu.c - %s as an FMU, FMI %d.0. Made by takt. */\n"
            "#define FMI%d_FUNCTION_PREFIX %s_\n\n"
            "#include \"%s.h\"\n\n#include \"takt_fmu.h\"\n\n"
            "#define FMU_MODEL %s\n"
            "#define FMU_CALL(f) %s_##f\n"
            "#define FMU_HAS_ENDED(status) ((status) == %s_TERMINATED)\n"
            "#define FMU_TOKEN \"%s\"\n"
            "#define FMU_STEP %s\n"
            "#define FMU_BEGIN %s\n"
            "#define FMU_COSIMULATION %d\n"
            "#define FMU_EXCHANGE %d\n"
            "#define FMU_MOVES %d\n"
            "#define FMU_SCHEDULED %d\n"
            "enum { FMU_NVAR = %s_NVAR, FMU_NTEXT = %d };\n\n",
            n, c_comment(m->in->model, arena), version, version, n, n, n, n, u,
            m->token, number(m->in->size, arena), number(m->in->start, arena),
            m->has_cosim, m->exchange != NULL,
            m->exchange && m->exchange->moves, m->nclock > 0, u, m->ntext);
    write_external(out, m, arena);
    write_rows(out, m, arena);
    write_slopes(out, m, arena);
    write_texts(out, m, arena);
    if (m->exchange)
        write_exchange(out, m);
    if (m->nclock > 0)
        write_clocks(out, m, arena);
    fprintf(out, "#include \"takt_fmi%d_functions.h\"\n", version);
}

const char *fmu_source(const FmuModel *m, Arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        die("out of memory");
    write_all(out, m, arena);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        die("out of memory");
    const char *copy = arena_strndup(arena, text, size);
    free(text);
    return copy;
}
