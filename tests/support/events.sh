# events.sh - sourced by tests of events against results known by hand.
#
#   model                          the standard input is a model
#   expect MODEL "VARIABLE VALUE TOLERANCE ..." OPTION...
#                                  what a run must end with
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0 n=0

# expect MODEL "VARIABLE VALUE TOLERANCE ..." OPTION...: the last values of a run.
expect() {
    local model=$1 want=$2
    shift 2
    n=$((n + 1))
    if ! timeout 60 "$TAKT" sim "$dir/$model.mo" --json "$@" \
        >"$dir/out" 2>"$dir/err"; then
        echo "$model $*: takt sim failed"
        head -n 5 "$dir/err"
        bad=1
        return
    fi
    awk -v want="$want" -v title="$model $*" '
        { key = $1; gsub(/[":,]/, "", key); gsub(/,$/, "", $2); value[key] = $2 }
        END {
            m = split(want, w, " ")
            for (i = 1; i <= m; i += 3) {
                got = value[w[i]]
                if (got == "true") got = 1
                if (got == "false") got = 0
                d = got - w[i + 1]
                if (got == "" || got == "null" || d > w[i + 2] || -d > w[i + 2]) {
                    printf "%s: %s = %s, not %s\n", title, w[i], got, w[i + 1]
                    bad = 1
                }
            }
            exit bad
        }' "$dir/out" || bad=1
}

# model: standard input becomes the file of its model.
model() {
    local text
    text=$(cat)
    echo "$text" >"$dir/$(sed -n '1s/^model \([A-Za-z]*\).*/\1/p' <<<"$text").mo"
}
