/* Two constructors that fit (14.3). */
package Numbers
  operator record N
    Integer n;
    encapsulated operator 'constructor'
      import Numbers.N;
      function one
        input Integer i;
        output N x(n = i);
      algorithm
      end one;
      function two
        input Integer i;
        input Integer k = 0;
        output N x(n = i + k);
      algorithm
      end two;
    end 'constructor';
  end N;
end Numbers;

model s14_ambiguous
  import Numbers.N;
  N x = N(1);
end s14_ambiguous;
