import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../system/make-folder.ts';
import { hasErrorCode } from '../system/system-error.ts';

type Link = { readonly file: string; readonly link: string };

/**
 * Returns the links that the package lists and that do not lead to a file. An npm package cannot contain symbolic links; its install script
 * creates them, and install scripts are often switched off.
 */
const brokenLinks = (native: string): readonly Link[] =>
  listedLinks(native).filter(({ link }) => !existsSync(path.join(native, '..', link)));

export const hasAllLibraryLinks = (native: string): boolean => brokenLinks(native).length === 0;

/** Creates the missing links next to their libraries. Returns false if the folder is not writable. */
export const repairLinksInPlace = (native: string): boolean => {
  const root = path.join(native, '..');
  try {
    for (const { file, link } of brokenLinks(native)) placeLink(path.basename(file), path.join(root, link));
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
};

/**
 * Creates all links in a folder of our own, for a read-only package, and points the loader to it. Libraries with a name of their own are
 * linked too, since a library looks for its neighbours in the folder it was found in.
 */
export const linkLibrariesInto = (folder: string, native: string): void => {
  makeFolder(folder, 0o755);
  const root = path.join(native, '..');
  for (const { file, link } of listedLinks(native)) placeLink(path.join(root, file), path.join(folder, path.basename(link)));
  const libraries = path.join(native, 'lib');
  for (const name of readdirSync(libraries)) if (name.includes('.so')) placeLink(path.join(libraries, name), path.join(folder, name));
};

const listedLinks = (native: string): readonly Link[] => {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const entries = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return entries
    .map(({ source, target }) => ({ file: source, link: target }))
    .filter(({ file }) => existsSync(path.join(native, '..', file)));
};

const placeLink = (target: string, link: string): void => {
  try {
    symlinkSync(target, link);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    // A link to another target, such as an earlier version, is replaced; one that a concurrent start has just made is kept.
    if (!lstatSync(link).isSymbolicLink() || readlinkSync(link) === target) return;
    unlinkSync(link);
    symlinkSync(target, link);
  }
};
