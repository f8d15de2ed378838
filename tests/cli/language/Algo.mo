model Algo
  function many
    input Real u; output Real a; output Integer b; output Real c[2];
  protected
    Integer i = 0; Real s = 0;
  algorithm
    while true loop
      i := i + 1; s := s + i;
      if s > 20 then break; end if;
    end while;
    for k in 1:3 loop
      for j in k:3 loop
        if j == 3 then break; end if;
        s := s + 100;
      end for;
    end for;
    a := s; b := i; c := {u, 2*u}; c[2:2] := {9};
    if u > 0.5 then return; end if;
    a := -1;
  end many;
  Real a, a2, c[2], z[3]; Integer b;
algorithm
  (a, b, c) := many(time);
  (a2, , ) := many(0.1);
  z := {1, 2, 3}; z[{1, 3}] := {7, 8}; z[2] := z[1] + z[3];
equation
  assert(time < 0.999 or abs(a - (321)) < 2e-6*(1 + abs(321)), "a");
  assert(time < 0.999 or abs(b - (6)) < 2e-6*(1 + abs(6)), "b");
  assert(time < 0.999 or abs(a2 - (-1)) < 2e-6*(1 + abs(-1)), "a2");
  assert(time < 0.999 or abs(c[1] - (1)) < 2e-6*(1 + abs(1)), "c[1]");
  assert(time < 0.999 or abs(c[2] - (9)) < 2e-6*(1 + abs(9)), "c[2]");
  assert(time < 0.999 or abs(z[2] - (15)) < 2e-6*(1 + abs(15)), "z[2]");
end Algo;
