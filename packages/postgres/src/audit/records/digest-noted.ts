import type { RecordDigest } from '@svc/domain/events/audit-log/record-claims.ts';
import { buildRecordDocument } from '@svc/domain/events/audit-log/record-document.ts';
import { RECORD_DIGESTS } from '@svc/domain/events/audit-log/record-kinds/noted-kind.ts';
import type { RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { isRecordType, RECORD_KINDS, RECORD_TYPES, type RecordType } from '@svc/domain/events/audit-log/record-kinds.ts';
import { getEventAuthenticator } from '../../connection/event-authenticator.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { EmittedEvent } from '../emitted-event.ts';
import { countChanges, type NotedRecord, readCovered, removeCallerLimits, takeNoted } from './covered-records.ts';

type Noted = NotedRecord & { readonly type: RecordType; readonly eventId: string };

const digestKind = async (
  tx: TenantTransaction,
  organizationId: string,
  type: RecordType,
  noted: readonly Noted[],
): Promise<readonly (RecordDigest & { readonly eventId: string })[]> => {
  const kind: RecordKind = RECORD_KINDS[type];
  const { recordDigest } = getEventAuthenticator(tx);
  const rows = await readCovered(
    tx,
    organizationId,
    kind,
    noted.map(({ id }) => id),
  );
  return noted.flatMap(({ id, eventId }) => {
    const row = rows.get(id);
    return kind.parts.flatMap((part) => {
      const document = row && buildRecordDocument(kind, part, part.version, row);
      if (row === undefined || document === undefined) return [];
      return [{ type, id, digest: recordDigest(document), digest_version: part.version, digest_revision: row.revision, eventId }];
    });
  });
};

const digestAll = async (tx: TenantTransaction, organizationId: string, noted: readonly Noted[]) => {
  await countChanges(tx, organizationId, noted);
  const digests: (RecordDigest & { readonly eventId: string })[] = [];
  for (const type of RECORD_TYPES) {
    const same = noted.filter((each) => each.type === type);
    if (same.length > 0) digests.push(...(await digestKind(tx, organizationId, type, same)));
  }
  return Map.groupBy(digests, ({ eventId }) => eventId);
};

/** Adds to the events of one organization the digests of the records that this transaction changed, as it leaves them. */
export const withRecordDigests = async (tx: TenantTransaction, events: readonly EmittedEvent[]): Promise<readonly EmittedEvent[]> => {
  const [first] = events;
  if (first === undefined) return events;
  const { organization_id } = first;
  const taken = await takeNoted(tx, organization_id);
  // The event that covers a record is the last one about it, or the last of all.
  const lastAbout = new Map(events.map((event) => [event.subject.id, event]));
  const noted = taken.flatMap(({ type, id }): Noted[] => {
    const event = lastAbout.get(id) ?? events.at(-1);
    return event === undefined || !isRecordType(type) ? [] : [{ type, id, eventId: event.id }];
  });
  if (noted.length === 0) return events;
  const digests = await removeCallerLimits(tx, () => digestAll(tx, organization_id, noted));
  return events.map((event) => {
    const own = digests.get(event.id);
    if (own === undefined) return event;
    return { ...event, data: { ...event.data, [RECORD_DIGESTS]: own.map(({ eventId: _, ...digest }) => digest) } };
  });
};
