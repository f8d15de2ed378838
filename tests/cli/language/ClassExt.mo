model ClassExt
  package Base
    replaceable model Part
      parameter Real k = 1; Real y = k;
    end Part;
    replaceable function f input Real u; output Real y; algorithm y := u; end f;
    model Use
      Part p; Real z = f(2);
    end Use;
  end Base;
  package Ext
    extends Base;
    redeclare model extends Part(k = 2)
      Real w = 10*y;
    end Part;
    redeclare function extends f
      input Real v = 3;
    end f;
  end Ext;
  package Ext2
    extends Base(redeclare function f = half);
    function half input Real u; output Real y; algorithm y := u/2; end half;
  end Ext2;
  Ext.Use a; Ext2.Use b; Base.Use c;
equation
  assert(time < 0.999 or abs(a.p.w - (20)) < 2e-6*(1 + abs(20)), "a.p.w");
  assert(time < 0.999 or abs(a.z - (2)) < 2e-6*(1 + abs(2)), "a.z");
  assert(time < 0.999 or abs(b.z - (1)) < 2e-6*(1 + abs(1)), "b.z");
  assert(time < 0.999 or abs(c.p.y - (1)) < 2e-6*(1 + abs(1)), "c.p.y");
end ClassExt;
