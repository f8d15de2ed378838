// takt: check Names.Twoo -L libs -L @FILE@
model Unused
end Unused;
