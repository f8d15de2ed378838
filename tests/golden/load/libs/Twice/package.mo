package Twice "classes that exist twice"
  model Nested
  end Nested;
end Twice;
