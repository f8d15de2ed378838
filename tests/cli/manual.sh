#!/usr/bin/env bash
# Manual pages and completion say what the options of the verbs are, all of
# them, in text that groff, bash and zsh read without a complaint.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"

verbs=$("$TAKT" --help | sed -n 's/^  \([a-z]*\) *[a-zA-Z].*/\1/p')
[ "$(echo "$verbs" | wc -l)" -ge 8 ] || fail "--help lists the verbs"

# the options of a verb, one per line, from its help
options_of() {
    "$TAKT" "$1" --help |
        sed -n 's/^  \(--\{0,1\}[a-zA-Z][a-z-]*\)\( .*\)\{0,1\}$/\1/p'
}

page() { # page NAME VERB...: the page is written and well formed
    local name=$1
    shift
    "$TAKT" --man "$@" >"$work/$name.1" || fail "--man $*"
    if command -v groff >/dev/null; then
        groff -man -ww -Tascii "$work/$name.1" >/dev/null 2>"$work/groff" ||
            fail "groff $name.1"
        [ ! -s "$work/groff" ] || fail "$name.1: $(head -n 3 "$work/groff")"
    fi
}

page takt
for verb in $verbs; do
    grep -q "^\.B $verb\$" "$work/takt.1" || fail "takt.1 names $verb"
    page "takt-$verb" "$verb"
    options=$(options_of "$verb")
    [ -n "$options" ] || fail "takt $verb --help has options"
    for option in $options; do
        grep -qF "\\fB${option//-/\\-}\\fR" "$work/takt-$verb.1" ||
            fail "takt-$verb.1 has $option"
    done
done
grep -q '^\\fB\\-\\-method\\fR \\fINAME|bdf|liex|ida|cvode|completion|completion\\-adams|partition\\fR$' "$work/takt-sim.1" ||
    fail "takt-sim.1: the words of --method"
grep -q '^fe, .*radau5' "$work/takt-build.1" || fail "takt-build.1: methods"

# Methods are listed wherever one can be given, and only there.
for verb in check sim build run cost; do
    expect 0 'radau3, radau5' "$verb" --help
done
refuse 0 'radau3, radau5' parse --help

# bash: what Tab offers after the words that are given
"$TAKT" --completion bash >"$work/takt.bash" || fail "--completion bash"
bash -n "$work/takt.bash" || fail "the bash script"
offers() {
    bash -c '. "$0"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        compopt() { :; }
        _takt
        echo "${COMPREPLY[*]}"' "$work/takt.bash" "$@"
}
tab() { # tab WANTED WORD...
    local want=$1
    shift
    local got=$(offers "$@" | tr ' ' '\n' | sort | paste -sd ' ')
    [ "$got" = "$want" ] || fail "$* TAB: '$got', not '$want'"
}
tab 'check cost' takt c
tab 'radau3 radau5' takt sim a.mo --method rad
tab 'radau3 radau5' takt sim a.mo --method = rad
tab 'cvode' takt sim --method cv
tab '' takt build --method cv
tab 'double float' takt build --scalar = # the text before the cursor is "="
tab '--save-state --set --static --step --stop' takt sim a.mo --s
tab '' takt sim a
mkdir "$work/libraries"
(cd "$work" && tab 'libraries' takt check -L lib) || fail "directories"
for verb in $verbs; do
    for option in $(options_of "$verb"); do
        case " $(offers takt "$verb" "$option") " in
        *" $option "*) ;;
        *) fail "bash does not know takt $verb $option" ;;
        esac
    done
done

"$TAKT" --completion zsh >"$work/_takt" || fail "--completion zsh"
if command -v zsh >/dev/null; then
    zsh -n "$work/_takt" || fail "the zsh script"
fi
for verb in $verbs; do
    for option in $(options_of "$verb"); do
        sed -n "/^    $verb)/,/;;/p" "$work/_takt" |
            grep -q -e "'\**$option[+=]*\[" ||
            fail "zsh does not know takt $verb $option"
    done
done
expect 2 'takes bash or zsh' --completion fish
expect 2 "there is no verb 'sweep'" --man sweep
finish
