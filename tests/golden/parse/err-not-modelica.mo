<?xml version="1.0"?>
<html><body>This is no model.</body></html>
