model UsesTwice
  Twice.Both.M m;
end UsesTwice;
