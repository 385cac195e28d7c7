import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { lineOf, listOf, membersOf, textOf } from '../draft/reading.ts';

type Auth = { readonly credentials: readonly WantedCredential[]; readonly notes: readonly string[] };

const NOTHING: Auth = { credentials: [], notes: [] };

/** Its values stand in a list of pairs, and in older collections in an object. */
const valuesOf = (auth: unknown, type: string): ReadonlyMap<string, string> => {
  const held = membersOf(auth)[type];
  const pairs = Array.isArray(held)
    ? listOf(held)
        .map(membersOf)
        .map((each) => [textOf(each.key), textOf(each.value)] as const)
    : Object.entries(membersOf(held)).map(([name, value]) => [name, textOf(value)] as const);
  return new Map(pairs);
};

const one = (credential: WantedCredential): Auth => ({ credentials: [credential], notes: [] });

const GRANTS = {
  client_credentials: 'CLIENT_CREDENTIALS',
  authorization_code: 'AUTHORIZATION_CODE',
  authorization_code_with_pkce: 'AUTHORIZATION_CODE',
  password_credentials: 'PASSWORD',
  implicit: 'IMPLICIT',
} as const;

const urlOf = (text: string | undefined): string | undefined => URL.parse(text ?? '')?.href;

const ofOauth = (values: ReadonlyMap<string, string>): Auth => {
  const grant = values.get('grant_type') ?? '';
  const flow = Object.hasOwn(GRANTS, grant) ? GRANTS[grant as keyof typeof GRANTS] : undefined;
  const token_url = urlOf(values.get('accessTokenUrl'));
  const authorization_url = urlOf(values.get('authUrl'));
  const oauth = { ...(flow ? { flow } : {}), ...(token_url ? { token_url } : {}), ...(authorization_url ? { authorization_url } : {}) };
  const scopes = (values.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
  return one({ scheme: 'OAUTH', name: 'oauth2', placement: {}, scopes: scopes.slice(0, 20).map((scope) => lineOf(scope, 120)), oauth });
};

const ofKey = (values: ReadonlyMap<string, string>): Auth => {
  const name = lineOf(values.get('key') ?? '', 100);
  if (name === '' || name.includes('{{')) return { credentials: [], notes: ['It requires a key, but does not declare its name.'] };
  if (values.get('in') === 'query') return one({ scheme: 'QUERY', name: 'apikey', placement: { parameter: name }, scopes: [] });
  return one({ scheme: 'HEADER', name: 'apikey', placement: { header: name.replace(/[^A-Za-z0-9!#$%&'*+.^_`|~-]/g, '-') }, scopes: [] });
};

/** What a request proves itself with. Only how, and never with what: secrets of a collection are not taken over. */
export const authOf = (auth: unknown): Auth => {
  const type = textOf(membersOf(auth).type);
  if (type === '' || type === 'noauth') return NOTHING;
  if (type === 'bearer') return one({ scheme: 'BEARER', name: 'bearer', placement: {}, scopes: [] });
  if (type === 'basic') return one({ scheme: 'BASIC', name: 'basic', placement: {}, scopes: [] });
  if (type === 'apikey') return ofKey(valuesOf(auth, type));
  if (type === 'oauth2') return ofOauth(valuesOf(auth, type));
  return { credentials: [], notes: [`It authenticates with ${lineOf(type, 30)}, which is not supported.`] };
};
