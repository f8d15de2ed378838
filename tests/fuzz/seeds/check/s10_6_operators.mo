model M
  parameter Real p = 2;
  Real v[2] = {p, time};
  Real dot = v*v;
  Real scaled[2] = 3*v/p;
  Real matvec[2] = [1, 2; 3, 4]*v;
  Real vecmat[2] = v*[1, 2; 3, 4];
  Real elements[2] = v .* {2, 3} .+ 1;
  constant Integer power[2, 2] = {{1, 1}, {1, 0}}^10;
  Boolean both[2] = {time > 1, true} and {true, time > 2};
  constant String s = "a" + "b" + String(3) + String(true) + String(1.25);
  constant Boolean ordered = "abc" < "abd";
end M;
