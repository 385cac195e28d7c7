import type { KeyObject } from 'node:crypto';
import { openWith, sealWith } from './envelope.ts';

/** Of which credential a token is, which of its tokens, and of which time that they were stored. */
export type TokenPlace = {
  readonly organization_id: string;
  readonly credential_id: string;
  readonly kind: 'refresh_token' | 'access_token';
  readonly version: number;
};

const placeOf = ({ organization_id, credential_id, kind, version }: TokenPlace): string =>
  `credential_tokens/${organization_id}/${credential_id}/${kind}/${version}`;

/** Seals a token under its organization's data key, for its row, column and version and no other. */
export const sealToken = (dataKey: KeyObject, token: string, place: TokenPlace): Buffer =>
  sealWith(dataKey, Buffer.from(token, 'utf8'), placeOf(place));

/** Throws a CredentialKeyError where it is not what was sealed there. */
export const openToken = (dataKey: KeyObject, sealed: Uint8Array, place: TokenPlace): string =>
  openWith(dataKey, sealed, placeOf(place)).toString('utf8');
