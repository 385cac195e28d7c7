import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const { countMax } = LIMITS.secondFactors;

/** CONFLICT where a person has as many factors as they may. */
export const fullRefusal = (factors: readonly unknown[]): Refusal<'CONFLICT'> | undefined =>
  factors.length < countMax ? undefined : refusal('CONFLICT', `There are ${countMax} second factors already: remove one first.`);
