import { type RawBuilder, sql } from 'kysely';

/**
 * The time of an act of a member: not before the membership, which another clock may have dated. Earlier acts are not a
 * member's, and rejoining does not make them so.
 */
export const asMember = (who: { readonly organization_id: string; readonly user_id: string }, at: Date): RawBuilder<Date> =>
  sql<Date>`greatest(${at}::timestamptz, (select m.created_at from members m where m.organization_id = ${who.organization_id} and m.user_id = ${who.user_id}))`;
