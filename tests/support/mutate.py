# mutate.py - seeds mutations and reports which ones the tests notice; called
# by tests/mutate.sh, which explains it.
#
# Each worker has a copy of the tree with a release build of its own. A mutant
# costs one compilation, and the tests it is judged by run from fast to slow until one
# fails. A test that fails is run once without the mutation, so that a test that
# is broken anyway kills nobody. Limits are of processor time, not of time on
# the wall: a loaded machine kills nobody either.
import argparse
import glob
import json
import os
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutants  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '../..'))
CASE_CPU = 10      # seconds of processor time of one case of a golden file
TEST_CPU = 60      # of one process of another test
WALL = 600         # of a whole test: something waits for ever
MEMORY = 4 << 30   # bytes a process may have
FILE = 256 << 20   # bytes a file may have
SLOW = 6           # a test that takes more processor time judges nobody


def limits(cpu):
    def apply():
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


running = set()  # groups of processes to end when the run is broken off


def end_all(*_):
    for pid in list(running):
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    os._exit(130)


def run(argv, cwd, env, cpu, wall):
    """Exit code, -1 when it took too long, and seconds of processor time."""
    p = subprocess.Popen(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         preexec_fn=limits(cpu))
    end, pause = time.monotonic() + wall, 0.002
    running.add(p.pid)
    while True:
        pid, status, used = os.wait4(p.pid, os.WNOHANG)
        if pid:
            running.discard(p.pid)
            p.returncode = os.waitstatus_to_exitcode(status)
            return p.returncode, used.ru_utime + used.ru_stime
        if time.monotonic() > end:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
            running.discard(p.pid)
            return -1, wall
        time.sleep(pause)
        pause = min(2 * pause, 0.1)


# ---- golden files, as tests/golden.sh judges them, without its shells ----

NUMBER = re.compile(r'([-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)')


def same(expected, found, tolerance):
    if expected == found:
        return True
    if not tolerance:
        return False
    a, b = NUMBER.split(expected), NUMBER.split(found)
    if len(a) != len(b) or a[::2] != b[::2]:
        return False
    for x, y in zip(map(float, a[1::2]), map(float, b[1::2])):
        if abs(x - y) > float(tolerance) * max(1, abs(x), abs(y)):
            return False
    return True


def text_of(path):
    try:
        with open(path, errors='replace') as f:
            return f.read()
    except FileNotFoundError:
        return None


class Case:
    """One model of tests/golden and what is expected of it."""

    def __init__(self, path):
        self.dir, file = os.path.split(path)
        name = os.path.splitext(path)[0]
        self.name = os.path.relpath(name, ROOT + '/tests')
        self.expect, self.err = text_of(name + '.expect'), text_of(name + '.err')
        rule = {}
        for line in text_of(path).splitlines():
            if line.strip() and not line.startswith('//'):
                break
            m = re.match(r'// (takt|exit|tolerance): *(.*)', line.rstrip('\r'))
            if m:
                rule.setdefault(m.group(1), m.group(2))
        command = rule.get('takt') or text_of(self.dir + '/command').strip()
        command = re.sub(r'^takt ', '', command)
        if '@FILE@' not in command:
            command += ' @FILE@'
        self.plain = not re.search(r'[$"\'|;&*<>\\]', command)
        self.argv = command.replace('@FILE@', file).split()
        self.tolerance = rule.get('tolerance')
        only_err = self.err is not None and self.expect is None
        self.code = int(rule.get('exit') or (1 if only_err else 0))

    def holds(self, takt, tree, env):
        cwd = os.path.join(tree, os.path.relpath(self.dir, ROOT))
        p = subprocess.Popen([takt] + self.argv, cwd=cwd, env=env,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE,
                             preexec_fn=limits(CASE_CPU))
        try:
            out, err = p.communicate(timeout=WALL)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            return False
        out, err = out.decode(errors='replace'), err.decode(errors='replace')
        return (p.returncode == self.code and
                (self.expect is None or
                 same(self.expect, out, self.tolerance)) and
                same(self.err or '', err, self.tolerance))


