import { type RawBuilder, sql } from 'kysely';

/** The workspaces that a caller is limited to; null for the whole organization. */
export type VisibleWorkspaces = readonly string[] | null;

/** Selects rows of members by this name: a caller limited to workspaces sees the members with access to one of these. */
export const isSeenMember = (members: 'm' | 'members', seen: VisibleWorkspaces): RawBuilder<boolean> => {
  const name = sql.raw(members);
  return sql<boolean>`(${seen}::text[] is null or not ${name}.is_limited or exists (select from member_workspaces s
    where s.organization_id = ${name}.organization_id and s.member_id = ${name}.id and s.workspace_id = any (${seen}::text[])))`;
};
