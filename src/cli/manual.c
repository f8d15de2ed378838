/* manual.c - the frames of manual pages and completion scripts. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "cli/describe.h"

/* Lets `verb` write its part of a description; nothing is run. */
static int verb_part(const Verb *verb, const char *how)
{
    char name[32], help[32];
    snprintf(name, sizeof name, "%s", verb->name);
    snprintf(help, sizeof help, "--help=%s", how);
    char *argv[] = {name, help, NULL};
    return verb->run(2, argv);
}

/* ---- manual pages ---- */

static void page_head(const char *title, const char *name, const char *job)
{
    fputs(".TH TAKT", stdout);
    for (; *title; title++)
        putchar(toupper((unsigned char)*title));
    puts(" 1 \"\" \"takt " TAKT_VERSION "\" \"takt\"\n.SH NAME");
    printf("takt%s%s \\- ", *name ? "\\-" : "", name);
    describe_roff(job, stdout);
}

static void exit_section(void)
{
    puts(".SH EXIT STATUS");
    for (int i = 0; i < verb_nexit; i++) {
        printf(".TP\n.B %d\n", i);
        describe_roff(verb_exit[i], stdout);
    }
}

int manual_verb(const Verb *verb)
{
    char title[32];
    snprintf(title, sizeof title, "-%s", verb->name);
    page_head(title, verb->name, verb->job);
    int code = verb_part(verb, "man");
    exit_section();
    puts(".SH SEE ALSO\n.BR takt (1)");
    return code;
}

void manual_program(void)
{
    page_head("", "", "turns a physical model into real-time code");
    puts(".SH SYNOPSIS\n"
         "\\fBtakt\\fR \\fIVERB\\fR \\fIMODEL\\fR [\\fIoptions\\fR]\n"
         ".SH DESCRIPTION\n"
         "takt reads a model in Modelica, works out its equations, and\n"
         "generates C that does the same work in every step.\n"
         ".PP\n"
         "\\fIMODEL\\fR is file.mo, file.mo:Class, file.fmu, or a class name "
         "found with\n"
         "\\-L \\fIDIR\\fR or in \\fBMODELICAPATH\\fR.\n"
         ".SH VERBS");
    for (int i = 0; i < verb_count; i++) {
        printf(".TP\n.B %s\n", verb_table[i].name);
        describe_roff(verb_table[i].job, stdout);
    }
    puts(".SH ENVIRONMENT\n"
         ".TP\n.B MODELICAPATH\nwhere libraries are, separated by colons\n"
         ".TP\n.B TAKT_MODELS\nwhere the models that come with takt are\n"
         ".TP\n.B CC\nthe compiler of \\fBtakt run\\fR (default cc)\n"
         ".TP\n.B TMPDIR\nwhere \\fBtakt run\\fR compiles (default /tmp)");
    exit_section();
    puts(".SH SEE ALSO");
    for (int i = 0; i < verb_count; i++)
        printf(".BR takt\\-%s (1)%s\n", verb_table[i].name,
               i + 1 < verb_count ? "," : "");
}

/* ---- completion ---- */

static int complete_verbs(const char *how)
{
    int code = EXIT_FINE;
    for (int i = 0; i < verb_count && code == EXIT_FINE; i++)
        code = verb_part(&verb_table[i], how);
    return code;
}

/* bash splits "--name=value" in three words. A word that no case knows is left
 * to bash, which offers files. */
static int complete_bash(void)
{
    puts("# bash completion of takt, made by takt --completion bash\n"
         "_takt() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} words= kind=\n"
         "    local before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    if [ \"$cur\" = = ]; then\n"
         "        cur=\n"
         "    elif [ \"$before\" = = ]; then\n"
         "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    fi\n"
         "    if [ \"$COMP_CWORD\" = 1 ]; then before=takt; fi\n"
         "    case ${COMP_WORDS[1]},$before,$cur in");
    fputs("    *,takt,*) words='", stdout);
    for (int i = 0; i < verb_count; i++)
        printf("%s ", verb_table[i].name);
    puts("--help --version' ;;");
    int code = complete_verbs("bash");
    puts("    esac\n"
         "    if [ -n \"$words\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "    elif [ \"$kind\" = directory ]; then\n"
         "        compopt -o filenames\n"
         "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n"
         "    fi\n"
         "}\n"
         "complete -o bashdefault -o default -F _takt takt");
    return code;
}

static int complete_zsh(void)
{
    puts("#compdef takt\n"
         "# zsh completion of takt, made by takt --completion zsh\n"
         "_takt() {\n"
         "    local -a verbs\n"
         "    verbs=(");
    for (int i = 0; i < verb_count; i++) {
        printf("        '%s:", verb_table[i].name);
        describe_quoted(verb_table[i].job, ":", stdout);
        puts("'");
    }
    puts("    )\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe verb verbs\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $words[1] in");
    int code = complete_verbs("zsh");
    puts("    esac\n"
         "}\n"
         "_takt \"$@\"");
    return code;
}

int manual_completion(const char *shell)
{
    if (!strcmp(shell, "bash"))
        return complete_bash();
    if (!strcmp(shell, "zsh"))
        return complete_zsh();
    fprintf(stderr, "takt: --completion takes bash or zsh, not '%s'\n", shell);
    return EXIT_USAGE;
}
