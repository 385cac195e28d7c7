import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Label of an agent that represents another subject in AuthZEN requests: `<type>:<id>`. */
const SUBJECT_LABEL = 'authzen';

/** Type of a subject that is an agent itself. */
const AGENT = 'agent';

type Subject = { readonly type: string; readonly id: string };

const selectLiving = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('agents').where('organization_id', '=', organizationId).where('status', 'not in', ['REVOKED', 'DECOMMISSIONED']);

/** Ids of the agents that a subject names: by id or name, or by the label `authzen` for other types. At most two: more than one is ambiguous. */
export const findSubjectAgents = async (tx: TenantTransaction, organizationId: string, { type, id }: Subject): Promise<string[]> => {
  const named =
    type === AGENT
      ? selectLiving(tx, organizationId).where(({ eb, or }) => or([eb('id', '=', id), eb('name', '=', id)]))
      : selectLiving(tx, organizationId).where(sql<boolean>`labels @> ${JSON.stringify({ [SUBJECT_LABEL]: `${type}:${id}` })}::jsonb`);
  return (await named.select('id').limit(2).execute()).map((agent) => agent.id);
};

export type SubjectAgent = { readonly agent_id: string; readonly subject_id: string };

/** Agents that are subjects of a type, in the order of their ids, after the id of one. `subject_id` is the id in AuthZEN. */
export const listSubjectAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  { type, after, limit }: { readonly type: string; readonly after: string | undefined; readonly limit: number },
): Promise<SubjectAgent[]> => {
  const prefix = `${type}:`;
  const label = sql<string | null>`labels ->> ${SUBJECT_LABEL}`;
  const living = selectLiving(tx, organizationId);
  const ofType = type === AGENT ? living : living.where(sql<boolean>`starts_with(coalesce(${label}, ''), ${prefix})`);
  const rows = await (after === undefined ? ofType : ofType.where('id', '>', after))
    .select(['id', label.as('label')])
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, label: text }) => ({ agent_id: id, subject_id: type === AGENT ? id : (text ?? '').slice(prefix.length) }));
};
