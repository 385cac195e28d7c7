import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { identifyProcess, type ProcessIdentity } from '../system/process-identity.ts';
import { hasErrorCode } from '../system/system-error.ts';

/** The processes of a cluster. */
export type ServerProcesses = {
  readonly postmaster: ProcessIdentity | undefined;
  /** Processes whose postmaster is dead. They hold the shared memory and keep a new server from starting. */
  readonly orphans: readonly ProcessIdentity[];
};

/** Inspects the processes themselves: the process id in postmaster.pid may belong to another program by now. */
export const findServerProcesses = (cluster: string): ServerProcesses =>
  process.platform === 'linux' ? scanProcesses(cluster) : askPostmasterFile(cluster);

type Found = { readonly pid: number; readonly parent: number; readonly isPostmaster: boolean };

const scanProcesses = (cluster: string): ServerProcesses => {
  const home = statSync(cluster);
  const found = readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid)
    .flatMap((pid) => inspect(pid, home) ?? []);
  const members = new Set(found.map(({ pid }) => pid));
  const identify = ({ pid }: Found): readonly ProcessIdentity[] => {
    const identity = identifyProcess(pid);
    return identity === undefined ? [] : [identity];
  };
  return {
    postmaster: found.filter(({ isPostmaster }) => isPostmaster).flatMap(identify)[0],
    orphans: found.filter(({ isPostmaster, parent }) => !isPostmaster && !members.has(parent)).flatMap(identify),
  };
};

/** Every process of a server works inside its cluster. Compares the folder itself, not its path, which may have been renamed. */
const inspect = (pid: number, home: { readonly dev: number; readonly ino: number }): Found | undefined => {
  try {
    const folder = statSync(`/proc/${pid}/cwd`);
    if (folder.ino !== home.ino || folder.dev !== home.dev) return undefined;
    // A shell or an editor may be open in that folder too.
    if (!/^postgres( \(deleted\))?$/.test(path.basename(readlinkSync(`/proc/${pid}/exe`)))) return undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { pid, parent, isPostmaster: !readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('postgres:') };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
};

const askPostmasterFile = (cluster: string): ServerProcesses => {
  const pid = readPostmasterPid(cluster);
  const identity = pid === undefined ? undefined : identifyProcess(pid);
  if (identity === undefined) return { postmaster: undefined, orphans: [] };
  const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return { postmaster: command.includes('postgres') ? identity : undefined, orphans: [] };
};

/** Returns the first line of postmaster.pid; undefined if there is no such file. */
export const readPostmasterPid = (cluster: string): number | undefined => {
  const first = Number(readPostmasterFile(cluster)?.split('\n')[0]);
  return Number.isSafeInteger(first) ? first : undefined;
};

/** Returns true if the server reports that it accepts connections. */
export const isServerReady = (cluster: string): boolean => readPostmasterFile(cluster)?.split('\n')[7]?.trim() === 'ready';

const readPostmasterFile = (cluster: string): string | undefined => {
  try {
    return readFileSync(path.join(cluster, 'postmaster.pid'), 'latin1');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};
