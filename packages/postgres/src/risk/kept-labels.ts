import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import type { FlowSource } from '@svc/domain/risk/contexts/flow-context.ts';
import { EMPTY_CONTEXT, type GrownContext, grow } from '@svc/domain/risk/contexts/growth.ts';
import type { ActionRecord } from '@svc/enforcement/ports/ports.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Mark of labels that are kept for all keys together: of data stored under no readable key, or beyond the maximum number of keys. */
const ALL_KEYS = '*';

type Storing = Pick<ActionRecord, 'organization_id' | 'workspace_id' | 'environment_id' | 'created_at'>;
type KeptRow = { readonly labels: readonly string[]; readonly sources: unknown; readonly is_overflowing: boolean };

const select = (tx: TenantTransaction, { organization_id, environment_id }: Storing) =>
  tx
    .selectFrom('kept_labels')
    .select(['labels', 'sources', 'is_overflowing'])
    .where('organization_id', '=', organization_id)
    .where('environment_id', '=', environment_id);

const addUp = (rows: readonly KeptRow[]): GrownContext =>
  rows.reduce<GrownContext>((sum, { labels, sources, is_overflowing }) => {
    const grown = grow(sum, { labels, sources: sources as readonly FlowSource[], tool: null });
    return { ...grown, is_overflowing: grown.is_overflowing || is_overflowing };
  }, EMPTY_CONTEXT);

/** Labels of every key, without their sources: they then count as leaving with any request that goes out. */
const findOfAllKeys = async (tx: TenantTransaction, { organization_id, environment_id }: Storing): Promise<GrownContext> => {
  const { rows } = await sql<{ labels: string[] }>`
    select coalesce(array_agg(distinct label), '{}') as labels
      from kept_labels k, unnest(k.labels) as label where k.organization_id = ${organization_id} and k.environment_id = ${environment_id}`.execute(
    tx,
  );
  const labels = rows[0]?.labels ?? [];
  return { ...EMPTY_CONTEXT, labels, is_overflowing: labels.length > 0 };
};

/** Returns the labels of the data that a request may read under a key, or under any if its key is unknown. */
export const findKept = async (tx: TenantTransaction, place: Storing, mark: string | null): Promise<GrownContext> =>
  mark === null ? findOfAllKeys(tx, place) : addUp(await select(tx, place).where('key_mark', 'in', [mark, ALL_KEYS]).execute());

const lock = (tx: TenantTransaction, place: Storing, mark: string): Promise<KeptRow | undefined> =>
  select(tx, place).where('key_mark', '=', mark).forUpdate().executeTakeFirst();

const isFull = async (tx: TenantTransaction, { organization_id, environment_id }: Storing): Promise<boolean> => {
  const { rows } = await sql<{ full: boolean }>`
    select exists (select from kept_labels where organization_id = ${organization_id} and environment_id = ${environment_id}
      offset ${RISK_LIMITS.keptKeysPerEnvironmentMax - 1}) as full`.execute(tx);
  return rows[0]?.full ?? true;
};

const open = async (
  tx: TenantTransaction,
  place: Storing,
  asked: string,
): Promise<{ readonly mark: string; readonly row: KeptRow | undefined }> => {
  const known = await lock(tx, place, asked);
  if (known !== undefined) return { mark: asked, row: known };
  const mark = asked !== ALL_KEYS && (await isFull(tx, place)) ? ALL_KEYS : asked;
  const { organization_id, workspace_id, environment_id, created_at } = place;
  await sql`
    insert into kept_labels (organization_id, environment_id, workspace_id, key_mark, stored_at)
    values (${organization_id}, ${environment_id}, ${workspace_id}, ${mark}, ${created_at}) on conflict do nothing`.execute(tx);
  return { mark, row: await lock(tx, place, mark) };
};

/** Keeps labels with the key under which a request stores data. None is ever removed: a store may add to what is there. */
export const keepLabels = async (tx: TenantTransaction, place: Storing, asked: string | null, added: readonly KeptRow[]): Promise<void> => {
  const { mark, row } = await open(tx, place, asked ?? ALL_KEYS);
  if (row === undefined) throw new Error('the labels of a key are not there after they were inserted');
  const { labels, sources, is_overflowing } = addUp([row, ...added]);
  await tx
    .updateTable('kept_labels')
    .set({ labels: [...labels], sources: JSON.stringify(sources), is_overflowing, stored_at: place.created_at })
    .where('organization_id', '=', place.organization_id)
    .where('environment_id', '=', place.environment_id)
    .where('key_mark', '=', mark)
    .execute();
};
