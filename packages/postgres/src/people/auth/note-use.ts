import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { type Batcher, newBatcher } from '../../recorder/batches/batcher.ts';

export type CredentialUse = {
  readonly kind: 'USER' | 'API_KEY';
  readonly organization_id: string;
  readonly credential_id: string;
  readonly address: string;
  readonly at: Date;
  /** A use that was noted since then is enough. */
  readonly notedSince: Date;
};

const TABLES = { USER: sql.table('sessions'), API_KEY: sql.table('api_keys') } as const;

/** One statement for concurrent uses. Does not wait for another process that records or ends the same credential. */
const noteAll = async (identity: Database, kind: CredentialUse['kind'], uses: readonly CredentialUse[]): Promise<void> => {
  const latest = [...new Map(uses.map((use) => [use.credential_id, use])).values()];
  const column = <Value>(of: (use: CredentialUse) => Value): Value[] => latest.map(of);
  await sql`
    with due as (
      select c.organization_id, c.id, q.at, q.address
        from unnest(${column((use) => use.organization_id)}::text[], ${column((use) => use.credential_id)}::text[],
               ${column((use) => use.address)}::text[], ${column((use) => use.at)}::timestamptz[],
               ${column((use) => use.notedSince)}::timestamptz[]) as q (organization_id, id, address, at, noted_since)
        join ${TABLES[kind]} c on c.organization_id = q.organization_id and c.id = q.id
       where c.revoked_at is null and (c.last_used_at is null or c.last_used_at < q.noted_since)
         for update of c skip locked)
    update ${TABLES[kind]} c set last_used_at = due.at, last_used_from = due.address
      from due where c.organization_id = due.organization_id and c.id = due.id`.execute(identity);
};

type Notes = Readonly<Record<CredentialUse['kind'], Batcher<CredentialUse, void>>>;
const notes = new WeakMap<Database, Notes>();

const getNotes = (identity: Database): Notes => {
  const known = notes.get(identity);
  if (known !== undefined) return known;
  const of = (kind: CredentialUse['kind']): Batcher<CredentialUse, void> =>
    newBatcher({
      rowsMax: 256,
      inFlightMax: 1,
      queueMax: 4_096,
      ownBatchRows: 256,
      run: async (uses) => {
        await noteAll(identity, kind, uses);
        return uses.map(() => undefined);
      },
    });
  const made = { USER: of('USER'), API_KEY: of('API_KEY') };
  notes.set(identity, made);
  return made;
};

/** Records the use of a credential and its source, unless a use was recorded since `notedSince`. Concurrent ones are batched. */
export const noteUse = (identity: Database, use: CredentialUse): Promise<void> => getNotes(identity)[use.kind].add(use);
