import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { startOf } from '@svc/policy/values/start-of.ts';
import { carriesSecret, hideSecretLooks } from '../../declaration/secret-looks.ts';
import { CONNECTION_HEADERS } from '../../request/connection-headers.ts';
import type { Draft, DraftParameter, NotProposed } from '../draft/proposal.ts';
import { lineOf, listOf, type Members, membersOf, textOf } from '../draft/reading.ts';
import { type Keyed, TWIN } from '../judge/keys.ts';
import { isCredentialField } from '../openapi/credential-field.ts';
import { newNames } from '../openapi/parameter-names.ts';
import { authOf } from './auth.ts';
import { descriptionOf, type Item } from './item.ts';
import { type SentBody, sentBody } from './read-body.ts';
import { type Collection, type Names, readUrl } from './read-url.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = Draft['method'];
const isMethod = (word: string): word is Method => METHODS.some((method) => method === word);

const TEMPLATES_MAX = 30;
const SET_OTHERWISE: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'content-type',
  'cookie',
  'user-agent',
  'postman-token',
  'cache-control',
]);

type Places = { readonly written: Record<string, string>; readonly parameters: DraftParameter[]; readonly credentials: WantedCredential[] };
const newPlaces = (): Places => ({ written: {}, parameters: [], credentials: [] });

const queryOf = (pairs: readonly Members[], names: Names): Places => {
  const places = newPlaces();
  for (const { key, description } of pairs.slice(0, TEMPLATES_MAX)) {
    const name = startOf(textOf(key), 100);
    if (name === '' || Object.hasOwn(places.written, name) || name.includes('{{')) continue;
    if (isCredentialField(name)) {
      places.credentials.push({ scheme: 'QUERY', name, placement: { parameter: name }, scopes: [] });
      continue;
    }
    if (carriesSecret(name, 'query')) continue;
    const plain = names(name, 'query');
    places.parameters.push({
      name: plain,
      schema: { type: ['string', 'number', 'boolean'] },
      required: false,
      description: descriptionOf(description),
    });
    places.written[name] = `{${plain}}`;
  }
  return places;
};

/** Headers: those with a secret by a credential, those with a variable by a parameter, and others as they are written. */
const headersOf = (headers: readonly Members[], names: Names): Places => {
  const places = newPlaces();
  for (const { key, value, disabled, description } of headers.slice(0, TEMPLATES_MAX)) {
    const name = textOf(key);
    const plain = name.toLowerCase();
    if (disabled === true || !/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(plain) || SET_OTHERWISE.has(plain) || CONNECTION_HEADERS.has(plain))
      continue;
    if (carriesSecret(name, 'header')) {
      places.credentials.push({ scheme: 'HEADER', name, placement: { header: name }, scopes: [] });
      continue;
    }
    const text = startOf(textOf(value), 1_000);
    if (!text.includes('{{') && /^[ -~]+$/.test(text) && hideSecretLooks(text, 'header', '') === text) {
      places.written[name] = text.replaceAll('{', '{{').replaceAll('}', '}}');
      continue;
    }
    const called = names(name, 'header');
    places.parameters.push({ name: called, schema: { type: 'string' }, required: false, description: descriptionOf(description) });
    places.written[name] = `{${called}}`;
  }
  return places;
};

const draftOf = (
  item: Item,
  method: Method,
  collection: Collection,
): Omit<Draft, 'key' | 'operation' | 'summary' | 'description'> | { refused: string } => {
  const { request, folders, name } = item;
  const names = newNames();
  const url = readUrl(request.url, collection, names);
  if ('refused' in url) return url;
  const query = queryOf(url.query, names);
  const headers = headersOf(listOf(request.header).map(membersOf), names);
  const body: SentBody | { refused: string } = sentBody(membersOf(request.body), method, listOf(request.header).map(membersOf), names);
  if ('refused' in body) return body;
  const { credentials, notes } = authOf(item.auth);
  const called = [name, url.url.replace(/\{[^{}]*\}/g, ' '), ...(body.says?.words ?? [])];
  return {
    method,
    url: url.url,
    headers: { ...headers.written, ...body.headers },
    query: query.written,
    ...(body.body === undefined ? {} : { body: body.body }),
    ...(body.graphql === undefined ? {} : { graphql: body.graphql }),
    parameters: [...url.parameters, ...query.parameters, ...headers.parameters, ...body.parameters],
    group: folders[0] ?? 'requests',
    reads: body.says?.reads ?? method === 'GET',
    words: [...called, ...folders],
    called,
    credentials: credentials.length > 0 ? credentials : [...headers.credentials, ...query.credentials],
    notes: [...notes, ...body.notes],
    isDeprecated: false,
  };
};

/** One request of a collection as a call of ours, or why it cannot be one. */
export const readRequest = (item: Item, { key, isTwin }: Keyed, collection: Collection): Draft | NotProposed => {
  const { request, name, folders } = item;
  const method = (textOf(request.method) || 'GET').toUpperCase().slice(0, 20);
  const operation = lineOf(`${method} ${[...folders, name].join(' / ')}`, 500);
  const description = lineOf(descriptionOf(request.description), 1_000);
  const summary = lineOf(description, 200) || name || operation;
  const refused = (sentence: string): NotProposed => ({ key, operation, summary, refused: sentence });
  if (isTwin) return refused(TWIN);
  if (!isMethod(method)) return refused(`The method ${lineOf(method, 20)} is not supported; must be one of ${METHODS.join(', ')}.`);
  const draft = draftOf(item, method, collection);
  return 'refused' in draft ? refused(draft.refused) : { key, operation, summary, description: description || summary, ...draft };
};
