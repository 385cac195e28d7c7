import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { listAssignedRoles } from '@svc/domain/people/sso/assigned-roles.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findConnection, insertConnection, listConnections, takeConnectionTurn } from '@svc/postgres/people/sso/connections.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { Acting } from '../auth/acting.ts';
import type { Posting } from '../mail/post-mail.ts';
import { formatConnection, formatSsoConnectionForAudit } from './format-connection.ts';
import { grantFault } from './grant-fault.ts';
import { keepDomains } from './keep-domains.ts';
import { normalizeCertificates } from './kind-fault.ts';
import type { SsoDesk } from './sso-desk.ts';
import { CRITICAL, notifyOwners } from './tell-owners.ts';

type CreateSsoConnectionRequest = Acting & {
  readonly body: EndpointBody<Endpoints['createSsoConnection']>;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
  readonly organizationName: string;
};

const SCOPES = ['openid', 'email', 'profile'];

/** Returns the row of a new connection: omitted settings are off or absent. */
const newConnection = ({ body, scope, now, actor }: CreateSsoConnectionRequest, id: string, seal: SsoDesk['sso']['seal']) => {
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

export const createSsoConnection = async (
  { tx, emit }: Change<'sso.connection_updated'>,
  request: CreateSsoConnectionRequest,
  deps: SsoDesk,
) => {
  const { now, body, actor } = request;
  const { sso, urls } = deps;
  const { organization_id } = request.scope;
  await takeConnectionTurn(tx, organization_id);
  if ((await listConnections(tx, organization_id)).length >= LIMITS.sso.connectionsMax)
    return buildRefusal('VALIDATION_FAILED', `An organization has at most ${LIMITS.sso.connectionsMax} connections: remove one first.`);
  const refused = await grantFault(tx, { scope: request.scope, actor, now }, listAssignedRoles(body));
  if (refused) return refused;
  const id = newId('sso_connection');
  await insertConnection(tx, newConnection(request, id, sso.seal));
  const taken = await keepDomains(tx, { organization_id, connection_id: id, now }, [], body.domains ?? []);
  if (taken !== undefined) return refuseBody('/domains', `${taken} belongs to another connection of the organization.`);
  const made = await findConnection(tx, organization_id, id);
  if (!made) return buildRefusal('NOT_FOUND');
  emit('sso.connection_updated', {
    ...{ ...about.sso_connection(made), ...CRITICAL },
    data: { change: 'created', after: formatSsoConnectionForAudit(made) },
  });
  await notifyOwners(deps, request, tx, { name: made.name, changed: ['created'] });
  return formatConnection(made, urls.base);
};
