model M "a function is called through a component of a component"
  model A
    function double
      input Real x;
      output Real y = 2*x;
    algorithm
    end double;
  end A;
  model B
    A a;
  end B;
  B b;
  constant Real four = b.a.double(2);
end M;
