model M "a redeclaration in an array of components is split, with each it is not"
  model N
    parameter Real k = 0;
  end N;
  model L
    extends N;
  end L;
  model A
    replaceable N n[2];
    replaceable parameter Real p[2] = {0, 0};
  end A;
  model B
    A a;
  end B;
  A split[2](redeclare L n[2](k = {{1, 2}, {3, 4}}),
             redeclare parameter Real p[2] = {{5, 6}, {7, 8}});
  A same[2](redeclare each L n[2](k = {1, 2}),
            redeclare each parameter Real p[2] = {3, 4});
  B inside[2](each a(redeclare L n[2](k = {1, 2})));
end M;
