package P
  connector In = input Real;
  connector Out = output Real;
  block A
    parameter Boolean use = false;
    In u if use;
    Out y = inside;
  protected
    In inside;
  equation
    connect(u, inside);
    if not use then
      inside = 5;
    end if;
  end A;
  model M
    A a(use = true), b;
    Out z = time;
  equation
    connect(z, a.u);
    connect(z, b.u);
  end M;
end P;
