// takt: check @FILE@:Tonk
model Tank
end Tank;
