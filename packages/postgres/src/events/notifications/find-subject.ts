import { sql } from 'kysely';
import { amountStanding, requestedPeople, requestedRoles } from '../../actions/approvals/standing.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** An approval with the data for its notification; undefined once it no longer waits. */
export type WaitingApproval = {
  readonly agent: string;
  readonly tool: string;
  readonly amount: number | null;
  readonly currency: string | null;
  /** Currently requested roles, escalations included. */
  readonly approver_roles: readonly string[];
  /** Named people, and those it was reassigned to. */
  readonly people: readonly string[];
  /** Their names here. */
  readonly role_names: readonly string[];
  readonly quorum: number;
  readonly expires_at: string;
};

export const findWaitingApproval = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  now: Date,
): Promise<WaitingApproval | undefined> => {
  const { rows } = await sql<WaitingApproval>`
    select a.agent_name as agent, a.tool, ${amountStanding} as amount, a.currency, ${requestedRoles} as approver_roles, ${requestedPeople} as people, p.quorum, p.expires_at,
           array(select coalesce(r.name, asked) from unnest(${requestedRoles}) with ordinality as x (asked, n)
             left join roles r on r.id = asked and r.organization_id = p.organization_id order by n) as role_names
      from approvals p join actions a on a.organization_id = p.organization_id and a.id = p.action_id
     where p.organization_id = ${organizationId} and p.id = ${id} and p.status = 'PENDING' and p.expires_at > ${now}`.execute(tx);
  return rows[0];
};

const NAMED = {
  agent: 'agents',
  environment: 'environments',
  mcp_server: 'mcp_servers',
  notification_channel: 'notification_channels',
  webhook_subscription: 'webhook_subscriptions',
} as const;

/** Returns the current name of a resource; undefined if it is gone. */
export const findSubjectName = async (
  tx: TenantTransaction,
  organizationId: string,
  subject: { readonly type: keyof typeof NAMED; readonly id: string },
): Promise<string | undefined> => {
  const row = await tx
    .selectFrom(NAMED[subject.type])
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', subject.id)
    .executeTakeFirst();
  return row?.name;
};
