#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the algorithm code of an eFMU: GALEC (eFMI 1.0.0, chapter 3.2), read and
evaluated without anything of takt.

    galec.py FILE.fmu STEPS [NAME=VALUE ...] [-o TRACE.csv]

calls Startup, sets parameters and inputs, Recalibrate, then DoStep; a line for
each step: time and outputs with every digit. Names that are set may have no
quotes. Types are checked on the way: a Real is never assigned a Boolean."""
import math
import re
import sys
import zipfile

TOKEN = re.compile(r"""\s+|/\*.*?\*/|//[^\n]*|
    (?P<number>\d+(\.\d*)?([eE][+-]\d+)?) | (?P<name>'[^']*'|[A-Za-z]\w*) |
    (?P<sign>:=|<=|>=|<>|==|[-+*/^()<>,;:.\[\]])""", re.S | re.X)


def tokens(text):
    at, out = 0, []
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise SyntaxError("no token: " + text[at:at + 30])
        if m.lastgroup:
            out.append((m.lastgroup, m.group()))
        at = m.end()
    return out + [("end", "")]


class Parser:
    """Gives closures: an expression is a function of the frame."""

    def __init__(self, text):
        self.token, self.at = tokens(text), 0
        self.kind, self.method, self.direction = {}, {}, {}

    def peek(self):
        return self.token[self.at][1]

    def take(self, text=None):
        kind, got = self.token[self.at]
        if text is not None and got != text:
            raise SyntaxError(f"{text} expected, not {got}")
        self.at += 1
        return got

    def block(self):
        self.take("block")
        name = self.take()
        self.variables(self.kind, self.direction)
        self.take("protected")
        self.variables(self.kind, self.direction)
        self.take("public")
        while self.peek() == "method":
            self.declare_method()
        self.take("end")
        self.take(name)
        self.take(";")

    def variables(self, into, direction=None):
        while self.peek() in ("input", "output", "parameter", "constant",
                              "Real", "Integer", "Boolean"):
            word = self.peek()
            if word in ("input", "output", "parameter", "constant"):
                self.take()
            else:
                word = "local"
            kind, name = self.take(), self.take()
            if name in into:
                raise SyntaxError("declared twice: " + name)
            into[name] = kind
            if direction is not None:
                direction[name] = word
            self.take(";")

    def declare_method(self):
        self.take("method")
        name, local = self.take(), {}
        if self.peek() == "signals":
            while self.take() != ";":
                pass
        if self.peek() == "protected":
            self.take()
            self.variables(local)
        self.local = local
        self.take("algorithm")
        body = self.statements(("end",))
        self.take("end")
        self.take(name)
        self.take(";")
        self.method[name] = (local, body)

    def statements(self, ends):
        out = []
        while self.peek() not in ends:
            out.append(self.statement())
        return out

    def statement(self):
        word = self.peek()
        if word == "if":
            return self.if_statement()
        if word == "for":
            return self.loop()
        if word == "signal":
            self.take()
            name = self.take()
            self.take(";")
            return lambda f: f.block.signals.add(name)
        if word == "(":
            self.take("(")
            self.take(")")
            self.take(":=")
            name = self.take()
            self.take("(")
            self.take(")")
            self.take(";")
            return lambda f: f.block.call(name)
        return self.assignment()

    def assignment(self):
        own = self.peek() == "self"
        if own:
            self.take()
            self.take(".")
        name = self.take()
        kinds = self.kind if own else self.local
        if name not in kinds:
            raise SyntaxError("not declared: " + name)
        self.take(":=")
        kind, value = self.expression()
        self.take(";")
        if kind != kinds[name]:
            raise TypeError(f"{kinds[name]} {name} := {kind}")

        def run(f):
            (f.block.value if own else f.value)[name] = value(f)
        return run

    def truth(self):
        kind, value = self.expression()
        if kind != "Boolean":
            raise TypeError("a condition is no Boolean")
        return value

    def if_statement(self):
        part, other = [], []
        self.take("if")
        while True:
            condition = self.truth()
            self.take("then")
            part.append((condition, self.statements(("elseif", "else", "end"))))
            if self.take() == "elseif":
                continue
            self.at -= 1
            break
        if self.peek() == "else":
            self.take()
            other = self.statements(("end",))
        self.take("end")
        self.take("if")
        self.take(";")

        def run(f):
            for condition, body in part:
                if condition(f):
                    break
            else:
                body = other
            for s in body:
                s(f)
        return run

    def loop(self):
        self.take("for")
        self.take()
        self.take("in")
        first = int(self.take())
        self.take(":")
        last = int(self.take())
        self.take("loop")
        body = self.statements(("end",))
        self.take("end")
        self.take("for")
        self.take(";")

        def run(f):
            for _ in range(first, last + 1):
                for s in body:
                    s(f)
        return run

    # expressions, from the weakest operator on
    LEVEL = [("or",), ("and",), ("==", "<>"), ("<", ">", "<=", ">="),
             ("+", "-"), ("*", "/"), ("^",)]

    def expression(self, level=0):
        if level == len(self.LEVEL):
            return self.unary()
        a = self.expression(level + 1)
        while self.peek() in self.LEVEL[level]:
            a = binary(self.take(), a, self.expression(level + 1))
        return a

    def unary(self):
        if self.peek() == "-":
            self.take()
            kind, x = self.unary()
            if kind == "Boolean":
                raise TypeError("- of a Boolean")
            return kind, lambda f: -x(f)
        if self.peek() == "not":
            self.take()
            kind, x = self.unary()
            if kind != "Boolean":
                raise TypeError("not of a number")
            return kind, lambda f: not x(f)
        return self.primary()

    def primary(self):
        kind, text = self.token[self.at]
        if text == "(":
            return self.parenthesis()
        self.take()
        if kind == "number":
            whole = text.isdigit()
            x = int(text) if whole else float(text)
            return ("Integer" if whole else "Real"), lambda f: x
        if text in ("true", "false"):
            return "Boolean", lambda f: text == "true"
        if text == "self":
            self.take(".")
            name = self.take()
            return self.kind[name], lambda f: f.block.value[name]
        if self.peek() == "(":
            return self.call(text)
        return self.local[text], lambda f: f.value[text]

    def parenthesis(self):
        self.take("(")
        if self.peek() != "if":
            out = self.expression()
            self.take(")")
            return out
        self.take("if")
        part = []
        while True:
            condition = self.truth()
            self.take("then")
            part.append((condition, self.expression()))
            if self.take() == "else":
                break
        kind, other = self.expression()
        self.take(")")
        if any(k != kind for _, (k, _) in part):
            raise TypeError("branches of different types")

        def value(f):
            for condition, (_, x) in part:
                if condition(f):
                    return x(f)
            return other(f)
        return kind, value

    def call(self, name):
        self.take("(")
        arg = []
        while self.peek() != ")":
            arg.append(self.expression())
            if self.peek() == ",":
                self.take()
        self.take(")")
        kind, function = FUNCTION[name]
        x = [a for _, a in arg]
        return kind, lambda f: function(*[a(f) for a in x])


def divide(a, b):
    if b == 0:
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def safe(function):
    """As C's library does: NaN where Python has an exception."""
    def value(*x):
        try:
            return function(*x)
        except (ValueError, OverflowError):
            return math.nan
    return value


