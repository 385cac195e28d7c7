import { APPROVAL_CHANGES } from '@svc/contract/actions/approvals.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepAuthentic } from '@svc/postgres/audit/keep-authentic.ts';
import { readFeedStretch } from '@svc/postgres/audit/read-feed-stretch.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { streamEventsAfter } from '../../events/audit-events/stream/events-after.ts';
import { findResumePosition } from '../../events/audit-events/stream/resumed-at.ts';
import type { ActionsDeps } from '../deps.ts';
import { filterApprovalChanges } from './stream/changes-only.ts';

/** Streams approval changes. Approvers need not have access to the audit record, so only the approval and the event type are sent. */
export const streamApprovals: Handler<Endpoints['streamApprovals'], ActionsDeps> = async (call, { eventStream, clock }) => {
  const after = await findResumePosition(call, eventStream);
  if (isRefusal(after)) return after;
  const { organization_id, workspace_ids, environment_id = null } = call.scope;
  const view = { organization_id, workspace_ids: workspace_ids?.toSorted() ?? null, environment_id, type: APPROVAL_CHANGES.join(',') };
  const readStretch = (from: typeof after, upTo: typeof after) =>
    searchInTenant(call.database, call.scope, async (tx) => {
      const stretch = await readFeedStretch(tx, organization_id, from, upTo);
      return { ...stretch, events: await keepAuthentic(tx, stretch.events) };
    });
  return {
    eventsAfter: (_id, ended) =>
      filterApprovalChanges(
        streamEventsAfter(eventStream.hub, { ...{ view, after, ended, ids: eventStream.ids, clock: clock.now }, readStretch }),
      ),
  };
};
