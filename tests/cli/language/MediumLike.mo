package Medium "redeclared packages with nested records and functions"
  partial package Base
    constant Integer n = 1;
    constant String names[:] = {"a"};
    replaceable record State
      Real T;
    end State;
    replaceable partial function h
      input State s;
      output Real h;
    end h;
    replaceable model Props
      input Real T;
      State s;
      Real hh;
    equation
      s.T = T;
      hh = h(s);
    end Props;
  end Base;
  package Water
    extends Base(n = 2, names = {"w", "x"});
    constant Real cp = 4;
    redeclare record extends State
      Real X[n] = {0.25, 0.75};
    end State;
    redeclare function extends h
    algorithm
      h := cp*s.T*sum(s.X);
    end h;
  end Water;
  package Hot
    extends Water(cp = 5);
    redeclare model extends Props
      Real extra = 2*hh;
    end Props;
  end Hot;
  model Tank
    replaceable package M = Base constrainedby Base;
    M.Props p(T = time);
    parameter Integer n = M.n, k = size(M.names, 1);
  end Tank;
  model Test
    Tank w(redeclare package M = Water), h(redeclare package M = Hot);
  equation
    assert(abs(w.p.hh - 4*time) < 1e-12 and w.n == 2 and w.k == 2, "w");
    assert(abs(h.p.extra - 10*time) < 1e-12, "h");
  end Test;
end Medium;
