"""models.py DIR [WORDS] - writes models whose names and texts mean something in
the languages takt writes. What can run a command makes the file `canary`.

WORDS has a name a line, such as the macros of a compiler."""
import json
import os
import sys

CORPUS = [
    # C and C++: literals, comments, trigraphs, lines
    '"; system("touch canary"); //', '*/ system("touch canary"); /*',
    '??/"; system("touch canary"); //', '??/', '????/', '?', '??', 'x??/',
    '//', '/*', '*/', '\\', '\\\\', 'a\nb', 'a\r\nb', '\\n', '\t', '\x01',
    '%s%n%d', '#define x', 'a\\\nb', '\\u000a', '\\x22',
    # JSON, pages, pictures, tables
    '</script><script>alert(1)</script>', '<img src=x onerror=alert(1)>',
    '" onload="alert(1)', "' onload='alert(1)", ']]>', '<!--', '-->', '&amp;',
    '&#39;', '{', '}', '[', ']', 'a,b;c', '=1+1', '"', '""', "'", "''",
    # CMake, make, shells, Octave
    '${X}', '$ENV{HOME}', '$(touch canary)', '`touch canary`', ']]', ']=]',
    "'); system('touch canary'); %", '%{', '; touch canary', '@NAME@',
    # names that are alike when they have become identifiers
    'a b', 'a_b', 'a__b', 'a_b_', '_a_b', 'a.b', 'a[1]', 'a_1', '1', '2a',
    # what generated functions call their own
    'm', 'w', 'next', 'old', 'bad', 'warn', 'sum', 'i', 'failed', 'late',
    'stopped', 'asserted', 'warned', 'ended', 'left', 'kept', 'status', 't1',
    'c1', 'excess', 'newton', 'room', 'order', 'event', 'turn', 'now', 'at',
    'r', 'states', 'number', 'name', 'value', 'message', 'block', 'variable',
    'is_row', 'p', 'd', 'u', 's', 'h', 'Texts', 'Texts_s', 'Texts_step',
    'Texts_step_part0', 'Texts_stop', 'TEXTS_STEP', 'TEXTS_NVAR', 'TEXTS_H',
    'Texts_work', 'Texts_step_work', 'Words_s', 'WORDS_STEP', 'WORDS_FAILED',
    'x' * 300, 'x' * 299 + 'y',
]
# words of C and C++ that no preprocessor lists
KEYWORDS = """alignas alignof and asm auto bool break case catch char class
co_await concept const constexpr continue decltype default delete do double
else enum explicit export extern false float for friend goto if inline int long
mutable namespace new noexcept not nullptr operator or private protected public
register reinterpret_cast requires restrict return short signed sizeof static
static_assert struct switch template this thread_local throw true try typedef
typeid typename typeof union unsigned using virtual void volatile wchar_t while
xor size_t uint32_t uint64_t int32_t memcpy memset strcmp offsetof sin cos tan
exp log log10 sqrt pow fabs floor ceil fmod atan2 sinf cosf expf powf logl j0
j1 jn y0 y1 yn gamma lgamma TAKT_REAL TAKT_F TAKT_KEEP TAKT_APART takt_lt
takt_flag takt_number takt_table0 takt_w0 takt_newton""".split()
# models that need a name of their own
CLASSES = ['q"x', 'int', 'class', 'math', 'string', 'test', 'all', 'm', '1',
           'NULL', '../x', 'a/b', '-o', 'takt_rt_base', 'y' * 400, '*/ ??/',
           '$(touch canary)', "'", '\\', 'x y', '</title><script>alert(1)']


def name(text):
    """A quoted identifier (Modelica 3.6, 2.3.1)."""
    for plain, escape in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"),
                          ("\r", "\\r"), ("\t", "\\t"), ("\x01", "x01")):
        text = text.replace(plain, escape)
    return "'" + text + "'"


def string(text):
    for plain, escape in (("\\", "\\\\"), ('"', '\\"')):
        text = text.replace(plain, escape)
    return '"' + text + '"'


def write(path, text):
    with open(path, "w", newline="") as file:
        file.write(text)


def model(class_name, names, texts):
    """A state, a parameter, an output and unknowns of a chain for each name in
    turn, with its text as description, unit and message."""
    out = ["model %s %s\n" % (class_name, string(texts[0]))]
    equations = []
    last = "time"
    for i, n in enumerate(names):
        text = string(texts[i % len(texts)])
        role = i % 4
        if role == 0:
            out.append("  output Real %s(start = 1, fixed = true, unit = %s) %s;"
                       % (n, text, text))
            equations.append("  der(%s) = %s - %s;" % (n, last, n))
        elif role == 1:
            out.append("  parameter Real %s(unit = %s) = 1 %s;" % (n, text, text))
        elif role == 2:
            out.append("  output Real %s %s;" % (n, text))
            equations.append("  %s = %s*sin(%s);" % (n, names[i - 1], last))
        else:
            out.append("  Real %s %s;" % (n, text))
            equations.append("  %s = exp(-%s^2) + %s;" % (n, n, last))
        if role != 1:
            last = n
    for i, text in enumerate(texts):
        equations.append("  assert(%s < 1e9, %s);" % (last, string(text)))
    equations.append("  when %s > 1e9 then terminate(%s); end when;"
                     % (last, string(texts[0])))
    return "\n".join(out + ["equation"] + equations +
                     ["end %s;\n" % class_name])


def main(where, words):
    # names that differ in what the lexer makes of them
    names = list(dict.fromkeys(name(t) for t in CORPUS))
    texts = [t for t in CORPUS if t.strip()]
    for k in range(4):  # each name in each role
        write(os.path.join(where, "Texts%d.mo" % k),
              model("Texts", names[k:] + names[:k], texts))
    words = [w for w in dict.fromkeys(KEYWORDS + words)]
    for k in range(4):
        rest = [name(w) for w in words[k:] + words[:k]]
        write(os.path.join(where, "Words%d.mo" % k),
              model("Words", rest, ["*/", '??/"; //']))
    for i, text in enumerate(CLASSES):
        c = name(text)
        write(os.path.join(where, "Class%d.mo" % i),
              "model %s %s\n  parameter Real step_ = 1;\n"
              "  output Real x(start = 1, fixed = true);\n"
              "  output Real y;\nequation\n  der(x) = step_ - x;\n"
              "  y = exp(-y) + x;\nend %s;\n" % (c, string(text), c))
    write(os.path.join(where, "Messages.mo"),
          "model Messages\n  output Real x(start = 1, fixed = true);\n"
          "equation\n  der(x) = -x;\n" +
          "".join("  assert(x > 2, %s, AssertionLevel.warning);\n" % string(t)
                  for t in texts) + "end Messages;\n")
    with open(os.path.join(where, "messages.txt"), "w", newline="") as file:
        json.dump(texts, file)
    folder = os.path.join(where, "a 'b\" $(touch canary) `touch canary` ;& *")
    os.mkdir(folder)
    write(os.path.join(folder, "??\" ; \\ <script>.mo"),
          model("Texts", names[:8], texts[:8]))


main(sys.argv[1], open(sys.argv[2]).read().split() if len(sys.argv) > 2 else [])
