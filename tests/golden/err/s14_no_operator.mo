/* Operators that the record does not have, or not for these operands (14.5). */
package Numbers
  operator record N
    Integer n;
    encapsulated operator function '+'
      import Numbers.N;
      input N x;
      input N y;
      output N z;
    algorithm
      z := N(x.n + y.n);
    end '+';
    encapsulated operator function '*'
      import Numbers.N;
      input N x;
      output N z;
    algorithm
      z := x;
    end '*';
  end N;
  record Plain
    Real x;
  end Plain;
end Numbers;

model s14_no_operator
  import Numbers.N;
  import Numbers.Plain;
  N a = N(1);
  N b = a - a;
  N c = -a;
  N d = a + 1;
  N e = a*a;
  N f[2] = {a, a} + {a, a, a};
  N g = {a, a} + a;
  Plain p = Plain(1);
  Plain q = p + p;
  String s = String(a);
  Boolean l = a < a;
end s14_no_operator;
