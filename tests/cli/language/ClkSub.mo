model ClkSub "sub, super, shift sampling, and back"
  Clock c = Clock(1, 10);
  Real u = sample(time, c), s, f, h, b;
  Integer k(start = 0), ks(start = 0), kf(start = 0);
equation
  k = previous(k) + 1;
  s = subSample(u, 3);
  ks = previous(ks) + 1*interior(s);
  f = superSample(s, 2);
  kf = previous(kf) + (if f > -1 then 1 else 0);
  b = backSample(shiftSample(u, 2, 1), 1, 1);
  h = hold(s);
  assert(abs(u - (k - 1)/10) < 1e-9, "u");
  assert(abs(s - 3*(ks - 1)/10) < 1e-9, "s");
  assert(abs(h - floor((time + 1e-9)/0.3)*0.3) < 1e-6, "h");
end ClkSub;
function interior
  input Real x;
  output Integer y;
algorithm
  y := 1;
end interior;
