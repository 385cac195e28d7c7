import type { IdParameter, PathParameter, PathParameters } from '@svc/contract/tables/path-parameters.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { readInTenant, type TenantScope } from '../connection/in-tenant.ts';
import { isSeenMember } from '../connection/seen-members.ts';
import type { Tables } from '../connection/tables.ts';

/** Path parameter -> the table it identifies a row of; null for what no table holds by itself. One that is left out does not compile. */
const TABLE_OF = {
  workspaceId: 'workspaces',
  environmentId: 'environments',
  agentId: 'agents',
  capability: null,
  credentialId: 'credentials',
  toolId: 'tools',
  importId: 'tool_imports',
  proposalKey: null,
  policyId: 'policies',
  bindingId: 'policy_bindings',
  invariantId: 'policy_invariants',
  actionId: 'actions',
  approvalId: 'approvals',
  delegationId: 'delegations',
  memberId: 'members',
  invitationId: 'invitations',
  roleId: 'roles',
  sessionId: 'sessions',
  apiKeyId: 'api_keys',
  connectionId: 'sso_connections',
  directoryUserId: 'scim_users',
  directoryGroupId: 'scim_groups',
  schemaUrn: null,
  resourceTypeName: null,
  identityId: 'sso_identities',
  requestId: null,
  step: null,
  tileLevel: null,
  tile: null,
  tileNext: null,
  tileThird: null,
  tileWidth: null,
  // Of a person, and so of no tenant.
  factorId: null,
  deviceApprovalId: 'device_approvals',
  guideName: null,
  asset: null,
  subscriptionId: 'webhook_subscriptions',
  deliveryId: 'webhook_deliveries',
  channelId: 'notification_channels',
  notificationId: 'notifications',
  eventId: 'audit_events',
  searchId: 'audit_searches',
  rateId: 'exchange_rates',
} as const satisfies Record<IdParameter, keyof Tables> & Record<Exclude<PathParameter, IdParameter>, null>;

const tableOf = (param: string): (typeof TABLE_OF)[PathParameter] => {
  if (!Object.hasOwn(TABLE_OF, param)) throw new Error(`the path parameter ${param} names no table`);
  return TABLE_OF[param as PathParameter];
};

/**
 * Whether every resource a path names is there for this scope. Parameters that identify no row, such as a capability, do not count;
 * throws on one that is not known, since nothing could be said of it.
 */
export const resourcesExist = async (database: Database, scope: TenantScope, params: PathParameters): Promise<boolean> => {
  const named = Object.entries(params).map(([param, id]) => ({ table: tableOf(param), id }));
  return readInTenant(database, scope, async (tx) => {
    for (const { table, id } of named) {
      if (table === null) continue;
      const row = await tx
        .selectFrom(table)
        .select('id')
        .where((eb) =>
          eb.or([
            eb('organization_id', '=', scope.organization_id),
            // What is built in is of no organization, and there for all.
            ...(table === 'roles' ? [eb('organization_id', 'is', null)] : []),
          ]),
        )
        .where(table === 'members' ? isSeenMember('members', scope.workspace_ids ?? null) : sql<boolean>`true`)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return false;
    }
    return true;
  });
};
