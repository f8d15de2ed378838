model A
  Real x;
  /* this comment never
     ends
end A;
