#!/usr/bin/env python3
"""score.py - scores takt against a checkout of Modelica-Compliance.

    score.py TAKT SUITE [-v] [FOLDER...]

SUITE is the directory that holds ModelicaCompliance. A test is a class with
annotation(__ModelicaAssociation(TestCase(shouldPass = ...))). takt check runs
on each with a time limit of 10 s:

    OK           exit 0
    ERROR        exit 1: the model is wrong; counts for a should-fail test only
                 if a message points into the file of the test
    UNSUPPORTED  exit 3: a feature is named that takt does not know yet
    CRASH        a signal, exit 4, or no end

Prints a table by folder, the sets A to D, and the totals; exits 1 after a
crash. Set TAKT_COMPLIANCE to the suite to have ctest run it.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

SETS = {
    'A': '''Operators/Arithmetic Operators/Associativity Operators/Precedence
            Operators/Relational Operators/Logical Operators/If
            Operators/Mathematical Arrays/Declarations Arrays/Functions
            Arrays/Indexing Arrays/Operations Equations/Equality Equations/For
            Equations/If Equations/Assert Functions/Calls
            Functions/Declarations Functions/Records Modification/Flattening
            Modification/Restrictions Inheritance/Flattening
            Scoping/MemberAccess Scoping/NameLookup Scoping/Visibility
            Components/Conditional Components/Declarations
            Connections/Declarations Classes/Declarations Classes/Predefined
            Classes/Enumeration Redeclare/Flattening Packages''',
    'B': '''Algorithms/Assert Algorithms/Assignment Algorithms/Break
            Algorithms/For Algorithms/If Algorithms/Return Algorithms/When
            Algorithms/While Algorithms/Terminate Equations/When
            Equations/Reinit Equations/Terminate Operators/Events
            Operators/Conversion Operators/Special Functions/Derivative
            Components/Variability Components/Prefixes Components/Time''',
    'C': '''Scoping/InnerOuter Connections/Overconstrained
            Connections/Expandable Connections/Restrictions
            Redeclare/ConstrainingType Redeclare/Restrictions
            Inheritance/Restrictions Classes/Specialized Classes/Balancing
            Functions/Restrictions''',
}


def tests(suite):
    """(class name, file, folder, should pass) of every test."""
    root = os.path.join(suite, 'ModelicaCompliance')
    for where, dirs, files in os.walk(root):
        dirs.sort()
        for name in sorted(files):
            if not name.endswith('.mo'):
                continue
            path = os.path.join(where, name)
            text = open(path, encoding='utf-8', errors='replace').read()
            m = re.search(r'shouldPass\s*=\s*(true|false)', text)
            if not m or 'Template' in name:
                continue
            rel = os.path.relpath(path, suite)[:-3].split(os.sep)
            cls = '.'.join(rel)
            if name == 'package.mo':
                cls = '.'.join(rel[:-1])
            if re.search(r'^\s*(?:encapsulated\s+)?package\s+' + name[:-3] +
                         r'\b', text, re.M):
                before = text[:m.start()]
                inner = re.findall(r'(?:model|block|class)\s+(\w+)[^;=]*?'
                                   r'extends\s+[\w.]*Icons\.TestCase', before,
                                   re.S)
                if inner:
                    cls += '.' + inner[-1]
            folder = '/'.join(rel[1:3]) if len(rel) > 3 else rel[1]
            yield cls, path, folder, m.group(1) == 'true'


def run(takt, suite, test):
    cls, path, folder, should = test
    try:
        r = subprocess.run([takt, 'check', '-L', suite, cls],
                           capture_output=True, text=True, timeout=10,
                           errors='replace')
        code, err = r.returncode, r.stderr
    except subprocess.TimeoutExpired:
        return 'CRASH', 'no end after 10 s', True
    word = {0: 'OK', 1: 'ERROR', 3: 'UNSUPPORTED'}.get(code, 'CRASH')
    lines = [l for l in err.splitlines()
             if re.search(r': (error|unsupported):|^takt:', l)]
    here = any(os.path.basename(path) + ':' in l for l in lines)
    first = re.sub(r'^.*/', '', lines[0]) if lines else ''
    if word == 'CRASH':
        first = f'exit {code}: ' + (err.splitlines() or [''])[-1]
    return word, first, here


def main():
    args = [a for a in sys.argv[1:] if a != '-v']
    verbose = '-v' in sys.argv
    if len(args) < 2:
        sys.exit(__doc__)
    takt, suite, only = os.path.abspath(args[0]), args[1], args[2:]
    todo = [t for t in tests(suite) if not only or t[2] in only]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda t: run(takt, suite, t), todo))
    table, crashes = {}, []
    for (cls, path, folder, should), (word, first, here) in zip(todo, found):
        row = table.setdefault(folder, [0, 0, 0, 0, 0, 0])
        good = word == 'OK' if should else word == 'ERROR' and here
        row[0 if should else 2] += good
        row[1 if should else 3] += 1
        row[4] += word == 'UNSUPPORTED'
        row[5] += word == 'CRASH'
        if word == 'CRASH':
            crashes.append((cls, first))
        if verbose and not good:
            print('accept' if should else 'reject', word, folder,
                  cls.split('.', 1)[1], first)
    print(f'{"folder":34} accepted     rejected     unsupported crashed')

    def line(name, row):
        print(f'{name:34} {row[0]:4} of {row[1]:4} {row[2]:4} of {row[3]:4} '
              f'{row[4]:11} {row[5]:7}')
    for folder in sorted(table):
        line(folder, table[folder])
    left = set(table)
    for name, folders in SETS.items():
        rows = [table[f] for f in folders.split() if f in table]
        left -= set(folders.split())
        if rows:
            line(f'set {name}', [sum(c) for c in zip(*rows)])
    rows = [table[f] for f in left]
    if rows:
        line('set D', [sum(c) for c in zip(*rows)])
    line('all', [sum(c) for c in zip(*table.values())])
    for cls, first in crashes:
        print('CRASH', cls, first)
    sys.exit(1 if crashes else 0)


main()
