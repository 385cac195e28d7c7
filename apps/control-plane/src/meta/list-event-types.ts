import type { Endpoints } from '@svc/contract/endpoints.ts';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '@svc/contract/events.ts';
import type { Handler } from '@svc/http/call.ts';
import type { ControlDeps } from '../deps.ts';

export const listEventTypes: Handler<Endpoints['listEventTypes'], ControlDeps> = () => ({
  all: [...EVENT_TYPES],
  webhook_subscribable: [...WEBHOOK_EVENT_TYPES],
});
