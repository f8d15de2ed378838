// tolerance: 1e-9
model Ends "terminate is named in the summary"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    terminate("half");
  end when;
end Ends;
