#!/usr/bin/env bash
# packages.sh check NAME...    names those Debian packages that are missing, and
#                              exits 4 if there are any
# packages.sh install NAME...  installs them, as root or by sudo
# Elsewhere than on Debian both go on if the tools of the build are there, and
# leave it to CMake to find libraries.
set -u
task=$1
shift

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

ask_the_user() {
    echo "takt needs packages that are missing. Install them as root:" >&2
    echo "    apt-get install ${missing[*]}" >&2
    [ "$task" = install ] || echo "or let 'make packages' do that." >&2
    exit 4
}

[ "$task" = install ] || ask_the_user
run=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null && run="sudo -n"
    if [ -z "$run" ] && [ -t 0 ] && command -v sudo >/dev/null; then run=sudo; fi
    [ -n "$run" ] || ask_the_user
fi

echo "installing ${missing[*]}"
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
