// exit: 3
model M "texts that are no texts of the model"
  String s(start = "a", fixed = true), t = "n" + String(integer(time));
  Integer n(start = 0, fixed = true);
  Real y;
equation
  when time > 0.3 then
    s = "b";
  end when;
  when s == "b" then
    n = pre(n) + 1;
  end when;
  y = if t == "n2" then 1 else 0;
  assert(s == "a", "late");
end M;
