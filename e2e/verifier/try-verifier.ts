import path from 'node:path';
import { exportLines, newSealedLog, type SealedLog } from '@svc/testing/logs/sealed-log.ts';
import { MUTATIONS } from './mutations.ts';

export type VerifierResult = { readonly faults: readonly string[] };
type Verifier = {
  readonly verifyExport: (lines: readonly string[], options: object) => Promise<VerifierResult>;
  readonly readKey: (text: string) => object;
};

export const VERIFIER = path.resolve(import.meta.dirname, '../../verifier/verify.mjs');
const verifier: Verifier = await import(VERIFIER);

const look = ({ verifierKey }: SealedLog, lines: readonly string[], more: object = {}): Promise<VerifierResult> =>
  verifier.verifyExport(lines, { keys: [verifier.readKey(verifierKey)], isPart: false, ...more });

export type Trial = {
  readonly events: number;
  readonly logs: number;
  readonly mutations: number;
  readonly honest: number;
  /** The part to examine here; all parts without it. */
  readonly part?: { readonly at: number; readonly of: number };
};

/**
 * Returns wrong statements of the verifier, one sentence each; empty if it found and named every mutation, and reported no unmodified log.
 * `looked` is called for each log.
 */
export const tryVerifier = async (
  { events, logs, mutations, honest, part: { at, of } = { at: 0, of: 1 } }: Trial,
  looked: () => void = () => undefined,
): Promise<readonly string[]> => {
  const wrong: string[] = [];
  const kinds = Object.entries(MUTATIONS);
  const all = Array.from({ length: logs }, () => newSealedLog(events));
  for (let n = at; n < mutations; n += of) {
    const [log, other] = [all[n % logs], all[(n + 1) % logs]] as [SealedLog, SealedLog];
    const [kind, mutate] = kinds[n % kinds.length] as (typeof kinds)[number];
    const { lines, word, ...more } = mutate(log, other);
    const { faults } = await look(log, lines, more);
    if (faults.length === 0) wrong.push(`${kind} was not found`);
    else if (!faults.some((fault) => word.test(fault))) wrong.push(`${kind} was told as: ${faults.slice(0, 3).join(' ')}`);
    looked();
  }
  for (let n = at; n < honest; n += of) {
    const size = 1 + Math.floor(Math.random() * events);
    const log = n < logs ? (all[n] as SealedLog) : newSealedLog(size);
    const seen = Array.from({ length: 3 }, () => log.checkpointOf(1 + Math.floor(Math.random() * log.events.length)));
    const { faults } = await look(log, exportLines(log), { seen: [seen.join('\n')] });
    if (faults.length > 0) wrong.push(`an honest log was reported: ${faults.slice(0, 3).join(' ')}`);
    looked();
  }
  return wrong;
};
