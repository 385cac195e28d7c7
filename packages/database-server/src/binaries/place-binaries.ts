import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import type { ProcessAccount } from '../account/choose-account.ts';
import { canReach } from '../account/reach-as.ts';
import { hasErrorCode } from '../system/system-error.ts';
import { copyBinaries } from './copy-binaries.ts';
import { findNativeFolder, type NativeFolder } from './find-native-folder.ts';
import { hasAllLibraryLinks, linkLibrariesInto, repairLinksInPlace } from './repair-library-links.ts';

/** PostgreSQL, ready to run under the account. */
export type Binaries = {
  readonly postgres: string;
  readonly initdb: string;
  /** The version that the server reports, for example 18.4. */
  readonly version: string;
  /** The whole environment of its processes: ours contains secrets and settings that are not meant for it. */
  readonly env: Readonly<Record<string, string>>;
};

/** Finds PostgreSQL, repairs its links if npm omitted them, and copies it if the account cannot reach it. */
export const placeBinaries = (
  dataDir: string,
  account: ProcessAccount | undefined,
  log: (line: string) => void,
  source: NativeFolder = findNativeFolder(),
): Binaries => {
  if (account !== undefined && !canReach(path.join(source.folder, 'bin', 'postgres'), account)) return useCopy(source, account, log);
  const links = provideLinks(source, dataDir, account);
  if (links === 'copy' && account !== undefined) return useCopy(source, account, log);
  const binaries = describe(source.folder, typeof links === 'object' ? links.folder : undefined);
  const version = askVersion(binaries, account);
  if (version !== undefined) return { ...binaries, version };
  if (account !== undefined) return useCopy(source, account, log);
  throw new DatabaseServerFault(
    `You are not allowed to run ${binaries.postgres}. Make the file and its folders readable and executable, or move the project to a disk that is not mounted with noexec.`,
  );
};

/** Creates the links in place, else in the data folder; if the account cannot reach that, a copy is the only way. */
const provideLinks = (
  source: NativeFolder,
  dataDir: string,
  account: ProcessAccount | undefined,
): 'in place' | { folder: string } | 'copy' => {
  if (hasAllLibraryLinks(source.folder) || repairLinksInPlace(source.folder)) return 'in place';
  if (account !== undefined && !canReach(dataDir, account)) return 'copy';
  const folder = path.join(dataDir, 'postgres-libraries');
  linkLibrariesInto(folder, source.folder);
  return { folder };
};

const useCopy = (source: NativeFolder, account: ProcessAccount, log: (line: string) => void): Binaries => {
  const folder = copyBinaries(source, account, log);
  const binaries = describe(folder, undefined);
  const version = askVersion(binaries, account);
  if (version === undefined) {
    throw new DatabaseServerFault(
      `The unprivileged user id ${account.uid} is not allowed to run ${binaries.postgres}. Move the project to a disk that is not mounted with noexec, or start as a non-root user.`,
    );
  }
  return { ...binaries, version };
};

const describe = (native: string, libraries: string | undefined): Omit<Binaries, 'version'> => ({
  postgres: path.join(native, 'bin', 'postgres'),
  initdb: path.join(native, 'bin', 'initdb'),
  env: {
    PATH: '/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(libraries === undefined ? {} : { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraries }),
  },
});

/** Runs the server for its version, which also detects a missing system library. Undefined if it cannot be run at all. */
const askVersion = (binaries: Omit<Binaries, 'version'>, account: ProcessAccount | undefined): string | undefined => {
  const answer = spawnSync(binaries.postgres, ['-V'], { ...account, cwd: '/', env: binaries.env, encoding: 'utf8' });
  if (answer.error !== undefined) {
    if (hasErrorCode(answer.error, 'EACCES')) return undefined;
    const why = hasErrorCode(answer.error, 'EPERM', 'EINVAL')
      ? `this container is not allowed to change to user id ${account?.uid}`
      : answer.error.message;
    throw new DatabaseServerFault(
      `PostgreSQL cannot be run (${why}). Start as a non-root user, or set DATABASE_URL to your own PostgreSQL.`,
    );
  }
  const version = /\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(answer.stdout)?.[1];
  if (version === undefined) {
    throw new DatabaseServerFault(
      `PostgreSQL cannot be run here (${answer.stderr.trim().split('\n')[0]}). Install the missing library, or set DATABASE_URL to your own PostgreSQL.`,
    );
  }
  return version;
};
