import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** Removes deliveries that were made before an identifier could have been, so many at once; true while there are more. */
export const sweepDeliveries = async (reader: Database, before: string): Promise<boolean> => {
  const { sweptMax } = LIMITS.webhooks;
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where id < ${before} order by id limit ${sweptMax} for update skip locked)`.execute(reader);
  return numAffectedRows >= BigInt(sweptMax);
};
