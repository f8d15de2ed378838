within Nobody.Knows;
model Lost
end Lost;
