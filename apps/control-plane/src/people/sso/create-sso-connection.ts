import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { emailTrustFault } from '@svc/domain/people/sso/email-trust-fault.ts';
import { givenRoles } from '@svc/domain/people/sso/given-roles.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findConnection, insertConnection, listConnections, takeConnectionTurn } from '@svc/postgres/people/sso/connections.ts';
import type { ControlDeps } from '../../deps.ts';
import { grantFault } from '@svc/operations/people/sso/grant-fault.ts';
import { keepDomains } from '@svc/operations/people/sso/keep-domains.ts';
import { kindFault, pemsOf } from '@svc/operations/people/sso/kind-fault.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import { CRITICAL, tellOwners } from '@svc/operations/people/sso/tell-owners.ts';
import { auditedConnection, toldConnection } from '@svc/operations/people/sso/told-connection.ts';

const SCOPES = ['openid', 'email', 'profile'];
const SAML_OFF = 'SAML is disabled. The operator of the service can set SVC_SAML; otherwise use OpenID Connect.';

type Create = Endpoints['createSsoConnection'];

/** What is kept of a connection as it is asked for: what is not given is off, or there is none of it. */
const newConnection = ({ body, scope, caller, now }: Call<Create>, id: string, seal: ControlDeps['sso']['seal']) => {
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
    certificates: pemsOf(body.certificates ?? []),
    sealed_client_secret: body.client_secret === undefined ? null : seal(body.client_secret, { organization_id, id }),
    scopes: body.scopes ?? (kind === 'OIDC' ? SCOPES : []),
    jit: body.jit ?? false,
    default_role_id: body.default_role_id ?? null,
    role_claim: body.role_claim ?? null,
    role_mapping: body.role_mapping ?? [],
    trusts_mfa: body.trusts_mfa ?? false,
    email_trust: body.email_trust ?? (kind === 'SAML' ? 'VERIFIED_DOMAINS' : 'CLAIM'),
    created_by: caller.actor.id,
    created_at: now,
    updated_at: now,
  };
};

export const createSsoConnection: Handler<Create, ControlDeps> = async (call, deps) => {
  const { sso, urls } = deps;
  const part = refusePart(call.scope);
  if (part) return part;
  const { body, caller, now } = call;
  const kind = body.kind ?? 'OIDC';
  if (kind === 'SAML' && !sso.saml) return call.fault('/kind', SAML_OFF);
  const wrong = kindFault(kind, body);
  if (wrong) return call.fault(wrong.pointer, wrong.message);
  const untrusted =
    body.email_trust && emailTrustFault({ kind, email_trust: body.email_trust, issuer: body.issuer, domains: body.domains ?? [] });
  if (untrusted) return call.fault('/email_trust', untrusted);
  return call.change(
    async ({ tx, emit }) => {
      const { organization_id } = call.scope;
      await takeConnectionTurn(tx, organization_id);
      if ((await listConnections(tx, organization_id)).length >= LIMITS.sso.connectionsMax)
        return call.refuse('VALIDATION_FAILED', `An organization has at most ${LIMITS.sso.connectionsMax} connections: remove one first.`);
      const refused = await grantFault(tx, { scope: call.scope, actor: caller.actor, now }, givenRoles(body));
      if (refused) return refused;
      const id = call.newId('sso_connection');
      await insertConnection(tx, newConnection(call, id, sso.seal));
      const taken = await keepDomains(tx, { organization_id, connection_id: id, now }, [], body.domains ?? []);
      if (taken !== undefined) return call.fault('/domains', `${taken} belongs to another connection of the organization.`);
      const made = await findConnection(tx, organization_id, id);
      if (!made) return call.refuse('NOT_FOUND');
      emit('sso.connection_updated', {
        ...{ ...about.sso_connection(made), ...CRITICAL },
        data: { change: 'created', after: auditedConnection(made) },
      });
      await tellOwners(deps, call, tx, { name: made.name, changed: ['created'] });
      return toldConnection(made, urls.base);
    },
    { sso_connections_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A connection of this name exists.') },
  );
};
