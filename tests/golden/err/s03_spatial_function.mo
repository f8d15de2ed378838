model M "it has a memory, a function has none"
  function f
    input Real x;
    output Real y;
  algorithm
    y := spatialDistribution(x, x, x, true);
  end f;
  Real y = f(time);
end M;
