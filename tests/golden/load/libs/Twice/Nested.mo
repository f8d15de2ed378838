within Twice;
model Nested
end Nested;
