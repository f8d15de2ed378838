package Imports
  import A;
  import .A.B;
  import X = A.B.C "renamed";
  import A.B.*;
  import A.B . *;
  import A.{b, c, 'd e'};
  import A.B.{c} annotation(a = 1);
end Imports;
