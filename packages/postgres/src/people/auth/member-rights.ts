import { sql } from 'kysely';

/** The role `r` of a member or a key, whose row is `of`. A role that is not there, or is another organization's, holds nothing. */
export const readMemberRole = (of: 'm' | 'c') =>
  sql.raw(`left join roles r on r.id = ${of}.role_id and (r.organization_id is null or r.organization_id = ${of}.organization_id)`);

/** The rights of the member `m` in the role `r`, and their scope. */
export const memberRights = sql.raw(`coalesce(to_json(r.permissions), '[]') as permissions,
  case when m.is_limited then array(select w.workspace_id from member_workspaces w
    where w.organization_id = m.organization_id and w.member_id = m.id order by w.workspace_id) end as workspace_ids`);
