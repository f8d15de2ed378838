package Q
operator record Dual
  Real v, d;
  encapsulated operator 'constructor'
    function fromReal
      import Q.Dual;
      input Real x;
      output Dual r(v = x, d = 0);
    algorithm
    end fromReal;
    function of
      import Q.Dual;
      input Real v;
      input Real d;
      output Dual r(v = v, d = d);
    algorithm
    end of;
  end 'constructor';
  encapsulated operator '*'
    function mul
      import Q.Dual;
      input Dual a;
      input Dual b;
      output Dual r;
    algorithm
      r := Dual(a.v*b.v, a.v*b.d + a.d*b.v);
    end mul;
  end '*';
  encapsulated operator '+'
    function add
      import Q.Dual;
      input Dual a;
      input Dual b;
      output Dual r;
    algorithm
      r := Dual(a.v + b.v, a.d + b.d);
    end add;
  end '+';
  encapsulated operator function '0'
    import Q.Dual;
    output Dual r;
  algorithm
    r := Dual(0, 0);
  end '0';
end Dual;
model OpRec
  Dual x = Dual(time, 1), y = 3*x*x + x + 1, a[3] = {x, x*x, Dual(2)}, s = sum(a);
  Dual p = a[1:2]*{Dual(2), Dual(3)};
equation
  assert(abs(y.v - (3*time^2 + time + 1)) < 1e-12 and abs(y.d - (6*time + 1)) < 1e-12, "y");
  assert(abs(s.d - (1 + 2*time)) < 1e-12, "s");
  assert(abs(p.d - (2 + 6*time)) < 1e-12, "p");
end OpRec;
end Q;
