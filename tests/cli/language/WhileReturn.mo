model WhileRet "while, early return, break, default inputs"
  function root
    input Real a;
    input Real tol = 1e-12;
    output Real x = 1;
    output Integer n = 0;
  algorithm
    while true loop
      x := (x + a/x)/2;
      n := n + 1;
      if abs(x*x - a) < tol then
        return;
      end if;
      if n > 50 then
        break;
      end if;
    end while;
    n := -1;
  end root;
  Real a = 1 + time, x, y(start = 1, fixed = true);

equation
  x = root(a);
  der(y) = 1/(2*x);
  assert(abs(x - sqrt(a)) < 1e-9, "root");
  assert(abs(y - sqrt(1 + time)) < 1e-5, "y");
end WhileRet;
