import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { HeldFactor } from './vouching-organization.ts';

const { countMax } = LIMITS.secondFactors;

/** Returns CONFLICT if a person has the maximum number of factors that count in the same organizations as the one to be enrolled. */
export const createFullRefusal = (factors: readonly HeldFactor[], vouchedBy: string | null): Refusal<'CONFLICT'> | undefined =>
  factors.filter((each) => each.vouchedBy === vouchedBy).length < countMax
    ? undefined
    : buildRefusal('CONFLICT', `You already have the maximum of ${countMax} second factors. Remove one first.`);
