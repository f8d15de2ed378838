"""takt from Python: models, trajectories, real-time steps.

    import takt
    m = takt.load("MotorDrive.mo")
    r = m.sim(stop=0.5)                    # step-size control
    r["fan.w"], r.time                     # numpy arrays, or lists without it
    m.decide(method="lie", step="0.1ms")
    s = m.build()                          # generated C, compiled and loaded
    s.step(); s["fan.w"]
    many = m.build(1000)                   # many instances, side by side
    many["fan.J"][:] = ...                 # a view of their memory, no copy
    many.update(); many.step()

One module over ctypes; numpy is used if it is there. libtakt.so is looked for
in $TAKT_LIBRARY, beside this file, in ../lib and where the system keeps
libraries.
"""
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
import ctypes.util
import math
import os

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["load", "text", "Model", "Result", "Step", "Error", "Cancelled",
           "version"]

_here = os.path.dirname(os.path.abspath(__file__))


class _Message(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("code", ctypes.c_char_p),
                ("text", ctypes.c_char_p), ("file", ctypes.c_char_p),
                ("line", ctypes.c_int), ("column", ctypes.c_int)]


class _Variable(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("unit", ctypes.c_char_p),
                ("kind", ctypes.c_int), ("causality", ctypes.c_int),
                ("place", ctypes.c_size_t), ("sign", ctypes.c_double),
                ("offset", ctypes.c_double)]


_Progress = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p,
                             ctypes.c_int, ctypes.c_int)


class _Tuning(ctypes.Structure):
    _fields_ = [("only", ctypes.c_char_p), ("deviation", ctypes.c_double),
                ("budget", ctypes.c_long), ("attacks", ctypes.c_int),
                ("stop", ctypes.c_double), ("progress", _Progress),
                ("context", ctypes.c_void_p)]


def _open_library():
    names = [os.environ.get("TAKT_LIBRARY"),
             os.path.join(_here, "libtakt.so")]
    top = os.path.dirname(os.path.dirname(os.path.dirname(_here)))
    for folder in ("lib", os.path.join("lib", "x86_64-linux-gnu"), "lib64"):
        names.append(os.path.join(top, folder, "libtakt.so"))
    names.append(ctypes.util.find_library("takt"))
    for name in names:
        if name and (os.path.exists(name) or os.sep not in name):
            return ctypes.CDLL(name)
    raise ImportError("libtakt.so is not found: set TAKT_LIBRARY to its path")


_lib = _open_library()
_P, _S, _I, _D = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int,
                  ctypes.c_double)
_Z = ctypes.c_size_t
for _name, _result, *_args in [
        ("version", _S), ("open", _P, _S, ctypes.POINTER(_S), _I),
        ("open_text", _P, _S), ("close", None, _P), ("status", _I, _P),
        ("nmessage", _I, _P), ("message", ctypes.POINTER(_Message), _P, _I),
        ("set", _I, _P, _S, _D), ("decide", _I, _P, _S, _S),
        ("tune", _I, _P, ctypes.POINTER(_Tuning), _S),
        ("simulate", _P, _P, _D), ("result_free", None, _P),
        ("ncolumn", _I, _P), ("nrow", _I, _P), ("column", _S, _P, _I),
        ("values", ctypes.POINTER(_D), _P), ("build", _P, _P),
        ("unload", None, _P), ("nvariable", _I, _P),
        ("variable", ctypes.POINTER(_Variable), _P, _I), ("scalar", _Z, _P),
        ("find", _I, _P, _S), ("size", _Z, _P), ("defaults", None, _P, _P),
        ("start", _I, _P, _P), ("update", None, _P, _P), ("step", _I, _P, _P),
        ("step_many", ctypes.c_long, _P, _P, ctypes.c_long, _P),
        ("get", _D, _P, _P, _I), ("put", _I, _P, _P, _I, _D),
        ("status_text", _S, _P, _I), ("where", _S, _P, _P)]:
    _f = getattr(_lib, "takt_" + _name)
    _f.restype, _f.argtypes = _result, _args


