model None
end None;
