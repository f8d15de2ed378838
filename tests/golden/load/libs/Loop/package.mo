package Loop
end Loop;
