import type { Endpoints } from '@svc/contract/endpoints.ts';
import { emailTrustFault } from '@svc/domain/people/sso/email-trust-fault.ts';
import { givenRoles } from '@svc/domain/people/sso/given-roles.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type Connection, findConnection, takeConnectionTurn, updateConnection } from '@svc/postgres/people/sso/connections.ts';
import { endOtherWays } from '@svc/postgres/people/sso/end-other-ways.ts';
import type { ControlDeps } from '../../deps.ts';
import { breakGlassFault, enforceFault } from '@svc/operations/people/sso/enforce-fault.ts';
import { grantFault } from '@svc/operations/people/sso/grant-fault.ts';
import { keepDomains } from '@svc/operations/people/sso/keep-domains.ts';
import { kindFault, pemsOf } from '@svc/operations/people/sso/kind-fault.ts';
import { pinFault } from '@svc/operations/people/sso/pin-fault.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import { CRITICAL, securityMembersIn, tellOwners } from '@svc/operations/people/sso/tell-owners.ts';
import { auditedConnection, toldConnection } from '@svc/operations/people/sso/told-connection.ts';

type Update = Endpoints['updateSsoConnection'];

/**
 * Whatever is changed, a connection goes on giving its roles: so whoever changes it holds them. Disabling gives nothing; what was given is taken
 * where other roles are named, also by one that is disabled meanwhile.
 */
const stateFault = async (tx: TenantTransaction, call: Call<Update>, before: Connection, changed: Connection) => {
  const given = changed.status === 'ACTIVE' ? givenRoles(changed) : [];
  const taken = namesRoles(call.body) ? givenRoles(before) : [];
  const untrusted = emailTrustFault(changed);
  if (untrusted) return call.fault('/email_trust', untrusted);
  const refused = await grantFault(tx, actingIn(call), given, taken);
  return refused ?? (await enforceFault(tx, actingIn(call), before, changed));
};

const namesRoles = ({ default_role_id, role_mapping, role_claim }: Call<Update>['body']): boolean =>
  [default_role_id, role_mapping, role_claim].some((named) => named !== undefined);

const actingIn = ({ scope, caller, now }: Call<Update>) => ({ scope, actor: caller.actor, now });

/** The client secret as it is kept: as it was when none is named, and none when it is taken away. */
const sealedSecret = ({ scope, params, body }: Call<Update>, seal: ControlDeps['sso']['seal']) => {
  const { client_secret } = body;
  if (client_secret === undefined) return {};
  const { organization_id } = scope;
  return { sealed_client_secret: client_secret === null ? null : seal(client_secret, { organization_id, id: params.connectionId }) };
};

export const updateSsoConnection: Handler<Update, ControlDeps> = async (call, deps) => {
  const { sso, urls } = deps;
  const part = refusePart(call.scope);
  if (part) return part;
  const { client_secret, domains, certificates, ...body } = call.body;
  if (Object.keys(call.body).length === 0) return call.fault('', 'Name at least one member to change.');
  return call.change(
    async ({ tx, emit }) => {
      const { organization_id } = call.scope;
      const id = call.params.connectionId;
      await takeConnectionTurn(tx, organization_id);
      const before = await findConnection(tx, organization_id, id);
      if (!before) return call.refuse('NOT_FOUND');
      const wrong = kindFault(before.kind, call.body);
      if (wrong) return call.fault(wrong.pointer, wrong.message);
      const notOwner = await breakGlassFault(tx, organization_id, call.body.break_glass_user_id);
      if (notOwner) return notOwner;
      const pinned = certificates === undefined ? {} : { certificates: pemsOf(certificates) };
      const unpinnable = await pinFault(tx, actingIn(call), before, pinned.certificates ?? []);
      if (unpinnable) return unpinnable;
      const secret = sealedSecret(call, sso.seal);
      await updateConnection(tx, { organization_id, id }, { ...body, ...pinned, ...secret, updated_at: call.now });
      const known = before.domains.map(({ domain }) => domain);
      const taken = domains && (await keepDomains(tx, { organization_id, connection_id: id, now: call.now }, known, domains));
      if (taken !== undefined) return call.fault('/domains', `${taken} belongs to another connection of the organization.`);
      const after = await findConnection(tx, organization_id, id);
      if (!after) return call.refuse('NOT_FOUND');
      const refused = await stateFault(tx, call, before, after);
      if (refused) return refused;
      // From this moment, and not from the next sign-in on.
      const sessions_ended = after.enforce ? await endOtherWays(tx, organization_id, call.now) : 0;
      const data = { change: 'updated', sessions_ended, before: auditedConnection(before), after: auditedConnection(after) };
      const changed = securityMembersIn(call.body);
      emit('sso.connection_updated', {
        ...about.sso_connection(after),
        ...(changed.length > 0 ? CRITICAL : {}),
        data: { ...data, client_secret_changed: client_secret !== undefined },
      });
      if (changed.length > 0) await tellOwners(deps, call, tx, { name: after.name, changed });
      return toldConnection(after, urls.base);
    },
    { sso_connections_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A connection of this name exists.') },
  );
};
