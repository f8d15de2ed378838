package Names "files whose class has another name"
end Names;
