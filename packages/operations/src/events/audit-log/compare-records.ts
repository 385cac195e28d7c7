import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { Verification } from '@svc/contract/events/audit-log.ts';
import type { SealedLeaf } from '@svc/postgres/audit/log/verified-stretch.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type CheckedPart, checkRecords, listLastClaims } from './check-records.ts';
import type { LogFinding } from './compare-stretch.ts';

type Counts = Verification['record_parts'];

const NONE: Counts = { intact: 0, changed: 0, erased: 0, not_covered: 0 };
export const NO_RECORDS: { readonly findings: readonly LogFinding[]; readonly counts: Counts } = { findings: [], counts: NONE };

export const addCounts = (one: Counts, other: Counts): Counts => ({
  intact: one.intact + other.intact,
  changed: one.changed + other.changed,
  erased: one.erased + other.erased,
  not_covered: one.not_covered + other.not_covered,
});

const listCounts = (checked: readonly CheckedPart[]): Counts => {
  const count = (wanted: CheckedPart['status']) => checked.filter(({ status }) => status === wanted).length;
  return { intact: count('INTACT'), changed: count('CHANGED'), erased: count('ERASED'), not_covered: count('NOT_COVERED') };
};

const getFinding = ({ claim, isMissing }: CheckedPart): LogFinding => {
  const { type, record_id: id, part, event_id, sequence } = claim;
  const says = isMissing
    ? `The ${type} ${id} was deleted; the event ${event_id} (${sequence}) states it.`
    : `The ${type} ${id} was changed after it was recorded: its row does not match ${part.digest} of the event ${event_id} (${sequence}).`;
  return { kind: isMissing ? 'RECORD_DELETED' : 'RECORD_CHANGED', sequence, event_id, record: { type, id }, says };
};

type Stretch = {
  readonly leaves: readonly SealedLeaf[];
  readonly events: ReadonlyMap<string, AuditEvent>;
  readonly removedBelow: number;
};

/** Compares the records that the events of a segment of the log state, if the events themselves are intact. */
export const compareRecords = async (
  tx: TenantTransaction,
  organizationId: string,
  { leaves, events, removedBelow }: Stretch,
  findings: readonly LogFinding[],
): Promise<typeof NO_RECORDS> => {
  const wrong = new Set(findings.map(({ event_id }) => event_id));
  const sealed = leaves.flatMap(({ leaf_index: sequence, event_id }) => {
    const event = events.get(event_id);
    return event === undefined || wrong.has(event_id) ? [] : [{ ...event, sequence }];
  });
  const checked = await checkRecords(tx, organizationId, listLastClaims(sealed), removedBelow);
  const changed = new Map(checked.filter(({ status }) => status === 'CHANGED').map((part) => [partName(part), part]));
  return { findings: [...changed.values()].map(getFinding), counts: listCounts(checked) };
};

/** Groups the parts of a deleted record in one finding. */
const partName = ({ claim, isMissing }: CheckedPart): string =>
  JSON.stringify([claim.type, claim.record_id, isMissing ? null : claim.part.digest]);
