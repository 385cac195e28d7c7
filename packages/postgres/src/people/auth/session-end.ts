import { sql } from 'kysely';

/**
 * The early end of the session `s`, or null: it was ended itself, or its sign-in was, or the sign-in that approved it was
 * together with its terminals, or the connection that opened it is not active any more, then from the beginning. Every check
 * of a session uses this, and its epoch. Every role sees the rows of it that concern its sessions.
 */
export const SESSION_ENDED_AT = sql.raw(`coalesce(s.revoked_at,
  (select min(e.ended_at) from ended_sign_ins e where e.sign_in_id in (coalesce(s.sign_in_id, s.id), s.approved_by_sign_in_id)
     and (e.with_terminals or e.sign_in_id = coalesce(s.sign_in_id, s.id))),
  (select s.created_at from sso_sessions x
     left join sso_connections c on c.organization_id = x.organization_id and c.id = x.connection_id and c.status = 'ACTIVE'
    where x.organization_id = s.organization_id and x.session_id in (coalesce(s.sign_in_id, s.id), s.approved_by_sign_in_id)
      and c.id is null limit 1))`);
