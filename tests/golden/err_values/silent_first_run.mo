// A section runs twice; what is wrong with the constant is found in the first,
// silent run.
model FirstRun
  package P
    constant Real c = nosuch;
  end P;
  Real y;
algorithm
  y := P.c*time;
end FirstRun;
