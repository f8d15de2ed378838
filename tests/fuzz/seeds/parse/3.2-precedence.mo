model Precedence
equation
  a = b + c * d ^ e;
  a = -b * c + d;
  a = -b ^ 2;
  a = b - c - d / e / f;
  a = b .+ c .* d .^ e ./ f .- g;
  a = .-b .+ c;
  a = b or c and not d < e + 1;
  a = not b == c;
  a = (b or c) and (d <> e);
  a = -(-b);
  a = if b then c elseif d then e else if f then g else h;
  a = (if b then c else d) + 1;
  a = 1:n + 1;
  a = 1:2:n;
  a = b >= 1 and c <= 2 or d > 3;
  a = x^(-1) * (+y);
end Precedence;
