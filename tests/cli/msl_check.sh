#!/usr/bin/env bash
# build: release
# cost: 20
# Examples of the standard library that were large once stay within 300 MB and
# 20 s of `check`; all examples with TAKT_LONG=1.
[ -n "${TAKT_MSL:-}" ] && [ -n "${TAKT_MSL_EXAMPLES:-}" ] ||
    { echo "skipped: no TAKT_MSL or TAKT_MSL_EXAMPLES"; exit 77; }
case $TAKT in *asan*) echo "skipped: sanitizers need more"; exit 77 ;; esac
check="${TAKT_SOURCE:?}/tests/msl-check.sh"
if [ -n "${TAKT_LONG:-}" ]; then
    TAKT_MSL_CHECK=470 bash "$check" -s "$TAKT_MSL" || exit 1
    [ -n "${TAKT_MSL_HEAD:-}" ] || exit 0
    TAKT_MSL_CHECK=485 bash "$check" "$TAKT_MSL_HEAD"
else
    TAKT_MSL_CHECK=4 bash "$check" -s \
        -p 'BatchPlant_StandardWater|FourBitBinaryAdder|CCCV_Stack$|TraceSubstances.RoomCO2$' "$TAKT_MSL"
fi
