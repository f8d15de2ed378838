"""valid.py FILE... - is each file what its ending says, with nothing in it that
a browser would run but what takt writes itself?"""
import csv
import html.parser
import json
import sys
import xml.dom.minidom

ATTRIBUTES = {"onclick"}  # takt's own


class Page(html.parser.HTMLParser):
    """Tags that were opened, and attributes that run something."""

    def __init__(self):
        super().__init__()
        self.tags, self.handlers, self.text = [], [], ""
        self.run, self.data, self.inside = 0, [], None

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "script":
            self.inside = dict(attrs).get("type", "")
            self.run += self.inside == ""
            self.data.append("")
        self.handlers += [k for k, _ in attrs
                          if k.startswith("on") and k not in ATTRIBUTES]

    def handle_endtag(self, tag):
        if tag == "script":
            self.inside = None

    def handle_data(self, data):
        if self.inside == "application/json":
            self.data[-1] += data
        self.text += data


def check_html(text):
    page = Page()
    page.feed(text)
    page.close()
    assert not page.handlers, "attributes that run: %s" % page.handlers
    assert "img" not in page.tags, "an element of the model's making"
    assert page.run <= 1, "a script of the model's making"
    for data in page.data:
        if data:
            json.loads(data)


def check_csv(text):
    rows = list(csv.reader(text.splitlines()))
    assert len(rows) > 1, "no rows"
    assert all(len(r) == len(rows[0]) for r in rows), "rows of several lengths"


def check_svg(text):
    tree = xml.dom.minidom.parseString(text.encode())
    for element in tree.getElementsByTagName("*"):
        assert element.tagName not in ("script", "img"), element.tagName


def check_octave(text):
    """Outside of quotes there is no call and no comment but the first line."""
    lines = text.split("\n")
    assert lines[0].startswith("% ")
    bare, quoted = "", False
    for c in "\n".join(lines[1:]):
        if c == "'":
            quoted = not quoted
        elif c == "\n":
            assert not quoted, "a text goes over the end of its line"
            bare += c
        elif not quoted:
            bare += c
    assert not quoted, "a text does not end"
    assert "system" not in bare and "%" not in bare, bare


CHECKS = {"json": json.loads, "html": check_html, "csv": check_csv,
          "svg": check_svg, "m": check_octave}

failed = 0
for name in sys.argv[1:]:
    try:
        with open(name, encoding="utf-8", newline="") as file:
            CHECKS[name.rsplit(".", 1)[1]](file.read())
    except Exception as why:
        print("%s: %s" % (name, why))
        failed = 1
sys.exit(failed)
