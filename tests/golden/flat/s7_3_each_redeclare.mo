model M "each part of an array is redeclared, and keeps its own values"
  model A
    parameter Real k = 1;
    Real x = k;
  end A;
  model B
    extends A;
    Real y = 2*k;
  end B;
  model Box
    replaceable A part[2] constrainedby A;
    replaceable model T = A;
    T t;
  end Box;
  Box box[2](redeclare each B part[2](each k = 3));
  Box other[2](redeclare each model T = B(k = 7));
end M;
