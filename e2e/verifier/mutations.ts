import { randomInt } from 'node:crypto';
import { exportLines, newLogKey, type SealedLog } from '@svc/testing/logs/sealed-log.ts';

/** A tampered export, and the auditor's options; `word` is what the verifier must report. */
export type Mutated = {
  readonly lines: readonly string[];
  readonly checkpoint?: string;
  readonly seen?: readonly string[];
  readonly word: RegExp;
};

const whole = new WeakMap<SealedLog, readonly string[]>();

/** Returns the whole export of a log, shared by all mutations. */
const listLines = (log: SealedLog): readonly string[] => {
  const lines = whole.get(log) ?? exportLines(log);
  whole.set(log, lines);
  return lines;
};

const isEvent = (line: string): boolean => line.startsWith('{"id":');

/** Returns the index of a random event in the lines. */
const someEvent = (lines: readonly string[]): number => {
  for (;;) {
    const at = randomInt(lines.length);
    if (isEvent(lines[at] ?? '')) return at;
  }
};

const EDITS: readonly ((line: string) => string)[] = [
  (line) => line.replace(/"amount":[\d.]+/, `"amount":${randomInt(1_000_000) + 0.005}`),
  (line) => line.replace('"severity":"info"', '"severity":"critical"'),
  (line) => line.replace(/"id":"agt_\d+"/, '"id":"agt_99"'),
  (line) => line.replace(/"occurred_at":"(\d)/, '"occurred_at":"3'),
  (line) => line.replace('"data":{', '"data":{"more":1,'),
  // A duplicate member: one parser takes the first, another the last.
  (line) => line.replace('"severity":"info"', '"severity":"critical","severity":"info"'),
];

const edit = (log: SealedLog): Mutated => {
  const lines = listLines(log);
  const at = someEvent(lines);
  const change = EDITS[randomInt(EDITS.length)] as (line: string) => string;
  return { lines: lines.with(at, change(lines[at] ?? '')), word: /Changed/ };
};

const remove = (log: SealedLog): Mutated => {
  const lines = listLines(log);
  const [at, count] = [someEvent(lines), 1 + randomInt(3)];
  return { lines: lines.filter((line, n) => n < at || n >= at + count || !isEvent(line)), word: /Deleted|Cut/ };
};

const insert = (log: SealedLog): Mutated => {
  const lines = listLines(log);
  const made = (lines[someEvent(lines)] ?? '').replace(/"request_id":"req_\d+"/, '"request_id":"req_made"');
  return { lines: lines.toSpliced(someEvent(lines), 0, made), word: /Inserted/ };
};

const reorder = (log: SealedLog): Mutated => {
  const lines = listLines(log);
  const a = someEvent(lines);
  let b = someEvent(lines);
  while (a === b) b = someEvent(lines);
  const swap = (from: string, as: string) => from.replace(/"sequence":\d+/, /"sequence":\d+/.exec(as)?.[0] ?? '');
  const [first, second] = [lines[a] ?? '', lines[b] ?? ''];
  // In another order with their old numbers, or renumbered to hide it.
  return randomInt(2) === 0
    ? { lines: lines.with(a, second).with(b, first), word: /Moved/ }
    : { lines: lines.with(a, swap(second, first)).with(b, swap(first, second)), word: /Moved/ };
};

const truncate = (log: SealedLog): Mutated => {
  const lines = listLines(log);
  const at = someEvent(lines);
  // The file alone, or with the manifest moved behind what is left.
  return randomInt(2) === 0
    ? { lines: lines.slice(0, at), checkpoint: log.checkpointOf(log.events.length), word: /Cut/ }
    : { lines: [...lines.slice(0, at), lines.at(-1) ?? ''], word: /Cut/ };
};

/** Returns the export of another organization, unchanged or under the name of this one. */
const swapOrganizations = (log: SealedLog, other: SealedLog): Mutated => {
  const theirs = listLines(other);
  if (randomInt(2) === 0) return { lines: theirs, word: /another log/ };
  const renamed = theirs.map((line) => line.replaceAll(other.organizationId, log.organizationId));
  return { lines: renamed, word: /not signed|does not come to the root/ };
};

const replay = (log: SealedLog): Mutated => {
  const lines = listLines(log);
  const at = someEvent(lines);
  const range = lines.slice(at, at + 1 + randomInt(5)).filter(isEvent);
  return { lines: lines.toSpliced(someEvent(lines), 0, ...range), word: /Replayed/ };
};

/** Rewrites a log and signs it with the attacker's key. */
const resign = (log: SealedLog): Mutated => {
  const note = log.checkpointOf(log.events.length, newLogKey());
  const lines = listLines(log);
  const manifest = JSON.parse(lines.at(-1) ?? '').manifest;
  return { lines: lines.with(-1, JSON.stringify({ manifest: { ...manifest, checkpoint: note } })), word: /not signed by the key/ };
};

const rollBack = (log: SealedLog): Mutated => {
  const before = 1 + randomInt(log.events.length - 1);
  return { lines: exportLines(log, before), seen: [log.checkpointOf(log.events.length)], word: /Rolled back/ };
};

export const MUTATIONS: Readonly<Record<string, (log: SealedLog, other: SealedLog) => Mutated>> = {
  edit,
  delete: remove,
  insert,
  reorder,
  truncate,
  'swap organizations': swapOrganizations,
  replay,
  're-sign': resign,
  'roll back': rollBack,
};
