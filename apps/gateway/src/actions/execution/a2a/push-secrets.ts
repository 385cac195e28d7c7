import type { KeyObject } from 'node:crypto';
import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { PushSecrets } from '@svc/operations/peers/a2a/a2a-push-configs.ts';
import { getPushTargetKey } from '@svc/operations/peers/a2a/a2a-push-targets.ts';

/** Returns the keys of push configs: one computes the stored form of tokens, the other seals the addresses of partners. */
export const newPushSecrets = (masterKey: KeyObject): PushSecrets => {
  const key = deriveKey(masterKey, 'a2a-push-tokens');
  return { hashToken: (token) => keyedDigest(key, token), sealingKey: getPushTargetKey(masterKey) };
};
