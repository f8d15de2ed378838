/* scenario.c - reads scenarios, tells what came of them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/vec.h"
#include "base/xml.h"

enum { MOST_WORDS = 10 };

typedef struct Line {
    int n;
    const char *word[MOST_WORDS];
    Span span;
} Line;

typedef struct Reader {
    const Sources *sources;
    int source;
    Arena *arena;
    Diag *diag;
    const char *test; /* name of the present case */
    bool failed;
    Vec(ScenarioStep) step;
} Reader;

static void wrong(Reader *r, const Line *l, const char *what)
{
    diag_report(r->diag, l->span, DIAG_E1612, "%s", what);
    r->failed = true;
}

/* Words of a line; a comment ends it. */
static void split(Reader *r, const char *text, size_t n, Line *l)
{
    size_t at = 0;
    while (at < n) {
        if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r') {
            at++;
            continue;
        }
        if (text[at] == '#')
            return;
        bool quoted = text[at] == '"';
        size_t begin = at += quoted;
        while (at < n && (quoted ? text[at] != '"'
                                 : text[at] != ' ' && text[at] != '\t' &&
                                       text[at] != '\r' && text[at] != '#'))
            at++;
        if (quoted && at == n)
            wrong(r, l, "a quote is not closed");
        if (l->n == MOST_WORDS) {
            wrong(r, l, "a line has at most ten words");
            return;
        }
        l->word[l->n++] = arena_strndup(r->arena, text + begin, at - begin);
        at += quoted && at < n;
    }
}

static bool read_number(const char *word, double *x)
{
    char *end;
    *x = number_read(word, &end);
    return end != word && !*end && isfinite(*x);
}

/* "at T" or "from T to T"; returns the number of words, 0 if they are none. */
static int read_time(const Line *l, ScenarioStep *s)
{
    if (l->n >= 2 && !strcmp(l->word[0], "at") &&
        read_number(l->word[1], &s->from)) {
        s->to = s->from;
        return 2;
    }
    if (l->n >= 4 && !strcmp(l->word[0], "from") && !strcmp(l->word[2], "to") &&
        read_number(l->word[1], &s->from) && read_number(l->word[3], &s->to) &&
        s->to >= s->from)
        return 4;
    return 0;
}

static void read_line(Reader *r, const Line *l)
{
    ScenarioStep s = {.span = l->span,
                      .test = r->test,
                      .number = NONE,
                      .index = NONE,
                      .seen = NAN,
                      .when = NAN};
    if (l->n == 2 && !strcmp(l->word[0], "case")) {
        r->test = l->word[1];
        return;
    }
    int at = read_time(l, &s), rest = l->n - at;
    const char *const *word = l->word + at;
    if (at == 0) {
        wrong(r, l,
              "'at TIME', 'from TIME to TIME' or 'case NAME' is "
              "expected");
        return;
    }
    bool is_order = rest == 3 && at == 2 &&
                    (!strcmp(word[0], "set") || !strcmp(word[0], "input"));
    bool is_expect =
        rest == 5 && !strcmp(word[0], "expect") && !strcmp(word[3], "within");
    if ((!is_order && !is_expect) || !read_number(word[2], &s.value) ||
        (is_expect && (!read_number(word[4], &s.within) || s.within < 0))) {
        wrong(r, l,
              at == 4 ? "'expect NAME VALUE within TOLERANCE' is expected"
                      : "'set NAME VALUE', 'input NAME VALUE' or 'expect NAME "
                        "VALUE within TOLERANCE' is expected");
        return;
    }
    s.kind = is_expect                 ? SCENARIO_EXPECT
             : !strcmp(word[0], "set") ? SCENARIO_SET
                                       : SCENARIO_INPUT;
    s.name = word[1];
    vec_push(r->arena, &r->step, s);
}

/* Stable: what is written first comes first. */
static void sort(ScenarioStep *s, int n, Arena *arena)
{
    ScenarioStep *other = NEW_ARRAY(arena, ScenarioStep, n + 1);
    for (int width = 1; width < n; width *= 2) {
        for (int at = 0; at < n; at += 2 * width) {
            int a = at, b = at + width, k = at;
            int a_end = b < n ? b : n, b_end = b + width < n ? b + width : n;
            while (a < a_end || b < b_end) {
                bool left =
                    b >= b_end ||
                    (a < a_end &&
                     (s[a].from < s[b].from ||
                      (s[a].from == s[b].from && s[a].kind <= s[b].kind)));
                other[k++] = left ? s[a++] : s[b++];
            }
        }
        memcpy(s, other, (size_t)n * sizeof *s);
    }
}

Scenario *scenario_read(const Sources *sources, int source, Arena *arena,
                        Diag *diag)
{
    const Source *text = sources_get(sources, source);
    Reader r = {.sources = sources,
                .source = source,
                .arena = arena,
                .diag = diag,
                .test = "scenario"};
    for (uint32_t at = 0; at < text->size;) {
        const char *begin = text->text + at;
        const char *end = memchr(begin, '\n', text->size - at);
        size_t n = end ? (size_t)(end - begin) : text->size - at;
        Line l = {.span = {source, at, at + (uint32_t)(n > 0 ? n : 1)}};
        split(&r, begin, n, &l);
        if (l.n > 0)
            read_line(&r, &l);
        at += (uint32_t)n + 1;
    }
    if (r.failed)
        return NULL;
    Scenario *s = NEW(arena, Scenario);
    s->step = r.step.at;
    s->n = r.step.n;
    sort(s->step, s->n, arena);
    for (int i = 0; i < s->n; i++)
        s->nexpect += s->step[i].kind == SCENARIO_EXPECT;
    return s;
}

bool scenario_held(const ScenarioStep *s)
{
    return s->looked > 0 && s->worst <= s->within;
}

const char *scenario_text(const ScenarioStep *s, Arena *arena)
{
    if (s->looked == 0)
        return arena_printf(arena,
                            "%s: the run did not come to %g s, %g was expected "
                            "within %g",
                            s->name, s->to, s->value, s->within);
    return arena_printf(arena, "%s is %.8g at %.8g s, %g is expected within %g",
                        s->name, s->seen, s->when, s->value, s->within);
}

const char *scenario_junit(const Scenario *s, const char *model,
                           const Sources *sources, Arena *arena)
{
    int failed = 0;
    for (int i = 0; i < s->n; i++)
        failed +=
            s->step[i].kind == SCENARIO_EXPECT && !scenario_held(&s->step[i]);
    XmlOut x;
    xml_start(&x);
    xml_begin(&x, "testsuite");
    xml_text(&x, "name", model);
    xml_count(&x, "tests", s->nexpect);
    xml_count(&x, "failures", failed);
    for (int i = 0; i < s->n; i++) {
        const ScenarioStep *e = &s->step[i];
        if (e->kind != SCENARIO_EXPECT)
            continue;
        Place at = sources_place(sources, e->span);
        xml_begin(&x, "testcase");
        xml_text(&x, "classname", e->test);
        xml_text(&x, "name",
                 arena_printf(arena, "line %d: %s", at.line, e->name));
        if (!scenario_held(e)) {
            xml_begin(&x, "failure");
            xml_text(&x, "message", scenario_text(e, arena));
            xml_end(&x);
        }
        xml_end(&x);
    }
    xml_end(&x);
    return xml_finish(&x, arena);
}
