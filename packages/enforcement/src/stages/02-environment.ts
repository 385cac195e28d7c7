import type { Facts } from '../facts.ts';
import { PASSED, refused, type Stage, type StageAnswer } from '../stage.ts';

const checkEnvironment = ({ environment, agent }: Facts): StageAnswer => {
  if (agent.environment_id !== environment.environment_id) return refused('NOT_FOUND');
  return environment.paused_reason === null
    ? PASSED
    : refused('ENVIRONMENT_PAUSED', `The environment is paused: ${environment.paused_reason}`);
};

export const environment: Stage = { name: 'environment', relaxedByObserve: false, check: checkEnvironment };
