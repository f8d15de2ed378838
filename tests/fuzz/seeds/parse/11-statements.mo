function Statements
  input Real x;
  output Real y;
algorithm
  y := 0;
  (a, b[1]) := f(x) "both";
  (, c) := f(x);
  print("text");
  for i in 1:10, j in 1:i loop
    if i > 3 then break; elseif j > 3 then y := y + 1; else end if;
  end for;
  while y > 0 loop
    y := y - 1;
    return;
  end while;
  when x > 1 then
    y := 2;
  elsewhen x > 2 then
    y := 3;
  end when;
  a.b[i].c := 1;
  assert(y > 0, "y", level = AssertionLevel.warning);
end Statements;
