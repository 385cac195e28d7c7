import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux counts these in hundredths of a second, on any kernel. */
const MICROS_PER_TICK = 10_000;

type Stat = { readonly parent: number; readonly own: number; readonly ofEnded: number };

/** A process may end between being listed and being read. */
const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
};

/** Fields of /proc/<pid>/stat after the program's name, which may contain spaces and brackets. Undefined if it has ended. */
const readStat = (pid: number): Stat | undefined => {
  const text = readIfThere(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number): number => fields[index] ?? 0;
  return { parent: at(1), own: at(11) + at(12), ofEnded: at(13) + at(14) };
};

export const canMeasure = existsSync('/proc/self/stat');

/** Returns the microseconds of processor time of one process in user and system mode. */
export const getProcessMicros = (pid: number): number => (readStat(pid)?.own ?? 0) * MICROS_PER_TICK;

/** Returns the same for a process with all its children, including ended ones. */
export const getFamilyMicros = (pid: number): number => {
  const parent = readStat(pid);
  if (parent === undefined) return 0;
  const children = readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0)
    .map(readStat)
    .filter((stat) => stat?.parent === pid);
  return children.reduce((sum, stat) => sum + (stat?.own ?? 0), parent.own + parent.ofEnded) * MICROS_PER_TICK;
};

/** Returns the resident memory of a process in MB (million bytes); null if the system does not report it. */
export const getResidentMegabytes = (pid: number): number | null => {
  if (!canMeasure) return null;
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
};

/** Returns the processor time of the whole machine since its start: busy, and available. */
export const getMachineMicros = (): { readonly busy: number; readonly capacity: number } => {
  if (!canMeasure) return { busy: 0, capacity: 0 };
  const fields = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const capacity = fields.reduce((sum, each) => sum + each, 0);
  const idle = (fields[3] ?? 0) + (fields[4] ?? 0);
  return { busy: (capacity - idle) * MICROS_PER_TICK, capacity: capacity * MICROS_PER_TICK };
};
