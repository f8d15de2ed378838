package Newer
  model M
    Real x = 1;
  end M;
  annotation(version = "1.2");
end Newer;
