/* What the functions of operators must give (14.3 to 14.5). */
package Numbers
  operator record N
    Integer n;
    encapsulated operator 'constructor'
      import Numbers.N;
      function other_type
        input Boolean b;
        output Boolean y;
      algorithm
        y := b;
      end other_type;
    end 'constructor';
    encapsulated operator function 'String'
      import Numbers.N;
      input N x;
      output Integer s;
    algorithm
      s := x.n;
    end 'String';
    encapsulated operator function '-'
      import Numbers.N;
      input N x;
      output N y;
      output N z;
    algorithm
      y := x;
      z := x;
    end '-';
  end N;
end Numbers;

model s14_operator_functions
  import Numbers.N;
  N a = N(true);
  String s = String(a);
  N b = -a;
end s14_operator_functions;
