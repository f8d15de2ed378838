model Impure "random numbers of a hidden state are those of one that is not"
  function next
    input Integer stateIn[33];
    output Real result;
    output Integer stateOut[33];
  external "C" ModelicaRandom_xorshift1024star(stateIn, stateOut, result);
  end next;
  impure function set
    input Integer state[33];
    input Integer id;
  external "C" ModelicaRandom_setInternalState_xorshift1024star(state, size(state, 1), id);
  end set;
  impure function hidden
    input Integer id;
    output Real y;
  external "C" y = ModelicaRandom_impureRandom_xorshift1024star(id);
  end hidden;
  impure function begin
    input Integer state[33];
    output Integer id;
  algorithm
    id := 7;
    set(state, id);
  end begin;
  parameter Integer state[33] = cat(1, {i*12345 + 678 for i in 1:32}, {0});
  parameter Integer id = begin(state);
  discrete Real a(start = 0), b(start = 0), c(start = 0), x(start = 0), y(start = 0), z(start = 0);
  discrete Integer s[33](start = state, each fixed = true);
protected
  Integer s1[33], s2[33];
algorithm
  when sample(0, 0.25) then
    a := hidden(id);
    if time > 0.3 then
      b := hidden(id);
    end if;
    c := hidden(id);
    (x, s1) := next(pre(s));
    if time > 0.3 then
      (y, s2) := next(s1);
    else
      s2 := s1;
    end if;
    (z, s) := next(s2);
  end when;
equation
  assert(a == x and b == y and c == z, "other numbers");
  assert(time < 0.3 or a <> b and b <> c, "shared numbers");
end Impure;
