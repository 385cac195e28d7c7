import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

/** A person's inbox, and the kinds they may currently see. Row-level security excludes scopes that they do not see. */
export type Inbox = { readonly organization_id: string; readonly user_id: string; readonly kinds: readonly NotificationKind[] };

type Row = Selectable<Tables['notifications']>;
export type NotificationView = Pick<
  Row,
  | ('id' | 'kind' | 'facts' | 'gathered' | 'subject_type' | 'subject_id' | 'workspace_id')
  | ('environment_id' | 'event_id' | 'created_at' | 'updated_at' | 'read_at')
> & { readonly settled: boolean };

const shown = ({ organization_id, user_id, kinds }: Inbox): RawBuilder<boolean> => sql<boolean>`
  n.organization_id = ${organization_id} and n.user_id = ${user_id} and n.in_inbox and n.kind = any (${[...kinds]}::text[])`;

const TOLD = sql.raw(`n.id, n.kind, n.facts, n.gathered, n.subject_type, n.subject_id, n.workspace_id, n.environment_id, n.event_id,
  n.created_at, n.updated_at, n.read_at`);
const SETTLED = (now: Date) => sql`n.kind = 'approval_waiting' and n.subject_id is not null and not exists (
  select from approvals p where p.organization_id = n.organization_id and p.id = n.subject_id and p.status = 'PENDING' and p.expires_at > ${now})`;

export type InboxPage = {
  readonly after: string | undefined;
  readonly limit: number;
  readonly unread: boolean;
  readonly kind: NotificationKind | undefined;
};

/** One more than the limit, newest first. */
export const listInbox = async (tx: TenantTransaction, inbox: Inbox, page: InboxPage, now: Date): Promise<NotificationView[]> => {
  const { rows } = await sql<NotificationView>`
    select ${TOLD}, ${SETTLED(now)} as settled from notifications n
     where ${shown(inbox)} and (${page.after ?? null}::text is null or n.id < ${page.after ?? null})
       and (not ${page.unread}::boolean or n.read_at is null) and (${page.kind ?? null}::text is null or n.kind = ${page.kind ?? null})
     order by n.id desc limit ${page.limit + 1}`.execute(tx);
  return rows;
};

/** Undefined if none of that id is visible to them. */
export const readOne = async (tx: TenantTransaction, inbox: Inbox, id: string, now: Date): Promise<NotificationView | undefined> => {
  const { rows } = await sql<NotificationView>`
    update notifications n set read_at = coalesce(n.read_at, ${now}) where ${shown(inbox)} and n.id = ${id}
    returning ${TOLD}, ${SETTLED(now)} as settled`.execute(tx);
  return rows[0];
};

/** Returns the number that were unread. */
export const readAll = async (tx: TenantTransaction, inbox: Inbox, now: Date): Promise<number> => {
  const { rows } = await sql`update notifications n set read_at = ${now} where ${shown(inbox)} and n.read_at is null returning 1`.execute(
    tx,
  );
  return rows.length;
};
