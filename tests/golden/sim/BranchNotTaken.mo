// f is called with a vector of one element; a branch of it that is not taken
// here reads a second one.
model BranchNotTaken
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
end BranchNotTaken;
