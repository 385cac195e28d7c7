import type { Handlers } from '@svc/http/calls/call.ts';
import { actionsHandlers } from './actions/handlers.ts';
import { agentsHandlers } from './agents/handlers.ts';
import { credentialsHandlers } from './credentials/handlers.ts';
import type { ControlDeps } from './deps.ts';
import { eventsHandlers } from './events/handlers.ts';
import { moneyHandlers } from './money/handlers.ts';
import { peersHandlers } from './peers/handlers.ts';
import { peopleHandlers } from './people/handlers.ts';
import { policiesHandlers } from './policies/handlers.ts';
import { serviceHandlers } from './service/handlers.ts';
import { tenancyHandlers } from './tenancy/handlers.ts';
import { toolsHandlers } from './tools/handlers.ts';

/** One handler per row of the control plane, area by area; a missing one does not compile. */
export const handlers: Handlers<'control', ControlDeps> = {
  ...serviceHandlers,
  ...tenancyHandlers,
  ...peopleHandlers,
  ...agentsHandlers,
  ...toolsHandlers,
  ...credentialsHandlers,
  ...policiesHandlers,
  ...actionsHandlers,
  ...moneyHandlers,
  ...eventsHandlers,
  ...peersHandlers,
};
