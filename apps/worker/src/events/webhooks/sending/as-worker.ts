import type { ChangeContext } from '@svc/postgres/change/change.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { traceIdOf } from '@svc/program/ids/trace.ts';

/** How a change begins that the worker makes in an organization by itself. */
export const asWorker = ({ clock }: { readonly clock: () => Date }, organization_id: string): ChangeContext => ({
  scope: { organization_id },
  actor: { type: 'SYSTEM', id: 'system', name: null },
  requestId: newId('request'),
  traceId: traceIdOf(undefined),
  now: clock(),
  newEventId: () => newId('audit_event'),
});