def version():
    return _lib.takt_version().decode()


class Error(Exception):
    """What takt has to say: .messages has all of it."""

    def __init__(self, messages):
        self.messages = messages
        worst = [m for m in messages if m["kind"] != "warning"] or messages
        super().__init__("\n".join(m["line"] for m in worst) or "takt failed")


class Cancelled(Error):
    """A progress function ended the call."""


class Result:
    """A trajectory: r["x"] is a column, r.time the first one."""

    def __init__(self, handle):
        n, rows = _lib.takt_ncolumn(handle), _lib.takt_nrow(handle)
        self.names = [_lib.takt_column(handle, i).decode() for i in range(n)]
        self._at = {name: i for i, name in enumerate(self.names)}
        at = _lib.takt_values(handle)
        if numpy is not None and rows > 0:
            flat = numpy.ctypeslib.as_array(at, shape=(rows, n))
            self.values = flat.copy()
        else:
            self.values = [[at[i * n + k] for k in range(n)]
                           for i in range(rows)]
        _lib.takt_result_free(handle)

    def __getitem__(self, name):
        k = self._at[name]
        if numpy is not None:
            return self.values[:, k]
        return [row[k] for row in self.values]

    def __len__(self):
        return len(self.values)

    @property
    def time(self):
        return self["time"]

    def plot(self, *names):
        """Draws columns with matplotlib; the axes are returned."""
        from matplotlib import pyplot
        _, axes = pyplot.subplots()
        for name in names or self.names[1:5]:
            axes.plot(self.time, self[name], label=name)
        axes.set_xlabel("time in s")
        axes.legend()
        return axes


class Step:
    """Instances of generated code, side by side in memory."""

    def __init__(self, handle, n):
        self._c, self.n = handle, n
        self._size = _lib.takt_size(handle)
        self._room = ctypes.create_string_buffer(self._size * n + 16)
        self._at = (ctypes.addressof(self._room) + 15) // 16 * 16
        self.variables = {}
        for i in range(_lib.takt_nvariable(handle)):
            v = _lib.takt_variable(handle, i).contents
            self.variables[v.name.decode()] = (i, v)
        for k in range(n):
            _lib.takt_defaults(handle, self._place(k))
        self.start()

    def __del__(self):
        if getattr(self, "_c", None):
            _lib.takt_unload(self._c)
            self._c = None

    def _place(self, k):
        return self._at + k * self._size

    def _fail(self, k, status):
        raise Error([{"kind": "error", "line": "instance %d: %s: %s" % (
            k, _lib.takt_status_text(self._c, status).decode(),
            _lib.takt_where(self._c, self._place(k)).decode())}])

    def start(self):
        """Initial values for what was set."""
        for k in range(self.n):
            status = _lib.takt_start(self._c, self._place(k))
            if status < 0:
                self._fail(k, status)

    def update(self):
        """After parameters were changed between steps."""
        for k in range(self.n):
            _lib.takt_update(self._c, self._place(k))

    def step(self, inputs=None, **more):
        """One step of all instances; inputs by name, held during it."""
        for name, value in {**(inputs or {}), **more}.items():
            self[name] = value
        status = (ctypes.c_int * self.n)()
        if _lib.takt_step_many(self._c, self._at, self.n, status) > 0:
            k = next(i for i in range(self.n) if status[i] < 0)
            self._fail(k, status[k])
        return status[0] if self.n == 1 else list(status)

    def _view(self, v):
        kind = "f8" if _lib.takt_scalar(self._c) == 8 else "f4"
        first = self._at - ctypes.addressof(self._room) + v.place
        return numpy.ndarray((self.n,), kind, self._room, first,
                             (self._size,))

    def __getitem__(self, name):
        """One instance: the number. Several: a view of their memory, or a
        list where the variable is another one with a sign, or without
        numpy."""
        i, v = self.variables[name]
        if self.n > 1 and numpy is not None and v.sign == 1 and v.offset == 0:
            return self._view(v)
        all_ = [_lib.takt_get(self._c, self._place(k), i)
                for k in range(self.n)]
        return all_[0] if self.n == 1 else all_

    def __setitem__(self, name, value):
        i, _ = self.variables[name]
        try:
            values = list(value)
        except TypeError:
            values = [value] * self.n
        for k in range(self.n):
            if _lib.takt_put(self._c, self._place(k), i, values[k]) != 0:
                raise ValueError("%r is no value of %s" % (values[k], name))

    def save(self):
        return ctypes.string_at(self._at, self._size * self.n)

    def restore(self, saved):
        if len(saved) != self._size * self.n:
            raise ValueError("this is no state of these instances")
        ctypes.memmove(self._at, saved, len(saved))


