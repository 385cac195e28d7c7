import type { KeyObject } from 'node:crypto';
import { deriveKey } from '../sealed/master-key.ts';

/** The keys that seal, hash and challenge second factors. */
export type FactorKeys = { readonly sealing: KeyObject; readonly recoveryCodes: KeyObject; readonly passkeyChallenges: KeyObject };

export const deriveFactorKeys = (masterKey: KeyObject): FactorKeys => ({
  sealing: deriveKey(masterKey, 'second-factor-sealing'),
  recoveryCodes: deriveKey(masterKey, 'recovery-code-hashing'),
  passkeyChallenges: deriveKey(masterKey, 'passkey-challenges'),
});
