model RecArr
  record In
    Real v[2]; Integer k = 1;
  end In;
  record Out
    In a[3]; Real z = 0;
  end Out;
  function total
    input In a[:]; output Real s = 0;
  algorithm
    for i in 1:size(a, 1) loop
      s := s + a[i].k*sum(a[i].v);
    end for;
  end total;
  function shift
    input Out o; output Out r = o;
  algorithm
    r.a[2].v[1] := 100; r.z := 7; r.a[3] := In({5, 5}, 2);
  end shift;
  Out o(a(v = {{1, 2}, {3, 4}, {5, 6}}, k = {1, 2, 3}), z = time);
  Out q = shift(o);
  Real t = total(o.a), u = total(q.a), col[3] = o.a.v[2], s = sum(o.a.v), z = q.z;
equation
  assert(time < 0.999 or abs(t - (50)) < 2e-6*(1 + abs(50)), "t");
  assert(time < 0.999 or abs(u - (231)) < 2e-6*(1 + abs(231)), "u");
  assert(time < 0.999 or abs(col[3] - (6)) < 2e-6*(1 + abs(6)), "col[3]");
  assert(time < 0.999 or abs(s - (21)) < 2e-6*(1 + abs(21)), "s");
  assert(time < 0.999 or abs(z - (7)) < 2e-6*(1 + abs(7)), "z");
end RecArr;
