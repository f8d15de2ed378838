// takt: check Order.B.C.D -L libs -L @FILE@
model Unused
end Unused;
