import type { AuditEvent, AuditSearch } from '@svc/contract/audit-events.ts';
import { type SqlBool, sql } from 'kysely';
import type { TenantTransaction } from './in-tenant.ts';
import type { Tables } from './tables.ts';

type Row = Omit<Tables['audit_events'], 'occurred_at' | 'data'> & { readonly occurred_at: string; readonly data: Record<string, unknown> };

const toWire = ({ actor_type, actor_id, actor_name, subject_type, subject_id, ...row }: Row): AuditEvent => ({
  ...row,
  actor: { type: actor_type, id: actor_id, name: actor_name },
  subject: { type: subject_type, id: subject_id },
});

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export type AuditFilter = Omit<AuditSearch, 'cursor' | 'limit'> & {
  /** The smallest identifier of an event that could have occurred at `from`; nothing below it is read. */
  readonly firstId?: string | undefined;
};

/** Text as it stands inside a JSON string, where a quote or a backslash has one more before it. */
const asInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A page looks at no more events than this, so that a filter that fits few of very many is answered, and gone on with, in good time. */
const LOOKED_AT_MAX = 100_000;

/** Where a page looks, newest first: below where the one before ended, by what an index finds. */
const lookedAt = (tx: TenantTransaction, organizationId: string, { subject_id, firstId }: AuditFilter, after: string | undefined) => {
  let query = tx.selectFrom('audit_events').where('organization_id', '=', organizationId);
  if (subject_id !== undefined) query = query.where('subject_id', '=', subject_id);
  if (after !== undefined) query = query.where('id', '<', after);
  if (firstId !== undefined) query = query.where('id', '>=', firstId);
  return query.orderBy('id', 'desc');
};

export type FoundEvents = {
  /** Newest first, at most one more than the page holds. */
  readonly rows: AuditEvent[];
  /** The last event looked at, when there are more that were not. */
  readonly stoppedAt: string | undefined;
};

export const searchAuditEvents = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: AuditFilter,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<FoundEvents> => {
  const looked = lookedAt(tx, organizationId, filter, page.after);
  let query = tx.selectFrom(looked.selectAll().limit(LOOKED_AT_MAX).as('e')).selectAll();
  if (filter.type !== undefined) query = query.where('type', '=', filter.type);
  if (filter.actor_id !== undefined) query = query.where('actor_id', '=', filter.actor_id);
  if (filter.severity !== undefined) query = query.where('severity', '=', filter.severity);
  if (filter.request_id !== undefined) query = query.where('request_id', '=', filter.request_id);
  if (filter.from !== undefined) query = query.where('occurred_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('occurred_at', '<', filter.to);
  if (filter.q !== undefined) {
    const like = pattern(filter.q);
    const inData = pattern(asInJson(filter.q));
    query = query.where(sql<SqlBool>`(type ilike ${like} or subject_id ilike ${like} or data::text ilike ${inData})`);
  }
  const found = await query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  const rows = found.map(toWire);
  if (rows.length > page.limit) return { rows, stoppedAt: undefined };
  const last = await looked
    .select('id')
    .offset(LOOKED_AT_MAX - 1)
    .limit(1)
    .executeTakeFirst();
  return { rows, stoppedAt: last?.id };
};

export const findAuditEvent = async (tx: TenantTransaction, organizationId: string, id: string): Promise<AuditEvent | undefined> => {
  const row = await tx
    .selectFrom('audit_events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toWire(row);
};
