within Names;
model Punp
end Punp;
