#!/usr/bin/env bash
# packages.sh NAME... - installs those Debian packages that are missing, as root
# or by sudo. Elsewhere it names them, and goes on if the tools are there.
set -u

command -v dpkg-query >/dev/null || {
    command -v cmake >/dev/null && command -v ninja >/dev/null && exit 0
    echo "takt needs (names of Debian packages): $*" >&2
    exit 4
}

missing=()
for name; do
    dpkg-query -W -f '${Status}\n' "$name" 2>/dev/null |
        grep -q 'ok installed' || missing+=("$name")
done
[ ${#missing[@]} = 0 ] && exit 0

run=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null && run="sudo -n"
    if [ -z "$run" ] && [ -t 0 ] && command -v sudo >/dev/null; then run=sudo; fi
    if [ -z "$run" ]; then
        echo "takt needs packages that are missing. Install them as root:" >&2
        echo "    apt-get install ${missing[*]}" >&2
        exit 4
    fi
fi

echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    $run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
        --no-install-recommends "${missing[@]}" >"$log" 2>&1
}
# The package lists may be missing or old: then fetch them and try again.
install || { $run apt-get update -q >"$log" 2>&1 && install; } || {
    tail -n 20 "$log" >&2
    echo "these packages could not be installed: ${missing[*]}" >&2
    exit 4
}
