// The generators of Modelica.Math.Random; numbers by the formulas of Vigna 2016
// in another language.
model M
  pure function random64
    input Integer stateIn[2];
    output Real result;
    output Integer stateOut[2];
  external "C" ModelicaRandom_xorshift64star(stateIn, stateOut, result);
  end random64;
  pure function random128
    input Integer stateIn[4];
    output Real result;
    output Integer stateOut[4];
  external "C" ModelicaRandom_xorshift128plus(stateIn, stateOut, result);
  end random128;
  pure function random1024
    input Integer stateIn[33];
    output Real result;
    output Integer stateOut[33];
  external "C" ModelicaRandom_xorshift1024star(stateIn, stateOut, result);
  end random1024;
  function fifth "The number after four others"
    output Real r[3];
  protected
    Integer a[2] = {1234567, -7654321};
    Integer b[4] = {1, -2, 3, -4};
    Integer c[33] = {i*i*7919 - 100000 for i in 1:33};
  algorithm
    for i in 1:5 loop
      (r[1], a) := random64(a);
      (r[2], b) := random128(b);
      (r[3], c) := random1024(c);
    end for;
  end fifth;
  constant Real r[3] = fifth();
end M;
