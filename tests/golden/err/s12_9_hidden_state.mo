/* Random numbers of a hidden state that nobody sets. */
model HiddenState
  impure function random
    input Integer id;
    output Real y;
  external "C" y = ModelicaRandom_impureRandom_xorshift1024star(id);
  end random;
  discrete Real r(start = 0);
algorithm
  when sample(0, 0.1) then
    r := random(1);
  end when;
end HiddenState;
