/* 12.3: the binding of a variable that varies is an equation. */
model M
  impure function count
    output Real y;
  external "C" y = count_up();
  end count;
  Real y = count();
end M;
