model ConflictingStarts "Two wheels on one shaft cannot start at different speeds"
  Kit.Inertia a(phi(start = 0, fixed = true), w(start = 1, fixed = true));
  Kit.Inertia b(w(start = 2, fixed = true));
equation
  connect(a.b, b.a);
end ConflictingStarts;
