import { sql } from 'kysely';

/**
 * When the session `s` ended before its time, or null: it was ended itself, or the sign-in it belongs to was, or that which approved it was
 * together with its terminals, or the connection by which it was opened is not active any more, from the beginning then. Whoever asks
 * whether a session is accepted asks this, and whether it is of the present epoch. Every role sees all of it that concerns sessions it sees.
 */
export const SESSION_ENDED_AT = sql.raw(`coalesce(s.revoked_at,
  (select min(e.ended_at) from ended_sign_ins e where e.sign_in_id in (coalesce(s.sign_in_id, s.id), s.approved_by_sign_in_id)
     and (e.with_terminals or e.sign_in_id = coalesce(s.sign_in_id, s.id))),
  (select s.created_at from sso_sessions x
     left join sso_connections c on c.organization_id = x.organization_id and c.id = x.connection_id and c.status = 'ACTIVE'
    where x.organization_id = s.organization_id and x.session_id in (coalesce(s.sign_in_id, s.id), s.approved_by_sign_in_id)
      and c.id is null limit 1))`);