class Model:
    """A model; load() and text() make them."""

    def __init__(self, handle):
        if not handle:
            raise MemoryError("takt: no memory for a model")
        self._m = handle
        self._path, self._sets, self._plan = None, {}, None
        self._check()

    def __del__(self):
        if getattr(self, "_m", None):
            _lib.takt_close(self._m)
            self._m = None

    @property
    def messages(self):
        """What the last call has said."""
        kinds = ("error", "unsupported", "warning", "failure")
        out = []
        for i in range(_lib.takt_nmessage(self._m)):
            m = _lib.takt_message(self._m, i).contents
            place = "%s:%d:%d: " % (m.file.decode(), m.line,
                                    m.column) if m.file else ""
            text = m.text.decode("utf-8", "replace")
            code = m.code.decode()
            out.append({"kind": kinds[m.kind], "code": code, "text": text,
                        "file": m.file.decode() if m.file else None,
                        "place": m.line, "column": m.column,
                        "line": "%s%s: %s%s" % (place, kinds[m.kind], text,
                                                " [%s]" % code if code
                                                else "")})
        return out

    def _check(self):
        if _lib.takt_status(self._m) != 0:
            raise Error(self.messages)

    def set(self, values=None, **more):
        """Values of parameters and start values."""
        for name, value in {**(values or {}), **more}.items():
            _lib.takt_set(self._m, name.encode(), value)
            self._check()
            self._sets[name] = value
        return self

    def decide(self, **options):
        """Decisions of the plan: decide(method="lie", step="1ms")."""
        for name, value in options.items():
            text = None if value is None else str(value).encode()
            _lib.takt_decide(self._m, name.replace("_", "-").encode(), text)
            self._check()
        return self

    def sim(self, stop=math.nan):
        handle = _lib.takt_simulate(self._m, stop)
        result = Result(handle) if handle else None
        self._check()
        return result

    def build(self, n=1):
        handle = _lib.takt_build(self._m)
        self._check()
        return Step(handle, n)

    def tune(self, plan, only=None, deviation=0, budget=0, attacks=-1,
             stop=math.nan, progress=None):
        """Finds what a step does not need; the plan is written to the file
        `plan` and obeyed from here on. progress(what, done, total) is called
        from time to time; if it returns True, the tuning ends with
        takt.Cancelled."""
        raised = []

        def tell(_, what, done, total):
            try:
                return 1 if progress(what.decode(), done, total) else 0
            except BaseException as e:  # it is the caller's
                raised.append(e)
                return 1

        wishes = _Tuning(only.encode() if only else None, deviation, budget,
                         attacks, stop,
                         _Progress(tell) if progress else _Progress(), None)
        status = _lib.takt_tune(self._m, ctypes.byref(wishes),
                                os.fspath(plan).encode())
        if raised:
            raise raised[0]
        if status == 5:
            raise Cancelled(self.messages)
        self._check()
        return self


def load(model, libraries=()):
    """A model: file.mo, file.mo:Class, or a class of one of the libraries."""
    path = os.fspath(model)
    list_ = (ctypes.c_char_p * max(1, len(libraries)))(
        *[os.fspath(x).encode() for x in libraries])
    m = Model(_lib.takt_open(path.encode(), list_, len(libraries)))
    m._path = path
    return m


def text(source):
    """A model that is a text; its last class is taken."""
    return Model(_lib.takt_open_text(source.encode()))
