within Other;
model Inside
end Inside;
