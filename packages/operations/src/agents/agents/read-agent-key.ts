import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { generateKeyPair } from '@svc/keyring/public-keys/generate-key-pair.ts';
import { type GivenPublicKey, parsePublicKey } from '@svc/keyring/public-keys/parse-public-key.ts';

export type AgentKeyChoice = { readonly public_key: string; readonly thumbprint: string; readonly private_key?: string };

const fault = (message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', message, { faults: [{ pointer: '/public_key', message }] });

/** Reads the caller's own key, or generates a pair whose private half is returned once and never stored. */
export const readAgentKey = (given: GivenPublicKey | undefined): AgentKeyChoice | Refusal<'VALIDATION_FAILED'> => {
  const pair = given === undefined ? generateKeyPair() : undefined;
  const read = parsePublicKey(given ?? pair?.public_key ?? '');
  if (!read.ok) return fault(read.reason);
  return { public_key: read.spki, thumbprint: read.thumbprint, ...(pair ? { private_key: pair.private_key } : {}) };
};

export const findReusedKeyFault = (): Refusal<'VALIDATION_FAILED'> => fault('This key is in use or was used before. Create a new one.');
