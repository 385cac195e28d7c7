import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Returns the wrapped data key of an organization: the stored one, or this one from now on if there is none. */
export const keepDataKey = async (tx: TenantTransaction, organizationId: string, wrapped: () => Buffer): Promise<Buffer> => {
  const read = () => tx.selectFrom('data_keys').select('wrapped_key').where('organization_id', '=', organizationId).executeTakeFirst();
  const kept = await read();
  if (kept) return kept.wrapped_key;
  await tx
    .insertInto('data_keys')
    .values({ organization_id: organizationId, wrapped_key: wrapped() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await read();
  if (!made) throw new Error('a data key that was just kept is not there');
  return made.wrapped_key;
};
