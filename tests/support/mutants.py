# mutants.py - the places where a C file can be changed so that it still
# compiles but should no longer pass its tests.
#
# A file is cut into tokens; comments, strings and preprocessor lines are left
# out. Changes are made in function bodies and in tables of numbers:
#
#   relation    < <= > >= == !=  moved by one, or turned round
#   arithmetic  + - * / % += -= *= /=  become another one
#   logic       && and || exchanged
#   condition   if (c), while (c) and c ? : become if (!(c)) ...
#   constant    a whole number plus one; other numbers half as much again
#   statement   a call, an assignment, break or continue deleted
#
# Never changed: arguments of assert and of calls that make a message, sizes of
# arrays, and calls that give memory or files back (sanitizers judge those).
import re

TOKEN = re.compile(
    r'(?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*)'
    r'|(?P<text>"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')'
    r'|(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)'
    r'(?:[eE][-+]?\d+)?)[uUlLfF]*)'
    r'|(?P<name>[A-Za-z_]\w*)'
    r'|(?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]='
    r'|[^\s])', re.S | re.M)

RELATION = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=',
            '!=': '=='}
ARITHMETIC = {'+': '-', '-': '+', '*': '/', '/': '*', '%': '/', '+=': '-=',
              '-=': '+=', '*=': '/=', '/=': '*='}
LOGIC = {'&&': '||', '||': '&&'}
QUIET = re.compile(r'assert$|static_assert$|diag_|die$|unreachable$|NEW_ARRAY$'
                   r'|NEW$|arena_alloc$')
GIVES_BACK = re.compile(r'\w*([fF]ree|[cC]lose|unlink|remove|Destroy)$')
KEYWORDS = set('if else for while do switch case default return sizeof goto '
               'break continue struct enum union static const'.split())


class Token:
    __slots__ = ('kind', 'text', 'at', 'line', 'mate')

    def __init__(self, kind, text, at, line):
        self.kind, self.text, self.at, self.line = kind, text, at, line
        self.mate = -1  # number of the bracket that belongs to this one


def tokens_of(source):
    found, line, at = [], 1, 0
    for m in TOKEN.finditer(source):
        line += source.count('\n', at, m.start())
        at = m.start()
        if m.lastgroup != 'skip':
            found.append(Token(m.lastgroup, m.group(), m.start(), line))
    stack = []
    for i, t in enumerate(found):
        if t.kind != 'op':
            continue
        if t.text in '([{':
            stack.append(i)
        elif t.text in ')]}' and stack:
            found[i].mate = stack[-1]
            found[stack.pop()].mate = i
    return found


def regions(tokens):
    """The ranges of function bodies and of tables, as (first, last, body)."""
    i = 0
    while i < len(tokens):
        if tokens[i].text == '{' and tokens[i].mate > 0:
            before = tokens[i - 1].text if i else ''
            if before == ')' or before == '=':
                yield i, tokens[i].mate, before == ')'
            i = tokens[i].mate
        i += 1


def quiet_places(tokens, first, last):
    """The tokens within arguments that are not to be changed."""
    quiet = set()
    for i in range(first, last):
        if (tokens[i].kind == 'name' and QUIET.match(tokens[i].text)
                and tokens[i + 1].text == '('):
            quiet.update(range(i + 1, tokens[i + 1].mate + 1))
    return quiet


def is_operand_end(token):
    return (token.kind == 'number' or token.text in (')', ']')
            or token.kind == 'name' and token.text not in KEYWORDS)


def touches(tokens, i):
    """Does an operator touch its right operand, as in a declaration?"""
    return tokens[i].at + len(tokens[i].text) == tokens[i + 1].at


def is_array_size(tokens, i):
    """Is number i the size in a declaration like char name[64]?"""
    return (tokens[i - 1].text == '[' and tokens[i + 1].text == ']'
            and tokens[i - 2].kind == 'name'
            and (tokens[i - 3].kind == 'name' or tokens[i - 3].text == '*'))


def is_nothing(tokens, i):
    """Is number i the zero in {0}, which may stand for a pointer?"""
    return tokens[i - 1].text == '{' and tokens[i + 1].text == '}'


