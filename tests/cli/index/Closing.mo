model Closing "A switch joins two capacitors: index 1 before, 2 after, when their voltages meet or at a time"
  parameter Real at = 100;
  Real v1(start = 1, fixed = true), v2(start = 0, fixed = true), i;
  Boolean closed(start = false, fixed = true);
equation
  der(v1) = -v1 + i;
  2*der(v2) = v1 - i;
  if closed then v1 = v2; else i = 0; end if;
  when v2 >= v1 or time >= at then
    closed = true;
  end when;
  annotation(experiment(StopTime = 2));
end Closing;
