// takt: check Namse.Two -L libs -L @FILE@
model Unused
end Unused;