def logarithm(function):
    return lambda x: -math.inf if x == 0 else safe(function)(x)


def whole(function):
    return lambda x: float(function(x)) if math.isfinite(x) and abs(x) < 2**53 else x


FUNCTION = {name: ("Real", safe(getattr(math, name)))
            for name in ("sin cos tan asin acos atan atan2 sinh cosh tanh exp "
                         "sqrt").split()}
FUNCTION.update(
    ln=("Real", logarithm(math.log)), lg=("Real", logarithm(math.log10)),
    absolute=("Real", abs), roundDown=("Real", whole(math.floor)),
    roundUp=("Real", whole(math.ceil)), real=("Real", float),
    integer=("Integer", int), isFinite=("Boolean", math.isfinite),
    nan=("Real", lambda: math.nan), plusInfinite=("Real", lambda: math.inf),
    minusInfinite=("Real", lambda: -math.inf))


def binary(op, a, b):
    (ka, x), (kb, y) = a, b
    if ka != kb:
        raise TypeError(f"{ka} {op} {kb}")
    if op in ("and", "or"):
        if ka != "Boolean":
            raise TypeError(op + " of numbers")
        return ka, (lambda f: x(f) and y(f)) if op == "and" else (
            lambda f: x(f) or y(f))
    relation = {"<": lambda f: x(f) < y(f), ">": lambda f: x(f) > y(f),
                "<=": lambda f: x(f) <= y(f), ">=": lambda f: x(f) >= y(f),
                "==": lambda f: x(f) == y(f), "<>": lambda f: x(f) != y(f)}
    if op in relation:
        return "Boolean", relation[op]
    power = safe(math.pow)
    return ka, {"+": lambda f: x(f) + y(f), "-": lambda f: x(f) - y(f),
                "*": lambda f: x(f) * y(f), "/": lambda f: divide(x(f), y(f)),
                "^": lambda f: power(x(f), y(f))}[op]


class Frame:
    def __init__(self, block):
        self.block, self.value = block, {}


class Block:
    def __init__(self, text):
        self.program = Parser(text)
        self.program.block()
        self.value, self.signals = {}, set()

    def call(self, method):
        frame = Frame(self)
        for statement in self.program.method[method][1]:
            statement(frame)

    def find(self, name):
        for n in (name, f"'{name}'"):
            if n in self.program.kind:
                return n
        raise KeyError(name)

    def set(self, name, text):
        n = self.find(name)
        kind = self.program.kind[n]
        self.value[n] = (text == "true" if kind == "Boolean" else
                         int(text) if kind == "Integer" else float(text))


def main():
    args = sys.argv[1:]
    out = sys.stdout
    if "-o" in args:
        i = args.index("-o")
        out = open(args[i + 1], "w")
        del args[i:i + 2]
    text = zipfile.ZipFile(args[0]).read("eFMU/AlgorithmCode/block.alg").decode()
    sys.setrecursionlimit(10000)
    block = Block(text)
    block.call("Startup")
    for word in args[2:]:
        block.set(*word.split("=", 1))
    block.call("Recalibrate")
    shown = [n for n, d in block.program.direction.items() if d == "output"]
    step = block.value["'takt.step'"]
    print(",".join(["time"] + ['"%s"' % n.strip("'") for n in shown]), file=out)
    for k in range(int(args[1]) + 1):
        if k > 0:
            block.call("DoStep")
        row = [k * step] + [float(block.value[n]) for n in shown]
        print(",".join("%.17g" % x for x in row), file=out)
        if block.signals:
            print("signal", *sorted(block.signals), file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
