import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { type PlacedClaim, readRecordClaims, replaces, toPartKey } from '@svc/domain/events/audit-log/record-claims.ts';
import { buildRecordDocument, type RecordDocument, type RecordRow } from '@svc/domain/events/audit-log/record-document.ts';
import type { RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { RECORD_KINDS, RECORD_TYPES, type RecordType } from '@svc/domain/events/audit-log/record-kinds.ts';
import { eventLeafHash } from '@svc/keyring/log/audit-log.ts';
import { recordDigest } from '@svc/keyring/log/record-digest.ts';
import { findEvents, findEventsAbout, type LeafedEvent } from '@svc/postgres/audit/records/find-claims.ts';
import { readRecords } from '@svc/postgres/audit/records/read-records.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';

/** `REPLACED`: a later event covers the part, which is compared with that one. */
export type PartStatus = 'INTACT' | 'CHANGED' | 'ERASED' | 'NOT_COVERED' | 'REPLACED';

/** A claim of an event, with that event. */
export type EventClaim = PlacedClaim & { readonly event_id: string };

export type CheckedPart = {
  readonly claim: EventClaim;
  readonly status: PartStatus;
  /** The current state of the row; undefined if there is no row, or no digest to compare it with. */
  readonly document?: RecordDocument | undefined;
  readonly isMissing: boolean;
  /** The event that covers a replaced part. */
  readonly replacedBy?: EventClaim;
};

/** Rows read at once: each may hold parameters, an explanation and a result. */
const ROWS_AT_ONCE = 64;

type Rows = ReadonlyMap<string, RecordRow>;
type RowsByType = ReadonlyMap<RecordType, Rows>;

const getKind = (type: RecordType): RecordKind => RECORD_KINDS[type];

/** Returns the claims of events, each part of a record by its last claim. */
export const listLastClaims = (events: readonly AuditEvent[]): readonly EventClaim[] => {
  const last = new Map<string, EventClaim>();
  for (const event of events) {
    for (const claim of readRecordClaims(event)) {
      const placed = { ...claim, sequence: event.sequence, event_id: event.id };
      const known = last.get(toPartKey(claim));
      if (known === undefined || replaces(placed, known)) last.set(toPartKey(claim), placed);
    }
  }
  return [...last.values()];
};

const readRows = async (tx: TenantTransaction, organizationId: string, claims: readonly EventClaim[]): Promise<RowsByType> => {
  const found = new Map<RecordType, Rows>();
  for (const type of RECORD_TYPES) {
    const ids = [...new Set(claims.filter((claim) => claim.type === type).map(({ record_id }) => record_id))];
    found.set(type, await readRecords(tx, organizationId, getKind(type), ids));
  }
  return found;
};

/** Compares a claim with the row alone. `DIFFERENT` may be a later change, or another event that covers the row now. */
const compareWithRow = (claim: EventClaim, row: RecordRow | undefined, removedBelow: number): CheckedPart | 'DIFFERENT' => {
  const { digest, part, sequence } = claim;
  const isMissing = row === undefined || row.isAbsent === true;
  const checked = (status: PartStatus, document?: RecordDocument) => ({ claim, status, document, isMissing });
  if (digest === null) return row === undefined || row.salt === null ? checked('NOT_COVERED') : 'DIFFERENT';
  if (row === undefined) return checked(sequence !== null && sequence < removedBelow ? 'ERASED' : 'CHANGED');
  const document = buildRecordDocument(getKind(claim.type), part, digest.version, row);
  // A newer release wrote it.
  if (document === undefined) return checked('NOT_COVERED');
  if (recordDigest(document) === digest.value) return checked('INTACT', document);
  return isMissing && sequence !== null && sequence < removedBelow ? checked('ERASED') : 'DIFFERENT';
};

type NamedRow = { readonly id: string; readonly row: RecordRow | undefined };

/** Finds the events that may state these records: those about them, and those that the entries of recorded records name. */
export const findClaimants = async (
  tx: TenantTransaction,
  organizationId: string,
  type: RecordType,
  records: readonly NamedRow[],
): Promise<readonly LeafedEvent[]> => {
  const kind = getKind(type);
  if (kind.noted !== undefined) {
    const named = await findEvents(tx, organizationId, [...new Set(records.flatMap(({ row }) => row?.eventId ?? []))]);
    const aboutThem = await findEventsAbout(
      tx,
      organizationId,
      records.map(({ id }) => id),
    );
    return [...named, ...aboutThem];
  }
  const types = [...new Set(kind.parts.flatMap(({ writtenWith }) => writtenWith))];
  const subjects = records.flatMap(({ id, row }) => [id, ...kind.subjects.flatMap((name) => row?.columns[name] ?? [])]);
  return findEventsAbout(tx, organizationId, [...new Set(subjects)], types);
};

/** Returns the last claim of each part that the log, or an event that waits to be sealed, makes about these records. */
const newestClaims = async (
  tx: TenantTransaction,
  organizationId: string,
  type: RecordType,
  records: readonly NamedRow[],
): Promise<ReadonlyMap<string, EventClaim>> => {
  const found = await findClaimants(tx, organizationId, type, records);
  // An event that differs from what was sealed, or that the service did not write, covers nothing; it is a finding of its own.
  const sealed = found.filter(({ event, leaf, isAuthentic }) => (leaf === null ? isAuthentic : eventLeafHash(event).equals(leaf.hash)));
  return new Map(listLastClaims(sealed.map(({ event }) => event)).map((claim) => [toPartKey(claim), claim]));
};

const settleDifferent = (claim: EventClaim, newest: EventClaim | undefined, row: RecordRow | undefined): CheckedPart => {
  const isReplaced = newest !== undefined && newest.event_id !== claim.event_id && replaces(newest, claim);
  if (isReplaced) return { claim, status: 'REPLACED', isMissing: row === undefined, replacedBy: newest };
  const { digest, part } = claim;
  if (digest === null || row === undefined) return { claim, status: 'NOT_COVERED', isMissing: row === undefined };
  const document = buildRecordDocument(getKind(claim.type), part, digest.version, row);
  return { claim, status: 'CHANGED', document, isMissing: row.isAbsent === true };
};

const checkSome = async (
  tx: TenantTransaction,
  organizationId: string,
  claims: readonly EventClaim[],
  removedBelow: number,
): Promise<readonly CheckedPart[]> => {
  const rows = await readRows(tx, organizationId, claims);
  const getRow = ({ type, record_id }: EventClaim) => rows.get(type)?.get(record_id);
  const compared = claims.map((claim) => ({ claim, result: compareWithRow(claim, getRow(claim), removedBelow) }));
  const different = compared.filter(({ result }) => result === 'DIFFERENT').map(({ claim }) => claim);
  const newest = new Map<string, EventClaim>();
  for (const type of RECORD_TYPES) {
    const records = different.filter((claim) => claim.type === type).map((claim) => ({ id: claim.record_id, row: getRow(claim) }));
    for (const [key, claim] of await newestClaims(tx, organizationId, type, records)) newest.set(key, claim);
  }
  return compared.map(({ claim, result }) =>
    result === 'DIFFERENT' ? settleDifferent(claim, newest.get(toPartKey(claim)), getRow(claim)) : result,
  );
};

/**
 * Compares records with claims about them, recomputing each digest from the row. The events of the claims must have been verified. Rows of
 * claims before `removedBelow` may have been removed by retention, with their events.
 */
export const checkRecords = async (
  tx: TenantTransaction,
  organizationId: string,
  claims: readonly EventClaim[],
  removedBelow: number,
): Promise<readonly CheckedPart[]> => {
  const checked: CheckedPart[] = [];
  for (let at = 0; at < claims.length; at += ROWS_AT_ONCE)
    checked.push(...(await checkSome(tx, organizationId, claims.slice(at, at + ROWS_AT_ONCE), removedBelow)));
  return checked;
};
