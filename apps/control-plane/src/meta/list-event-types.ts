import type { ResultOf } from '@svc/contract/endpoint.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '@svc/contract/events.ts';
import type { Handler } from '@svc/http/call.ts';
import { written } from '@svc/http/written.ts';
import type { ControlDeps } from '../deps.ts';

const table = written<ResultOf<Endpoints['listEventTypes']>>(
  JSON.stringify({ all: EVENT_TYPES, webhook_subscribable: WEBHOOK_EVENT_TYPES }),
);

export const listEventTypes: Handler<Endpoints['listEventTypes'], ControlDeps> = () => table;
