model Names
  Real _under, x1, X1, endx, Real1, e5;
  Real 'a b', 'it\'s', '+', '\\', 'é', 'end', '"';
equation
  'a b' = 'it\'s' + _under.'+'.x1;
  e5 = 1e5 + x1;
end Names;
