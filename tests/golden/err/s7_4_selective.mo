/* What `break` leaves out must be there and stays as it is (7.4). */
model s7_4_selective
  connector C
    Real v;
    flow Real i;
  end C;
  model R
    parameter Real r = 1;
    C p, n;
  equation
    p.v - n.v = r*p.i;
    p.i + n.i = 0;
  end R;
  model G
    C p;
  equation
    p.v = 0;
  end G;
  model S
    model Inner
      Real x;
    end Inner;
    R a, b;
    G g;
  equation
    connect(a.p, g.p);
    connect(a.n, b.n);
    connect(b.p, g.p);
  end S;
  model Missing
    extends S(break h);
  end Missing;
  model NotComponent
    extends S(break Inner);
  end NotComponent;
  model NoConnection
    extends S(break connect(a.p, b.p));
  end NoConnection;
  model Modified
    extends S(break a, a(r = 3));
  end Modified;
  Missing m1;
  NotComponent m2;
  NoConnection m3;
  Modified m4;
end s7_4_selective;
