import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTool } from './pack-packages.ts';

const SUMS = 'SHA256SUMS';
/** The name that the signer has in `allowed_signers`, and the namespace of the signature. */
const IDENTITY = 'agent-governance-release';
const NAMESPACE = 'file';

/** Writes the SHA-256 of every file of the folder, in the format of `sha256sum`. */
export const writeSums = (folder: string): void => {
  const lines = readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(path.join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(path.join(folder, SUMS), lines.join(''));
};

/** Signs the checksums with an SSH key, writes the public key next to them, and returns its fingerprint. */
export const signSums = (folder: string, key: string): string => {
  runTool('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', NAMESPACE, path.join(folder, SUMS)], folder);
  const [kind = '', blob = ''] = runTool('ssh-keygen', ['-y', '-f', key], folder).trim().split(' ');
  writeFileSync(path.join(folder, 'allowed_signers'), `${IDENTITY} namespaces="${NAMESPACE}" ${kind} ${blob}\n`);
  return `SHA256:${createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64').replaceAll('=', '')}`;
};

export const VERIFY = [
  `sha256sum --check ${SUMS}`,
  `ssh-keygen -Y verify -f allowed_signers -I ${IDENTITY} -n ${NAMESPACE} -s ${SUMS}.sig < ${SUMS}`,
] as const;
