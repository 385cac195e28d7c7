import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointResult } from '@svc/contract/rows/endpoint.ts';
import { ADDED_EVENT_TYPES, ALL_EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '@svc/contract/tables/events.ts';
import { WAITING_EVENTS } from '@svc/contract/tables/written/waiting-events.ts';
import { serializeResponse } from '@svc/http/answers/written.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ServiceDeps } from '../deps.ts';

const table = serializeResponse<EndpointResult<Endpoints['listEventTypes']>>(
  JSON.stringify({ all: ALL_EVENT_TYPES, webhook_subscribable: WEBHOOK_EVENT_TYPES, added: ADDED_EVENT_TYPES, waiting: WAITING_EVENTS }),
);

export const listEventTypes: Handler<Endpoints['listEventTypes'], ServiceDeps> = () => table;
