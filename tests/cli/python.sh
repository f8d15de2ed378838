#!/usr/bin/env bash
# The Python module and, through it, the typed calls of the library: load,
# simulate, tune, build, step; a decimal comma, threads, memory.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "Python cannot load a library with sanitizers"
library=$TAKT_BUILD/libtakt.so
[ -e "$library" ] || skip "libtakt.so was not built"
export TAKT_LIBRARY=$library PYTHONPATH=$TAKT_SOURCE/python PYTHONDONTWRITEBYTECODE=1
python=python3
/usr/bin/python3 -c 'import numpy' 2>"$work/err" && python=/usr/bin/python3
mkdir "$work/locales" && export LOCPATH=$work/locales
localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8" 2>"$work/err" && export COMMA=de_DE.UTF-8
run_takt sim "$TAKT_SOURCE/models/gallery/MotorDrive.mo" --method lie --step 1ms \
    --stop 0.05 --estimate off --quiet -o "$work/sim.csv"
cat >"$work/test.py" <<'END'
import csv, gc, locale, os, resource, sys, threading
if os.environ.get("COMMA"):
    locale.setlocale(locale.LC_ALL, os.environ["COMMA"])
    assert locale.localeconv()["decimal_point"] == ","
import takt
gallery, work = sys.argv[1:3]
m = takt.load(gallery + "/MotorDrive.mo")
r = m.sim(stop=0.05)
assert len(r) > 100 and r.time[-1] == 0.05
m.decide(method="lie", step="1ms", estimate="off")
r = m.sim(stop=0.05)
rows = list(csv.reader(open(work + "/sim.csv")))
for name in ("fan.w", "motor.i", "currentControl.x"):
    want = [float(row[rows[0].index(name)]) for row in rows[1:]]
    assert list(r[name]) == want, name           # the bits of the program
m.decide(newton=1)
s = m.build()
for _ in range(80):
    s.step()
saved, then = s.save(), s["fan.w"]
s.step()
assert s["fan.w"] != then
s.restore(saved)
assert s["fan.w"] == then and abs(s["time"] - 0.08) < 1e-15
many = m.build(7)
if takt.numpy is not None:
    view = many["fan.J"]
    assert view.base is not None and view.shape == (7,)
    view[3] *= 2                                  # no copy: the step sees it
    many.update()
else:
    many["fan.J"] = [(2 if k == 3 else 1) * x for k, x in enumerate(many["fan.J"])]
    many.update()
for _ in range(120):
    many.step()
w = list(many["fan.w"])
assert w[0] == w[6] and w[0] != w[3]

# what is wrong is data
for source, code in (("model A Real x; equation der(x) = y; end A;", "E0301"),
                     ("model A Real x; equation x + = 1; end A;", "E0")):
    try:
        takt.text(source)
        assert False, source
    except takt.Error as e:
        assert e.messages[0]["code"].startswith(code), e.messages
        assert e.messages[0]["place"] == 1
for bad in (dict(method="no"), dict(step="-1"), dict(nothing=1)):
    try:
        m.decide(**bad)
        m.sim(stop=0.01)
        assert False, bad
    except takt.Error:
        pass

# text, set, tune
ball = "model B parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end B;"
b = takt.text(ball).set(k=2)
assert abs(b.sim(stop=1)["x"][-1] - 0.1353352832366127) < 1e-5
h = takt.load(gallery + "/HeatDiffusion.mo")
h.decide(step="1ms")
told = []
h.tune(work + "/plan.json", only="sparsing", attacks=0, stop=0.1, deviation=50,
       progress=lambda *what: told.append(what) and None)
assert len(told) > 5 and told[0] == ("reference run", 0, 1), told[:3]
assert h.build().step() >= 0
assert '"takt_plan"' in open(work + "/plan.json").read()

