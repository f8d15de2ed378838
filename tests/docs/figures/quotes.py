#!/usr/bin/env python3
"""quotes.py FILE... - what the pages quote is what takt prints.

A block of a page (indented by four or fenced) may hold

    $ takt COMMAND
    what it prints ... with gaps

The commands of a page run one after the other in a directory of their own, with
models/ beside them. The words of a quotation must stand in the output in this
order; where the page has "...", anything may stand between. Line breaks count
as spaces. A block after the line <!-- file: NAME --> is written to that file.
"""
import os
import re
import subprocess
import sys
import tempfile

TAKT = os.environ["TAKT"]
SOURCE = os.environ["TAKT_SOURCE"]


def blocks(text):
    """The blocks of a page: (file or None, lines)."""
    lines, out, name = text.split("\n"), [], None
    i = 0
    while i < len(lines):
        here = re.match(r"<!-- file: (\S+) -->", lines[i])
        if here:
            name = here.group(1)
        elif re.match(r"\s*```", lines[i]):
            end = i + 1
            while not re.match(r"\s*```", lines[end]):
                end += 1
            out.append((name, lines[i + 1:end]))
            name, i = None, end
        elif re.match(r" {4,}\S", lines[i]):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or
                                        not lines[end].strip()):
                end += 1
            block = lines[i:end]
            indent = min(len(x) - len(x.lstrip()) for x in block if x.strip())
            out.append((name, [x[indent:] for x in block]))
            name, i = None, end - 1
        i += 1
    return out


def words(text):
    return " ".join(text.split())


def is_quoted(quote, output):
    """Do the parts of `quote` between "..." stand in `output`, in order?"""
    at = 0
    for part in words(quote).split("..."):
        found = output.find(part.strip(), at)
        if found < 0:
            return part.strip()
        at = found + len(part.strip())
    return None


def run(command, where):
    argv = re.sub(r"^takt\b", '"$TAKT"', command)
    done = subprocess.run(["bash", "-c", argv], cwd=where, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ})
    return words(done.stdout)


def check_page(path):
    bad = count = 0
    with tempfile.TemporaryDirectory() as where:
        for name in ("models", "examples"):
            os.symlink(os.path.join(SOURCE, name), os.path.join(where, name))
        for name, lines in blocks(open(path, encoding="utf-8").read()):
            if name:
                with open(os.path.join(where, name), "w") as out:
                    out.write("\n".join(lines).rstrip() + "\n")
                continue
            at = [k for k, x in enumerate(lines) if x.startswith("$ takt ")]
            for k, end in zip(at, at[1:] + [len(lines)]):
                command = lines[k][2:]
                output = run(command, where)
                missing = is_quoted("\n".join(lines[k + 1:end]), output)
                count += 1
                if missing is not None:
                    bad += 1
                    print(f"{path}: $ {command}\n  does not print"
                          f"  {missing}\n  but  {output[:2000]}")
    return bad, count


def main():
    total = 0
    bad = 0
    for path in sys.argv[1:]:
        wrong, count = check_page(path)
        bad += wrong
        total += count
    print(f"{total} commands, {bad} do not print what the pages say")
    return 1 if bad or total == 0 else 0


sys.exit(main())
