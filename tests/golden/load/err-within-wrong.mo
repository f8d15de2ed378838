model UsesWrong
  Within.Wrong part;
end UsesWrong;
