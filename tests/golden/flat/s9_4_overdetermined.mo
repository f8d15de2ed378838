package P
  record Orientation
    Real T[2];
    function equalityConstraint
      input Orientation a;
      input Orientation b;
      output Real residue[1];
    algorithm
      residue := {a.T[1] - b.T[1]};
    end equalityConstraint;
  end Orientation;
  connector Frame
    Real r;
    Orientation R;
    flow Real f, t;
  end Frame;
  model Ground
    Frame b;
  equation
    Connections.root(b.R);
    b.r = 0;
    b.R.T = {1, 0};
  end Ground;
  model Link
    Frame a, b;
  equation
    Connections.branch(a.R, b.R);
    a.f + b.f = 0;
    a.t + b.t = 0;
    b.r = a.r + 1;
    if Connections.rooted(a.R) then
      b.R.T = a.R.T;
    else
      a.R.T = b.R.T;
    end if;
  end Link;
  model M
    Ground g;
    Link l1, l2;
  equation
    connect(g.b, l1.a);
    connect(l2.b, g.b);
  end M;
end P;
