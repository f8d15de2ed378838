/* Overloaded operators: which function is taken, conversion of one operand,
 * arrays, products of matrices, sums, String (14.3 to 14.5). Numbers of the
 * ring Z[w], w*w = w - 1. */
package Numbers
  operator record W "a + b w"
    Integer a;
    Integer b;

    encapsulated operator 'constructor'
      import Numbers.W;
      function fromInteger
        input Integer a;
        input Integer b = 0;
        output W z(a = a, b = b);
      algorithm
      end fromInteger;
      function fromBoolean
        input Boolean sign;
        output W z;
      algorithm
        z := if sign then W(1) else W(-1);
      end fromBoolean;
    end 'constructor';

    encapsulated operator function '0'
      import Numbers.W;
      output W z;
    algorithm
      z := W(0);
    end '0';

    encapsulated operator '-'
      import Numbers.W;
      function negate
        input W x;
        output W y;
      algorithm
        y := W(-x.a, -x.b);
      end negate;
      function subtract
        input W x;
        input W y;
        output W z;
      algorithm
        z := W(x.a - y.a, x.b - y.b);
      end subtract;
    end '-';

    encapsulated operator function '+'
      import Numbers.W;
      input W x;
      input W y;
      output W z;
    algorithm
      z := W(x.a + y.a, x.b + y.b);
    end '+';

    encapsulated operator '*'
      import Numbers.W;
      function multiply
        input W x;
        input W y;
        output W z;
      algorithm
        z := W(x.a*y.a - x.b*y.b, x.a*y.b + x.b*y.a + x.b*y.b);
      end multiply;
    end '*';

    encapsulated operator function '=='
      import Numbers.W;
      input W x;
      input W y;
      output Boolean same;
    algorithm
      same := x.a == y.a and x.b == y.b;
    end '==';

    encapsulated operator function 'not'
      import Numbers.W;
      input W x;
      output Boolean is_zero;
    algorithm
      is_zero := x.a == 0 and x.b == 0;
    end 'not';

    encapsulated operator function 'String'
      import Numbers.W;
      input W x;
      input String name = "w";
      output String s;
    algorithm
      s := String(x.a) + " + " + String(x.b) + " " + name;
    end 'String';
  end W;

  operator record V = W "has the operators of W";
end Numbers;

model s14_operators
  import Numbers.W;
  import Numbers.V;
  constant W w = W(0, 1);
  constant V v = V(2, 3);
  constant W x = w*w;                     // -1 + w
  constant W converted_right = w + 2;     // 2 + w
  constant W converted_left = true - w;   // 1 - w
  constant W other_type = v + w;          // 2 + 4 w
  constant W row[2] = {w, v};
  constant W negated[2] = -row;
  constant W scaled[2] = 2*row;
  constant W each_one[2] = row .* {true, false};
  constant W moved[2] = row .+ 1;
  constant W matrix[2, 2] = [w, W(1); W(0), w];
  constant W product_vector[2] = matrix*row;
  constant W product_matrix[2, 2] = matrix*matrix;
  constant W dot = row*row;
  constant W total = sum(row);
  constant W squares = sum(row[i]*row[i] for i in 1:2);
  constant W nothing = sum(row[1:0]);
  constant Boolean same = w*w == w - 1;
  constant Boolean zero = not w;
  constant String s = String(v);
  constant String t = String(v, name = "omega");
  constant W many[3] = W({1, 2, 3});
end s14_operators;
