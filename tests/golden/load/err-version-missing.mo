model NeedsThree
  Versions.M m;
  annotation(uses(Versions(version = "3.0")));
end NeedsThree;
