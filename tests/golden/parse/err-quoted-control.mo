model M
  Real 'red [31m';
end M;
