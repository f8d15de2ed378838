model Strings
  parameter String s = "ab" + "c"; String t = if time > 0.5 then s + String(3) else "x";
  Integer n = len(String(3.14159, significantDigits = 3)), n2 = len(String(7, minimumLength = 5)), n3 = len(String(true)), n4 = len(String(1.5, format = "8.3f"));
  Boolean lt = "abc" < "abd", eq = s == "abc", ne = s <> "abc"; type E = enumeration(one, two); Integer n5 = len(String(E.two)); Integer n6 = len(String(2.0)), n7 = len(String(1e10));
  function len
    input String s; output Integer n;
    external "C" n = ModelicaStrings_length(s);
  end len;
equation
  assert(time < 0.999 or abs(n - (4)) < 2e-6*(1 + abs(4)), "n");
  assert(time < 0.999 or abs(n2 - (5)) < 2e-6*(1 + abs(5)), "n2");
  assert(time < 0.999 or abs(n3 - (4)) < 2e-6*(1 + abs(4)), "n3");
  assert(time < 0.999 or abs(n4 - (8)) < 2e-6*(1 + abs(8)), "n4");
  assert(time < 0.999 or lt == true, "lt");
  assert(time < 0.999 or eq == true, "eq");
  assert(time < 0.999 or ne == false, "ne");
  assert(time < 0.999 or abs(n5 - (3)) < 2e-6*(1 + abs(3)), "n5");
end Strings;
