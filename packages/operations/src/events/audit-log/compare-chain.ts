import type { Verification } from '@svc/contract/events/audit-log.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { checkpointHash, findNewestKept } from '@svc/keyring/log/checkpoint-chain.ts';
import { type Checkpoint, openCheckpoint, readCheckpoint } from '@svc/keyring/log/signed-note.ts';
import { type KeptTreeRow, type PastCheckpoint, readPastCheckpoints } from '@svc/postgres/audit/log/read-log.ts';
import type { LogFinding } from './compare-stretch.ts';
import type { AuditedLog, LogReader } from './verify-log.ts';

/** The stored checkpoint that is next in the chain, from the newest to the first. */
type Expected = { readonly number: number; readonly hash: string };

type Walk = { readonly log: AuditedLog; readonly origin: string; readonly found: LogFinding[]; linked: number; notLinked: number };

const fault = (says: string, sequence: number | null): LogFinding => ({ kind: 'LOG_CHANGED', sequence, event_id: null, says });

const missing = (from: number, to: number, sequence: number | null): LogFinding => {
  const numbers = from === to ? `Checkpoint ${from} was` : `Checkpoints ${from} to ${to} were`;
  return fault(`${numbers} deleted: later checkpoints commit to ${from === to ? 'it' : 'them'}.`, sequence);
};

const before = ({ history }: Checkpoint): Expected =>
  history === undefined ? { number: 0, hash: '' } : { number: history.number - 1, hash: history.hash };

/** Returns differences between the columns of a stored checkpoint and its text. */
const compareColumns = ({ size, root_hash, created_at }: PastCheckpoint, said: Checkpoint): readonly LogFinding[] => {
  const [number, at] = [said.history?.number, said.history?.at.replace(/Z$/, '000Z')];
  return [
    ...(said.size === size && said.root.equals(root_hash)
      ? []
      : [
          fault(`Checkpoint ${number} was changed: its row states ${size} leaves, and its signed text ${said.size} or another root.`, size),
        ]),
    ...(at === created_at ? [] : [fault(`Checkpoint ${number} was dated ${created_at}: it was signed at ${at}.`, size)]),
  ];
};

/** Handles a checkpoint that later ones do not commit to. */
const compareOther = (walk: Walk, row: PastCheckpoint, expected: Expected): Expected => {
  const said = openCheckpoint(row.note, walk.log.keys);
  const { size } = row;
  if (said?.origin !== walk.origin) {
    walk.found.push(fault(`The log has not signed the checkpoint of ${size} leaves.`, size));
    return expected;
  }
  if (said.history?.kind !== 'kept') {
    walk.notLinked += 1;
    return expected;
  }
  const { number } = said.history;
  if (number >= expected.number) {
    walk.found.push(fault(`Checkpoint ${number} of ${size} leaves is not the one that later checkpoints commit to.`, size));
    return number > expected.number ? expected : before(said);
  }
  walk.found.push(missing(number + 1, expected.number, size), ...compareColumns(row, said));
  walk.linked += 1;
  return before(said);
};

const compareOne = (walk: Walk, row: PastCheckpoint, expected: Expected): Expected => {
  const said = readCheckpoint(row.note);
  if (said === undefined || expected.number === 0 || checkpointHash(row.note) !== expected.hash) return compareOther(walk, row, expected);
  walk.found.push(...compareColumns(row, said));
  walk.linked += 1;
  return before(said);
};

export type ComparedChain = { readonly findings: readonly LogFinding[]; readonly counts: Verification['checkpoints'] };

/**
 * Compares past checkpoints with the chain that the checkpoint of the tree commits to: a deleted, changed or re-dated one is found, with
 * its number. `isWhole` walks to the first one; otherwise only the newest are compared.
 */
export const compareChain = async (read: LogReader, log: AuditedLog, row: KeptTreeRow, isWhole: boolean): Promise<ComparedChain> => {
  const { chainedAtOnceMax: limit, findingsMax } = LIMITS.audit;
  const walk: Walk = { log, origin: getLogOrigin(log.installationId, log.organizationId), found: [], linked: 0, notLinked: 0 };
  let expected: Expected = findNewestKept(row.checkpoint) ?? { number: 0, hash: '' };
  let [below, isEnd] = [row.size + 1, false];
  do {
    const page = await read((tx) => readPastCheckpoints(tx, log.organizationId, { below, limit }));
    for (const past of page) expected = compareOne(walk, past, expected);
    below = page.at(-1)?.size ?? 0;
    isEnd = page.length < limit;
  } while (isWhole && !isEnd && walk.found.length < findingsMax);
  if (isEnd && expected.number > 0) walk.found.push(missing(1, expected.number, null));
  return { findings: walk.found, counts: { linked: walk.linked, not_linked: walk.notLinked } };
};
