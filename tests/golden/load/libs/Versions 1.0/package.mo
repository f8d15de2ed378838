package Versions
  model M
  end M;
  annotation(version = "1.0");
end Versions;
