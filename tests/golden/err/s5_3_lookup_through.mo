/* What is found through components and partial classes (5.3.2). */
package Through
  operator record N
    Real x;
    encapsulated operator function '+'
      import Through.N;
      input N a;
      input N b;
      output N c;
    algorithm
      c := N(a.x + b.x);
    end '+';
  end N;
  partial package Part
    constant Real x = 1;
  end Part;
end Through;

model s5_3_lookup_through
  model A
    model B
      record C
        function f
          input Real x;
          output Real y;
        algorithm
          y := x;
        end f;
      end C;
      constant C c;
    end B;
  protected
    function g
      input Real x;
      output Real y;
    algorithm
      y := x;
    end g;
  end A;
  A a;
  Through.N n(x = 1);
  Through.N m = n.'+'(n, n);
  Real u = a.B.c.f(1);
  Real v = a.g(1);
  Real w = Through.Part.x;
end s5_3_lookup_through;
