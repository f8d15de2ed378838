model Both "What System.ssd connects, in one model"
  model Plant
    input Real u;
    output Real y;
    parameter Real direct = 0;
    Real a(start = 0, fixed = true), b(start = 0.5, fixed = true);
  equation
    der(a) = 20 * (u - a);
    der(b) = 3 * (a - b);
    y = b + direct * u;
  end Plant;
  model Control
    input Real y "measured";
    output Real u;
    parameter Real k = 2, T = 0.5, r = 1;
    Real i(start = 0, fixed = true);
  equation
    der(i) = (r - y) / T;
    u = k * (r - y + i);
  end Control;
  Plant plant;
  Control control;
equation
  plant.u = control.u;
  control.y = plant.y;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Both;
