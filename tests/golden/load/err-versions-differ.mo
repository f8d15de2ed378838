model NeedsTwo
  Versions.M m;
  NeedsOne.M n;
  annotation(uses(Versions(version = "2.0"), NeedsOne));
end NeedsTwo;
