import type { OperationName } from '@svc/contract/endpoints.ts';
import { actionBodies } from './bodies/actions.ts';
import { agentBodies } from './bodies/agents.ts';
import type { Asked, Bodies } from './bodies/bodies-of.ts';
import { credentialBodies } from './bodies/credentials.ts';
import { eventBodies } from './bodies/events.ts';
import { memberBodies } from './bodies/members.ts';
import { peopleBodies } from './bodies/people.ts';
import { policyBodies } from './bodies/policies.ts';
import { factorBodies } from './bodies/second-factors.ts';
import { tenancyBodies } from './bodies/tenancy.ts';
import { toolBodies } from './bodies/tools.ts';
import type { Setting } from './setting.ts';

const bodiesFor = (asked: Asked): Bodies => ({
  ...tenancyBodies(asked),
  ...peopleBodies(asked),
  ...memberBodies(asked),
  ...factorBodies,
  ...agentBodies(asked),
  ...toolBodies(asked),
  ...credentialBodies(asked),
  ...policyBodies(asked),
  ...actionBodies(asked),
  ...eventBodies(asked),
});

let made = 0;

/** A body that each row with one accepts; made anew each time, so that names do not collide. */
export const bodyOf = (operation: string, setting: Setting): Record<string, unknown> => {
  made += 1;
  const body = bodiesFor({ setting, made })[operation as OperationName];
  if (!body) throw new Error(`no body for ${operation}: every row with a body needs one here`);
  return body;
};