def other_number(text):
    if text.lower().startswith('0x'):
        return '(%s + 1)' % text
    m = re.match(r'(\d+)([uUlL]*)$', text)
    if m:
        return str(int(m.group(1)) + 1) + m.group(2)
    if not re.search('[1-9]', re.split('[eE]', text)[0]):
        return '1.0'
    return '(1.5 * %s)' % text


class Site:
    __slots__ = ('kind', 'at', 'end', 'new', 'line')

    def __init__(self, kind, at, end, new, line):
        self.kind, self.at, self.end = kind, at, end
        self.new, self.line = new, line


def token_sites(tokens, i):
    t = tokens[i]

    def site(kind, new):
        return Site(kind, t.at, t.at + len(t.text), new, t.line)
    if (t.kind == 'number' and not is_array_size(tokens, i)
            and not is_nothing(tokens, i)):
        yield site('constant', other_number(t.text))
    if t.kind != 'op' or not is_operand_end(tokens[i - 1]):
        return
    if t.text in RELATION:
        yield site('relation', RELATION[t.text])
        if t.text in ('<', '<=', '>', '>='):
            turned = {'<': '>', '<=': '>=', '>': '<', '>=': '<='}
            yield site('relation', turned[t.text])
    elif t.text in ARITHMETIC and not (t.text == '*' and touches(tokens, i)):
        yield site('arithmetic', ARITHMETIC[t.text])
    elif t.text in LOGIC:
        yield site('logic', LOGIC[t.text])


def condition_sites(tokens, i, source):
    t = tokens[i]
    if t.text in ('if', 'while') and tokens[i + 1].text == '(':
        a, b = tokens[i + 1], tokens[tokens[i + 1].mate]
        old = source[a.at:b.at + 1]
        yield Site('condition', a.at, b.at + 1, '(!%s)' % old, t.line)


def statement_end(tokens, i, last):
    """The number of the semicolon that ends the statement at i."""
    while i < last:
        if tokens[i].text in '([{' and tokens[i].mate > i:
            i = tokens[i].mate
        elif tokens[i].text == ';':
            return i
        elif tokens[i].text in ('}', ')'):
            break
        i += 1
    return -1


def starts_statement(tokens, i):
    before = tokens[i - 1]
    if before.text in (';', '{', '}', 'else'):
        return True
    if before.text == ')' and before.mate > 0:
        return tokens[before.mate - 1].text in ('if', 'for', 'while')
    return False


def statement_sites(tokens, i, last, in_brackets):
    t = tokens[i]
    if in_brackets or not starts_statement(tokens, i) or t.kind != 'name':
        return
    following = tokens[i + 1].text
    jump = t.text in ('break', 'continue') and following == ';'
    if not jump and (t.text in KEYWORDS or GIVES_BACK.match(t.text) or
                     QUIET.match(t.text) and not t.text.startswith('diag_') or
                     following not in ('(', '=', '.', '->', '[', '+=', '-=',
                                       '*=', '/=', '|=', '&=', '++', '--')):
        return
    end = statement_end(tokens, i, last)
    if end > 0:
        yield Site('statement', t.at, tokens[end].at + 1, ';', t.line)


def body_sites(tokens, first, last, source):
    quiet = quiet_places(tokens, first, last)
    depth = 0
    for i in range(first + 1, last):
        if tokens[i].text in ('(', '['):
            depth += 1
        elif tokens[i].text in (')', ']'):
            depth -= 1
        if i in quiet:
            continue
        yield from token_sites(tokens, i)
        yield from condition_sites(tokens, i, source)
        yield from statement_sites(tokens, i, last, depth > 0)


def table_sites(tokens, first, last):
    for i in range(first + 1, last):
        if (tokens[i].kind == 'number' and tokens[i - 1].text != '['
                and not is_nothing(tokens, i)):
            t = tokens[i]
            yield Site('constant', t.at, t.at + len(t.text),
                       other_number(t.text), t.line)


def sites_of(source):
    """All places of a file, in its order."""
    tokens = tokens_of(source)
    found = []
    for first, last, body in regions(tokens):
        found += (body_sites(tokens, first, last, source) if body
                  else table_sites(tokens, first, last))
    return found
