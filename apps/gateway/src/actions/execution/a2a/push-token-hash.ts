import type { KeyObject } from 'node:crypto';
import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { HashPushToken } from '@svc/operations/peers/a2a/a2a-push-configs.ts';

/** Returns a function that computes the stored form of tokens of push notifications. */
export const newPushTokenHash = (masterKey: KeyObject): HashPushToken => {
  const key = deriveKey(masterKey, 'a2a-push-tokens');
  return (token) => keyedDigest(key, token);
};
