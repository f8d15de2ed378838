// exit: 3
/* A class of the language that is not supported is named as that. */
model s16_clock
  Clock c;
end s16_clock;
