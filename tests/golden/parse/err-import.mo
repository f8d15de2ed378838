model A
  import B.{c, };
  import *;
  import X = ;
  extends ;
  extends B(x = 1;
  extends C(break 3);
end A;
