import { randomBytes } from 'node:crypto';
import type { FreshDatabase } from '../database/database.ts';

/** Inserts two unsigned checkpoints of an organization's log, each with a word in it. */
export const insertCheckpoints = async (database: FreshDatabase, organizationId: string, word: string): Promise<void> => {
  const client = await database.client();
  for (const size of [1, 2])
    await client.query('insert into audit_checkpoints (organization_id, size, root_hash, note) values ($1, $2, $3, $4)', [
      organizationId,
      size,
      randomBytes(32),
      `${word} ${size}`,
    ]);
  await client.end();
};
