import { FACTORS } from './doors/factors.ts';
import { JOINING } from './doors/joining.ts';
import { TERMINALS } from './doors/terminals.ts';
import type { RaceCase } from './race.ts';

/** Everything that may be used once. */
export const ENDPOINTS: readonly RaceCase[] = [...JOINING, ...TERMINALS, ...FACTORS];
