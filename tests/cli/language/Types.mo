model Types
  type Volt = Real(unit = "V", min = -100);
  type Pos = Volt[3];
  type Hot = Volt(max = 50, start = 7);
  Pos p(start = {1, 2, 3}, each fixed = true); Hot h; Pos a[2];
  model A extends V2; end A;
  model V2 Real[2] q = {1, 2}; end V2;
  A b;
  type Mat = Real[2, :]; parameter Mat m = [1, 2, 3; 4, 5, 6];
  Integer n = size(m, 2); Real last = m[end, end];
equation
  der(p) = -p + h*ones(3); h = 0; a = {p, 2*p};
equation
  assert(time < 0.999 or abs(n - (3)) < 2e-6*(1 + abs(3)), "n");
  assert(time < 0.999 or abs(last - (6)) < 2e-6*(1 + abs(6)), "last");
  assert(time < 0.999 or abs(b.q[2] - (2)) < 2e-6*(1 + abs(2)), "b.q[2]");
  assert(time < 0.999 or abs(p[2] - (0.73575888234288467)) < 2e-6*(1 + abs(0.73575888234288467)), "p[2]");
  assert(time < 0.999 or abs(a[2,3] - (2.207276647028654)) < 2e-6*(1 + abs(2.207276647028654)), "a[2,3]");
end Types;
