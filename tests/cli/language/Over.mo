model Over
  record R
    extends Angle;
    function equalityConstraint
      input R a; input R b; output Real r[1];
    algorithm
      r := {a.phi - b.phi};
    end equalityConstraint;
  end R;
  record Angle
    Real phi;
  end Angle;
  connector C
    R r; flow Real f[1]; Real p;  flow Real q;
  end C;
  model Link
    C a, b; Boolean root;
  equation
    Connections.branch(a.r, b.r);
    a.r.phi = b.r.phi; zeros(1) = a.f + b.f; a.p - b.p = a.q; a.q + b.q = 0;
    root = Connections.rooted(a.r);
  end Link;
  model Ground
    parameter Integer prio = 0; parameter Real phi = 7;
    C a; Boolean is = Connections.isRoot(a.r);
  equation
    Connections.potentialRoot(a.r, prio);
    if Connections.isRoot(a.r) then
      a.r.phi = phi;
    else
      a.f = zeros(1);
    end if;
    a.p = 0;
  end Ground;
  model Load
    C a;
  equation
    a.q = 1; a.f = zeros(1);
  end Load;
  Ground g(prio = 5), h(prio = 3, phi = 9); Link l1, l2; Load x;
equation
  connect(g.a, l1.a); connect(l1.b, l2.a); connect(l2.b, h.a); connect(l1.b, x.a);
equation
  assert(time < 0.999 or abs(l2.b.r.phi - (9)) < 2e-6*(1 + abs(9)), "l2.b.r.phi");
  assert(time < 0.999 or h.is == true, "h.is");
  assert(time < 0.999 or g.is == false, "g.is");
end Over;
