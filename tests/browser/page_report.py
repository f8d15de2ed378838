"""The report and the pages of plots in a browser: everything is drawn, in light,
dark and narrow; search, zoom, hover, names and links do what they say."""
import os
import re
import tempfile

from browser import Browser, Checks, need, takt

need()
check = Checks()
source = os.environ["TAKT_SOURCE"]
motor = source + "/models/gallery/MotorDrive.mo"
work = tempfile.TemporaryDirectory()
page, plan, plot, blt = (work.name + "/" + n for n in ("r.html", "p.json", "plot.html", "blt.html"))
takt("tune", motor, "--step", "1ms", "--stop", "0.1", "--only", "sparsing", "--rho", "0.1", "--attack", "0", "-o", plan,
     "--deviation", "50", "--quiet")
takt("report", motor, "--plan", plan, "--stop", "0.1", "-o", page)
takt("sim", motor, "--method", "lie", "--step", "1ms", "--stop", "0.1", "--plot", plot, "--var", "fan.w", "--var",
     "motor.i", "--quiet")
takt("check", motor, "--method", "lie", "--step", "1ms", "--blt", blt)

RGB = "return getComputedStyle(document.body).backgroundColor"
INK = """const c = arguments[0], g = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
let n = 0; for (let i = 3; i < g.length; i += 4) n += g[i] > 0; return n"""


def move(b, element, x, y, steps=()):
    """A pointer over an element: to (x, y) of its size, or a drag along steps."""
    box = b.script("arguments[0].scrollIntoView({block: 'center'}); const r = arguments[0].getBoundingClientRect();"
                   "return [r.left, r.top, r.width, r.height]", element)
    at = lambda u, v: (box[0] + u * box[2], box[1] + v * box[3])
    send = lambda kind, p, n: b.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
        "type": kind, "x": p[0], "y": p[1], "button": "left" if n else "none", "clickCount": 1 if n else 0,
        "buttons": 1 if n else 0})
    send("mouseMoved", at(x, y), 0)
    if steps:
        send("mousePressed", at(x, y), 1)
        for u, v in steps:
            send("mouseMoved", at(u, v), 1)
        send("mouseReleased", at(*steps[-1]), 1)


def drawn(b):
    """Every figure has something in it."""
    plots, grids = b.find("svg.plot"), b.find("canvas.grid")
    check(len(plots) >= 6 and len(grids) >= 2, "%d plots, %d matrices" % (len(plots), len(grids)))
    for p in plots:
        n = b.script("return arguments[0].querySelectorAll('.line, .point').length", p)
        check(n > 0, "an empty plot: " + p.get_attribute("aria-label"))
    for g in grids:
        check(b.script(INK, g) > 20, "an empty matrix")
        check(int(g.get_attribute("data-drawn")) > 0, "a matrix without marks")
    check(not b.complaints(), "the console complains")


def fits(b, width):
    got = b.script("return document.documentElement.scrollWidth")
    check(got <= width, "the page is %d wide in a window of %d" % (got, width))


