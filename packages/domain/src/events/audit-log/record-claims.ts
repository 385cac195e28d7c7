import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { RECORD_DIGESTS } from './record-kinds/noted-kind.ts';
import type { RecordKind, RecordPart } from './record-kinds/record-kind.ts';
import { isRecordType, RECORD_KINDS, RECORD_TYPES, type RecordType } from './record-kinds.ts';

/** The state of one part of a record as an event states it. */
export type RecordClaim = {
  readonly type: RecordType;
  readonly record_id: string;
  readonly part: RecordPart;
  /** Null if the event comes from a release without digests. */
  readonly digest: { readonly value: string; readonly version: number; readonly revision: number } | null;
};

type Data = Readonly<Record<string, unknown>>;
type Told = Pick<AuditEvent, 'type' | 'subject' | 'data'>;

const findDigest = (data: Data, name: string): RecordClaim['digest'] => {
  const { [name]: value, digest_version: version, digest_revision: revision } = data;
  return typeof value === 'string' && typeof version === 'number' && typeof revision === 'number' ? { value, version, revision } : null;
};

/** The digest of a noted record, in `record_digests` of an event. */
export type RecordDigest = {
  readonly type: RecordType;
  readonly id: string;
  readonly digest: string;
  readonly digest_version: number;
  readonly digest_revision: number;
};

const notedClaim = (entry: unknown): readonly RecordClaim[] => {
  if (typeof entry !== 'object' || entry === null) return [];
  const { type, id, digest, digest_version: version, digest_revision: revision } = entry as Record<string, unknown>;
  if (!isRecordType(type) || typeof id !== 'string') return [];
  if (typeof digest !== 'string' || typeof version !== 'number' || typeof revision !== 'number') return [];
  const kind: RecordKind = RECORD_KINDS[type];
  if (kind.noted === undefined) return [];
  return kind.parts.map((part) => ({ type, record_id: id, part, digest: { value: digest, version, revision } }));
};

const notedClaims = ({ data }: Told): readonly RecordClaim[] => {
  const { [RECORD_DIGESTS]: entries } = data as Data;
  return Array.isArray(entries) ? entries.flatMap(notedClaim) : [];
};

/** Returns the claims whose members are in the event itself: of the parts that have digests, or of all if it has none at all. */
const ownClaims = (event: Told): readonly RecordClaim[] =>
  RECORD_TYPES.flatMap((type) => {
    const kind: RecordKind = RECORD_KINDS[type];
    const parts = kind.parts.filter(({ writtenWith }) => (writtenWith as readonly string[]).includes(event.type));
    const record_id = parts.length === 0 ? undefined : kind.recordIdOf(event);
    if (record_id === undefined) return [];
    const claims = parts.map((part) => ({ type, record_id, part, digest: findDigest(event.data as Data, part.digest) }));
    const covered = claims.filter(({ digest }) => digest !== null);
    return covered.length === 0 ? claims : covered;
  });

/** Returns what an event states of the records that it was written with. */
export const readRecordClaims = (event: Told): readonly RecordClaim[] => [...ownClaims(event), ...notedClaims(event)];

/** A claim with the position of its event in the log; null while the event is not sealed. */
export type PlacedClaim = RecordClaim & { readonly sequence: number | null };

/**
 * Returns true if one claim replaces another of the same part. Revisions order events of concurrent transactions; an event without a digest has
 * none and is ordered by the log, whose end it is at while it is not sealed.
 */
export const replaces = (later: PlacedClaim, earlier: PlacedClaim): boolean => {
  if (later.digest !== null && earlier.digest !== null && later.digest.revision !== earlier.digest.revision)
    return later.digest.revision > earlier.digest.revision;
  return (later.sequence ?? Number.POSITIVE_INFINITY) > (earlier.sequence ?? Number.POSITIVE_INFINITY);
};

/** Names a part of a record. */
export const toPartKey = ({ type, record_id, part }: RecordClaim): string => JSON.stringify([type, record_id, part.digest]);
