import type { Handlers } from '@svc/http/calls/call.ts';
import { actionsHandlers } from './actions/handlers.ts';
import { agentsHandlers } from './agents/handlers.ts';
import type { GatewayDeps } from './deps.ts';
import { peersHandlers } from './peers/handlers.ts';
import { serviceHandlers } from './service/handlers.ts';

/** Handlers of the gateway by area, one per row; a missing one does not compile. */
export const handlers: Handlers<'gateway', GatewayDeps> = {
  ...serviceHandlers,
  ...peersHandlers,
  ...agentsHandlers,
  ...actionsHandlers,
};
