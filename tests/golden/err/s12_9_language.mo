// exit: 3
/* 12.9: C and FORTRAN 77 are the languages of external functions. */
model Language
  pure function f
    input Real x;
    output Real y;
  external "Java" y = f(x);
  end f;
  Real y = f(time);
end Language;
