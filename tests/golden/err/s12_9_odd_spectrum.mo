// exit: 3
/* The Fourier transform takes an even number of values. */
model OddSpectrum
  function fft
    input Real u[:];
    output Integer info;
    output Real a[div(size(u, 1), 2) + 1], phi[div(size(u, 1), 2) + 1];
  protected
    Real work[3*size(u, 1) + 2*(div(size(u, 1), 2) + 1)];
  external "C" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), a, phi);
  end fft;
  Real a[2], phi[2];
  Integer info;
equation
  when time > 0.5 then
    (info, a, phi) = fft({1, 2, time});
  end when;
end OddSpectrum;
