import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { listAssignedRoles } from '@svc/domain/people/sso/assigned-roles.ts';
import { findEmailTrustFault } from '@svc/domain/people/sso/email-trust-fault.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import {
  findConnection,
  lockSsoConnections,
  type SsoConnectionWithDomains,
  updateConnection,
} from '@svc/postgres/people/sso/connections.ts';
import { endOtherWays } from '@svc/postgres/people/sso/end-other-ways.ts';
import type { CallContext } from '../auth/acting.ts';
import type { Posting } from '../mail/post-mail.ts';
import { enforceFault, findBreakGlassFault } from './enforce-fault.ts';
import { formatConnection, formatSsoConnectionForAudit } from './format-connection.ts';
import { findGrantRefusal } from './grant-fault.ts';
import { findKindFault, normalizeCertificates } from './kind-fault.ts';
import { CRITICAL, listSecurityMembers, notifyOwners } from './notify-owners.ts';
import { findPinFault } from './pin-fault.ts';
import { replaceDomains } from './replace-domains.ts';
import type { SsoService } from './sso-service.ts';

type UpdateSsoConnectionRequest = CallContext & {
  readonly connectionId: string;
  readonly body: EndpointBody<Endpoints['updateSsoConnection']>;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
  readonly organizationName: string;
};

/**
 * Checks an update. A connection keeps giving its roles, so the caller must hold them. Disabling gives nothing; roles given before are lost
 * if other roles are named, even if the connection is disabled meanwhile.
 */
const stateFault = async (
  tx: TenantTransaction,
  request: UpdateSsoConnectionRequest,
  before: SsoConnectionWithDomains,
  changed: SsoConnectionWithDomains,
) => {
  const given = changed.status === 'ACTIVE' ? listAssignedRoles(changed) : [];
  const taken = namesRoles(request.body) ? listAssignedRoles(before) : [];
  const untrusted = findEmailTrustFault(changed);
  if (untrusted) return refuseBody('/email_trust', untrusted);
  const refused = await findGrantRefusal(tx, actingIn(request), given, taken);
  return refused ?? (await enforceFault(tx, actingIn(request), before, changed));
};

const namesRoles = ({ default_role_id, role_mapping, role_claim }: UpdateSsoConnectionRequest['body']): boolean =>
  [default_role_id, role_mapping, role_claim].some((named) => named !== undefined);

const actingIn = ({ scope, now, actor }: UpdateSsoConnectionRequest) => ({ scope, actor, now });

/** Returns the sealed client secret: unchanged if none is named, and none if it is removed. */
const sealedSecret = ({ scope, body, connectionId }: UpdateSsoConnectionRequest, seal: SsoService['sso']['seal']) => {
  const { client_secret } = body;
  if (client_secret === undefined) return {};
  const { organization_id } = scope;
  return { sealed_client_secret: client_secret === null ? null : seal(client_secret, { organization_id, id: connectionId }) };
};

export const updateSsoConnection = async (
  { tx, emit }: Change<'sso.connection_updated'>,
  request: UpdateSsoConnectionRequest,
  deps: SsoService,
) => {
  const { sso, urls } = deps;
  const { client_secret, domains, certificates, ...body } = request.body;
  const { organization_id } = request.scope;
  const id = request.connectionId;
  await lockSsoConnections(tx, organization_id);
  const before = await findConnection(tx, organization_id, id);
  if (!before) return buildRefusal('NOT_FOUND');
  const wrong = findKindFault(before.kind, request.body);
  if (wrong) return refuseBody(wrong.pointer, wrong.message);
  const notOwner = await findBreakGlassFault(tx, organization_id, request.body.break_glass_user_id);
  if (notOwner) return notOwner;
  const pinned = certificates === undefined ? {} : { certificates: normalizeCertificates(certificates) };
  const unpinnable = await findPinFault(tx, actingIn(request), before, pinned.certificates ?? []);
  if (unpinnable) return unpinnable;
  const secret = sealedSecret(request, sso.seal);
  await updateConnection(tx, { organization_id, id }, { ...body, ...pinned, ...secret, updated_at: request.now });
  const known = before.domains.map(({ domain }) => domain);
  const taken = domains && (await replaceDomains(tx, { organization_id, connection_id: id, now: request.now }, known, domains));
  if (taken !== undefined) return refuseBody('/domains', `${taken} belongs to another connection of the organization.`);
  const after = await findConnection(tx, organization_id, id);
  if (!after) return buildRefusal('NOT_FOUND');
  const refused = await stateFault(tx, request, before, after);
  if (refused) return refused;
  // From this moment, not from the next sign-in on.
  const sessions_ended = after.enforce ? await endOtherWays(tx, organization_id, request.now) : 0;
  const data = {
    change: 'updated',
    sessions_ended,
    before: formatSsoConnectionForAudit(before),
    after: formatSsoConnectionForAudit(after),
  };
  const changed = listSecurityMembers(request.body);
  emit('sso.connection_updated', {
    ...about.sso_connection(after),
    ...(changed.length > 0 ? CRITICAL : {}),
    data: { ...data, client_secret_changed: client_secret !== undefined },
  });
  if (changed.length > 0) await notifyOwners(deps, request, tx, { name: after.name, changed });
  return formatConnection(after, urls.base);
};
