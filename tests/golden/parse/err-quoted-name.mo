model A
  Real 'open;
  Real '';
  Real 'a\qb';
end A;
