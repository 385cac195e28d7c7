import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { listRequiredPlaces } from '@svc/domain/events/audit-searches/filters.ts';
import { sql } from 'kysely';
import { asAuditEvent, EVENT_NAMES, type StoredEventRow } from '../../audit/as-audit-event.ts';
import { readSequences } from '../../audit/log/sequences.ts';
import type { TenantScope, TenantTransaction } from '../../connection/in-tenant.ts';
import { type Between, madeBetween } from '../../lists/made-between.ts';
import { type FoundPage, LOOK_AT_FIRST, scanInSlices } from '../../lists/scan-in-slices.ts';
import { scanSegment } from '../../lists/scan-segment.ts';
import { auditConditions, type EventConditions, splitSearchWords } from '../audit-conditions.ts';
import { lookInChunks } from './look-in-chunks.ts';
import { findLowestUnsummed } from './lowest-unsummed.ts';
import { readChunks } from './read-chunks.ts';
import { walkChunks } from './walk-chunks.ts';

/** Like `AuditSearch`, with its types split. */
export type AuditFilter = EventConditions;

type Page = { readonly after: string | undefined; readonly limit: number };
type Scan = (between: Between, page: Page) => Promise<FoundPage<StoredEventRow>>;

const BELOW_ALL = '';
/** Longer than any identifier, and after it in every collation. */
const ABOVE_ALL = `evt_${'z'.repeat(27)}`;

const earlier = (one: string, other: string): string => (one < other ? one : other);
const later = (one: string, other: string): string => (one > other ? one : other);

/** Returns what a chunk must contain: by the filter, and by the scope that row-level security applies anyway. */
const placesAsked = (filter: AuditFilter, { workspace_ids, environment_id }: TenantScope) => [
  ...listRequiredPlaces({
    ...filter,
    words: [...(filter.subject_id === undefined ? [] : [filter.subject_id]), ...splitSearchWords(filter.q ?? '')],
  }),
  ...listRequiredPlaces({ workspace_id: workspace_ids ?? undefined, environment_id: environment_id ?? undefined }),
];

/**
 * Continues after a first read: through the newest events one by one, as far as some of them are in no segment, and from there
 * through candidate chunks.
 */
const goOn = async (
  tx: TenantTransaction,
  scope: TenantScope,
  filter: AuditFilter,
  { page, scan, isOver }: { readonly page: Page; readonly scan: Scan; readonly isOver: () => boolean },
): Promise<FoundPage<StoredEventRow>> => {
  const between = madeBetween('evt', filter);
  const places = placesAsked(filter, scope);
  const lowest = places.length === 0 ? undefined : await findLowestUnsummed(tx, scope.organization_id);
  if (lowest === undefined) return scan(between, page);
  const from = between.first ?? BELOW_ALL;
  const newest = lowest === null ? { rows: [], stoppedAt: undefined } : await scan({ ...between, first: later(from, lowest) }, page);
  if (newest.rows.length > page.limit || newest.stoppedAt !== undefined) return newest;
  const beyond = between.last === undefined ? ABOVE_ALL : `${between.last}0`;
  const below = [page.after ?? ABOVE_ALL, lowest ?? ABOVE_ALL].reduce(earlier, beyond);
  const organizationId = scope.organization_id;
  const { subject_id } = filter;
  const filters = [...(subject_id === undefined ? [] : [sql<boolean>`subject_id = ${subject_id}`]), ...auditConditions(filter)];
  const limit = page.limit - newest.rows.length;
  const older = await walkChunks(
    {
      read: (segmentsBelow) => readChunks(tx, { organizationId, places, from, below, segmentsBelow }),
      look: (chunks, wanted) => lookInChunks(tx, chunks, { organizationId, filters, from, below, wanted }),
    },
    { limit, below, isOver },
  );
  return { rows: [...newest.rows, ...older.rows], stoppedAt: older.stoppedAt };
};

const findRows = async (tx: TenantTransaction, scope: TenantScope, filter: AuditFilter, page: Page): Promise<FoundPage<StoredEventRow>> => {
  const begun = performance.now();
  const { subject_id } = filter;
  const search = {
    organizationId: scope.organization_id,
    table: 'audit_events',
    columns: EVENT_NAMES,
    indexed: subject_id === undefined ? [] : [sql<boolean>`subject_id = ${subject_id}`],
    filters: auditConditions(filter),
  } as const;
  const between = madeBetween('evt', filter);
  const first = await scanSegment<StoredEventRow>(
    tx,
    { ...search, between },
    { after: page.after, lookAt: LOOK_AT_FIRST, wanted: page.limit + 1 },
  );
  if (first.fitting.length > page.limit || first.last === undefined) return { rows: [...first.fitting], stoppedAt: undefined };
  const scan: Scan = (within, rest) =>
    scanInSlices(rest, (slice) => scanSegment<StoredEventRow>(tx, { ...search, between: within }, slice));
  const isOver = () => performance.now() - begun > LIMITS.database.searchPageMs;
  const rest = { after: first.last, limit: page.limit - first.fitting.length };
  const found = await goOn(tx, scope, filter, { page: rest, scan, isOver });
  return { rows: [...first.fitting, ...found.rows], stoppedAt: found.stoppedAt };
};

/** Newest first, one row more than the page holds; if not everything was read, the reached position. */
export const searchAuditEvents = async (
  tx: TenantTransaction,
  scope: TenantScope,
  filter: AuditFilter,
  page: Page,
): Promise<FoundPage<AuditEvent>> => {
  const { rows, stoppedAt } = await findRows(tx, scope, filter, page);
  const ids = rows.map(({ id }) => id);
  const sequences = await readSequences(tx, scope.organization_id, ids);
  return { rows: rows.map((row) => asAuditEvent(row, sequences.get(row.id))), stoppedAt };
};
