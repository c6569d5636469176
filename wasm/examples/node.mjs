// The share of the money that Alice needs in small games of Hex.

import { solve } from "richman";

for (const size of [2, 3, 4]) {
  const { win, moves } = await solve({ game: `hex:size=${size}` });
  console.log(`${size} x ${size}: ${win}, best at ${moves.alice.join(", ")}`);
}
