model A
equation
  y = f(a = 1, 2);
  y = f(1, i for i in 1:3);
  y = f(function g(1));
  y = der x;
  y = f(1, , 2);
end A;
