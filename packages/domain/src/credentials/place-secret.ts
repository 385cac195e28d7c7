import type { CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';

/** As whom and by what a call proves itself. */
export type SecretUse = { readonly scheme: CredentialScheme; readonly placement: Placement; readonly secret: string };

/** The parts of a request that a secret may stand in. `headers` are by small letters. */
export type SecretBearing = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type Unplaced = { readonly unplaced: string };

const withHeader = (request: SecretBearing, name: string, value: string): SecretBearing => ({
  ...request,
  headers: { ...request.headers, [name.toLowerCase()]: value },
});

/** What HTTP basic writes before and behind the secret. */
const aroundBasic = ({ secret_is, username = '' }: Placement): readonly [before: string, behind: string] =>
  secret_is === 'USERNAME' ? ['', ':'] : [`${username}:`, ''];

const basicOf = ({ placement, secret }: SecretUse): string => {
  const [before, behind] = aroundBasic(placement);
  return btoa(`${before}${secret}${behind}`);
};

const BITS_OF_BYTE = 8;
const BITS_OF_BASE64 = 6;

/**
 * Other texts by which a request gives the secret away: of HTTP basic each character of base64 that has something of it. None of the user name
 * beside it, which many know and could guess on from.
 */
export const writtenOf = (use: SecretUse): readonly string[] => {
  if (use.scheme !== 'BASIC') return [];
  const [before] = aroundBasic(use.placement);
  const from = Math.floor((before.length * BITS_OF_BYTE) / BITS_OF_BASE64);
  const to = Math.ceil(((before.length + use.secret.length) * BITS_OF_BYTE) / BITS_OF_BASE64);
  return [basicOf(use).slice(from, to)];
};

const readObject = (text: string | undefined): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const FORM = 'application/x-www-form-urlencoded';

/** Letters and digits of a name: servers read `api_key`, `API_KEY` and `api.key` as the same one, each in its own way. */
const lettersOf = (name: string): string =>
  (name.split('\0', 1)[0] ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The members with the secret as the last of them and the only one of its name, however the tool or the agent spelled another. */
const withMember = <Value>(members: Iterable<[string, Value]>, field: string, secret: string): [string, Value | string][] => {
  const letters = lettersOf(field);
  const others = [...members].filter(([name]) => name !== field && (letters === '' || lettersOf(name) !== letters));
  return [...others, [field, secret]];
};

const inForm = (request: SecretBearing, field: string, secret: string): SecretBearing => {
  const form = new URLSearchParams(withMember(new URLSearchParams(request.body), field, secret));
  return { ...request, body: form.toString() };
};

const inBody = (request: SecretBearing, field: string, secret: string): SecretBearing | Unplaced => {
  const type = request.headers['content-type'];
  if (type?.split(';', 1)[0]?.trim().toLowerCase() === FORM) return inForm(request, field, secret);
  const members = readObject(request.body);
  if (members === undefined) return { unplaced: 'The body of the call is no JSON object and no form, and its credential belongs in it.' };
  const body = JSON.stringify(Object.fromEntries(withMember(Object.entries(members), field, secret)));
  return { ...request, body, headers: { ...request.headers, 'content-type': type ?? 'application/json' } };
};

const isNamed = (part: string, name: string): boolean => new URLSearchParams(part).has(name);

/** What the tool wrote into the query is left as it is. */
const inQuery = (request: SecretBearing, parameter: string, secret: string): SecretBearing => {
  const url = new URL(request.url);
  const others = url.search.slice(1).split('&');
  const parts = others.filter((part) => part !== '' && !isNamed(part, parameter));
  url.search = [...parts, `${encodeURIComponent(parameter)}=${encodeURIComponent(secret)}`].join('&');
  return { ...request, url };
};

/** The request with the secret where its scheme says, in place of whatever stood there. */
export const placeSecret = (request: SecretBearing, use: SecretUse): SecretBearing | Unplaced => {
  const { scheme, placement, secret } = use;
  const { header = 'authorization', prefix, field = '', parameter = '' } = placement;
  if (scheme === 'BASIC') return withHeader(request, 'authorization', `Basic ${basicOf(use)}`);
  if (scheme === 'BEARER') return withHeader(request, 'authorization', `Bearer ${secret}`);
  if (scheme === 'HEADER') return withHeader(request, header, prefix === undefined ? secret : `${prefix} ${secret}`);
  return scheme === 'QUERY' ? inQuery(request, parameter, secret) : inBody(request, field, secret);
};
