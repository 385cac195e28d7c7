/** How much may still be looked at; when it is spent, nothing more is claimed [a step budget, as MiniSat's propagation budget]. */
export type Fuel = { left: number };
