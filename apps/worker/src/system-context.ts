import type { ChangeContext } from '@svc/postgres/change/change.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { readTraceId } from '@svc/program/ids/trace.ts';

/** Ids of a change without a request. Its audit events have them, and the log if it fails. */
export type SystemIds = { readonly requestId: string; readonly traceId: string };

export const newSystemIds = (): SystemIds => ({ requestId: newId('request'), traceId: readTraceId(undefined) });

/** The actor of a change without a request. */
export const SYSTEM: ChangeContext['actor'] = { type: 'SYSTEM', id: 'system', name: null };

/** Creates the context of a change that the worker makes in an organization without a request. */
export const createSystemContext = (organization_id: string, now: Date, ids: SystemIds = newSystemIds()): ChangeContext => ({
  scope: { organization_id },
  actor: SYSTEM,
  ...ids,
  now,
  newEventId: () => newId('audit_event'),
});
