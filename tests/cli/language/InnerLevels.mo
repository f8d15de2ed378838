model InnerOuter2 "inner outer: a level passes on and adds"
  model Env
    Real T;
    parameter Real k = 1;
  end Env;
  model Leaf
    outer Env env;
    Real y = env.T + env.k;
  end Leaf;
  model Room
    inner outer Env env(k = 5);
    Leaf l;
  end Room;
  model House
    inner Env env(T = time, k = 2);
    Leaf l;
    Room2 r;
  end House;
  model Room2
    outer Env env;
    inner Env sub(T = 2*env.T, k = 3);
    model Leaf2
      outer Env sub;
      Real y = sub.T*sub.k;
    end Leaf2;
    Leaf2 l[2];
  end Room2;
  House h;
equation
  assert(abs(h.l.y - time - 2) < 1e-12, "leaf");
  assert(abs(h.r.l[2].y - 6*time) < 1e-12, "leaf2");
end InnerOuter2;
