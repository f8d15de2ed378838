model M
  function divide "several outputs, default, early return"
    input Real a;
    input Real b = 2;
    output Real q;
    output Boolean ok;
  algorithm
    ok := b <> 0;
    if not ok then
      q := 0;
      return;
    end if;
    q := a/b;
  end divide;
  function first "index of the first element above a limit"
    input Real x[:];
    input Real limit;
    output Integer k = 0;
  algorithm
    for i in 1:size(x, 1) loop
      if x[i] > limit then
        k := i;
        break;
      end if;
    end for;
  end first;
  function fib
    input Integer n;
    output Integer y;
  algorithm
    y := if n < 2 then n else fib(n - 1) + fib(n - 2);
  end fib;
  record Point
    Real x = 1;
    Real y;
  end Point;
  function mirror
    input Point p;
    output Point q;
  algorithm
    q.x := p.y;
    q.y := p.x;
  end mirror;
  partial function Curve
    input Real x;
    output Real y;
  end Curve;
  function line
    extends Curve;
    input Real k;
  algorithm
    y := k*x;
  end line;
  function area
    input Curve c;
    output Real a = (c(0) + c(1))/2;
  algorithm
  end area;
  Real q, r;
  Boolean ok;
  constant Integer k = first({1, 5, 9}, 4);
  constant Integer f10 = fib(10);
  Real kt = first({1, time, 9}, 4);
  Point point = mirror(Point(y = time));
  Real under = area(function line(k = time));
  Real each2[3] = divide({1, 2, 3}, time);
equation
  (q, ok) = divide(time);
  (r, ) = divide(1, time);
end M;
