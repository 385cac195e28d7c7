import type { Facts } from '../facts/facts.ts';
import { defineStage, PASSED, refuseStage, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['NOT_FOUND', 'ENVIRONMENT_PAUSED'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

export const checkEnvironment = ({ environment, agent }: Pick<Facts, 'environment' | 'agent'>): Answer => {
  if (agent.environment_id !== environment.environment_id) return refuseStage('NOT_FOUND');
  return environment.paused_reason === null
    ? PASSED
    : refuseStage('ENVIRONMENT_PAUSED', `The environment is paused: ${environment.paused_reason}`);
};

export const environment = defineStage({ name: 'environment', relaxedByObserve: false, refuses: REFUSES, check: checkEnvironment });
