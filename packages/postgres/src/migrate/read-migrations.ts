import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { DATABASE_ROLES, type DatabaseRole } from '../connection/connect.ts';
import type { Installation } from './installation.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string };

/** Checksums of files before they were corrected for databases that had not run them yet; a later file handles what they created. */
const FORMER: Readonly<Record<string, readonly string[]>> = {
  // An owner without superuser rights could not run it: 0020 does the same for all.
  '0007_delegations.sql': ['4cb5dddc617dddc9bc54860fdc525f4f86eaa87bc08d292f6982a82c399a9133'],
};

/** All files in their order. */
export const readMigrations = async (): Promise<readonly Migration[]> => {
  const names = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
};

/** Returns true if this is the file that a database has run, by its checksum. */
export const isSame = ({ name, checksum }: Migration, ran: string): boolean => checksum === ran || (FORMER[name]?.includes(ran) ?? false);

const ROLE_NAMES = new RegExp(`\\b(${DATABASE_ROLES.join('|')})\\b`, 'g');

/** Returns the text with the roles of this installation in place of `svc_app` and the others. */
export const forInstallation = (text: string, { loginOf }: Installation): string =>
  text.replace(ROLE_NAMES, (role) => loginOf(role as DatabaseRole).user);
