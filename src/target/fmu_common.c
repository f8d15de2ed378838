/* fmu_common.c - elements of modelDescription.xml that FMI 2 and 3 share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/fmu.h"
#include "target/foreign.h"

static int text_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void fmu_write_units(XmlOut *x, const FmuModel *m, Arena *arena)
{
    const char **unit = NEW_ARRAY(arena, const char *, m->nvar + 1);
    int n = 0;
    for (int i = 0; i < m->nvar; i++)
        if (m->var[i].type == FT_REAL && m->var[i].unit[0])
            unit[n++] = m->var[i].unit;
    if (n == 0)
        return;
    qsort(unit, (size_t)n, sizeof *unit, text_order);
    xml_begin(x, "UnitDefinitions");
    for (int i = 0; i < n; i++) {
        if (i > 0 && !strcmp(unit[i], unit[i - 1]))
            continue;
        xml_begin(x, "Unit");
        xml_text(x, "name", unit[i]);
        xml_end(x);
    }
    xml_end(x);
}

void fmu_write_categories(XmlOut *x)
{
    static const struct {
        const char *name, *what;
    } category[] = {
        {"logAll", "all messages"},
        {"logStatusWarning", "steps that are done and may be wrong"},
        {"logStatusDiscard", "the model ends the run"},
        {"logStatusError", "what failed, and where in the model"},
    };
    xml_begin(x, "LogCategories");
    for (size_t i = 0; i < sizeof category / sizeof category[0]; i++) {
        xml_begin(x, "Category");
        xml_text(x, "name", category[i].name);
        xml_text(x, "description", category[i].what);
        xml_end(x);
    }
    xml_end(x);
}

static bool fits(const FmuVar *v, double x)
{
    return isfinite(x) &&
           (v->type == FT_REAL || (x == floor(x) && fabs(x) <= 2147483647.0));
}

static void put(XmlOut *x, const FmuVar *v, const char *name, double value)
{
    if (v->type == FT_REAL)
        xml_number(x, name, value);
    else
        xml_count(x, name, (int64_t)value);
}

void fmu_write_range(XmlOut *x, const FmuVar *v)
{
    if (v->type == FT_BOOLEAN || v->type == FT_STRING || v->type == FT_ENUM)
        return;
    if (fits(v, v->min))
        put(x, v, "min", v->min);
    if (fits(v, v->max))
        put(x, v, "max", v->max);
    if (v->type == FT_REAL && isfinite(v->nominal) && v->nominal > 0)
        xml_number(x, "nominal", v->nominal);
}

/* In co-simulation outputs are those of the end of a step: an input acts on
 * them by the next one, not at once. */
void fmu_write_dependencies(XmlOut *x, const FmuModel *m, const FmuVar *v,
                            Arena *arena)
{
    const int *list = NULL;
    int n = m->exchange ? fmu_dependencies(m, v, &list, arena) : 0;
    if (n < 0)
        return;
    Vec(char) text = {0};
    for (int i = 0; i < n; i++) {
        char number[24];
        int of = m->version == 2 ? list[i] + 1 : m->var[list[i]].reference;
        snprintf(number, sizeof number, "%s%d", i ? " " : "", of);
        for (const char *s = number; *s; s++)
            vec_push(arena, &text, *s);
    }
    vec_push(arena, &text, '\0');
    xml_text(x, "dependencies", text.at);
}

bool fmu_is_whole(const FmuModel *m)
{
    return !m->in->foreign || !m->in->foreign->archive[0];
}

bool fmu_has_memory(const FmuModel *m)
{
    return m->in->foreign && m->in->foreign->what->is_impure;
}
