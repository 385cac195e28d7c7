/** Seconds that each test file took, by path. */
export type Durations = Readonly<Record<string, number>>;

/** One process of the runner: a file, or several that share one since none of them leaves anything behind in it. */
export type Unit = { readonly name: string; readonly files: readonly string[] };

/** Rooms whose tests need nothing of a process but its processor: no hooks at the root of a file, no settings, no servers. */
const SHARING = [
  'packages/contract/',
  'packages/solver/',
  'packages/policy/',
  'packages/domain/',
  'packages/enforcement/',
  'packages/keyring/',
  'tools/rules/',
];

/** A file that takes longer has a process of its own, so that the others of its room need not wait. */
const SHARED_SECONDS_MAX = 3;

/** What a file that was never timed is taken for. */
const UNKNOWN_SECONDS = 1;

const roomOf = (file: string): string | undefined => SHARING.find((room) => file.startsWith(room));

/** Longest first, so that no core idles at the end while a slow file that began late goes on. */
export const planTests = (files: readonly string[], durations: Durations): Unit[] => {
  const secondsOf = (file: string): number => durations[file] ?? UNKNOWN_SECONDS;
  const shared = new Map<string, string[]>();
  const units: Unit[] = [];
  for (const file of files) {
    const room = secondsOf(file) <= SHARED_SECONDS_MAX ? roomOf(file) : undefined;
    if (room === undefined) units.push({ name: file, files: [file] });
    else shared.set(room, [...(shared.get(room) ?? []), file]);
  }
  for (const [room, together] of shared) units.push({ name: room, files: together });
  const seconds = ({ files: of }: Unit): number => of.reduce((sum, file) => sum + secondsOf(file), 0);
  return units.sort((one, other) => seconds(other) - seconds(one) || (one.name < other.name ? -1 : 1));
};
