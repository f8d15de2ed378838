model M
  type E = enumeration(one, two, three);
  parameter Integer k = 2;
  constant Real A[3, 3] = [1, 2, 3; 4, 5, 6; 7, 8, 9];
  Real x[3];
  Integer i = if time > 1 then 1 else 3;
  Real row[3] = A[2, :];
  Real part[2, 2] = A[2:end, {1, 3}];
  Real by_parameter = x[k];
  Real by_variable = x[i];
  Real by_enum[E] = {1, 2, 3};
  Real last = by_enum[E.three];
  Real flags[Boolean] = {10, 20};
  Real on = flags[true];
equation
  for j in 1:3 loop
    x[j] = A[j, end]*time;
  end for;
end M;
