model HeatPlate "a plate of 10 by 10 volumes, heated at two edges"
  parameter Integer n = 10;
  parameter Real rate = 4, hot = 400, cold = 300;
  Real T[n, n](each start = 300, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(T[i, j]) = rate*((if i > 1 then T[max(i - 1, 1), j] else hot)
        + (if i < n then T[min(i + 1, n), j] else cold)
        + (if j > 1 then T[i, max(j - 1, 1)] else hot)
        + (if j < n then T[i, min(j + 1, n)] else cold) - 4*T[i, j]);
    end for;
  end for;
  annotation (experiment(StopTime = 1, Interval = 0.001));
end HeatPlate;
