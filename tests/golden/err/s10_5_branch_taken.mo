// takt: sim --step 0.5 --stop 3
// The branch that reads a second element is taken at last.
model s10_5_branch_taken
  function f
    input Real X[:];
    input Real T;
    output Real y;
  algorithm
    if T > 2 then
      y := X[1]*X[2];
    else
      y := X[1] + T;
    end if;
  end f;
  Real y = f({3}, time);
end s10_5_branch_taken;
