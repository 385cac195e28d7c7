/** Seconds that each test file took, by path. */
export type Durations = Readonly<Record<string, number>>;

/** One process of the runner: a file, or several that share one, since loading common modules takes longer than most of them. */
export type Unit = { readonly name: string; readonly files: readonly string[] };

/** A longer file has a process of its own, so that others need not wait. */
const SHARED_SECONDS_MAX = 15;

/** Maximum total of a process; more would leave cores idle at the end of a run. */
const UNIT_SECONDS_MAX = 40;
const UNIT_FILES_MAX = 25;

/** Assumed duration of a file that was never timed. */
const UNKNOWN_SECONDS = 1;

/** `apps/gateway`, `e2e/attacks`: their files load similar modules. */
const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Groups files in order, as many as one process may take. */
const inUnits = (room: string, files: readonly string[], secondsOf: (file: string) => number): Unit[] => {
  const units: string[][] = [];
  let seconds = 0;
  for (const file of files) {
    const last = units.at(-1);
    seconds += secondsOf(file);
    if (last !== undefined && last.length < UNIT_FILES_MAX && seconds <= UNIT_SECONDS_MAX) last.push(file);
    else {
      units.push([file]);
      seconds = secondsOf(file);
    }
  }
  return units.map((together, n) => ({ name: `${room}/${n + 1}`, files: together }));
};

/** Longest first, so that no core idles at the end while a slow file that began late continues. */
export const planTests = (files: readonly string[], durations: Durations, shares: (file: string) => boolean): Unit[] => {
  const secondsOf = (file: string): number => durations[file] ?? UNKNOWN_SECONDS;
  const isShared = (file: string): boolean => secondsOf(file) <= SHARED_SECONDS_MAX && shares(file);
  const alone = files.filter((file) => !isShared(file)).map((file): Unit => ({ name: file, files: [file] }));
  const rooms = Map.groupBy(files.filter(isShared), roomOf);
  const units = [...alone, ...[...rooms].flatMap(([room, own]) => inUnits(room, own, secondsOf))];
  const seconds = ({ files: of }: Unit): number => of.reduce((sum, file) => sum + secondsOf(file), 0);
  return units.sort((one, other) => seconds(other) - seconds(one) || (one.name < other.name ? -1 : 1));
};
