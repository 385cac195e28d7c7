import type { Credential, CredentialExtra, CredentialScheme, ExtraPosition, Placement } from '@svc/contract/credentials/credentials.ts';
import { formatTime } from '../../design/time-words.ts';

export type { Credential };
export type Oauth = NonNullable<Credential['oauth']>;

const SENT: Readonly<Record<CredentialScheme, (placement: Placement) => string>> = {
  BEARER: () => 'Bearer token',
  HEADER: ({ header, prefix, template }) => {
    if (template !== undefined) return `Header ${header}: ${template}`;
    return `Header ${header}${prefix === undefined ? '' : `, prefix ${prefix}`}`;
  },
  BASIC: ({ secret_is, username }) => {
    if (secret_is === 'USERNAME') return 'HTTP Basic user name';
    return `HTTP Basic password${username ? ` of ${username}` : ''}`;
  },
  BODY_FIELD: ({ field }) => `Body field ${field}`,
  QUERY: ({ parameter }) => `Query parameter ${parameter}`,
};

/** Describes how the secret is sent. */
export const formatSent = ({ scheme, placement }: Credential): string => SENT[scheme](placement);

const POSITIONS: Readonly<Record<ExtraPosition, string>> = { HEADER: 'Header', QUERY: 'Query parameter', BODY_FIELD: 'Body field' };

/** Describes the position of an extra item. */
export const formatExtra = ({ in: position, name }: CredentialExtra): string => `${POSITIONS[position]} ${name}`;

export const POSITIONS_TO_CHOOSE = (Object.keys(POSITIONS) as ExtraPosition[]).map((value) => ({ value, label: POSITIONS[value] }));

const BODY: Readonly<Record<CredentialScheme | ExtraPosition, boolean>> = {
  BEARER: false,
  HEADER: false,
  BASIC: false,
  BODY_FIELD: true,
  QUERY: false,
};

/** True if a request without a body cannot carry the secrets. */
export const needsBody = ({ scheme, extras }: Credential): boolean => [scheme, ...extras.map((item) => item.in)].some((word) => BODY[word]);

/** When the secret was rotated, and until when the previous one works. */
export const formatRotated = ({ rotated_at, previous_ends_at }: Credential): string => {
  if (rotated_at === null) return 'Never';
  return previous_ends_at === null
    ? formatTime(rotated_at)
    : `${formatTime(rotated_at)}; the previous secret works until ${formatTime(previous_ends_at)}`;
};

export const formatApplication = ({ grant, client_id, token_url }: Oauth): string =>
  `${client_id}, ${grant === 'CLIENT_CREDENTIALS' ? 'client credentials' : 'refresh token'}, at ${token_url}`;

/** The state of the OAuth connection. */
export const formatConnection = ({ connection: { state, connected_at, access_ends_at, failure } }: Oauth): string => {
  const why = failure === null ? '' : `: ${failure}`;
  if (state === 'UNCONNECTED') return 'Not connected yet';
  if (state === 'ERROR') return `Reconnect required${why}`;
  return [
    connected_at === null ? 'Connected' : `Connected since ${formatTime(connected_at)}`,
    ...(access_ends_at === null ? [] : [`access token expires ${formatTime(access_ends_at)}`]),
    ...(failure === null ? [] : [`last refresh failed${why}`]),
  ].join('; ');
};
