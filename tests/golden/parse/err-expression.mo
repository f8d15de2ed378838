model A
equation
  a = b + ;
  a = (b + c;
  a = b + c);
  a = f(1, 2;
  a = {1, 2;
  a = [1, 2;;
  a = {};
  a = b[1;
  a = ;
  = 1;
  a = if b then c;
  a = b c;
  a b = c;
end A;
