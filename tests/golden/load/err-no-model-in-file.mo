partial model A
end A;
function f
end f;
