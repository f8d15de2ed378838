within Takt;
package Blocks "Signals: sources, mathematics, transfer functions, sampling"
end Blocks;
