// a file without a class
