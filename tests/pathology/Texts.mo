// what: texts decide what is computed
// watch: x = exp(-t)
// says: refused
model Texts
  function rate
    input String s;
    output Real y;
  algorithm
    if s == "fast" then
      y := 10;
    elseif s == "slow" then
      y := 1;
    else
      y := 0;
    end if;
  end rate;
  parameter String kind[2] = {"fast", "slow"};
  parameter String joined = "sl" + "ow";
  parameter Real c = if joined == kind[2] and not kind[1] == joined then rate(kind[2]) else 5;
  output Real x(start = 1, fixed = true);
equation
  der(x) = -c*x;
  annotation(experiment(StopTime = 1, Interval = 0.001));
end Texts;
