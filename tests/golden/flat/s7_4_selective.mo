/* extends without some components and connections (7.4): T has one resistor
 * more and a ground of its own; U has another resistor instead of T's. */
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
    R a, b;
    G g;
  equation
    connect(a.p, g.p);
    connect(a.n, b.n);
    connect(b.p, g.p);
  end S;
  model T
    extends S(break g, break connect(b.n, a.n), a(r = 2));
    R c;
    G h;
  equation
    connect(a.n, c.p);
    connect(c.n, b.n);
    connect(a.p, b.p);
    connect(h.p, a.p);
  end T;
  model U
    extends T(break c);
    R c(r = 5);
    Real g = c.r;
  equation
    connect(a.n, c.p);
    connect(c.n, b.n);
  end U;
  U u;
end s7_4_selective;
