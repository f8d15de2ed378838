model M
  parameter Integer n = 3;
  Real x[n];
  Real y(start = 1);
  Integer count(start = 0, fixed = true);
  Boolean high;
  Real sorted;
algorithm
  for i in 1:n loop
    x[i] := i*time;
    if i > 1 then
      x[i] := x[i] + x[i - 1];
    end if;
  end for;
  sorted := x[1];
  for v in x loop
    sorted := max(sorted, v);
  end for;
algorithm
  y := 2*y;
  high := y > 1;
  if high then
    y := time;
  end if;
algorithm
  when {time > 1, high} then
    count := pre(count) + 1;
    assert(count < 10, "too many");
  elsewhen time > 2 then
    count := 0;
  end when;
end M;
