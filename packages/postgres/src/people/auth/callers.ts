import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { type Batcher, newBatcher } from '../../recorder/batches/batcher.ts';
import { type CallerRow, type FoundCredential, readApiKeys, readSessions } from './read-credentials.ts';

export type { CallerRow };

type Lookup = Batcher<Buffer, CallerRow | undefined>;

const TOGETHER = { rowsMax: 256, inFlightMax: 2, queueMax: 4_096, ownBatchRows: 16 };

const lookup = (read: (tokenHashes: readonly Buffer[]) => Promise<FoundCredential[]>): Lookup =>
  newBatcher({
    ...TOGETHER,
    run: async (tokenHashes) => {
      const found: (CallerRow | undefined)[] = Array.from(tokenHashes, () => undefined);
      for (const { n, row } of await read(tokenHashes)) found[n - 1] = row;
      return found;
    },
  });

type Lookups = { readonly sessions: Lookup; readonly apiKeys: Lookup };
const lookups = new WeakMap<Database, Lookups>();

/**
 * Credentials are looked up at each request and never cached, so that a revoked one is refused at the next; concurrent look-ups are
 * batched.
 */
const getLookups = (identity: Database): Lookups => {
  const known = lookups.get(identity);
  if (known !== undefined) return known;
  const made: Lookups = {
    sessions: lookup((tokenHashes) => readSessions(identity, tokenHashes)),
    apiKeys: lookup((tokenHashes) => readApiKeys(identity, tokenHashes)),
  };
  lookups.set(identity, made);
  return made;
};

/** The person behind a session token's hash. */
export const findSession = (identity: Database, tokenHash: Buffer): Promise<CallerRow | undefined> =>
  getLookups(identity).sessions.add(tokenHash);

/** The API key behind a token's hash. */
export const findApiKey = (identity: Database, tokenHash: Buffer): Promise<CallerRow | undefined> =>
  getLookups(identity).apiKeys.add(tokenHash);

/**
 * Returns the scope that headers name, or undefined if it is not in the organization and in the workspaces of the caller.
 * An environment is in its workspace, so a request that names only the environment is narrowed to both.
 */
export const findScope = async (
  identity: Database,
  organizationId: string,
  named: { readonly workspaceIds: readonly string[] | null; readonly environmentId: string | null },
): Promise<{ readonly workspace_ids: readonly string[]; readonly environment_id: string | null } | undefined> => {
  const { workspaceIds, environmentId } = named;
  const { rows } =
    environmentId === null
      ? await sql<{ workspace_id: string }>`
          select id as workspace_id from workspaces where organization_id = ${organizationId} and id = any (${workspaceIds}::text[])`.execute(
          identity,
        )
      : await sql<{ workspace_id: string }>`
          select workspace_id from environments
           where organization_id = ${organizationId} and id = ${environmentId}
             and (${workspaceIds}::text[] is null or workspace_id = any (${workspaceIds}::text[]))`.execute(identity);
  return rows.length === 0 ? undefined : { workspace_ids: rows.map(({ workspace_id }) => workspace_id), environment_id: environmentId };
};
