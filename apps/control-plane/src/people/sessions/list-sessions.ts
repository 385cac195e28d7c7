import type { Endpoints } from '@svc/contract/endpoints.ts';
import { describeDevice } from '@svc/domain/people/auth/describe-device.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { listLiveSessions } from '@svc/postgres/people/sessions/own-sessions.ts';
import type { PeopleDeps } from '../deps.ts';
import { getIdleSince } from './live/idle-since.ts';

export const listSessions: Handler<Endpoints['listSessions'], PeopleDeps> = async ({ caller, now }, { identity, settings }) => {
  const sessions = await listLiveSessions(identity, {
    userId: caller.actor.id,
    organizationId: findOnlyOrganization(caller),
    now,
    idleSince: getIdleSince(settings, now),
  });
  return sessions.map(({ organization_id, organization_name, user_agent, sign_in_id: _, amr, ...session }) => ({
    ...session,
    organization: { id: organization_id, name: organization_name },
    device: describeDevice(user_agent),
    amr: [...amr],
    current: session.id === caller.credentialId,
  }));
};
