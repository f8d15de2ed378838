package Takt "takt components" end Takt;
