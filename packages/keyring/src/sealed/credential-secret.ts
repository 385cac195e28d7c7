import type { KeyObject } from 'node:crypto';
import type { CredentialTerms } from '@svc/domain/credentials/credential-terms.ts';
import type { CredentialSecrets } from '@svc/domain/credentials/place-secret.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { CredentialKeyError } from './credential-key-error.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';

/** The binding of a sealed secret: the credential, the position of the secret, and the terms in the row. */
export type SecretBinding = CredentialTerms & { readonly organization_id: string; readonly id: string; readonly generation: number };

const getRow = ({ organization_id, id, generation }: SecretBinding): string => `credentials/${organization_id}/${id}/secret/${generation}`;

const getPlace = (place: SecretBinding): string => {
  const { workspace_id, environment_id, scheme, placement, extras, destinations, tools, servers, oauth } = place;
  const terms = { workspace_id, environment_id, scheme, placement, destinations, tools, oauth };
  // Terms that were added later are omitted if they are empty, so that secrets sealed without them still open.
  const added = { ...(extras.length === 0 ? {} : { extras }), ...(servers.length === 0 ? {} : { servers }) };
  return `${getRow(place)}/${canonicalJson({ ...terms, ...added })}`;
};

/** Returns the sealed text: the secret alone, or a JSON array of the secret and those of the extra items. */
const writeSecrets = ({ extras: items }: SecretBinding, { secret, extras }: CredentialSecrets): string => {
  if (items.length !== extras.length) throw new Error('a credential has another number of extra items than of their secrets');
  return items.length === 0 ? secret : JSON.stringify([secret, ...extras]);
};

const readSecrets = ({ extras: items }: SecretBinding, text: string): CredentialSecrets => {
  if (items.length === 0) return { secret: text, extras: [] };
  const [secret, ...extras] = JSON.parse(text) as string[];
  if (secret === undefined || extras.length !== items.length)
    throw new CredentialKeyError('a sealed credential has another number of secrets');
  return { secret, extras };
};

/**
 * Seals the secrets of a credential together with the data key of their organization, bound to the row, the generation and the terms in the
 * row. If another destination, tool, extra item or token endpoint is written to the row, they do not open.
 */
export const sealCredentialSecret = (dataKey: KeyObject, secrets: CredentialSecrets, place: SecretBinding): Buffer =>
  sealEnvelope(dataKey, Buffer.from(writeSecrets(place, secrets), 'utf8'), getPlace(place));

/** Throws a CredentialKeyError if it was sealed for another place or key. */
export const openCredentialSecret = (dataKey: KeyObject, sealed: Uint8Array, place: SecretBinding): CredentialSecrets =>
  readSecrets(place, openEnvelope(dataKey, sealed, getPlace(place)).toString('utf8'));

/** Reseals a secret that was bound to its row and generation alone, now with the terms of the row; for an upgrade only. */
export const bindCredentialSecret = (dataKey: KeyObject, sealed: Uint8Array, place: SecretBinding): Buffer => {
  const opened = openEnvelope(dataKey, sealed, getRow(place));
  const bound = sealEnvelope(dataKey, opened, getPlace(place));
  opened.fill(0);
  return bound;
};
