import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identifyProcess, isAlive, type ProcessIdentity } from '../system/process-identity.ts';
import { hasErrorCode } from '../system/system-error.ts';

/** Names the start that will stop the server. It outlives its process: the claim of a dead process may be taken over. */
type Claim = ProcessIdentity & { readonly token: string };

/** Takes over the claim from any holder and returns its token. */
export const takeClaim = (file: string): string => {
  const self = identifyProcess(process.pid) ?? { pid: process.pid, started: '' };
  const claim: Claim = { ...self, token: randomUUID() };
  const fresh = `${file}.${claim.token}`;
  writeFileSync(fresh, `${JSON.stringify(claim)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, file);
  return claim.token;
};

/** True also if the claim is gone: then the data folder was removed, and the server on it is still ours to stop. */
export const holdsClaim = (file: string, token: string): boolean => (readClaim(file)?.token ?? token) === token;

/** Returns true if a living process has claimed to stop the server. */
export const isClaimed = (file: string): boolean => {
  const claim = readClaim(file);
  return claim !== undefined && isAlive(claim);
};

export const dropClaim = (file: string, token: string): void => {
  if (holdsClaim(file, token)) rmSync(file, { force: true });
};

const readClaim = (file: string): Claim | undefined => {
  try {
    const claim = JSON.parse(readFileSync(file, 'utf8')) as Partial<Claim>;
    const { pid, started, token } = claim;
    return typeof pid === 'number' && typeof started === 'string' && typeof token === 'string' ? { pid, started, token } : undefined;
  } catch (error) {
    // An unreadable claim has no owner: the file is always replaced whole, so only another program can have damaged it.
    if (hasErrorCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
};
