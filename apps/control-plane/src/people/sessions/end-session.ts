import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { endSession as end } from '@svc/operations/people/sessions/end-session.ts';
import { listLiveSessions } from '@svc/postgres/people/sessions/own-sessions.ts';
import type { PeopleDeps } from '../deps.ts';
import { getIdleSince } from './live/idle-since.ts';

export const endSession: Handler<Endpoints['endSession'], PeopleDeps> = async (call, { identity, settings }) => {
  const { caller, now, params } = call;
  const only = findOnlyOrganization(caller);
  const whose = { userId: caller.actor.id, organizationId: only };
  const asked = { ...whose, now, idleSince: getIdleSince(settings, now), id: params.sessionId };
  const [session] = await listLiveSessions(identity, asked);
  if (!session) return call.refuse('NOT_FOUND', 'You have no such session that is accepted.');
  return call.change((change) => end(change, asActing(call), session, only), undefined, {
    scope: { organization_id: session.organization_id },
    actor: caller.actor,
  });
};
