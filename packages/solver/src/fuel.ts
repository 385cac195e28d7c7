/** The remaining step budget; once it is spent, nothing more is claimed [as MiniSat's propagation budget]. */
export type Fuel = { left: number };
