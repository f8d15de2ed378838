#!/usr/bin/env bash
# takt method: the list, figures of methods, pictures with known points, the page
# in a browser (where there is one), wrong use.
# build: sanitizers
set -u
models=$(cd "$(dirname "$0")/../../models" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
has() { grep -qF -- "$2" "$1" || fail "$1 lacks: $2"; }

"$TAKT" method > list 2> err || fail "the list"
for m in fe rk4 be bdf5 radau5 lobatto4 sdirk4 am3 liex6 rodasp4 bi2; do
  grep -q "^$m " list || fail "the list lacks $m"
done
"$TAKT" sim --help | grep -q "takt method" || fail "sim --help does not name it"
"$TAKT" build --help | grep -q "takt method" || fail "build --help does not name it"

"$TAKT" method radau3 --embeddings > emb 2> err || fail "--embeddings"
has emb "-1/36 x[-1] + 16/9 x[0] - 3/4 x[1/3] + 1 h x'[1/3] + 2/9 h x'[1]"
grep -q "^  A-stable, |F(iy)| <= 1  *18  *4$" emb || fail "counts of embeddings"
grep -q "^  (8.105)  *3  *3 " emb || fail "the order of (8.105)"
"$TAKT" method rk4 --embeddings > emb 2> err && has emb "rk4: embeddings are looked for"

"$TAKT" method "$models"/methods/*.json --dae > own 2> err || fail "methods of users"
has own "gauss4: Gauss method of two stages"
has own "(1 + 1/2 z + 1/12 z^2) / (1 - 1/2 z + 1/12 z^2)"
has own "largest root w of z w^2 + (12 - 8 z) w - (12 + 5 z) = 0"
[ "$(grep -c 'a root goes to infinity as z goes to 0' own)" = 2 ] ||
  fail "overimplicit formulas are unstable at the origin"
awk '/differs by/ && $NF > 1e-8 { exit 1 }' own || fail "B changes the stability"

# Ends of the stable part of the axes, from the picture: forward Euler -2, rk4
# -2.7853 and 2.8284 i. A pixel is 8/520.
crossing() { # FILE along axis: the outermost crossing, in z
  awk -v axis="$2" -F"[ML' ]" '/<path fill=.none/ { n = 0; sub(/.* d=./, "")
    for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.]+$/) v[n++] = $i
    for (i = 0; i + 1 < n; i += 2) {
      x = -4 + 8 * (v[i] - 56) / 520; y = 4 - 8 * (v[i+1] - 56) / 520
      if (axis == "re" && y < 0.03 && y > -0.03 && x < best) best = x
      if (axis == "im" && x < 0.03 && x > -0.03 && y > best) best = y
    } } END { print best + 0 }' "$1"
}
near() { awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(d < .03 && d > -.03) }' ||
  fail "$1: $2 instead of $3"; }
"$TAKT" method fe --domain fe.svg --window -4,4,-4,4 > out 2> err || fail "fe.svg"
near "forward Euler on the real axis" "$(crossing fe.svg re)" -2
"$TAKT" method rk4 --domain rk4.svg --damping rk4d.svg --window -4,4,-4,4 > out 2> err ||
  fail "rk4.svg"
near "rk4 on the real axis" "$(crossing rk4.svg re)" -2.7853
near "rk4 on the imaginary axis" "$(crossing rk4.svg im)" 2.8284

"$TAKT" method radau5 --model "$models/gallery/Hires.mo" --step 0.1 --domain h.svg \
  > modes 2> err || fail "--model"
has modes "8 eigenvalues"
[ "$(grep -c 'm0 -8l-8 8' h.svg)" = 8 ] || fail "crosses of the eigenvalues"

# fontconfig keeps what it has read
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 "$TAKT" method rk4 --domain rk4.png > out 2> err
case $? in
  0) [ "$(head -c 8 rk4.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] ||
       fail "rk4.png is no PNG" ;;
  2) has err "PNG needs librsvg" ;;
  *) fail "rk4.png: $(cat err)" ;;
esac

# The script of the page computes F by itself: what it shows at z = -1.
"$TAKT" method rk4 bdf3 radau5 liex3 bi2 --page page.html > out 2> err || fail "page"
if browser=$(command -v chromium); then
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
    --user-data-dir="$dir/browser" --dump-dom "file://$dir/page.html" > dom 2> /dev/null
  for v in 0.37500 0.50336 0.36792 0.37066 0.0000; do
    has dom "<td>$v"
  done
else
  echo "note: no chromium, the page was not opened"
fi

wrong() { # code text, arguments
  local code=$1 text=$2
  shift 2
  "$TAKT" method "$@" > out 2> err
  [ $? = "$code" ] || fail "exit code of $*"
  has err "$text"
}
wrong 1 "there is no method 'radau'" radau
# words of takt sim that are no steps say so, wherever they are met
for m in ida cvode completion completion-adams partition bdf liex; do
  wrong 1 "the method '$m' is for the desk only" $m
  "$TAKT" build "$models"/gallery/VanDerPol.mo --method $m --step 1ms -o x.c > out 2> err
  [ $? = 1 ] || fail "build --method $m"
  has err "takt sim --method $m takes it"
done
wrong 2 "--model needs --step" be --model x.mo
wrong 2 "--window takes" be --window 1,2,3
wrong 2 "ends in" be --domain x.gif
wrong 2 "name them" --page x.html
echo '{"name": "x", "order": 3, "a": [["1/2"]], "b": [1]}' > x.json
wrong 1 "not of order 3" x.json
echo '{"name": "x", "order": 1, "alpha": [0, 2], "beta": [1]}' > x.json
wrong 1 "overimplicit" x.json
echo '{"name": "x", "order": 1, "a": [["(1-sqrt"]], "b": [1]}' > x.json
wrong 1 "a number or a fraction" x.json
# 20 stages: numbers too long for exact fractions prove nothing
awk 'BEGIN { printf "{\"name\": \"long\", \"order\": 1, \"a\": ["
    for (i = 0; i < 20; i++) { printf "%s[", i ? ", " : ""
        for (j = 0; j < 20; j++) printf "%s\"%s\"", j ? ", " : "", j <= i ? "1/20" : "0"
        printf "]" }
    printf "], \"b\": ["
    for (j = 0; j < 20; j++) printf "%s\"1/20\"", j ? ", " : ""
    print "]}" }' > long.json
"$TAKT" method long.json > long 2> err || fail "20 stages"
grep -q "^  A-stable  *yes, seen" long || fail "20 stages: $(grep A-stable long)"
[ $failed -eq 0 ] || { echo "$failed cases failed"; exit 1; }
echo "ok   methods"
