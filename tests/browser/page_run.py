"""The page of a run in a browser: everything is drawn, in light, dark and narrow;
orders and parameters reach the model; without the token nothing can be changed."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from browser import Browser, Checks, need

need()
check = Checks()
work = tempfile.TemporaryDirectory()
with open(work.name + "/Decay.mo", "w") as f:
    f.write("""model Decay
  parameter Real k(min = 0, max = 10, unit = "1/s") = 0 "rate";
  parameter Real goal(unit = "m") = 5;
  Real x(start = 1, fixed = true, unit = "m");
  output Real y(unit = "m") = x;
  output Real z(unit = "V") = sin(20*time);
equation
  der(x) = k*(goal - x);
end Decay;
""")


class Run:
    """takt run with a page; its address is printed."""

    def __init__(self, *options):
        self.log = open(work.name + "/log", "w+")
        self.p = subprocess.Popen([os.environ.get("TAKT", "takt"), "run", work.name + "/Decay.mo", "--page", "0", "--forever",
                                   *options], stdout=self.log, stderr=subprocess.STDOUT)
        end = time.time() + 60
        while time.time() < end:
            text = open(work.name + "/log").read()
            found = re.search(r"shows itself at (http://\S*/)(#token=(\S*))", text)
            if found:
                self.home, self.address, self.token = found[1], found[1] + found[2], found[3]
                return
            time.sleep(0.05)
        sys.exit("no address: " + text)

    def end(self):
        self.p.terminate()
        self.p.wait(20)
        return open(work.name + "/log").read()

    def latest(self, name):
        """The value of a signal now."""
        model = json.load(urllib.request.urlopen(self.home + "model", timeout=20))
        with urllib.request.urlopen(self.home + "events?signals=%d" % model["names"].index(name), timeout=20) as f:
            return json.loads(f.readline().decode().replace("data: ", ""))["values"][0]

    def order(self, text, **header):
        """Returns the code of the answer."""
        q = urllib.request.Request(self.home + "order", text.encode(), {k.replace("_", "-"): v for k, v in header.items()})
        try:
            return urllib.request.urlopen(q, timeout=20).status
        except urllib.error.HTTPError as e:
            return e.code


FIGURE = "document.getElementById('figure-%s').textContent"
LINES = "[...document.querySelectorAll('#plot .line')].length"
NOW = "document.querySelector('[data-parameter=\"%s\"] .now').textContent"
STATE = "document.getElementById('state').textContent"


def press(b, name):
    b.find("[data-order=%s]" % name)[0].click()


def fits(b, width):
    got = b.script("return document.documentElement.scrollWidth")
    check(got <= width, "the page is %d wide in a window of %d" % (got, width))


with Browser() as b:
    # --- everything is drawn
    run = Run("--step", "2ms")
    pictures = os.environ.get("TAKT_PICTURES")
    for scheme, width in (("light", 1200), ("dark", 1200), ("light", 400), ("dark", 400)):
        b.width(width)
        b.scheme(scheme)
        b.open("about:blank")
        b.open(run.address)
        check(b.wait(LINES + " >= 2"), scheme + ": no curves")
        check(b.wait("document.querySelectorAll('#late-plot .line, #work-plot .line').length == 2"), "no histograms")
        fits(b, width)
        dark = sum(map(int, re.findall(r"\d+", b.script("return getComputedStyle(document.body).backgroundColor"))[:3])) < 200
        check(dark == (scheme == "dark"), "not " + scheme)
        if pictures:
            time.sleep(2)
            b.picture("%s/run-%s-%d.png" % (pictures, scheme, width))
    b.width(1200)
    b.scheme("light")
    b.open("about:blank")
    b.open(run.address)
    check(b.wait(LINES + " >= 2"), "no curves")
    check(b.script("return document.querySelector('h1').textContent") == "Decay", "the name of the model")
    axes = b.script("return [...document.querySelectorAll('#plot .axis')].map(t => t.textContent)")
    check(axes == ["m", "V", "time in s"], "axes: %s" % axes)

    # --- signals: another one joins, one goes
    b.script("document.getElementById('choice').open = true")
    names = b.script("return [...document.querySelectorAll('#signals input')].map(x => x.dataset.signal)")
    check(names[:2] == ["y", "z"] and "x" in names, "signals: %s" % names)
    b.find("#signals [data-signal=z]")[0].click()
    check(b.wait("![...document.querySelectorAll('#plot .axis')].some(t => t.textContent === 'V')"), "z is still drawn")
    b.find("#signals [data-signal=z]")[0].click()
    check(b.wait("[...document.querySelectorAll('#plot .line')].some(l => l.dataset.name === 'z')"), "z does not come back")

    # --- pause, step, resume, reset
    press(b, "pause")
    check(b.wait(STATE + ".endsWith('paused')"), "not paused")
    steps = int(b.script("return " + FIGURE % "steps"))
    press(b, "step")
    check(b.wait(FIGURE % "steps" + " == %d" % (steps + 1)), "one step: %s" % b.script("return " + FIGURE % "steps"))
    b.script("document.getElementById('count').value = 25")
    press(b, "step")
    check(b.wait(FIGURE % "steps" + " == %d" % (steps + 26)), "25 steps")
    press(b, "resume")
    check(b.wait(STATE + ".endsWith('running')"), "not running")
    press(b, "pause")
    press(b, "reset")
    check(b.wait(FIGURE % "steps" + " == 0"), "not reset")
    check(b.wait(STATE + ".endsWith('paused')"), "a reset goes on")

    # --- a parameter reaches the model: x goes to 5
    check(b.wait(NOW % "k" + " == '0'"), "k is not shown")
    row = b.find("[data-parameter=k]")[0]
    field = row.find_element("css selector", "input")
    check((field.get_attribute("min"), field.get_attribute("max")) == ("0", "10"), "limits of k")
    field.send_keys("11")
    row.find_element("css selector", "button").click()
    check(b.wait("document.getElementById('said').className == 'bad'"), "a value above the largest one is taken")
    b.script("arguments[0].value = '10'", field)
    row.find_element("css selector", "button").click()
    check(b.wait(NOW % "k" + " == '10'"), "k does not change: %s" % b.script("return " + NOW % "k"))
    press(b, "resume")
    end, y = time.time() + 60, 0
    while abs(y - 5) > 0.01 and time.time() < end:
        y = run.latest("y")
    check(abs(y - 5) <= 0.01, "the model does not follow: y = %s" % y)

    # --- zoom, and a picture that is held
    old = b.script("return +document.querySelector('#plot svg').dataset.x0")
    b.find("#plot [data-zoom='zoom in']")[0].click()
    zoomed = b.script("const d = document.querySelector('#plot svg').dataset; return [+d.x0, +d.x1]")
    time.sleep(0.5)
    again = b.script("const d = document.querySelector('#plot svg').dataset; return [+d.x0, +d.x1]")
    check(zoomed == again and zoomed[1] > zoomed[0] >= old, "a zoom does not stay: %s, %s" % (zoomed, again))
    b.find("#plot [data-zoom='show all']")[0].click()
    b.find("#freeze")[0].click()
    time.sleep(0.3)
    held = b.script("return document.querySelector('#plot svg').innerHTML")
    time.sleep(0.5)
    check(b.script("return document.querySelector('#plot svg').innerHTML") == held, "a held picture moves")
    b.find("#freeze")[0].click()
    check(b.wait("document.querySelector('#plot svg').innerHTML !== " + json.dumps(held)), "it stays held")
    check(not b.complaints(), "the console complains")

    # --- who has no token can look only
    b.open("about:blank")
    b.open(run.home)
    check(b.wait(LINES + " >= 2"), "no curves without a token")
    check(b.script("return [...document.querySelectorAll('[data-order], #tuning button')].every(x => x.disabled)"), "buttons")
    check(run.order("pause") == 403, "an order without a token")
    check(run.order("pause", X_Takt_Token="0" * 32) == 403, "an order with a wrong token")
    check(run.order("pause", X_Takt_Token=run.token, Origin="http://evil.example") == 403, "an order of another page")
    check(run.order("pause", X_Takt_Token=run.token, Host="evil.example") == 403, "an order to another name")
    check(run.order("fly", X_Takt_Token=run.token) == 400, "an order that is none")
    check(run.order("resume", X_Takt_Token=run.token) == 200, "an order with the token")
    b.open("about:blank")
    b.open(run.address)
    check(b.wait(LINES + " >= 2"), "no curves")
    log = run.end()
    check(b.wait(STATE + ".endsWith('ended')"), "the end is not shown")
    check("changes of parameters" in log, "the run does not say that parameters changed: " + log)

    # --- overruns are marked on the time line: a period that cannot be met
    run = Run("--step", "1ms", "--rate", "1e9", "--paused", "--on-overrun", "skip")
    b.open("about:blank")
    b.open(run.address)
    check(b.wait(STATE + ".endsWith('paused')"), "not paused at the start")
    b.script("document.getElementById('count').value = 30")
    press(b, "step")
    check(b.wait("document.querySelectorAll('#plot .mark').length > 0"), "overruns are not marked")
    check(b.wait("document.querySelectorAll('#figures .bad').length > 0"), "overruns are not red")
    if pictures:
        b.picture(pictures + "/run-overruns.png")
    check(not b.complaints(), "the console complains")
    run.end()
check.finish()