def golden_cases():
    """All cases, one of each directory after the other."""
    rows = []
    for command in sorted(glob.glob(ROOT + '/tests/golden/*/command')):
        row = [Case(p) for p in
               sorted(glob.glob(os.path.dirname(command) + '/*.mo'))]
        rows.append([c for c in row if c.plain])
    return [row[i] for i in range(max(map(len, rows))) for row in rows
            if i < len(row)]


# ---- mutants ----

class Mutant:
    def __init__(self, number, file, line, kind, old, new):
        self.number, self.file, self.line = number, file, line
        self.kind, self.old, self.new = kind, old, new
        self.verdict, self.by = None, ''

    @property
    def folder(self):
        return self.file.split('/')[1]

    @property
    def key(self):
        return self.file, self.old.strip(), self.new.strip()

    def record(self):
        return json.dumps(self.__dict__)

    @staticmethod
    def load(text):
        d = json.loads(text)
        m = Mutant(d['number'], d['file'], d['line'], d['kind'], d['old'],
                   d['new'])
        m.verdict, m.by = d['verdict'], d['by']
        return m

    def applied(self, source):
        """The source with the change, or None if its lines are gone. The
        lines nearest to where they once were are taken."""
        at, best = source.find(self.old), None
        while at >= 0:
            far = abs(source.count('\n', 0, at) + 1 - self.line)
            if at == 0 or source[at - 1] == '\n':
                if best is None or far < best[0]:
                    best = far, at
            at = source.find(self.old, at + 1)
        if best is None:
            return None
        at = best[1]
        return source[:at] + self.new + source[at + len(self.old):]


def mutant_of(number, file, source, site):
    a = source.rfind('\n', 0, site.at) + 1
    b = source.find('\n', site.end)
    new = source[a:site.at] + site.new + source[site.end:b]
    return Mutant(number, file, site.line, site.kind, source[a:b], new)


def sequence(seed, folders):
    """Mutants without end, the same ones for a seed and a tree: a line that
    can be changed, then a kind of change, then a place."""
    lines = []
    for path in sorted(glob.glob(ROOT + '/src/*/*.c')):
        file = os.path.relpath(path, ROOT)
        if folders and file.split('/')[1] not in folders:
            continue
        source = text_of(path)
        by_line = {}
        for site in mutants.sites_of(source):
            by_line.setdefault(site.line, []).append(site)
        lines += [(file, source, by_line[k]) for k in sorted(by_line)]
    rng, seen, number = random.Random(seed), set(), 0
    while lines:
        file, source, sites = lines[rng.randrange(len(lines))]
        kinds = sorted({s.kind for s in sites})
        kind = kinds[rng.randrange(len(kinds))]
        sites = [s for s in sites if s.kind == kind]
        m = mutant_of(number, file, source, sites[rng.randrange(len(sites))])
        if m.key in seen:
            continue
        seen.add(m.key)
        number += 1
        yield m


def equivalents():
    """The keys of mutants that cannot be told from takt, with the reason."""
    known, file, old, new = {}, None, None, None
    for line in (text_of(ROOT + '/tests/mutants.equivalent') or '').split('\n'):
        if line.startswith('src/'):
            file = line.strip().split(':')[0]
        elif line.startswith('- '):
            old = line[2:].strip()
        elif line.startswith('+ '):
            new = line[2:].strip()
        elif line.startswith('= '):
            known[file, old, new] = line[2:].strip()
    return known


def one_line(text):
    return ' '.join(text.split())


# ---- workers ----

class Shared:
    """What all workers know: which tests are sound and how long they take."""

    def __init__(self, path):
        self.lock, self.path = threading.Lock(), path
        self.time, self.sound = {}, {}
        if os.path.exists(path):
            with open(path) as f:
                self.time = json.load(f)

    def note(self, test, seconds):
        with self.lock:
            self.time[test] = round(seconds, 2)
            with open(self.path + '.new', 'w') as f:
                json.dump(self.time, f, indent=0, sort_keys=True)
            os.replace(self.path + '.new', self.path)


