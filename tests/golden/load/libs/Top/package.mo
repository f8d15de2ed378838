package Top
  model M
  end M;
end Top;
