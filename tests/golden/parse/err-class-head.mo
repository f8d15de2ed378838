package = P;
type T = enumeration(a b);
type U = enumeration a, b;
function f = der(g);
model 3
  Real x;
end A;
model M (x = 1) end M;
