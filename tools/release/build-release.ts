import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listVersionFaults } from './check-versions.ts';
import { exportTree, readRevision } from './export-tree.ts';
import { formatLicences, isAllowed, listLicences } from './licences.ts';
import { findBuilder, getBillOfMaterials, packNpm, packPython } from './pack-packages.ts';
import { signSums, VERIFY, writeSums } from './sign.ts';

export type ReleaseOptions = {
  readonly root: string;
  /** A folder that does not exist yet. */
  readonly folder: string;
  /** Private SSH key that signs the sums. */
  readonly key: string;
  /** Builds from files that differ from the commit, and says so in `release.json`. */
  readonly mayBeDirty: boolean;
  readonly withPython: boolean;
  readonly report: (line: string) => void;
};

const licenceFaults = (listed: ReturnType<typeof listLicences>): string[] =>
  listed
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, version, licence }) => `${name} ${version} has a licence that is not allowed: ${licence}`);

const listFaults = (
  { root, mayBeDirty, withPython }: ReleaseOptions,
  isClean: boolean,
  listed: ReturnType<typeof listLicences>,
): string[] => [
  ...listVersionFaults(root).faults,
  ...licenceFaults(listed),
  ...(isClean || mayBeDirty ? [] : ['Files differ from the commit: commit them, or give --dirty.']),
  ...(!withPython || findBuilder() !== undefined
    ? []
    : ['No python3 with setuptools and wheel: apt-get install python3-setuptools python3-wheel, or give --without-python.']),
];

const fill = (options: ReleaseOptions, tree: string, version: string, listed: ReturnType<typeof listLicences>): void => {
  const { folder, withPython, report } = options;
  const at = (name: string): string => path.join(folder, name);
  report('Packing the SDK, the client and the command line ...');
  packNpm(tree, folder);
  const python = withPython ? findBuilder() : undefined;
  if (python !== undefined) packPython(python, tree, folder);
  cpSync(path.join(tree, 'verifier/verify.mjs'), at(`verify-${version}.mjs`));
  cpSync(path.join(tree, 'LICENSE'), at('LICENSE'));
  writeFileSync(at('sbom.cdx.json'), getBillOfMaterials(tree));
  writeFileSync(at('licences.tsv'), formatLicences(listed));
};

/** Builds the files of a release into a new folder. Returns what prevents it instead, before anything is written. */
export const buildRelease = (options: ReleaseOptions): readonly string[] => {
  const { root, folder, key, report } = options;
  const { version } = listVersionFaults(root);
  const { commit, isClean } = readRevision(root);
  const listed = listLicences(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages);
  const faults = listFaults(options, isClean, listed);
  if (faults.length > 0) return faults;
  mkdirSync(folder, { recursive: false });
  const tree = exportTree(root);
  try {
    fill(options, tree, version, listed);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
  writeFileSync(path.join(folder, 'release.json'), `${JSON.stringify({ version, commit, has_other_changes: !isClean }, undefined, 2)}\n`);
  writeSums(folder);
  const fingerprint = signSums(folder, key);
  report(
    `Release ${version} is in ${folder}, signed with the key ${fingerprint}. To verify it there:\n\n${VERIFY.map((line) => `    ${line}`).join('\n')}`,
  );
  return [];
};
