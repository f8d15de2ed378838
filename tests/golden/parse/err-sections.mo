function F
  annotation(a = 1);
  external "C" f(x);
  external "C" g(x);
  annotation(b = 2);
end F;
Real x;
within A;
model B end B
model C end C;