with Browser() as b:
    for scheme, width in (("light", 1200), ("dark", 1200), ("light", 400), ("dark", 400)):
        b.width(width)
        b.scheme(scheme)
        b.open("file://" + page)
        drawn(b)
        fits(b, width)
        dark = sum(map(int, re.findall(r"\d+", b.script(RGB))[:3])) < 200
        check(dark == (scheme == "dark"), "not " + scheme)

    b.width(1200)
    b.scheme("light")
    b.open("file://" + page)
    # search in the matrix
    field = b.find("#structure input[type=search]")[0]
    field.send_keys("fan.w")
    check("found" in b.find("#structure [data-role=note]")[0].text, "nothing is found in the structure")
    # zoom in the matrix draws fewer entries, "all" draws all
    canvas = b.find("#structure canvas")[0]
    b.script("arguments[0].value=''; arguments[0].oninput()", field)
    every = int(canvas.get_attribute("data-cells"))
    for k in range(5):
        b.find("#structure [data-zoom='zoom in']")[0].click()
    check(int(canvas.get_attribute("data-drawn")) < every, "zoom shows as much as before")
    b.find("#structure [data-zoom='show all']")[0].click()
    check(int(canvas.get_attribute("data-drawn")) == every, "not all is shown again")
    move(b, canvas, .5, .5)
    check(b.script("return !document.querySelector('#structure .tip').hidden"), "no tip over the matrix")
    # hover of a plot has values with units, a drag zooms, a double click shows all
    svg = b.find("#trajectories svg.plot")[0]
    move(b, svg, .5, .5)
    tip = b.script("return [...document.querySelectorAll('#trajectories .tip')].filter(t => !t.hidden).map(t => "
                   "t.textContent).join()")
    check("time" in tip and "reference" in tip and " s" in tip, "the tip says: " + tip)
    before = float(svg.get_attribute("data-x1"))
    move(b, svg, .3, .5, [(.4, .5), (.6, .5)])
    check(float(svg.get_attribute("data-x1")) < before, "a drag does not zoom")
    b.script("arguments[0].dispatchEvent(new MouseEvent('dblclick'))", svg)
    check(float(svg.get_attribute("data-x1")) == before, "a double click does not show all")
    # marks of any range can be told apart, and have room
    for range_, log in (([5.15, 5.15000004], False), ([0, 1e-7], False), ([1e8, 1e8 + 3], False), ([9e3, 7e4], True)):
        marks = b.script("""const box = document.createElement('div'), [range, log] = arguments;
            document.body.append(box);
            takt.plot(box, {x: {label: 't'}, panels: [{label: 'y', log, items: [{name: 'a', x: [0, 1], y: range}]}]});
            const list = [...box.querySelectorAll('svg text[text-anchor=end]:not(.axis)')];
            const found = list.map(t => [t.textContent, t.getBBox().x]);
            box.remove();
            return found;""", range_, log)
        names = [m[0] for m in marks]
        check(len(names) > 1 and len(set(names)) == len(names), "marks of %s: %s" % (range_, names))
        check(min(m[1] for m in marks) > 12, "marks of %s stand on the title" % range_)
    # a name hides its line
    n = "return document.querySelector('#trajectories svg.plot').querySelectorAll('.line').length"
    lines = b.script(n)
    b.find("#trajectories [data-line=reference]")[0].click()
    check(b.script(n) == lines - 1, "a name does not hide its line")
    # samples of the spectrum
    b.script("const s = document.querySelector('#spectra select'); s.value = 2; s.onchange()")
    check(b.script("return document.querySelectorAll('#spectra .point').length") > 0, "no eigenvalues in sample 3")
    # one colour a plan: in the table, in the plots
    colours = b.script("""const name = 'given', found = new Set();
        for (const r of document.querySelectorAll('#candidate-list tr')) if (r.cells[0].textContent === name)
          found.add(getComputedStyle(r.querySelector('.swatch')).backgroundColor);
        for (const p of document.querySelectorAll('button[data-line="' + name + '"] .swatch'))
          found.add(getComputedStyle(p).backgroundColor);
        return [...found]""")
    check(len(colours) == 1, "colours of the plan: %s" % colours)
    # a state leads to its line
    b.script("arguments[0].click()", b.find("#state-list a")[0])
    check(b.script("return document.querySelector('ol.source li:target') !== null"), "a link without an end")
    check(not b.complaints(), "the console complains")

    b.open("file://" + plot)
    axes = b.script("return [...document.querySelectorAll('.axis')].map(t => t.textContent)")
    check(axes == ["rad/s", "A", "time in s"], "axes: %s" % axes)
    b.open("file://" + blt)
    check(len(b.find("canvas.grid")) == 1 and b.find("details.loop"), "no matrix or no loops in the page of check")
    b.script("document.querySelector('details.loop').open = true")
    [x for x in b.find("details.loop button") if x.text == "take iteration variables as known"][0].click()
    [x for x in b.find("details.loop button") if x.text == "peel all"][0].click()
    check("every unknown follows" in b.find("details.loop p")[0].text, "a loop cannot be peeled")
    check(not b.complaints(), "the console complains")
check.finish()
