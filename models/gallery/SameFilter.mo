model SameFilter "One filter written in three ways: the difference stays 0"
  import Takt.Blocks.*;
  parameter Real w = 10 "Natural frequency";
  parameter Real D = 0.4 "Damping ratio";
  Sources.Sine signal(f = 1);
  Continuous.SecondOrder direct(w = w, D = D);
  Continuous.TransferFunction polynomials(b = {w^2}, a = {1, 2*D*w, w^2});
  Continuous.StateSpace matrices(A = [0, 1; -w^2, -2*D*w], B = [0; w^2], C = [1, 0]);
  Real difference "Largest difference of the three";
equation
  connect(signal.y, direct.u);
  connect(signal.y, polynomials.u);
  connect(signal.y, matrices.u[1]);
  difference = noEvent(max(abs(direct.y - polynomials.y), abs(direct.y - matrices.y[1])));
  annotation(experiment(StopTime = 5, Interval = 0.01));
end SameFilter;
