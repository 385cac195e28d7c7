import type { KeyObject } from 'node:crypto';
import type { CredentialTerms } from '@svc/domain/credentials/credential-terms.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { openWith, sealWith } from './envelope.ts';

/** Of which credential a secret is, which of its secrets, and what the row says that it may serve. */
export type SecretPlace = CredentialTerms & { readonly organization_id: string; readonly id: string; readonly generation: number };

const rowOf = ({ organization_id, id, generation }: SecretPlace): string => `credentials/${organization_id}/${id}/secret/${generation}`;

const placeOf = (place: SecretPlace): string => {
  const { workspace_id, environment_id, scheme, placement, destinations, tools, oauth } = place;
  return `${rowOf(place)}/${canonicalJson({ workspace_id, environment_id, scheme, placement, destinations, tools, oauth })}`;
};

/**
 * Seals a secret of a service under its organization's data key: for its row and generation, and for what the row says that it may serve. Whoever
 * writes another destination, tool or token endpoint there has a row whose secret does not open.
 */
export const sealCredentialSecret = (dataKey: KeyObject, secret: string, place: SecretPlace): Buffer =>
  sealWith(dataKey, Buffer.from(secret, 'utf8'), placeOf(place));

/** Throws a CredentialKeyError where it is not what was sealed there. */
export const openCredentialSecret = (dataKey: KeyObject, sealed: Uint8Array, place: SecretPlace): string =>
  openWith(dataKey, sealed, placeOf(place)).toString('utf8');

/** The same secret for what the row says, of one that was sealed for its row and generation alone; for an upgrade and nothing else. */
export const bindCredentialSecret = (dataKey: KeyObject, sealed: Uint8Array, place: SecretPlace): Buffer => {
  const opened = openWith(dataKey, sealed, rowOf(place));
  const bound = sealWith(dataKey, opened, placeOf(place));
  opened.fill(0);
  return bound;
};
