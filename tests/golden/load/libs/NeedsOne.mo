package NeedsOne
  model M
    Versions.M m;
  end M;
  annotation(uses(Versions(version = "1.0")));
end NeedsOne;
