import type { Verification, VerifiedRecord } from '@svc/contract/events/audit-log.ts';
import type { RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { RECORD_KINDS, type RecordType } from '@svc/domain/events/audit-log/record-kinds.ts';
import { eventLeafHash, getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { listInclusionPath, rootByInclusion } from '@svc/keyring/log/merkle.ts';
import { openCheckpoint } from '@svc/keyring/log/signed-note.ts';
import { findTree, type KeptTreeRow } from '@svc/postgres/audit/log/read-log.ts';
import type { LeafedEvent } from '@svc/postgres/audit/records/find-claims.ts';
import { readRecords } from '@svc/postgres/audit/records/read-records.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type CheckedPart, checkRecords, findClaimants, listLastClaims } from './check-records.ts';
import type { Finding } from './compare-stretch.ts';
import { readSegmentHashes } from './hashes-over.ts';
import { readRemoval } from './read-removal.ts';
import type { AuditedLog, LogReader } from './verify-log.ts';

type Asked = { readonly type: RecordType; readonly id: string };

/** True if an event is what was sealed under a checkpoint that the log has signed, or was written by the service and waits to be sealed. */
const isProved = async (
  tx: TenantTransaction,
  log: AuditedLog,
  tree: KeptTreeRow | undefined,
  { event, leaf, isAuthentic }: LeafedEvent,
) => {
  if (leaf === null) return isAuthentic;
  const said = tree && openCheckpoint(tree.checkpoint, log.keys);
  if (said?.origin !== getLogOrigin(log.installationId, log.organizationId) || leaf.index >= said.size) return false;
  const path = await readSegmentHashes(tx, log.organizationId, listInclusionPath(leaf.index, { from: 0, to: said.size }));
  return rootByInclusion(leaf.index, said.size, eventLeafHash(event), path)?.equals(said.root) ?? false;
};

/** From the best to the worst: a record has the status of its worst part, and CHANGED if an event about it is not what was sealed. */
const BY_SEVERITY = ['INTACT', 'NOT_COVERED', 'ERASED', 'CHANGED'] as const;

const getStatus = ({ status }: CheckedPart): VerifiedRecord['status'] => (status === 'REPLACED' ? 'CHANGED' : status);

const verifiedOf = ({ type, id }: Asked, parts: readonly CheckedPart[], isProvedWhole: boolean): VerifiedRecord => {
  const statuses = isProvedWhole ? parts.map(getStatus) : (['CHANGED'] as const);
  const worst = BY_SEVERITY.findLast((status) => (statuses as readonly string[]).includes(status));
  return {
    type,
    id,
    status: worst ?? 'NOT_COVERED',
    parts: parts.map((checked) => ({
      digest: checked.claim.part.digest,
      status: getStatus(checked),
      event_id: checked.claim.event_id,
      sequence: checked.claim.sequence,
    })),
  };
};

/** Verifies one record against the newest proved events about it; undefined if there is no record and no event of that id. */
const verifyRecord = async (tx: TenantTransaction, log: AuditedLog, asked: Asked): Promise<VerifiedRecord | undefined> => {
  const { organizationId } = log;
  const kind: RecordKind = RECORD_KINDS[asked.type];
  const row = (await readRecords(tx, organizationId, kind, [asked.id])).get(asked.id);
  const found = await findClaimants(tx, organizationId, asked.type, [{ id: asked.id, row }]);
  if (row === undefined && found.length === 0) return undefined;
  const tree = await findTree(tx, organizationId);
  const proved: LeafedEvent[] = [];
  for (const each of found) if (await isProved(tx, log, tree, each)) proved.push(each);
  const claims = listLastClaims(proved.map(({ event }) => event)).filter(
    (claim) => claim.type === asked.type && claim.record_id === asked.id,
  );
  const { leaves: removedBelow } = await readRemoval(tx, log);
  return verifiedOf(asked, await checkRecords(tx, organizationId, claims, removedBelow), proved.length === found.length);
};

const getFinding = ({ type, id, parts }: VerifiedRecord): Finding => {
  const part = parts.find(({ status }) => status === 'CHANGED');
  return {
    kind: 'RECORD_CHANGED',
    sequence: part?.sequence ?? null,
    event_id: part?.event_id ?? null,
    record: { type, id },
    says: `The ${type} ${id} does not match its events, or one of these events was changed after it was sealed.`,
  };
};

/**
 * Verifies the requested records, each in a short transaction, and nothing else of the log. A record without a row and without events is
 * NOT_COVERED.
 */
export const verifyRecords = async (read: LogReader, log: AuditedLog, asked: readonly Asked[]): Promise<Verification> => {
  const tree = await read((tx) => findTree(tx, log.organizationId));
  const records: VerifiedRecord[] = [];
  for (const one of asked) records.push((await read((tx) => verifyRecord(tx, log, one))) ?? { ...one, status: 'NOT_COVERED', parts: [] });
  const findings = records.filter(({ status }) => status === 'CHANGED').map(getFinding);
  const count = (wanted: VerifiedRecord['status']) =>
    records.flatMap(({ parts }) => parts).filter(({ status }) => status === wanted).length;
  const size = tree?.size ?? 0;
  return {
    intact: findings.length === 0,
    from_sequence: 0,
    to_sequence: 0,
    next_sequence: null,
    tree_size: size,
    removed_by_retention: 0,
    checkpoint: tree?.checkpoint ?? null,
    findings,
    checkpoints: { linked: 0, not_linked: 0 },
    record_parts: { intact: count('INTACT'), changed: count('CHANGED'), erased: count('ERASED'), not_covered: count('NOT_COVERED') },
    records,
  };
};
