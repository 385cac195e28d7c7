import type { KeyObject } from 'node:crypto';
import { openEnvelope, sealEnvelope } from './envelope.ts';

/** The binding of a sealed token: the credential, the column, and the version of its storage. */
export type TokenPlace = {
  readonly organization_id: string;
  readonly credential_id: string;
  readonly kind: 'refresh_token' | 'access_token';
  readonly version: number;
};

const getPlace = ({ organization_id, credential_id, kind, version }: TokenPlace): string =>
  `credential_tokens/${organization_id}/${credential_id}/${kind}/${version}`;

/** Seals a token with its organization's data key, bound to its row, column and version. */
export const sealToken = (dataKey: KeyObject, token: string, place: TokenPlace): Buffer =>
  sealEnvelope(dataKey, Buffer.from(token, 'utf8'), getPlace(place));

/** Throws a CredentialKeyError if it was sealed for another place or key. */
export const openToken = (dataKey: KeyObject, sealed: Uint8Array, place: TokenPlace): string =>
  openEnvelope(dataKey, sealed, getPlace(place)).toString('utf8');
