import type { Credential, CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';
import { timeWords } from '../../design/time-words.ts';

export type { Credential };
export type Oauth = NonNullable<Credential['oauth']>;

const SENT: Readonly<Record<CredentialScheme, (placement: Placement) => string>> = {
  BEARER: () => 'as a bearer token',
  HEADER: ({ header, prefix }) => `in the header ${header}${prefix === undefined ? '' : `, after the word ${prefix}`}`,
  BASIC: ({ secret_is, username }) => {
    if (secret_is === 'USERNAME') return 'by HTTP basic, as the user name';
    return `by HTTP basic, as the password of ${username || 'no user'}`;
  },
  BODY_FIELD: ({ field }) => `in the body, as ${field}`,
  QUERY: ({ parameter }) => `in the address, as ${parameter}`,
};

/** How the secret is sent. */
export const sentWords = ({ scheme, placement }: Credential): string => SENT[scheme](placement);

export const statusWords = ({ status, revoked_reason }: Credential): string =>
  status === 'ACTIVE' ? 'active' : `revoked${revoked_reason === null ? '' : `: ${revoked_reason}`}`;

/** When the secret was replaced, and how long the one before is good. */
export const rotatedWords = ({ rotated_at, previous_ends_at }: Credential): string => {
  if (rotated_at === null) return 'never';
  return previous_ends_at === null
    ? timeWords(rotated_at)
    : `${timeWords(rotated_at)}; the secret before is good until ${timeWords(previous_ends_at)}`;
};

export const applicationWords = ({ grant, client_id, token_url }: Oauth): string =>
  `${client_id}, ${grant === 'CLIENT_CREDENTIALS' ? 'for itself' : 'by a refresh token'}, at ${token_url}`;

/** Whether there is what access tokens are asked for by, until when the present one is used, and why there is no other. */
export const connectionWords = ({ connection: { state, connected_at, access_ends_at, failure } }: Oauth): string => {
  const why = failure === null ? '' : `: ${failure}`;
  if (state === 'UNCONNECTED') return 'not connected yet';
  if (state === 'ERROR') return `to be connected anew${why}`;
  return [
    connected_at === null ? 'connected' : `connected since ${timeWords(connected_at)}`,
    ...(access_ends_at === null ? [] : [`the access token is used until ${timeWords(access_ends_at)}`]),
    ...(failure === null ? [] : [`the last refresh failed${why}`]),
  ].join('; ');
};
