within Without;
model Wrong
end Wrong;
