model Pipe "the fluid goes to 0.5 and back: what leaves was there, or came in before"
  Real out0, out1, x = if time <= 0.5 then time else 1 - time;
  Boolean forth = time <= 0.5;
equation
  (out0, out1) = spatialDistribution(2 + time, -1.0, x, forth, {0, 1}, {5.0, 6.0});
  assert(not forth or abs(out1 - (6 - time)) < 1e-9, "the first values leave at 1");
  assert(time < 0.7 or time > 0.9 or abs(out0 - (3 - time)) < 1e-9, "what came in last leaves first at 0");
  assert(time < 0.7 or out1 == -1, "what comes in at 1 is there");
end Pipe;
