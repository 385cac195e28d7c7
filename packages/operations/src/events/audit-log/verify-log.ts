import type { KeyObject } from 'node:crypto';
import type { Verification } from '@svc/contract/events/audit-log.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getLogOrigin, openTree } from '@svc/keyring/log/audit-log.ts';
import { computeRoot, EMPTY_TREE, growTree, TILE_WIDTH, type TilePart, type TreeEdge } from '@svc/keyring/log/merkle.ts';
import { isBare, openCheckpoint } from '@svc/keyring/log/signed-note.ts';
import { findTree, type KeptTreeRow, readCheckpoints, readParts } from '@svc/postgres/audit/log/read-log.ts';
import {
  findInsertedEvents,
  findLeavesOutside,
  findUnevenTiles,
  readStretch,
  type UnevenTile,
} from '@svc/postgres/audit/log/verified-stretch.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { compareChain } from './compare-chain.ts';
import { compareExternalCheckpoints } from './compare-external-checkpoints.ts';
import { addCounts, compareRecords, NO_RECORDS } from './compare-records.ts';
import { compareSegment, countRemoved, type LogFinding } from './compare-stretch.ts';
import { compareTraces } from './compare-traces.ts';
import { readSegmentHashes } from './hashes-over.ts';
import { readRemoval } from './read-removal.ts';

/** Reads the log, each piece of work in a short transaction of its own, so that a long verification blocks nothing. */
export type LogReader = <Result>(work: (tx: TenantTransaction) => Promise<Result>) => Promise<Result>;

export type AuditedLog = { readonly organizationId: string; readonly installationId: string; readonly keys: readonly KeyObject[] };

const ofLog = (says: string, sequence: number | null = null): LogFinding => ({ kind: 'LOG_CHANGED', sequence, event_id: null, says });

type Past = Awaited<ReturnType<typeof readCheckpoints>>;

/** Compares the tree with its checkpoint, and past checkpoints with the tree. */
const compareTree = async (tx: TenantTransaction, log: AuditedLog, row: KeptTreeRow, past: Past): Promise<LogFinding[]> => {
  const origin = getLogOrigin(log.installationId, log.organizationId);
  const tree: TreeEdge | undefined = openTree(row, origin, log.keys);
  if (tree === undefined) return [ofLog('The stored tree does not match its checkpoint, or the signature of the checkpoint is invalid.')];
  const opened = past.map(({ size, root_hash, note }) => ({
    size,
    root_hash,
    said: isBare(note) ? openCheckpoint(note, log.keys) : undefined,
  }));
  const sizes = opened.map(({ size }) => Math.max(0, Math.min(size, row.size)));
  const roots = await readSegmentHashes(
    tx,
    log.organizationId,
    [row.size, ...sizes].map((to) => ({ from: 0, to })),
  );
  const isWhole = roots[0]?.equals(computeRoot(tree)) ?? false;
  return [
    ...(isWhole ? [] : [ofLog('The tiles and leaves of the log do not match the signed root.')]),
    ...opened.flatMap(({ size, root_hash, said }, n) => {
      if (said?.origin !== origin || said.size !== size || !said.root.equals(root_hash))
        return [ofLog(`The log has not signed the checkpoint of ${size} leaves.`)];
      if (size > row.size) return [ofLog(`The log was truncated: it had ${size} leaves and now has ${row.size}.`, row.size)];
      return roots[n + 1]?.equals(said.root) ? [] : [ofLog(`The log differs from the one whose ${size} leaves were signed before.`)];
    }),
  ];
};

/** Returns the full tiles that begin in a segment or contain its beginning: each must hash to what the level above stores. */
const tilesToCompare = (from: number, to: number, size: number, isFirst: boolean): readonly TilePart[] => {
  const found: TilePart[] = [];
  for (let [level, width] = [0, TILE_WIDTH]; width <= size; [level, width] = [level + 1, width * TILE_WIDTH])
    for (let tile = Math.floor(from / width); tile * width < to; tile += 1)
      if ((isFirst || tile * width >= from) && (tile + 1) * width <= size)
        found.push({ level, from: tile * TILE_WIDTH, count: TILE_WIDTH });
  return found;
};

const brokenTiles = async (tx: TenantTransaction, organizationId: string, tiles: readonly TilePart[]): Promise<readonly TilePart[]> => {
  const above = tiles.map(({ level, from }) => ({ level: level + 1, from: from / TILE_WIDTH, count: 1 }));
  const hashesOf = await readParts(tx, organizationId, [...tiles, ...above]);
  return tiles.filter((tile, n) => {
    const [hashes, [kept]] = [hashesOf(tile), hashesOf(above[n] as TilePart)];
    return hashes.length !== TILE_WIDTH || kept === undefined || !computeRoot(growTree(EMPTY_TREE, hashes)).equals(kept);
  });
};

