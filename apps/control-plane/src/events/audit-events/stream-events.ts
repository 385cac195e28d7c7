import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { unknownType } from '@svc/domain/events/audit-events/unknown-type.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepAuthentic } from '@svc/postgres/audit/keep-authentic.ts';
import { readFeedStretch } from '@svc/postgres/audit/read-feed-stretch.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { EventsDeps } from '../deps.ts';
import { streamEventsAfter } from './stream/events-after.ts';
import { findResumePosition } from './stream/resumed-at.ts';

export const streamEvents: Handler<Endpoints['streamEvents'], EventsDeps> = async (call, { eventStream, clock }) => {
  const wrongType = call.query.type === undefined ? undefined : unknownType(call.query.type);
  if (wrongType !== undefined) return call.fault('/type', wrongType);
  const after = await findResumePosition(call, eventStream);
  if (isRefusal(after)) return after;
  const { organization_id, workspace_ids, environment_id = null } = call.scope;
  const { after: _, ...filter } = call.query;
  const view = { organization_id, workspace_ids: workspace_ids?.toSorted() ?? null, environment_id, ...filter };
  return {
    eventsAfter: (_id, ended) =>
      streamEventsAfter(eventStream.hub, {
        ...{ view, after, ended, ids: eventStream.ids, clock: clock.now },
        readStretch: (from, upTo) =>
          searchInTenant(call.database, call.scope, async (tx) => {
            const stretch = await readFeedStretch(tx, organization_id, from, upTo);
            return { ...stretch, events: await keepAuthentic(tx, stretch.events) };
          }),
      }),
  };
};
