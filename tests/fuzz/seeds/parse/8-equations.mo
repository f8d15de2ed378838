model Equations
initial equation
  x = 0;
equation
  der(x) = -x "decay" annotation(a = 1);
  (a, , b) = f(x);
  {a, b} = c;
  connect(a.b[1].c, d) annotation(Line(points = {{0, 0}, {1, 1}}));
  for i in 1:n, j loop
    y[i, j] = i + j;
  end for;
  if a > 0 then
    b = 1;
  elseif a < 0 then
  else
    assert(false, "no " + String(a));
  end if;
  when {sample(0, 1), a > 2} then
    b = pre(b);
  elsewhen initial() then
    reinit(x, 0);
  end when;
  if true then connect(a, b); end if;
  terminate("done");
  .Pkg.f(x, y = 2);
algorithm
  x := 1;
initial algorithm
  y := 2;
  public
  Real late;
equation
end Equations;
