import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identifyProcess, isAlive, type ProcessIdentity } from '../system/process-identity.ts';
import { failedWith } from '../system/system-error.ts';

/** Says which start stops the server. It outlives its process: a claim whose process is dead may be taken over. */
type Claim = ProcessIdentity & { readonly token: string };

/** Takes the claim over, whoever holds it, and answers its token. */
export const takeClaim = (file: string): string => {
  const self = identifyProcess(process.pid) ?? { pid: process.pid, started: '' };
  const claim: Claim = { ...self, token: randomUUID() };
  const fresh = `${file}.${claim.token}`;
  writeFileSync(fresh, `${JSON.stringify(claim)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, file);
  return claim.token;
};

/** Also when the claim is gone: then somebody removed the data folder, and the server on it is still ours to stop. */
export const holdsClaim = (file: string, token: string): boolean => (readClaim(file)?.token ?? token) === token;

/** Whether a living process has promised to stop the server. */
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
    // An unreadable claim is nobody's: the file is replaced whole, so only a foreign hand can have spoilt it.
    if (failedWith(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
};
