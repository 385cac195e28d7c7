import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { listAssignedRoles } from '@svc/domain/people/sso/assigned-roles.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findConnection, insertConnection, listConnections, lockSsoConnections } from '@svc/postgres/people/sso/connections.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../auth/acting.ts';
import type { Posting } from '../mail/post-mail.ts';
import { formatConnection, formatSsoConnectionForAudit } from './format-connection.ts';
import { findGrantRefusal } from './grant-fault.ts';
import { normalizeCertificates } from './kind-fault.ts';
import { CRITICAL, notifyOwners } from './notify-owners.ts';
import { replaceDomains } from './replace-domains.ts';
import type { SsoService } from './sso-service.ts';

type CreateSsoConnectionRequest = CallContext & {
  readonly body: EndpointBody<Endpoints['createSsoConnection']>;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
  readonly organizationName: string;
};

const SCOPES = ['openid', 'email', 'profile'];

/** Returns the row of a new connection; omitted settings are off or null. */
const buildConnectionRow = ({ body, scope, now, actor }: CreateSsoConnectionRequest, id: string, seal: SsoService['sso']['seal']) => {
  const { organization_id } = scope;
  const kind = body.kind ?? 'OIDC';
  return {
    organization_id,
    id,
    kind,
    name: body.name,
    issuer: body.issuer,
    client_id: body.client_id ?? null,
    sso_url: body.sso_url ?? null,
    certificates: normalizeCertificates(body.certificates ?? []),
    sealed_client_secret: body.client_secret === undefined ? null : seal(body.client_secret, { organization_id, id }),
    scopes: body.scopes ?? (kind === 'OIDC' ? SCOPES : []),
    jit: body.jit ?? false,
    default_role_id: body.default_role_id ?? null,
    role_claim: body.role_claim ?? null,
    role_mapping: body.role_mapping ?? [],
    trusts_mfa: body.trusts_mfa ?? false,
    email_trust: body.email_trust ?? (kind === 'SAML' ? 'VERIFIED_DOMAINS' : 'CLAIM'),
    created_by: actor.id,
    created_at: now,
    updated_at: now,
  };
};

/** Creates an SSO connection (OIDC or SAML) with its domains, and notifies the owners of the organization. */
export const createSsoConnection = async (
  { tx, emit }: Change<'sso.connection_updated'>,
  request: CreateSsoConnectionRequest,
  deps: SsoService,
) => {
  const { now, body, actor } = request;
  const { sso, urls } = deps;
  const { organization_id } = request.scope;
  await lockSsoConnections(tx, organization_id);
  if ((await listConnections(tx, organization_id)).length >= LIMITS.sso.connectionsMax)
    return buildRefusal('VALIDATION_FAILED', `An organization has at most ${LIMITS.sso.connectionsMax} connections. Remove one first.`);
  const refused = await findGrantRefusal(tx, { scope: request.scope, actor, now }, listAssignedRoles(body));
  if (refused) return refused;
  const id = newId('sso_connection');
  await insertConnection(tx, buildConnectionRow(request, id, sso.seal));
  const takenDomain = await replaceDomains(tx, { organization_id, connection_id: id, now }, [], body.domains ?? []);
  if (takenDomain !== undefined) return refuseBody('/domains', `${takenDomain} belongs to another connection of the organization.`);
  const created = await findConnection(tx, organization_id, id);
  if (!created) return buildRefusal('NOT_FOUND');
  emit('sso.connection_updated', {
    ...{ ...about.sso_connection(created), ...CRITICAL },
    data: { change: 'created', after: formatSsoConnectionForAudit(created) },
  });
  await notifyOwners(deps, request, tx, { name: created.name, changed: ['created'] });
  return formatConnection(created, urls.base);
};
