import type pg from 'pg';
import type { Installation } from './installation.ts';

/**
 * Creates a signing key if none is in use, in the owner's transaction: no role of the planes writes one. Returns its id, or undefined
 * if there was one. A key in use that does not open is left, since its signatures may need it from a backup.
 */
export const ensurePlatformKey = async (client: pg.ClientBase, { newPlatformKey }: Installation): Promise<string | undefined> => {
  const { rowCount } = await client.query('select from public.platform_keys where retired_at is null limit 1');
  if (rowCount !== 0) return undefined;
  const { kid, public_key, sealed_private_key } = newPlatformKey();
  await client.query('insert into public.platform_keys (key_id, public_key, private_key_sealed) values ($1, $2, $3)', [
    kid,
    public_key,
    sealed_private_key,
  ]);
  return kid;
};
