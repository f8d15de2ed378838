/* An inner component of another size (5.4). */
model s5_4_outer_shape
  model A
    outer Real p[6];
    Real x = p[5];
  end A;
  model B
    outer Real q;
    Real x = q;
  end B;
  type V = Real[2];
  inner Real p[10] = 1:10;
  inner V q = {1, 2};
  A a;
  B b;
end s5_4_outer_shape;
