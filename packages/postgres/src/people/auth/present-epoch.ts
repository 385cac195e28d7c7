import { sql } from 'kysely';

/** The current sum of the epochs of a member and of their person: a session with another sum is invalid. */
export const presentEpoch = ({ organization_id, user_id }: { readonly organization_id: string; readonly user_id: string }) =>
  sql<number>`(select u.session_epoch + m.session_epoch from users u
    join members m on m.organization_id = ${organization_id} and m.user_id = u.id where u.id = ${user_id})`;
