/* 12.3: what an algorithm does only while initial() is an initial section. */
model M
  impure function read
    output Real y;
  algorithm
    y := 2;
  end read;
  parameter Boolean use = true;
  Real y(start = 0), z(start = 0);
algorithm
  if initial() then
    y := read();
  end if;
  if use and initial() then
    z := 3*read();
  end if;
end M;