# Stands for ccache: the file with the mutation is compiled quickly and without
# warnings, everything else as in any other release build.
LAUNCHER = '''#!/bin/sh
case " $* " in
*" $TAKT_MUTANT "*) exec "$@" -O1 -g0 -w ;;
esac
exec %s "$@"
'''


class Worker:
    def __init__(self, number, options, shared, table, cases):
        self.dir = '%s/worker%d' % (options.dir, number)
        self.tree, self.build = self.dir, self.dir + '/build'
        self.shared, self.table, self.cases = shared, table, cases
        self.takt = self.build + '/takt'
        self.env = dict(os.environ, TAKT=self.takt, TAKT_SOURCE=self.tree,
                        TAKT_BUILD=self.build, TAKT_CC='cc', TAKT_FIRST='1',
                        CCACHE_BASEDIR=self.dir, CCACHE_NOHASHDIR='1',
                        TAKT_MUTANT='')
        self.env.pop('TAKT_LONG', None)

    def make_launcher(self):
        path = self.dir + '/build/bin'
        os.makedirs(path, exist_ok=True)
        write(path + '/ccache', LAUNCHER % (shutil.which('ccache') or ''))
        os.chmod(path + '/ccache', 0o755)
        self.env['PATH'] = path + ':' + self.env['PATH']

    def shell(self, *argv):
        p = subprocess.run(argv, cwd=self.dir, env=self.env,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.said = p.stdout.decode(errors='replace')
        return p.returncode == 0

    def prepare(self):
        os.makedirs(self.tree, exist_ok=True)
        listed = subprocess.run(['git', 'ls-files', '-co',
                                 '--exclude-standard'], cwd=ROOT,
                                stdout=subprocess.PIPE, check=True)
        files = set(listed.stdout.decode().split('\n')) - {''}
        for top, dirs, names in os.walk(self.tree):
            if top == self.tree and 'build' in dirs:
                dirs.remove('build')
            for name in names:
                path = os.path.join(top, name)
                if os.path.relpath(path, self.tree) not in files:
                    os.unlink(path)
        for file in files:
            copy(ROOT + '/' + file, self.tree + '/' + file)
        for path in (glob.glob(self.tree + '/cmake/*') +
                     glob.glob(self.tree + '/**/CMakeLists.txt',
                               recursive=True)):
            write(path, text_of(path).replace('CONFIGURE_DEPENDS', ''))
        self.make_launcher()
        with self.shared.lock:  # one after the other: the compiler cache helps
            link = '-fuse-ld=lld' if shutil.which('ld.lld') else ''
            if not (self.shell('cmake', '-S', '.', '-B', 'build', '-G',
                               'Ninja', '-DCMAKE_EXE_LINKER_FLAGS=' + link)
                    and self.ninja('takt')):
                sys.exit('takt cannot be built in %s:\n%s' %
                         (self.dir, self.said[-2000:]))

    def ninja(self, *targets):  # no file comes or goes: no globs to verify
        return self.shell('ninja', '-C', 'build', '-j', '2', *targets)

    def tests(self, folder):
        """(name, target) of the tests that judge a folder but golden ones."""
        found = []
        for kind, prefix in (('unit', 'test_'), ('prop', 'prop_')):
            for path in sorted(glob.glob('%s/tests/%s/%s/%s*.c' %
                                         (self.tree, kind, folder, prefix))):
                name = os.path.basename(path)[len(prefix):-2]
                found.append('%s/%s/%s' % (kind, folder, name))
        found += self.table.get(folder, self.table.get('*', []))
        return sorted((t for t in found if self.time_of(t) <= SLOW and
                       t not in self.table.get('-', [])), key=self.time_of)

    def time_of(self, test):
        return self.shared.time.get(test, 5 if test.startswith('cli/') else 1)

    def passes(self, test):
        if test.startswith('golden/'):
            return self.cases[test].holds(self.takt, self.tree, self.env)
        if test.startswith('cli/'):
            argv = ['bash', '%s/tests/%s.sh' % (self.tree, test)]
        else:
            argv = ['%s/tests/tests/%s' % (self.build, test.replace('/', '-'))]
        code, used = run(argv, self.tree + '/tests', self.env, TEST_CPU, WALL)
        if code in (0, 77) and test not in self.shared.time:
            self.shared.note(test, used)
        return code in (0, 77)

    def is_sound(self, test, path, source):
        """Does the test pass without the change? Asked once for each."""
        if test not in self.shared.sound:
            write(path, source[0])
            self.env['TAKT_MUTANT'] = ''
            self.shared.sound[test] = self.make([test]) and self.passes(test)
            write(path, source[1])
            self.env['TAKT_MUTANT'] = path
        return self.shared.sound[test]

    def make(self, tests):
        """Builds what tests need."""
        targets = {t.replace('/', '-') for t in tests
                   if t.startswith(('unit/', 'prop/'))}
        if any(t.startswith(('golden/', 'cli/')) for t in tests):
            targets.add('takt')
        return not targets or self.ninja(*sorted(targets))

    def rounds(self, folder):
        """The tests of a folder in the order they are run; each round is
        built as a whole."""
        tests = self.tests(folder)
        yield [t for t in tests if self.time_of(t) < 2]
        yield list(self.cases)
        yield [t for t in tests if self.time_of(t) >= 2]

    def judge(self, m):
        """Sets the verdict of a mutant: dead (does not compile), gone,
        killed, survived."""
        path = self.tree + '/' + m.file
        before = text_of(path)
        after = before and m.applied(before)
        if after is None:
            m.verdict = 'gone'
            return
        write(path, after)
        self.env['TAKT_MUTANT'] = path
        try:
            m.verdict, m.by = self.verdict(m, path, (before, after))
        finally:
            write(path, before)
            self.env['TAKT_MUTANT'] = ''

    def verdict(self, m, path, source):
        if not self.ninja('takt_' + m.folder):
            return 'dead', ''
        for tests in self.rounds(m.folder):
            if not self.make(tests):
                return 'dead', ''
            for test in tests:
                if not self.passes(test) and self.is_sound(test, path, source):
                    return 'killed', test
        return 'survived', ''


def copy(a, b):
    with open(a, 'rb') as f:
        data = f.read()
    if os.path.exists(b):
        with open(b, 'rb') as f:
            if f.read() == data:
                return
    os.makedirs(os.path.dirname(b), exist_ok=True)
    with open(b, 'wb') as f:
        f.write(data)
    shutil.copymode(a, b)


def write(path, text):
    with open(path, 'w') as f:
        f.write(text)


# ---- the whole run ----

def read_table():
    table = {}
    for line in text_of(ROOT + '/tests/mutate.tests').splitlines():
        words = line.split('#')[0].split()
        if words:
            table[words[0]] = words[1:]
    return table


class Source:
    """Gives mutants to workers until enough of them compiled."""

    def __init__(self, todo, done, wanted, log):
        self.todo, self.wanted, self.log = todo, wanted, log
        self.lock = threading.Lock()
        self.done = {m.number: m for m in done}
        self.given = 0

    def counted(self):
        return sorted((m for m in self.done.values()
                       if m.verdict in ('killed', 'survived')),
                      key=lambda m: m.number)

    def next(self):
        with self.lock:
            while len(self.counted()) < self.wanted:
                m = next(self.todo, None)
                if m is None or m.number not in self.done:
                    return m
            return None

    def finish(self, m):
        with self.lock:
            self.done[m.number] = m
            with open(self.log, 'a') as f:
                f.write(m.record() + '\n')
            if m.verdict in ('killed', 'survived'):
                print('%3d %-9s %s:%d %s %s' % (
                    len(self.counted()), m.verdict, m.file, m.line, m.kind,
                    m.by), flush=True)


def work(options, source):
    shared = Shared(options.dir + '/times.json')
    table, ready = read_table(), queue.Queue()
    cases = {c.name: c for c in golden_cases()}
    failed = []

    def serve(k):
        try:
            worker = Worker(k, options, shared, table, cases)
            worker.prepare()
            while not failed and (m := source.next()):
                worker.judge(m)
                source.finish(m)
        except BaseException as e:  # noqa: B902: reported by the main thread
            failed.append(e)
        ready.put(k)
    for k in range(options.jobs):
        threading.Thread(target=serve, args=(k,), daemon=True).start()
    for _ in range(options.jobs):
        ready.get()
    if failed:
        raise failed[0]


def report(counted, known):
    rows, left = {}, []
    for m in counted:
        row = rows.setdefault(m.folder, [0, 0, 0, 0])
        row[0] += 1
        if m.verdict == 'killed':
            row[1] += 1
        elif (m.file, one_line(m.old), one_line(m.new)) in known:
            row[3] += 1
        else:
            row[2] += 1
            left.append(m)
    print('\n| folder | seeded | killed | survived | equivalent | killed share |')
    print('|---|---|---|---|---|---|')
    for name in sorted(rows) + ['all']:
        row = rows.get(name) or [sum(r[i] for r in rows.values())
                                 for i in range(4)]
        judged = row[0] - row[3]
        print('| %s | %d | %d | %d | %d | %.0f %% |' % (
            name, *row, 100.0 * row[1] / judged if judged else 100))
    if left:
        print('\nSurvivors:\n')
    for m in sorted(left, key=lambda m: (m.file, m.line)):
        print('%s:%d\n- %s\n+ %s\n' % (m.file, m.line, one_line(m.old),
                                       one_line(m.new)))


def tree_name():
    words = subprocess.run(['git', 'rev-parse', '--short', 'HEAD'], cwd=ROOT,
                           stdout=subprocess.PIPE).stdout.decode().split()
    return words[0] if words else 'unknown'


def load(path):
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [Mutant.load(line) for line in f if line.startswith('{')]


def main():
    signal.signal(signal.SIGTERM, end_all)
    signal.signal(signal.SIGINT, end_all)
    p = argparse.ArgumentParser(prog='tests/mutate.sh')
    p.add_argument('n', type=int, nargs='?', default=30)
    p.add_argument('seed', type=int, nargs='?', default=1)
    p.add_argument('-j', '--jobs', type=int, default=2)
    p.add_argument('-f', '--folders', default='')
    p.add_argument('-r', '--results')
    p.add_argument('-s', '--show', action='store_true')
    p.add_argument('-a', '--again', action='store_true')
    p.add_argument('-l', '--least', type=float, default=0)
    p.add_argument('-d', '--dir', default='/tmp/takt-mutate.%d' % os.getuid())
    options = p.parse_args()
    os.makedirs(options.dir, exist_ok=True)
    log = options.results or '%s/%s-%d%s.jsonl' % (
        options.dir, tree_name(), options.seed,
        options.folders and '-' + options.folders.replace(',', '-'))
    done = load(log)
    latest = {m.number: m for m in done}
    if options.again:
        again = [m for m in latest.values() if m.verdict == 'survived']
        source = Source(iter(again), [], 10 ** 9, log)
        work(options, source)
        latest.update(source.done)
        source = Source(iter(()), latest.values(), options.n, log)
    else:
        folders = set(options.folders.split(',')) - {''}
        source = Source(sequence(options.seed, folders), latest.values(),
                        options.n, log)
        if not options.show:
            work(options, source)
    counted = source.counted()[:options.n]
    print('\nseed %d, %d mutants, results in %s' % (
        options.seed, len(counted), log))
    report(counted, equivalents())
    killed = sum(m.verdict == 'killed' for m in counted)
    judged = sum(m.verdict == 'killed' or
                 (m.file, one_line(m.old), one_line(m.new))
                 not in equivalents() for m in counted)
    sys.exit(0 if killed * 100 >= options.least * judged and judged else 1)


main()
