within Names;
// nothing
