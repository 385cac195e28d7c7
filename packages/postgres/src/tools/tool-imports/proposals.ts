import type { ProposalState, ProposedDeclaration, ToolProposal } from '@svc/contract/tools/tool-imports.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { ImportRow } from './tool-imports.ts';

/** A proposal with its sources: the document's declaration, and the one at the import. */
export type StoredProposal = ToolProposal & {
  readonly declaration: ProposedDeclaration | null;
  readonly taken: ProposedDeclaration | null;
  readonly hashes: Readonly<Record<string, string>> | null;
};

/**
 * Adds externally created proposals. They arrive as the text of a JSON array and are parsed by the database alone: no
 * decision process spends its time on them.
 */
export const insertProposals = async (
  tx: TenantTransaction,
  { organization_id, id, workspace_id, environment_id }: ImportRow,
  rows: string,
): Promise<void> => {
  await sql`
    insert into tool_proposals (organization_id, import_id, workspace_id, environment_id, key, position, operation, summary, reason, declaration,
                                hashes, credentials, risk_reasons, notes)
    select ${organization_id}, ${id}, ${workspace_id}, ${environment_id}, r.key, r.position, r.operation, r.summary, r.reason, r.declaration,
           r.hashes, coalesce(r.credentials, '[]'), coalesce(r.risk_reasons, '{}'), coalesce(r.notes, '{}')
      from json_to_recordset(${rows}::json) r (key text, position integer, operation text, summary text, reason text, declaration json,
                                               hashes jsonb, credentials json, risk_reasons text[], notes text[])`.execute(tx);
};

const STATE = sql<ProposalState>`case when p.key is null then 'GONE' when p.reason is not null then 'REFUSED' when t.key is null then 'NEW'
  when t.hashes = p.hashes then 'UNCHANGED' else 'CHANGED' end`;

/** Joins operations of the document with the tools of its source; includes those in only one of both. */
const joined = ({ organization_id, id, environment_id, source }: ImportRow): RawBuilder<unknown> => sql`
  (select * from tool_proposals where organization_id = ${organization_id} and import_id = ${id}) p
  full join (select * from imported_tools where organization_id = ${organization_id} and environment_id = ${environment_id} and source = ${source}) t
    on t.key = p.key`;

const members = ({ organization_id, source }: ImportRow): RawBuilder<unknown> => sql`
  coalesce(p.key, t.key) as key, ${STATE} as state,
  coalesce((select name from tools where organization_id = ${organization_id} and id = t.tool_id), ${`${source}.`} || coalesce(p.key, t.key)) as name,
  coalesce(p.operation, t.operation) as operation, coalesce(p.summary, '') as summary, t.tool_id, p.reason,
  case when p.reason is null and t.key is not null and p.key is not null
       then array(select n.key from jsonb_each_text(p.hashes) n where t.hashes ->> n.key is distinct from n.value order by n.key)
       else '{}' end as changed_members,
  p.declaration ->> 'risk_rating' as risk_rating, (p.declaration ->> 'dangerous')::boolean as dangerous,
  p.declaration ->> 'required_capability' as required_capability,
  coalesce(array(select json_array_elements_text(p.declaration -> 'destination_allowlist')), '{}') as destinations,
  coalesce(p.credentials, '[]') as credentials, coalesce(p.risk_reasons, '{}') as risk_reasons, coalesce(p.notes, '{}') as notes`;

export type ProposalFilter = { readonly state: ProposalState | undefined; readonly q: string | undefined };

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const matching = ({ state, q }: ProposalFilter, { source }: ImportRow): RawBuilder<unknown> => sql`
  (${state ?? null}::text is null or ${STATE} = ${state ?? null})
  and (${q ?? null}::text is null or ${`${source}.`} || coalesce(p.key, t.key) || ' ' || coalesce(p.operation, t.operation) ilike ${pattern(q ?? '')})`;

/** In the order of the document; removed ones come last. */
export const listProposals = async (
  tx: TenantTransaction,
  of: ImportRow,
  filter: ProposalFilter & { readonly limit: number; readonly offset: number },
): Promise<{ items: ToolProposal[]; total: number }> => {
  const { rows: items } = await sql<ToolProposal>`
    select ${members(of)} from ${joined(of)} where ${matching(filter, of)}
     order by p.position nulls last, key limit ${filter.limit} offset ${filter.offset}`.execute(tx);
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from ${joined(of)} where ${matching(filter, of)}`.execute(tx);
  return { items, total: rows[0]?.total ?? 0 };
};

/** Returns the existing proposals of these keys. */
export const readProposals = async (tx: TenantTransaction, of: ImportRow, keys: readonly string[]): Promise<StoredProposal[]> => {
  const { rows } = await sql<StoredProposal>`
    select ${members(of)}, p.declaration, p.hashes, t.declaration as taken from ${joined(of)}
     where coalesce(p.key, t.key) = any(${[...keys]})`.execute(tx);
  return rows;
};

/** Keys of all operations in one of the states, in the order of the document. */
export const keysInStates = async (tx: TenantTransaction, of: ImportRow, states: readonly ProposalState[]): Promise<string[]> => {
  const { rows } = await sql<{ key: string }>`
    select coalesce(p.key, t.key) as key from ${joined(of)} where ${STATE} = any(${[...states]}) order by p.position nulls last, key`.execute(
    tx,
  );
  return rows.map(({ key }) => key);
};
