package M
  import Takt.Blocks.Tables.*;
  model Curve
    parameter Real table[:, 2];
    parameter Integer column = 2;
    parameter Object1 object = Object1("NoName", "NoName", table, {column}, Smoothness.LinearSegments, Extrapolation.HoldLastPoint);
    Real y = value1(object, 1, time);
  end Curve;
  model M
    Curve falls(table = [0, 0; 2, 1; 1, 2]);
    Curve twice(table = [0, 0; 1, 1; 1, 2]);
    Curve column(table = [0, 0; 1, 1], column = 3);
    parameter Object2 small = Object2("NoName", "NoName", [0, 1], Smoothness.LinearSegments, Extrapolation.HoldLastPoint);
    parameter ObjectTime period = ObjectTime("NoName", "NoName", [1, 0; 1, 5], 0, {2}, Smoothness.LinearSegments, Extrapolation.Periodic, 0);
    parameter Object1 missing = Object1("no/such/file.txt", "tab", [0, 0], {2}, Smoothness.LinearSegments, Extrapolation.Periodic);
  end M;
end M;
