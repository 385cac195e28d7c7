/** How much may still be looked at; when it is spent, nothing more is claimed. */
export type Fuel = { left: number };
