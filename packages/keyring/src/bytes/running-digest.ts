import { createHash } from 'node:crypto';

/** SHA-256 of bytes that arrive in parts. */
export type RunningDigest = {
  readonly add: (part: Buffer) => void;
  /** Returns the digest of all parts so far in hex; more may follow. */
  readonly hex: () => string;
};

export const newRunningDigest = (): RunningDigest => {
  const hash = createHash('sha256');
  return {
    add: (part) => void hash.update(part),
    hex: () => hash.copy().digest('hex'),
  };
};
