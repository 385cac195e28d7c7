import type { CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';

/** As whom and by what a call proves itself. */
export type SecretUse = { readonly scheme: CredentialScheme; readonly placement: Placement; readonly secret: string };

/** The parts of a request that a secret may stand in. `headers` are by small letters. */
export type SecretBearing = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** A request that bears the secret. `written` are other texts that give it away, such as user name and password in base64. */
export type Placed = SecretBearing & { readonly written: readonly string[] };

export type Unplaced = { readonly unplaced: string };

const withHeader = (request: SecretBearing, name: string, value: string): SecretBearing => ({
  ...request,
  headers: { ...request.headers, [name.toLowerCase()]: value },
});

const basicOf = ({ placement, secret }: SecretUse): string =>
  btoa(placement.secret_is === 'USERNAME' ? `${secret}:` : `${placement.username ?? ''}:${secret}`);

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

const inForm = (request: SecretBearing, field: string, secret: string): SecretBearing => {
  const form = new URLSearchParams(request.body);
  form.set(field, secret);
  return { ...request, body: form.toString() };
};

const inBody = (request: SecretBearing, field: string, secret: string): SecretBearing | Unplaced => {
  const type = request.headers['content-type'];
  if (type?.split(';', 1)[0]?.trim().toLowerCase() === FORM) return inForm(request, field, secret);
  const members = readObject(request.body);
  if (members === undefined) return { unplaced: 'The body of the call is no JSON object and no form, and its credential belongs in it.' };
  // Under the name that was stored and no other, whatever the tool or the agent put there.
  const body = JSON.stringify({ ...members, [field]: secret });
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

const NOTHING_ELSE: readonly string[] = [];

/** The request with the secret where its scheme says, in place of whatever stood there. */
export const placeSecret = (request: SecretBearing, use: SecretUse): Placed | Unplaced => {
  const { scheme, placement, secret } = use;
  const { header = 'authorization', prefix, field = '', parameter = '' } = placement;
  if (scheme === 'BASIC') {
    const basic = basicOf(use);
    return { ...withHeader(request, 'authorization', `Basic ${basic}`), written: [basic] };
  }
  const placed = (() => {
    if (scheme === 'BEARER') return withHeader(request, 'authorization', `Bearer ${secret}`);
    if (scheme === 'HEADER') return withHeader(request, header, prefix === undefined ? secret : `${prefix} ${secret}`);
    return scheme === 'QUERY' ? inQuery(request, parameter, secret) : inBody(request, field, secret);
  })();
  return 'unplaced' in placed ? placed : { ...placed, written: NOTHING_ELSE };
};
