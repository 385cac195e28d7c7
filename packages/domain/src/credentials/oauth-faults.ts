import type { ClientAuthentication, OauthTerms } from '@svc/contract/credentials/oauth.ts';
import type { Fault } from '../tools/fault.ts';
import type { ExtraInput } from './extras.ts';

const SECRETS = ['secret', 'client_secret', 'private_key', 'refresh_token'] as const;
type Secret = (typeof SECRETS)[number];

/** Secrets with which a credential is created or rotated. */
export type GivenSecrets = { readonly [Name in Secret]?: string | undefined } & { readonly extras?: readonly ExtraInput[] | undefined };

export const readClientAuthentication = ({ client_authentication = 'CLIENT_SECRET_BASIC' }: Pick<OauthTerms, 'client_authentication'>) =>
  client_authentication;

const PROVED_BY: Readonly<Record<ClientAuthentication, 'client_secret' | 'private_key' | null>> = {
  CLIENT_SECRET_BASIC: 'client_secret',
  CLIENT_SECRET_POST: 'client_secret',
  PRIVATE_KEY_JWT: 'private_key',
  NONE: null,
};

/** Which of the secrets mean something to a credential. */
const getMeaning = (oauth: OauthTerms | null): readonly Secret[] => {
  if (oauth === null) return ['secret'];
  const proof = PROVED_BY[readClientAuthentication(oauth)];
  return [...(proof === null ? [] : [proof]), ...(oauth.grant === 'REFRESH_TOKEN' ? (['refresh_token'] as const) : [])];
};

const foreignFaults = (oauth: OauthTerms | null, given: GivenSecrets): Fault[] => {
  const meaning = getMeaning(oauth);
  const foreign = SECRETS.filter((name) => given[name] !== undefined && !meaning.includes(name));
  return foreign.map((name) => ({
    pointer: `/${name}`,
    message: `means nothing to this credential, which holds ${meaning.join(' and ') || 'none'}`,
  }));
};

const addressFault = (pointer: string, text: string | undefined, allowsHttp: boolean): Fault[] => {
  if (text === undefined) return [];
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return [{ pointer, message: 'is no address' }];
  if (url.protocol === 'http:' && !allowsHttp)
    return [{ pointer, message: 'has to be https: secrets go there (SVC_CREDENTIALS_OVER_HTTP allows others in private networks)' }];
  return url.username !== '' || url.password !== '' || url.hash !== ''
    ? [{ pointer, message: 'holds a user, a password or a fragment' }]
    : [];
};

const grantFaults = (oauth: OauthTerms, given: GivenSecrets): Fault[] => {
  const proof = PROVED_BY[readClientAuthentication(oauth)];
  if (oauth.grant === 'CLIENT_CREDENTIALS') {
    const named = oauth.authorization_url !== undefined;
    return [
      ...(proof === null ? [{ pointer: '/oauth/client_authentication', message: 'cannot be NONE for CLIENT_CREDENTIALS' }] : []),
      ...(named ? [{ pointer: '/oauth/authorization_url', message: 'means nothing to CLIENT_CREDENTIALS' }] : []),
    ];
  }
  return given.refresh_token === undefined && oauth.authorization_url === undefined
    ? [{ pointer: '/refresh_token', message: 'is needed, or oauth.authorization_url where a person connects it in the browser' }]
    : [];
};

/** Returns faults of a new credential's secrets, by JSON Pointer. */
export const findSecretFaults = (oauth: OauthTerms | undefined, given: GivenSecrets, allowsHttp: boolean): Fault[] => {
  if (oauth === undefined)
    return [
      ...foreignFaults(null, given),
      ...(given.secret === undefined ? [{ pointer: '/secret', message: 'is needed where oauth is left out' }] : []),
    ];
  const proof = PROVED_BY[readClientAuthentication(oauth)];
  return [
    ...foreignFaults(oauth, given),
    ...grantFaults(oauth, given),
    ...(proof === 'client_secret' && given.client_secret === undefined ? [{ pointer: '/client_secret', message: 'is needed' }] : []),
    ...(oauth.key_id !== undefined && proof !== 'private_key'
      ? [{ pointer: '/oauth/key_id', message: 'means nothing without PRIVATE_KEY_JWT' }]
      : []),
    ...addressFault('/oauth/token_url', oauth.token_url, allowsHttp),
    ...addressFault('/oauth/authorization_url', oauth.authorization_url, allowsHttp),
  ];
};

/** Returns faults of a rotation with these: at least one of its secrets is required. */
export const findRotationFaults = (oauth: OauthTerms | null, given: GivenSecrets, overlapSeconds: number): Fault[] => {
  const meaning = getMeaning(oauth);
  const none = meaning.every((name) => given[name] === undefined) && (given.extras ?? []).length === 0;
  return [
    ...foreignFaults(oauth, given),
    ...(none ? [{ pointer: `/${meaning[0] ?? 'secret'}`, message: `is needed${meaning.length > 1 ? `, or ${meaning[1]}` : ''}` }] : []),
    ...(oauth !== null && overlapSeconds > 0
      ? [{ pointer: '/overlap_seconds', message: 'means nothing to an application of OAuth: its server says what it still takes' }]
      : []),
  ];
};
