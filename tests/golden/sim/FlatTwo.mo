// takt: sim --stop 1
// exit: 1
model FlatTwo "two solutions, and a start value between them: none is taken"
  Real q(start = 0);
equation
  q^2*(if noEvent(q > 0) then 1 else 4) = 4 + time;
end FlatTwo;
