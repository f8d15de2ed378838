package Versions
  model M
  end M;
  annotation(version = "2.0");
end Versions;
