error: F*.mo: No such file or directory [E0201]