const inserted = (event_id: string, isRejected: boolean): LogFinding => ({
  kind: 'INSERTED',
  sequence: null,
  event_id,
  says: isRejected
    ? `The event ${event_id} was not written by the service: its MAC is missing or invalid, so it is not sealed. It was inserted into the database directly.`
    : `The event ${event_id} is among sealed events but was not sealed: it was inserted, or the sealer was made to skip it.`,
});

/** An event with such a leaf is shown as sealed everywhere, although nothing signed contains it. */
const outside = ({ leaf_index: sequence, event_id }: { readonly leaf_index: number; readonly event_id: string }): LogFinding => ({
  kind: 'INSERTED',
  sequence,
  event_id,
  says: `The event ${event_id} claims to be sealed as ${sequence}, which is outside the tree: it was not sealed.`,
});

const uneven = ({ level, tile, expected }: UnevenTile): LogFinding =>
  ofLog(`The tile ${level}/${tile} of the log does not hold exactly the ${expected} hashes of the tree.`, null);

const BESIDE = { limit: LIMITS.audit.findingsMax, scanned: LIMITS.audit.verifiedBesideMax };

/** Finds events after an id that are no leaves, in as many short reads as needed. */
const slippedInBehind = async (read: LogReader, { organizationId }: AuditedLog, from: string): Promise<readonly LogFinding[]> => {
  const found: LogFinding[] = [];
  for (let [after, isWhole] = [from, false]; !isWhole && found.length < LIMITS.audit.findingsMax; ) {
    const looked = await read((tx) => findInsertedEvents(tx, organizationId, { ...BESIDE, after, upTo: undefined }));
    found.push(...looked.ids.map((id) => inserted(id, looked.rejected.has(id))));
    [after, isWhole] = [looked.upTo, looked.isWhole];
  }
  return found;
};

type Walk = {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly isFirst: boolean;
  readonly after: string;
  readonly removedBelow: number;
  /** False if only the log is verified. */
  readonly isOfRecords: boolean;
};

/**
 * Returns the lower of the first id of a segment and the id of the leaf before it, so that events between two verifications are covered by
 * the later one.
 */
const readBeginning = async (tx: TenantTransaction, organizationId: string, from: number, ids: readonly string[]): Promise<string> => {
  const { leaves } = await readStretch(tx, organizationId, { from: from - 1, to: from });
  const [before = '', first = ''] = [leaves[0]?.event_id, ids[0]];
  return before < first ? before : first;
};

/** Compares one segment of the log; returns the last event id in it. */
const compareNext = async (tx: TenantTransaction, { organizationId }: AuditedLog, walk: Walk) => {
  const { from, to, size, isFirst, removedBelow } = walk;
  const broken = await brokenTiles(tx, organizationId, tilesToCompare(from, to, size, isFirst));
  const { leaves, events, redated } = await readStretch(tx, organizationId, { from, to });
  const ids = leaves.map(({ event_id }) => event_id).sort();
  const last = ids.at(-1) ?? walk.after;
  const upTo = last > walk.after ? last : walk.after;
  const after = isFirst && from > 0 ? await readBeginning(tx, organizationId, from, ids) : walk.after;
  const slippedIn = await findInsertedEvents(tx, organizationId, { after, upTo, ...BESIDE });
  const stretch = { from, to, leaves, events, redated, removedBelow };
  const isSigned = !broken.some(({ level }) => level === 0);
  const findings = [
    ...broken.map(({ level, from: at }) =>
      ofLog(`The tile ${level}/${at / TILE_WIDTH} of the log does not match the signed log.`, at * TILE_WIDTH ** level),
    ),
    ...compareSegment({ ...stretch, isSigned }),
    ...slippedIn.ids.map((id) => inserted(id, slippedIn.rejected.has(id))),
  ];
  const records = walk.isOfRecords ? await compareRecords(tx, organizationId, stretch, findings) : NO_RECORDS;
  const removed = countRemoved(stretch);
  return { findings: [...findings, ...records.findings], after: slippedIn.upTo, removed, counts: records.counts };
};

/** Message for a log without a tree; an organization has none before its first event is sealed. */
const GONE = 'The tree of the log was deleted, although leaves or checkpoints exist.';

/**
 * Reads the stored tree and its findings as a whole. Leaves and past checkpoints are read before it, since it may grow in between: a tree
 * read later is no smaller than any of them states.
 */
