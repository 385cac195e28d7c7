import type { KeyObject } from 'node:crypto';
import { openWith, sealWith } from './envelope.ts';

/** Of which credential a secret is, and which of its secrets. */
export type SecretPlace = { readonly organization_id: string; readonly id: string; readonly generation: number };

const placeOf = ({ organization_id, id, generation }: SecretPlace): string => `credentials/${organization_id}/${id}/secret/${generation}`;

/** Seals a secret of a service under its organization's data key, for its row and generation and no other. */
export const sealCredentialSecret = (dataKey: KeyObject, secret: string, place: SecretPlace): Buffer =>
  sealWith(dataKey, Buffer.from(secret, 'utf8'), placeOf(place));

/** Throws a CredentialKeyError where it is not what was sealed there. */
export const openCredentialSecret = (dataKey: KeyObject, sealed: Uint8Array, place: SecretPlace): string =>
  openWith(dataKey, sealed, placeOf(place)).toString('utf8');
