model ForgottenInput "Nobody gives a value to gain.u"
  Kit.Gain gain(k = 2);
  Real x(start = 0, fixed = true);
equation
  der(x) = gain.y - x;
end ForgottenInput;