const lookAtTree = async (read: LogReader, log: AuditedLog, asIf: KeptTreeRow | undefined, isWhole: boolean) => {
  const { organizationId } = log;
  const { past, leaves } = await read(async (tx) => ({
    past: await readCheckpoints(tx, organizationId, { below: Number.MAX_SAFE_INTEGER, limit: LIMITS.audit.findingsMax }),
    leaves: (await readStretch(tx, organizationId, { from: 0, to: 1 })).leaves,
  }));
  const row = asIf ?? (await read((tx) => findTree(tx, organizationId)));
  const beside = asIf === undefined ? await read((tx) => findLeavesOutside(tx, organizationId, LIMITS.audit.findingsMax)) : [];
  if (row === undefined)
    return { row, found: past.length + leaves.length + beside.length === 0 ? [] : [ofLog(GONE)], counts: { linked: 0, not_linked: 0 } };
  const chain = await compareChain(read, log, row, isWhole);
  const held = `The log has been held since ${row.held_since}. Events since then are not sealed, and changes of unsealed events cannot be detected.`;
  const ofTree = await read((tx) => compareTree(tx, log, row, past));
  const known = new Set(ofTree.map(({ says }) => says));
  const tiles = await read((tx) => findUnevenTiles(tx, organizationId, { size: asIf?.size, limit: LIMITS.audit.findingsMax }));
  ofTree.push(...tiles.map(uneven));
  const found = [...ofTree, ...chain.findings.filter(({ says }) => !known.has(says)), ...beside.map(outside)];
  return { row, found: row.held_since === null || asIf !== undefined ? found : [...found, ofLog(held)], counts: chain.counts };
};

export type VerificationOptions = {
  /** The tree to assume instead of the stored one. */
  readonly asIf?: KeptTreeRow | undefined;
  /** Checkpoints that were kept outside of this installation. */
  readonly checkpoints?: readonly string[] | undefined;
};

/** Compares up to `LIMITS.audit.verifiedLeavesMax` events with the log, from a leaf on, and the log with its checkpoints. */
export const verifyLog = async (
  read: LogReader,
  log: AuditedLog,
  fromSequence: number,
  { asIf, checkpoints: given = [] }: VerificationOptions = {},
): Promise<Verification> => {
  const { row, found, counts: checkpoints } = await lookAtTree(read, log, asIf, fromSequence === 0);
  const size = row?.size ?? 0;
  if (asIf === undefined) found.unshift(...(await read((tx) => compareTraces(tx, log.organizationId, fromSequence === 0))));
  if (given.length > 0) found.unshift(...(await read((tx) => compareExternalCheckpoints(tx, log, row, given))));
  const { verifiedLeavesMax, verifiedAtOnceMax, verifiedWithinMs, findingsMax } = LIMITS.audit;
  const from = Math.min(size, fromSequence - (fromSequence % verifiedAtOnceMax));
  const end = Math.min(size, from + verifiedLeavesMax);
  const until = performance.now() + verifiedWithinMs;
  const readRemoved = async (): Promise<number> => (await read((tx) => readRemoval(tx, log))).leaves;
  let removedBelow = await readRemoved();
  let [at, after, isFirst, removed, counts] = [from, '', true, 0, NO_RECORDS.counts];
  const isOfRecords = asIf === undefined;
  do {
    const to = Math.min(end, at + verifiedAtOnceMax);
    const walk = { from: at, to, size, isFirst, after, isOfRecords };
    const compare = () => read((tx) => compareNext(tx, log, { ...walk, removedBelow }));
    let next = await compare();
    // Events that retention removed meanwhile were announced before.
    const removedNow = next.findings.some(({ kind }) => kind === 'DELETED') ? await readRemoved() : removedBelow;
    if (removedNow > removedBelow) {
      removedBelow = removedNow;
      next = await compare();
    }
    // Events that are unsealed because the log is held were not inserted by an attacker.
    found.push(...next.findings.filter(({ kind }) => kind !== 'INSERTED' || row?.held_since == null));
    [at, after, isFirst, removed, counts] = [to, next.after, false, removed + next.removed, addCounts(counts, next.counts)];
  } while (at < end && found.length < findingsMax && performance.now() < until);
  if (at === size && row?.held_since == null) found.push(...(await slippedInBehind(read, log, after)));
  return {
    intact: found.length === 0,
    from_sequence: from,
    to_sequence: at,
    next_sequence: at < size ? at : null,
    tree_size: size,
    removed_by_retention: removed,
    checkpoint: row?.checkpoint ?? null,
    findings: found.slice(0, findingsMax),
    checkpoints,
    record_parts: counts,
  };
};
