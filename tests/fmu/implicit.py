"""implicit.py - an implicit integrator in the place of FMPy's CVODE.

FMPy integrates model-exchange FMUs by its own forward Euler or by a binary of
SUNDIALS 7, which a checkout of its sources does not have. Stiff models need an
implicit method, so this module takes the place of fmpy.sundials: the Rosenbrock
method of order 2 with an estimate of order 3 (Shampine, Reichelt: The MATLAB ODE
suite, 1997), its Jacobian by differences, step-size control, and events located
by halving a step.
"""

import sys
import types
from ctypes import POINTER, c_double

import numpy as np


def pointer(x):
    return x.ctypes.data_as(POINTER(c_double))


class CVodeSolver:
    def __init__(self, nx, nz, get_x, set_x, get_dx, get_z, get_nominals, set_time, startTime,
                 maxStep, relativeTolerance, input):
        self.nx, self.nz = nx, nz
        self._get_x, self._set_x, self._get_dx, self._get_z = get_x, set_x, get_dx, get_z
        self._set_time, self._input = set_time, input
        self.rtol = relativeTolerance
        nominal = np.ones(nx)
        if nx:
            get_nominals(pointer(nominal), nx)
        self.atol = 1e-3 * relativeTolerance * np.abs(nominal)
        self.most = maxStep
        self.h = 1e-4 * maxStep
        self.reset(startTime)

    def reset(self, time):
        self.t = time
        self.x = np.zeros(self.nx)
        self.z = np.zeros(self.nz)
        if self.nx:
            self._get_x(pointer(self.x), self.nx)
        if self.nz:
            self._get_z(pointer(self.z), self.nz)
        self.h = min(self.h, 1e-3 * self.most)

    def place(self, t, x):
        self._set_time(t)
        self._input.apply(t, discrete=False)
        if self.nx:
            self._set_x(pointer(np.ascontiguousarray(x)), self.nx)

    def rates(self, t, x):
        dx = np.zeros(self.nx)
        self.place(t, x)
        if self.nx:
            self._get_dx(pointer(dx), self.nx)
        return dx

    def indicators(self, t, x):
        z = np.zeros(self.nz)
        self.place(t, x)
        if self.nz:
            self._get_z(pointer(z), self.nz)
        return z

    def jacobian(self, t, x, f):
        j = np.zeros((self.nx, self.nx))
        for k in range(self.nx):
            d = 1e-7 * max(abs(x[k]), 1e3 * self.atol[k] / self.rtol)
            y = x.copy()
            y[k] += d
            j[:, k] = (self.rates(t, y) - f) / d
        d = 1e-7 * self.most
        return j, (self.rates(t + d, x) - f) / d

    def trial(self, t, x, h, f, j, ft):
        """x at t + h, and the estimated error in units of the tolerance"""
        d = 1 / (2 + np.sqrt(2))
        w = np.linalg.inv(np.eye(self.nx) - h * d * j)
        k1 = w @ (f + h * d * ft)
        f1 = self.rates(t + h / 2, x + h / 2 * k1)
        k2 = w @ (f1 - k1) + k1
        y = x + h * k2
        f2 = self.rates(t + h, y)
        k3 = w @ (f2 - (6 + np.sqrt(2)) * (k2 - f1) - 2 * (k1 - f) + h * d * ft)
        error = h / 6 * (k1 - 2 * k2 + k3)
        scale = self.atol + self.rtol * np.maximum(abs(x), abs(y))
        return y, np.max(abs(error) / scale, initial=0)

    def crossed(self, z):
        return (self.z > 0) != (z > 0)

    def locate(self, t, x, h, f, j, ft):
        """the smallest step after which an indicator has changed its side"""
        low, high = 0.0, h
        while high - low > max(1e-9 * h, 4e-16 * abs(t)):
            h = 0.5 * (low + high)
            y, _ = self.trial(t, x, h, f, j, ft)
            low, high = (low, h) if self.crossed(self.indicators(t + h, y)).any() else (h, high)
        return high

    def step(self, t, end):
        while end - self.t > 1e-12 * max(1, abs(end)):
            t, x = self.t, self.x
            f = self.rates(t, x)
            j, ft = self.jacobian(t, x, f)
            h = min(self.h, self.most, end - t)
            while True:
                y, error = self.trial(t, x, h, f, j, ft)
                if error <= 1 or h < 1e-15 * max(1, abs(t)):
                    break
                h *= max(0.2, 0.8 * error ** (-1 / 3)) if np.isfinite(error) else 0.2
            self.h = min(self.most, h * min(4, 0.8 * max(error, 1e-6) ** (-1 / 3)))
            z = self.indicators(t + h, y)
            hit = self.crossed(z)
            if hit.any():
                h = self.locate(t, x, h, f, j, ft)
                y, _ = self.trial(t, x, h, f, j, ft)
                z = self.indicators(t + h, y)
                hit = self.crossed(z)
            self.t, self.x, self.z = t + h, y, z
            self.place(self.t, self.x)
            if hit.any():
                return True, np.where(hit, 1, 0), self.t
        self.t = end
        self.place(end, self.x)
        return False, np.zeros(self.nz, dtype=int), end


def install():
    module = types.ModuleType("fmpy.sundials")
    module.CVodeSolver = CVodeSolver
    sys.modules["fmpy.sundials"] = module
