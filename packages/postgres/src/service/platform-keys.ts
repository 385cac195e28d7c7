import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';

export type PlatformKeyRow = { readonly kid: string; readonly public_key: string; readonly sealed_private_key: Buffer };

/** Returns the keys in use, newest first. The owner of the database creates them. */
export const readPlatformKeys = async (database: Database): Promise<PlatformKeyRow[]> =>
  (
    await database
      .selectFrom('platform_keys')
      .select(['key_id as kid', 'public_key', 'private_key_sealed as sealed_private_key'])
      .where('retired_at', 'is', null)
      .orderBy('created_at', 'desc')
      .execute()
  ).map((row) => row);

export type RetiredPlatformKeyRow = PlatformKeyRow & { readonly retired_at: string };

/** Keys that sign nothing any more and are accepted of nothing but old checkpoints, the one that was retired last first. */
export const readRetiredPlatformKeys = async (database: Database): Promise<readonly RetiredPlatformKeyRow[]> => {
  const { rows } = await sql<RetiredPlatformKeyRow>`
    select key_id as kid, public_key, private_key_sealed as sealed_private_key, retired_at from platform_keys
     where retired_at is not null order by retired_at desc`.execute(database);
  return rows;
};
