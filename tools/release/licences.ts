/** Licences that a package may have. Each permits use and distribution with this project under Apache-2.0. */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'PSF-2.0', 'Python-2.0'],
  ...['Unlicense', 'Zlib'],
  // Copyleft by file: its own files stay under it, and they are installed unchanged.
  'MPL-2.0',
]);

/** Packages whose manifest states its licence in an older form or in a file, with the licence found there. */
const READ_IN_THE_PACKAGE: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server-everything': 'MIT',
  '@modelcontextprotocol/server-filesystem': 'MIT',
  '@modelcontextprotocol/server-memory': 'MIT',
  busboy: 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  streamsearch: 'MIT',
};

export type LockedPackage = { readonly version?: string; readonly license?: string; readonly dev?: boolean; readonly link?: boolean };
export type ListedPackage = { readonly name: string; readonly version: string; readonly licence: string; readonly ships: boolean };

/** True if one alternative of an SPDX expression has only allowed licences. Expressions of this form only: `(A OR B)`, `(A AND B)`. */
export const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((side) => side.split(' AND ').every((one) => ALLOWED.has(one.trim())));

/** The packages of a lock file with their licences, once for each name and version. */
export const listLicences = (packages: Readonly<Record<string, LockedPackage>>): readonly ListedPackage[] => {
  const listed = new Map<string, ListedPackage>();
  for (const [place, { version = '', license, dev = false, link = false }] of Object.entries(packages)) {
    const at = place.lastIndexOf('node_modules/');
    if (at < 0 || link) continue;
    const name = place.slice(at + 'node_modules/'.length);
    const licence = READ_IN_THE_PACKAGE[name] ?? license ?? 'none stated';
    const key = `${name}@${version}`;
    listed.set(key, { name, version, licence, ships: !dev || (listed.get(key)?.ships ?? false) });
  }
  return [...listed.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
};

/** One line for each package; the last column is empty for those that only development needs. */
export const formatLicences = (packages: readonly ListedPackage[]): string =>
  [
    'package\tversion\tlicence\tinstalled by users',
    ...packages.map(({ name, version, licence, ships }) => [name, version, licence, ships ? 'yes' : ''].join('\t')),
    '',
  ].join('\n');