# a tuning that is stopped, anywhere: no plan, no process goes on, all works
for last in range(1, len(told), max(1, len(told) // 3)):
    told = []
    try:
        h.decide(plan=None).tune(work + "/other.json", only="sparsing", attacks=3, stop=0.1,
                                 deviation=50, progress=lambda *w: told.append(w) or len(told) >= last)
        assert False, last
    except takt.Cancelled as e:
        assert "cancelled" in str(e)
    assert not os.path.exists(work + "/other.json")
try:
    os.waitpid(-1, os.WNOHANG)
    assert False, "a process is left"
except ChildProcessError:
    pass
def breaks(*what):
    raise KeyError("mine")
try:
    h.tune(work + "/other.json", only="sparsing", stop=0.1, progress=breaks)
    assert False
except KeyError:
    pass
try:
    h.tune(work + "/other.json", only="nothing")
    assert False
except takt.Error as e:
    assert "--only takes" in str(e)

# two threads
found = {}
def work_on(name, k):
    found[name] = [takt.text(ball).set(k=k).sim(stop=1)["x"][-1] for _ in range(10)]
threads = [threading.Thread(target=work_on, args=(n, k)) for n, k in (("a", 1), ("b", 3))]
[t.start() for t in threads]
[t.join() for t in threads]
assert len(set(found["a"])) == 1 and len(set(found["b"])) == 1
assert abs(found["a"][0] - 0.36787944) < 1e-5 and abs(found["b"][0] - 0.04978707) < 1e-5

# calls without a model, a result, code, an instance or a name
import ctypes
lib = ctypes.CDLL(os.environ["TAKT_LIBRARY"])
lib.takt_open.restype = lib.takt_build.restype = ctypes.c_void_p
nothing = lib.takt_open(None, None, 3)
assert lib.takt_status(ctypes.c_void_p(nothing)) == 1
one = ctypes.c_void_p(lib.takt_open((gallery + "/VanDerPol.mo").encode(), None, 0))
code = ctypes.c_void_p(lib.takt_build(one))
assert lib.takt_status(one) == 0 and code.value
nan = ctypes.c_double(1)
for call, want in ((("takt_status", None), 2), (("takt_nmessage", None), 0), (("takt_message", None, 0), 0),
                   (("takt_set", None, b"k", nan), 2), (("takt_set", one, None, nan), 1),
                   (("takt_decide", one, None, b"lie"), 1), (("takt_tune", None, None, None), 2),
                   (("takt_tune", one, None, None), 1), (("takt_simulate", None, nan), 0),
                   (("takt_nrow", None), 0), (("takt_ncolumn", None), 0), (("takt_column", None, 0), 0),
                   (("takt_values", None), 0), (("takt_build", None), None), (("takt_nvariable", None), 0),
                   (("takt_find", code, None), -1), (("takt_find", None, b"x"), -1),
                   (("takt_step", code, None), -1), (("takt_step", None, one), -1),
                   (("takt_start", code, None), -1), (("takt_put", code, None, 2, nan), -1),
                   (("takt_step_many", code, None, 3, None), 3), (("takt_size", None), 0)):
    got = getattr(lib, call[0])(*call[1:])
    assert got == want, (call, got)
lib.takt_get.restype = ctypes.c_double
assert str(lib.takt_get(code, None, 0)) == "nan"
for call in ("takt_close", "takt_result_free", "takt_unload"):
    getattr(lib, call)(None)

# 1,000 models, no growth
def memory():
    gc.collect()
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()
for k in range(1100):
    if k == 100:
        before = memory()
    takt.text(ball)
grown = memory() - before
print("1000 models:", grown, "bytes more")
assert grown < 1 << 20, grown
print("fine")
END
checks=$((checks + 1))
"$python" "$work/test.py" "$TAKT_SOURCE/models/gallery" "$work" >"$work/said" 2>&1 </dev/null ||
    { fail "python"; tail -5 "$work/said"; }
grep 'bytes more' "$work/said"
finish
