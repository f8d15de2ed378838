"""browser.py - a headless Chromium for tests of pages (python3-selenium).

    with Browser() as b:
        b.open("file:///tmp/page.html")
        b.script("return document.title")

Messages of the page's console count as failures: b.complaints().
"""
import os
import shutil
import subprocess
import sys
import time


def need():
    """Ends the test where there is no browser."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            print("skipped: no", program)
            sys.exit(1 if os.environ.get("TAKT_BROWSER") else 77)


def takt(*words, **more):
    """Runs takt; returns what it printed."""
    done = subprocess.run([os.environ.get("TAKT", "takt"), *words], capture_output=True, text=True, **more)
    if done.returncode:
        print(done.stdout, done.stderr)
        sys.exit("takt %s: exit code %d" % (" ".join(words), done.returncode))
    return done.stdout


class Browser:
    def __init__(self, width=1200, height=900, dark=False):
        self.size, self.dark = (width, height), dark

    def __enter__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        o = Options()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--disable-extensions", "--force-device-scale-factor=1", "--hide-scrollbars",
                     "--disable-background-networking", "--no-first-run"):
            o.add_argument(word)
        o.add_argument("--window-size=%d,%d" % self.size)
        if self.dark:
            o.add_argument("--force-dark-mode")
        o.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=o)
        self.scheme("dark" if self.dark else "light")
        return self

    def __exit__(self, *what):
        self.driver.quit()

    def scheme(self, name):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def width(self, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def open(self, address):
        self.driver.get(address)

    def script(self, text, *args):
        return self.driver.execute_script(text, *args)

    def wait(self, what, seconds=30):
        """Until the expression is true; returns its value."""
        end = time.time() + seconds
        while True:
            value = self.script("return " + what)
            if value or time.time() > end:
                return value
            time.sleep(0.1)

    def find(self, css):
        return self.driver.find_elements("css selector", css)

    def picture(self, path):
        self.driver.save_screenshot(path)

    def complaints(self):
        return [m["message"] for m in self.driver.get_log("browser") if m["level"] in ("SEVERE", "WARNING")]


class Checks:
    """Counts, as tests/support/cli.sh does."""

    def __init__(self):
        self.done = self.failed = 0

    def __call__(self, condition, text):
        self.done += 1
        if not condition:
            self.failed += 1
            print("FAIL:", text)

    def finish(self):
        print("%d checks, %d failures" % (self.done, self.failed))
        sys.exit(1 if self.failed or not self.done else 0)
