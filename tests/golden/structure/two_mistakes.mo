model TwoMistakes "Two mistakes far from each other get a message each"
  Real a, b, c, d;
equation
  a = sin(time);
  a^2 = cos(time);
  b*c = 2 + time;
  d = c + 1;
end TwoMistakes;
