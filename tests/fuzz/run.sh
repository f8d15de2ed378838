#!/usr/bin/env bash
# run.sh - fuzzes a part of takt with libFuzzer.
#
#   tests/fuzz/run.sh TARGET SECONDS [libFuzzer option...]
#
# SECONDS 0 runs the seeds only.
#
# TARGET is x of fuzz_x.c; its seeds are in seeds/x, words in x.dict. The folders
# of src it needs are those it includes, and those they include. The program and the corpus stay in build-fuzz/. A finding
# ends the run with exit code 1 and leaves the input in build-fuzz/x/. Exit 77:
# there is no clang with libFuzzer here.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 4
target=${1:?TARGET} seconds=${2:?SECONDS}
shift 2
source=tests/fuzz/fuzz_$target.c
[ -e "$source" ] || { echo "there is no $source"; exit 2; }
dir=build-fuzz/$target
mkdir -p "$dir/corpus" "$dir/findings"

clang=${TAKT_FUZZ_CC:-clang}
if ! echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n);
int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n)
{ (void)d; (void)n; return 0; }' | "$clang" -x c -fsanitize=fuzzer,address - \
    -o "$dir/probe" 2>/dev/null; then
    echo "skipped: $clang with -fsanitize=fuzzer is not here"
    exit 77
fi
rm -f "$dir/probe"

# The folders it includes, and those they include.
folders=base
more=$(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$source")
while [ -n "$more" ]; do
    next=
    for folder in $more; do
        case " $folders " in *" $folder "*) [ "$folder" != base ] && continue ;;
        *) folders="$folders $folder" ;;
        esac
        next="$next $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' \
            src/"$folder"/*.[ch] 2>/dev/null | sort -u)"
    done
    more=
    for folder in $next; do
        case " $folders $more " in *" $folder "*) ;; *) more="$more $folder" ;;
        esac
    done
done

# What CMake embeds into the program.
mkdir -p "$dir/embedded"
cmake -DFILES="$PWD/runtime/ModelicaUtilities.h;$PWD/runtime/takt_rt_external.h" \
    -DOUT="$PWD/$dir/embedded/external_files.inc" -P cmake/Embed.cmake || exit 4
cmake -DFILES="$(printf '%s;' "$PWD"/src/web/files/*)" \
    -DOUT="$PWD/$dir/embedded/web_files.inc" -P cmake/Embed.cmake || exit 4
host=
for file in takt_fmi2 takt_fmi3 takt_fmu_table takt_fmu_host2 takt_fmu_host3 takt_fmu_host; do
    host="$host;$PWD/runtime/fmu/$file.h"
done
cmake -DFILES="${host#;}" -DOUT="$PWD/$dir/embedded/fmu_host_files.inc" \
    -P cmake/Embed.cmake || exit 4

# One object a file; ccache, if it is here, knows those that did not change.
compile() {
    local object=$dir/obj/${1//\//_}.o
    ${ccache:+"$ccache"} "$clang" -std=c11 -O1 -g -Isrc -Iinclude -Iruntime \
        -I"$dir/embedded" $(pkg-config --cflags libcjson hdf5-serial 2>/dev/null) \
        -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=700 \
        -DTAKT_LATER_matio='"libmatio.so"' -DTAKT_LATER_hdf5='"libhdf5_serial.so"' \
        -DTAKT_SOURCE_MODELS='"models"' -DTAKT_INSTALLED_MODELS='"models"' \
        -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
        -c "$1" -o "$object"
}
ccache=$(command -v ccache)
export -f compile
export ccache clang dir
rm -rf "$dir/obj" && mkdir -p "$dir/obj"
for folder in $folders; do ls src/"$folder"/*.c 2>/dev/null; done |
    { cat; echo "$source"; } |
    xargs -P "${JOBS:-2}" -n1 bash -c 'compile "$1" || exit 255' _ || exit 4
"$clang" -fsanitize=fuzzer,address,undefined "$dir"/obj/*.o -lm -lcjson -lmatio -lhdf5_serial -lzip -lexpat \
    -o "$dir/fuzz" || exit 4

# 0 seconds: the seeds only.
options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048
    -max_len=65536 -artifact_prefix="$dir/findings/" -print_final_stats=1)
corpus=("$dir/corpus" "tests/fuzz/seeds/$target")
if [ "$seconds" = 0 ]; then
    options+=(-runs=0)
    corpus=("tests/fuzz/seeds/$target")
fi
[ -e "tests/fuzz/$target.dict" ] && options+=(-dict="tests/fuzz/$target.dict")
"$dir/fuzz" "${options[@]}" "$@" "${corpus[@]}" >"$dir/log" 2>&1
code=$?
grep -E '^stat::number_of_executed_units|^SUMMARY|ERROR:|runtime error' "$dir/log"
if [ $code != 0 ]; then
    tail -n 40 "$dir/log"
    echo "fuzz/$target: a finding, see $dir/findings"
    exit 1
fi
echo "fuzz/$target: $seconds s without a finding"
