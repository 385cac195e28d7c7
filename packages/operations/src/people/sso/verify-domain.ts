import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findConnection, lockSsoConnections, type SsoConnectionWithDomains } from '@svc/postgres/people/sso/connections.ts';
import { markVerified } from '@svc/postgres/people/sso/domains.ts';
import { endOtherWays } from '@svc/postgres/people/sso/end-other-ways.ts';
import type { CallContext } from '../auth/acting.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { findOwnersRefusal } from './enforce-fault.ts';
import { CRITICAL, notifyOwners } from './notify-owners.ts';

type VerifyDomainRequest = CallContext & { readonly sourceIp: string; readonly newId: Posting['newId']; readonly organizationName: string };

type Looked = { readonly domain: string; readonly verified: boolean; readonly fault: string | null };

/** Verifies each domain in a change of its own: one that belongs to another organization does not affect the others. */
export const verifyDomain = async (
  { tx, emit }: Change<'sso.connection_updated'>,
  request: VerifyDomainRequest,
  connection: SsoConnectionWithDomains,
  looked: Looked,
  deps: { readonly mail: MailService },
) => {
  const { organization_id } = connection;
  await lockSsoConnections(tx, organization_id);
  const isEnforced = (await findConnection(tx, organization_id, connection.id))?.enforce ?? false;
  await markVerified(tx, { organization_id, domain: looked.domain }, request.now);
  const acting = { scope: request.scope, actor: request.actor, now: request.now };
  const refused = isEnforced ? await findOwnersRefusal(tx, acting, connection) : undefined;
  if (refused) return refused;
  const sessions_ended = isEnforced ? await endOtherWays(tx, organization_id, request.now) : 0;
  emit('sso.connection_updated', {
    ...{ ...about.sso_connection(connection), ...CRITICAL },
    data: { change: 'domain_verified', domain: looked.domain, sessions_ended },
  });
  await notifyOwners(deps, request, tx, { name: connection.name, changed: [`verified domain ${looked.domain}`] });
  return looked;
};
