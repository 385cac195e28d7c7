/** A budget that many share grows with the one that each of them has, unless it is set itself; `raised` is by how much that is. */
export const inProportion = (rate: number, raised: number, most: number): number => Math.min(most, Math.round(rate * Math.max(1, raised)));
