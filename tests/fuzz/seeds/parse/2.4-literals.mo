model Literals
  constant Real r[:] = {13., 13E0, 1.3e1, 0.13E2, .13E2, 1e-5, 1E+05, 1.e3,
    0.1, 123456789012345678, 1e22, 4.9e-324, 1.7976931348623157e308};
  constant Integer i[:] = {0, 007, 2147483647, 2147483648};
  constant Boolean b[:] = {true, false};
  constant String s[:] = {"", "a\"b", "\\ \' \? \a\b\f\n\r\t\v", "two
lines", "tab	é €"};
equation
  r = 2.*r;
  r = 1 .* r;
end Literals;
