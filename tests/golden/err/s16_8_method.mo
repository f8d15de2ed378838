// exit: 3
/* A method that takt does not have is named as that. */
model s16_8_method
  Real x(start = 1);
equation
  when Clock(Clock(0.1), solverMethod = "bi2") then
    der(x) = -x;
  end when;
end s16_8_method;
