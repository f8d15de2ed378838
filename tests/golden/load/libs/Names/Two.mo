within Names;
model Two
end Two;
model Three
end Three;
