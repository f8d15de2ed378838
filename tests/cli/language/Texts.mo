model Texts "Strings that change, compared"
  parameter String mode = "fast";
  String s, u, v = s;
  Real x(start = 1, fixed = true), y;
  Integer n(start = 0, fixed = true), z;
  Boolean b, d, e;
algorithm
  if time > 0.255 then
    u := "k";
  else
    u := "l";
  end if;
equation
  s = if time > 0.505 then "late" else "early";
  der(x) = if mode == "fast" then -2*x else -x;
  y = if s == "late" then 1 else 0;
  b = v + "r" == "later";
  d = u < "l";
  z = if s + u == "latek" then 2 elseif "earlyk" == s + u then 1 else 0;
  e = if v == "early" then u <> "k" else u == "k";
  when s <> "early" then
    n = pre(n) + 1;
  end when;
  assert(y == (if time > 0.505 then 1 else 0), "y");
  assert(b == (time > 0.505), "b");
  assert(d == (time > 0.255), "d");
  assert(z == (if time > 0.505 then 2 elseif time > 0.255 then 1 else 0), "z");
  assert(e == (time <= 0.255 or time > 0.505), "e");
  assert(n == (if time > 0.51 then 1 else n), "n");
  assert(abs(x - exp(-2*time)) < 1e-6, "x");
end Texts;
