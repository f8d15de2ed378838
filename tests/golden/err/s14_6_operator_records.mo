/* Operator records are made of others by short classes only, and stay in their
 * package; an operator holds functions (14.6, 4.6). */
package Records
  operator record N
    Real x;
    encapsulated operator '+'
      import Records.N;
      constant Real y = 1;
      model M
      end M;
      function add
        input N a;
        input N b;
        output N c;
      algorithm
        c := N(a.x + b.x);
      end add;
    end '+';
  end N;
  operator record L
    extends N;
  end L;
  package More
    extends Records;
    constant Real z = 1;
  end More;
end Records;

model s14_6_operator_records
  connector C
    Records.N e;
    flow Records.N f;
  end C;
  Records.N a(x = 1);
  Records.N b = a + a;
  Records.L l(x = 1);
  Real z = Records.More.z;
  C c(e(x = 1));
end s14_6_operator_records;
