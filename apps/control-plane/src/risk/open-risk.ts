import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createWeightedFairQueue } from '../aside/in-turn.ts';
import type { RiskDeps } from './deps.ts';

const { verificationsUnderWayMax, verificationWaitMs } = LIMITS.trust;

export const openRisk = (): Pick<RiskDeps, 'inVerificationTurn'> => ({
  inVerificationTurn: createWeightedFairQueue(verificationsUnderWayMax, verificationWaitMs),
});
