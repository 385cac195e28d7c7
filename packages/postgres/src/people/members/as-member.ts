import { type RawBuilder, sql } from 'kysely';

/**
 * When somebody does what they do as a member: at a moment, and not before the one at which another clock dated that they became one. What is from
 * before that is no member's, and nothing makes it one's again.
 */
export const asMember = (who: { readonly organization_id: string; readonly user_id: string }, at: Date): RawBuilder<Date> =>
  sql<Date>`greatest(${at}::timestamptz, (select m.created_at from members m where m.organization_id = ${who.organization_id} and m.user_id = ${who.user_id}))`;
