// takt: check @FILE@ -L nowhere
model A
end A;
