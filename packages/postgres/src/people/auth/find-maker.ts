import { sql } from 'kysely';
import type { EventActor } from '../../change/change.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Returns the person responsible for an actor: itself, or the creator of the API key. Undefined if that person is no longer a member. */
export const findMaker = async (tx: TenantTransaction, organizationId: string, actor: EventActor): Promise<string | undefined> => {
  const { rows } = await sql<{ user_id: string }>`
    with recursive makers as (
      select ${actor.id}::text as id
       union
      select k.created_by from makers m join api_keys k on k.organization_id = ${organizationId} and k.id = m.id
    )
    select p.user_id from makers m join members p on p.organization_id = ${organizationId} and p.user_id = m.id`.execute(tx);
  return rows[0]?.user_id;
};
