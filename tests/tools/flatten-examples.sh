#!/bin/sh
# flatten-examples.sh - flattens library examples and compares the number of
# unknowns with a list.
#
#   flatten-examples.sh TAKT LIBRARY-DIR LIST.csv [TIER...]
#
# LIST.csv has the columns model, tier and dymola_dae_size. Prints for each
# model OK, DIFF ours theirs, or the first message; then the counts.
takt=$1 lib=$2 list=$3
shift 3
tiers=${*:-1}
python3 - "$takt" "$lib" "$list" $tiers <<'PY'
import csv, re, subprocess, sys
takt, lib, path, tiers = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
count = {}
for row in csv.DictReader(open(path)):
    if row['tier'] not in tiers or not row['dymola_dae_size']:
        continue
    try:
        r = subprocess.run([takt, 'check', '--json', '-L', lib, row['model']],
                           capture_output=True, text=True, timeout=60,
                           errors='replace')
        out, err, code = r.stdout, r.stderr, r.returncode
    except subprocess.TimeoutExpired:
        out, err, code = '', 'TIMEOUT', 99
    want = int(float(row['dymola_dae_size']))
    if out.startswith('{'):
        have = {k: int(n) for k, n in
                re.findall(r'"(unknowns|equations)": *(\d+)', out)}
        got = have['unknowns']
        word = 'OK' if got == want else 'DIFF'
        text = f"{got} {want} eq {have['equations']}"
    else:
        lines = [l for l in err.splitlines() if ': error:' in l or
                 ': unsupported:' in l or 'TIMEOUT' in l or 'takt:' in l]
        word = 'UNSUPPORTED' if code == 3 else 'ERROR' if code == 1 else \
            f'CRASH{code}'
        text = (lines or err.splitlines() or ['?'])[0]
    count[word] = count.get(word, 0) + 1
    print(word, row['model'].replace('Modelica.', '', 1), text)
print(count)
PY
