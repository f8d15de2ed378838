model Homot "smooth, semiLinear, homotopy, noEvent, delay, sign, mod, rem, div"
  Real m = sin(6*time), h = semiLinear(m, 2, 5), s = smooth(1, if m > 0 then m^2 else 0), d = delay(time, 0.25), f = homotopy(actual = time^2, simplified = 0);
  Integer k = integer(10*time), a = mod(-7, 3), b = rem(-7, 3), c = div(-7, 3);
  Real r = mod(5*time, 1), g = floor(-2.5*time) + ceil(2.5*time);
equation
  assert(abs(h - (if m >= 0 then 2*m else 5*m)) < 1e-9, "semiLinear");
  assert(abs(s - max(m, 0)^2) < 1e-9, "smooth");
  assert(abs(d - (if time > 0.25 then time - 0.25 else 0)) < 1e-6, "delay");
  assert(a == 2 and b == -1 and c == -2, "division");
  assert(abs(r - (5*time - floor(5*time))) < 1e-6 or abs(5*time - floor(5*time + 0.5)) < 1e-6, "mod");
  assert(abs(g) < 1e-9, "floor");
  assert(abs(f - time^2) < 1e-12, "homotopy");
end Homot;
