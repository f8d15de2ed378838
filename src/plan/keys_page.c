/* keys_page.c - the keys of a plan as a table for people. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "plan/keys.h"

/* What a value looks like. */
static void print_value(const PlanKey *k, FILE *out)
{
    if (k->value) {
        fputs(k->value, out);
        return;
    }
    switch (k->kind) {
    case KEY_BOOL: fputs("`true`, `false`", out); break;
    case KEY_COUNT: fprintf(out, "whole number from %d", k->least); break;
    case KEY_POSITIVE: fputs("number > 0", out); break;
    case KEY_TIME: fputs("seconds > 0", out); break;
    case KEY_TEXT: fputs("text", out); break;
    case KEY_WORD:
        for (int i = 0; k->word[i]; i++)
            fprintf(out, "%s`\"%s\"`", i ? ", " : "", k->word[i]);
        break;
    case KEY_OWN: break;
    }
}

static void print_standard(const PlanKey *k, FILE *out)
{
    char text[32];
    if (k->standard_text) {
        fputs(k->standard_text, out);
        return;
    }
    switch (k->kind) {
    case KEY_BOOL: fputs(k->standard != 0 ? "`true`" : "`false`", out); break;
    case KEY_COUNT:
    case KEY_POSITIVE:
    case KEY_TIME: fprintf(out, "`%s`", number_text(k->standard, text)); break;
    case KEY_WORD: fprintf(out, "`\"%s\"`", k->word[(int)k->standard]); break;
    case KEY_TEXT:
        if (k->text)
            fprintf(out, "`\"%s\"`", k->text);
        break;
    case KEY_OWN: break;
    }
    if (k->realtime_text)
        fprintf(out, ", real time `\"%s\"`", k->realtime_text);
}

static const char *goal_text(const PlanKey *k)
{
    return k->goals == PLAN_AT_DESK       ? "desk"
           : k->goals == PLAN_IN_REALTIME ? "code"
                                          : "";
}

void plan_print_keys(FILE *out)
{
    fputs("| key | value | default | option | only | meaning |\n"
          "|---|---|---|---|---|---|\n",
          out);
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        const char *key = k->key ? k->key : plan_keys[k->of].key;
        fprintf(out, "| `%s%s%s` | ", key, k->sub ? "." : "",
                k->sub ? k->sub : "");
        if (k->key)
            print_value(k, out);
        fputs(" | ", out);
        if (k->key)
            print_standard(k, out);
        fputs(" | ", out);
        if (k->option)
            fprintf(out, "`--%s%s%s`", k->option, k->metavar ? " " : "",
                    k->metavar ? k->metavar : "");
        fprintf(out, " | %s | %s |\n", goal_text(k), k->help);
    }
}

void plan_print_cuts(FILE *out)
{
    fputs("| kind | what uses the old value |\n|---|---|\n", out);
    for (int i = 0; i < CUT_NKIND; i++)
        fprintf(out, "| `%s` | %s |\n", plan_cut_rule[i].word,
                plan_cut_rule[i].help);
}
