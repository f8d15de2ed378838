// what: a characteristic of straight lines is followed beyond its highest point
// says: unsolved unbounded
// methods: lie radau5 ida
// watch: y = t
// until: 1
model Knee
  function table
    input Real u;
    output Real r;
  protected
    Real x[4] = {-1, 1, 2, 3};
    Real z[4] = {-1, 1, 0.5, 0.2};
    Integer k;
  algorithm
    k := 1;
    while k < 3 and u > x[k + 1] loop
      k := k + 1;
    end while;
    r := z[k] + (u - x[k])*(z[k + 1] - z[k])/(x[k + 1] - x[k]);
  end table;
  output Real y(start = 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  table(y) = x;
  annotation(experiment(StopTime = 2, Interval = 0.03));
end Knee;
