model NeedsOlder
  Newer.M m;
  annotation(uses(Newer(version = "1.1")));
end NeedsOlder;
