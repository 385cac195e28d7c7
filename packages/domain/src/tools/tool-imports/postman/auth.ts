import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { type AuthorizationForm, isPlainForm, readWrittenForm, UNCLEAR } from '../credentials/authorization-form.ts';
import { isSignatureField, readSigningWord } from '../credentials/request-signing.ts';
import { readList, readMembers, readText, toLine } from '../draft/reading.ts';
import { fillVariables, type Variables } from './variables.ts';

export type Auth = { readonly credentials: readonly WantedCredential[]; readonly notes: readonly string[] };

const NOTHING: Auth = { credentials: [], notes: [] };

/** Values are in a list of pairs, in older collections in an object. */
const getValues = (auth: unknown, type: string): ReadonlyMap<string, string> => {
  const held = readMembers(auth)[type];
  const pairs = Array.isArray(held)
    ? readList(held)
        .map(readMembers)
        .map((each) => [readText(each.key), readText(each.value)] as const)
    : Object.entries(readMembers(held)).map(([name, value]) => [name, readText(value)] as const);
  return new Map(pairs);
};

const one = (credential: WantedCredential): Auth => ({ credentials: [credential], notes: [] });
const noted = (note: string): Auth => ({ credentials: [], notes: [note] });
const unsigned = (called: string): Auth => noted(`It authenticates with request signing (${called}), which is not supported.`);

const GRANTS = {
  client_credentials: 'CLIENT_CREDENTIALS',
  authorization_code: 'AUTHORIZATION_CODE',
  authorization_code_with_pkce: 'AUTHORIZATION_CODE',
  password_credentials: 'PASSWORD',
  implicit: 'IMPLICIT',
} as const;

const getUrl = (text: string | undefined): string | undefined => URL.parse(text ?? '')?.href;

const ofOauth = (values: ReadonlyMap<string, string>): Auth => {
  const grant = values.get('grant_type') ?? '';
  const flow = Object.hasOwn(GRANTS, grant) ? GRANTS[grant as keyof typeof GRANTS] : undefined;
  const token_url = getUrl(values.get('accessTokenUrl'));
  const authorization_url = getUrl(values.get('authUrl'));
  const oauth = { ...(flow ? { flow } : {}), ...(token_url ? { token_url } : {}), ...(authorization_url ? { authorization_url } : {}) };
  const scopes = (values.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
  const prefix = (values.get('headerPrefix') ?? 'Bearer').trim();
  const isElsewhere = values.get('addTokenTo') === 'queryParams' || (prefix !== '' && prefix.toLowerCase() !== 'bearer');
  return {
    credentials: [
      { scheme: 'OAUTH', name: 'oauth2', placement: {}, scopes: scopes.slice(0, 20).map((scope) => toLine(scope, 120)), oauth },
    ],
    notes: isElsewhere ? ['The collection does not send its access token as Authorization: Bearer. Check how the service expects it.'] : [],
  };
};

/** Returns the credential for a value of the header `Authorization`. Its secret is not imported. */
export const readAuthorizationValue = (name: string, written: string, variables: Variables): Auth => {
  const { word, form } = readWrittenForm(fillVariables(written, variables));
  const isOauthToken = word.toLowerCase() === 'oauth' && form !== undefined && form.placement.template === undefined;
  const signed = isOauthToken ? undefined : readSigningWord(word);
  if (signed !== undefined) return unsigned(signed);
  if (form === undefined)
    return noted('Its header Authorization has several parts, so that no credential can be proposed. Store one with a template.');
  return { credentials: [{ name: toLine(name, 80), ...form, scopes: [] }], notes: isPlainForm(form) ? [UNCLEAR] : [] };
};

const ofKey = (values: ReadonlyMap<string, string>, variables: Variables): Auth => {
  const name = toLine(fillVariables(values.get('key') ?? '', variables), 100);
  if (name === '' || name.includes('{{')) return noted('It requires a key, but does not declare its name.');
  if (isSignatureField(name)) return unsigned('a signature of each request');
  if (values.get('in') === 'query') return one({ scheme: 'QUERY', name: 'apikey', placement: { parameter: name }, scopes: [] });
  if (name.toLowerCase() === 'authorization') return readAuthorizationValue('apikey', values.get('value') ?? '', variables);
  return one({ scheme: 'HEADER', name: 'apikey', placement: { header: name.replace(/[^A-Za-z0-9!#$%&'*+.^_`|~-]/g, '-') }, scopes: [] });
};

const SIGNING: Readonly<Record<string, string>> = {
  awsv4: 'AWS Signature Version 4',
  digest: 'HTTP Digest',
  edgegrid: 'Akamai EdgeGrid',
  hawk: 'Hawk',
  ntlm: 'NTLM',
  oauth1: 'OAuth 1.0',
  asap: 'ASAP',
  jwt: 'a JWT for each request',
};

const named = (name: string, form: AuthorizationForm): Auth => one({ name, ...form, scopes: [] });

/** Returns the credentials of a request without their values: secrets of a collection are not taken over. */
export const findAuth = (auth: unknown, variables: Variables): Auth => {
  const type = readText(readMembers(auth).type);
  if (type === '' || type === 'noauth') return NOTHING;
  if (type === 'bearer') return named('bearer', { scheme: 'BEARER', placement: {} });
  if (type === 'basic') return named('basic', { scheme: 'BASIC', placement: {} });
  if (type === 'apikey') return ofKey(getValues(auth, type), variables);
  if (type === 'oauth2') return ofOauth(getValues(auth, type));
  if (Object.hasOwn(SIGNING, type)) return unsigned(SIGNING[type] ?? type);
  return noted(`It authenticates with ${toLine(type, 30)}, which is not supported.`);
};
