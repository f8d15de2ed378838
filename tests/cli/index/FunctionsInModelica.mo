model FunctionsInModelica "The same as FunctionsInC"
  Real a, b, u;
equation
  0 = 0.05*(sin(a)*cos(a) + tan(0.3*a) + exp(-a) + log(2 + a) + sqrt(3 + a) + sinh(a) - cosh(a) + tanh(a)
    + asin(0.2*a) - acos(0.3*a) + atan(a) + log(a + sqrt(a^2 + 1)) + log(3 + a + sqrt((3 + a)^2 - 1))
    + 0.5*log((1 + 0.2*a)/(1 - 0.2*a))) + der(a) + b - 1;
  0 = der(b) + 0.1*(atan2(a, 2 + b) + (2 + a)^b + a^3 + (2 + b)^(-1.5) + sqrt(a^2 + (2 + b)^2) + log10(3 + a)
    + abs(b - 9) + a + 0.5 + 0.25*a + 0.125*a^2 + a + exp(log(5 + a)/3) + exp(0.1*a) - 1 + log(1 + 0.1*b)
    - a*b/(4 + a*a)) + u;
  0 = a - 0.4*sin(time) - 0.1;
end FunctionsInModelica;
