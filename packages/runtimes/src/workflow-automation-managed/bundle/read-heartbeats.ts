import { LIMITS } from '@svc/contract/tables/limits.ts';
import { digestText } from '../../digest/digest.ts';
import type { NewEvidence } from '../../kind.ts';
import { hookFileHash } from './hook-file.ts';
import { type BundleTerms, leverValues } from './managed-bundle.ts';
import { nodePackageDigest } from './node-package.ts';

export type ReceivedHeartbeat = {
  readonly process_id: string;
  readonly at: string;
  readonly product_version: string | null;
  readonly hook_sha256: string;
  /** SHA-256 over the files of the governed node; null if it is not installed. */
  readonly node_sha256: string | null;
  /** True if it answered the nonce of the last response; null for the first heartbeat of a process. */
  readonly proven: boolean | null;
  readonly levers: Readonly<Record<string, string | null>>;
  readonly probe: { readonly target: string; readonly result: string; readonly at: string } | null;
};

export type TimedEvidence = NewEvidence & { readonly at: string };

const SOURCE = 'heartbeat of the hook file';

const isoTime = (text: string): string => new Date(text).toISOString();

/** Returns the names of settings that do not have the value of the bundle. */
const differing = (terms: BundleTerms, { levers }: ReceivedHeartbeat): string[] =>
  Object.entries(leverValues(terms)).flatMap(([name, value]) => {
    const wanted = value === null ? null : digestText(value);
    return (levers[name] ?? null) === wanted ? [] : [name];
  });

const describe = (terms: BundleTerms, beat: ReceivedHeartbeat): string | undefined => {
  const settings = differing(terms, beat);
  if (beat.hook_sha256 !== hookFileHash()) return 'Another hook file runs.';
  if (beat.node_sha256 !== nodePackageDigest()) return 'The governed node of the bundle is not installed, or is another one.';
  if (beat.proven === false) return 'A heartbeat does not answer the last response.';
  return settings.length === 0 ? undefined : `Settings differ from the bundle: ${settings.join(', ')}.`;
};

/** Returns true if the hook file proved that it runs since the last response. */
const isProven = ({ proven }: ReceivedHeartbeat): boolean => proven === true;

/**
 * Returns what heartbeats show: that the hook file runs, that every process has the files of the bundle, and what its network refused. One process
 * that differs is enough for it not to hold.
 */
export const readHeartbeats = (terms: BundleTerms, beats: readonly ReceivedHeartbeat[], now: Date): readonly TimedEvidence[] => {
  const alive = beats.filter(({ at }) => now.getTime() - Date.parse(at) < 1_000 * LIMITS.runtimeHooks.silentSeconds);
  const faults = alive.flatMap((beat) => describe(terms, beat) ?? []);
  // A process that reported once has not shown that it runs. Its reports against itself count.
  const newest = alive.find(isProven) ?? (faults.length > 0 ? alive[0] : undefined);
  if (newest === undefined) return [];
  const version = newest.product_version ?? 'unknown';
  const hook: TimedEvidence = {
    ...{ name: 'HOOK_ALIVE', holds: isProven(newest), source: SOURCE, at: isoTime(newest.at) },
    detail: `${alive.length} processes report, version ${version}.`,
  };
  const bundle: TimedEvidence = {
    ...{ name: 'BUNDLE', holds: faults.length === 0, source: SOURCE, at: isoTime(newest.at) },
    detail: faults[0] ?? 'The hook file, the governed node and the settings are those of the bundle.',
    data: { hook_sha256: newest.hook_sha256, node_sha256: newest.node_sha256 },
  };
  const probes = alive.flatMap(({ probe }) => probe ?? []);
  const [worst] = [...probes.filter(({ result }) => result === 'REACHED'), ...probes.filter(({ result }) => result !== 'REACHED')];
  if (worst === undefined) return [hook, bundle];
  const holds = worst.result === 'REACHED' ? false : worst.result === 'BLOCKED' ? true : null;
  const words = { REACHED: 'was reached', BLOCKED: 'was refused' }[worst.result] ?? 'could not be tried';
  return [
    hook,
    bundle,
    { name: 'NETWORK', holds, source: SOURCE, at: isoTime(worst.at), detail: `A connection to ${worst.target} ${words}.` },
  ];
};
