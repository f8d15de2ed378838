model Ends "Ends its run at 0.05 s"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.0495 then
    terminate("100 % of #1 is done");
  end when;
  annotation(experiment(StopTime = 1, Interval = 1e-3));
end Ends;
