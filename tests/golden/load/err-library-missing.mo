// takt: check Nowhere.Model -L libs -L @FILE@
model Unused
end Unused;
