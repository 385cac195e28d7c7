import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { HeldFactor } from './vouching-organization.ts';

const { countMax } = LIMITS.secondFactors;

/** Returns CONFLICT if a person has the maximum number of factors that count in the same organizations as the one to be enrolled. */
export const fullRefusal = (factors: readonly HeldFactor[], vouchedBy: string | null): Refusal<'CONFLICT'> | undefined =>
  factors.filter((each) => each.vouchedBy === vouchedBy).length < countMax
    ? undefined
    : refusal('CONFLICT', `You already have the maximum of ${countMax} second factors. Remove one first.`);
