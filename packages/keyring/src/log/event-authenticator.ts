import { createHmac, type KeyObject } from 'node:crypto';
import { constantTimeEqual } from '../bytes/constant-time-equal.ts';
import { deriveKey } from '../sealed/master-key.ts';
import { leafDigits } from './merkle.ts';
import { recordDigest } from './record-digest.ts';

/** 128 bits of HMAC-SHA256. */
const MAC_BYTES = 16;

/**
 * Creates and verifies the MACs of audit events. Their key is derived from the installation key and never stored, so that the owner of the
 * database cannot forge an event of the service. Hashes and MACs are hex digits.
 */
export const newEventAuthenticator = (installationKey: KeyObject) => {
  const key = deriveKey(installationKey, 'event-authentication');
  // The leaf hash covers everything that the event states, its organization, id and time included. These two are bound again, so that a MAC
  // and
  // a leaf hash that are copied to another row fail without a read of what the event states.
  const digest = (organizationId: string, eventId: string, leafHash: string): Buffer =>
    createHmac('sha256', key).update(`${organizationId}\n${eventId}\n${leafHash}`).digest().subarray(0, MAC_BYTES);
  return {
    /** Returns the leaf hash of this canonical JSON. */
    leafHash: leafDigits,
    recordDigest,
    mac: (organizationId: string, eventId: string, leafHash: string): string => digest(organizationId, eventId, leafHash).toString('hex'),
    isAuthentic: (organizationId: string, eventId: string, leafHash: string, mac: string): boolean =>
      constantTimeEqual(digest(organizationId, eventId, leafHash), Buffer.from(mac, 'hex')),
  };
};
