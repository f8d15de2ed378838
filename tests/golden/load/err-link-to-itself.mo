model UsesDangling
  Loop.Dangling m;
end UsesDangling;
