import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { CONNECTION_HEADERS } from '../../request/connection-headers.ts';
import { carriesSecret, hideSecretLooks } from '../../secret-looks.ts';
import { combineSecrets, type Secret } from '../credentials/combine-secrets.ts';
import { listPositionKeys } from '../credentials/combine-wanted-credentials.ts';
import { isSignatureField } from '../credentials/request-signing.ts';
import type { DraftParameter, ProposalDraft, RejectedOperation } from '../draft/proposal.ts';
import { readList, readMembers, readText, toLine } from '../draft/reading.ts';
import { type Keyed, TWIN } from '../judge/keys.ts';
import { isCredentialField } from '../openapi/credential-field.ts';
import { newNames } from '../openapi/parameter-names.ts';
import { findAuth, readAuthorizationValue } from './auth.ts';
import { type Item, readDescription } from './item.ts';
import { readSentBody, type SentBody } from './read-body.ts';
import { type Collection, readUrl, type UrlNames } from './read-url.ts';
import type { Variables } from './variables.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = ProposalDraft['method'];
const isMethod = (word: string): word is Method => METHODS.some((method) => method === word);

const TEMPLATES_MAX = 30;
const SET_OTHERWISE: ReadonlySet<string> = new Set(['accept-encoding', 'content-type', 'user-agent', 'postman-token', 'cache-control']);

type Places = {
  readonly written: Record<string, string>;
  readonly parameters: DraftParameter[];
  readonly secrets: Secret[];
  readonly notes: string[];
};
const newPlaces = (): Places => ({ written: {}, parameters: [], secrets: [], notes: [] });

const SIGNED = 'It sends a request signature, and request signing is not supported.';

const PLAIN = { type: ['string', 'number', 'boolean'] };
/** Values of a name that the query has more than once. */
const REPEATED = { anyOf: [PLAIN, { type: 'array', items: PLAIN, maxItems: 100 }] };

/** A secret that the query has by this name; nothing of it is a parameter. */
const addQuerySecret = (places: Places, name: string, isDisabled: boolean): boolean => {
  if (isSignatureField(name)) places.notes.push(SIGNED);
  else if (isCredentialField(name) || carriesSecret(name, 'query')) {
    const credential = { scheme: 'QUERY' as const, name: toLine(name, 80), placement: { parameter: name }, scopes: [] };
    if (!isDisabled) places.secrets.push({ credential, required: true });
  } else return false;
  return true;
};

const isSendableName = (name: string): boolean => name !== '' && name !== '__proto__' && !name.includes('{{');

const getQuery = (pairs: readonly JsonObject[], names: UrlNames): Places => {
  const places = newPlaces();
  const named = Map.groupBy(pairs, ({ key }) => truncateText(readText(key), 100));
  const all = [...named].filter(([name]) => isSendableName(name));
  if (all.length > TEMPLATES_MAX) places.notes.push(`Only the first ${TEMPLATES_MAX} of its query parameters are sent.`);
  for (const [name, same] of all.slice(0, TEMPLATES_MAX)) {
    const isDisabled = same.every(({ disabled }) => disabled === true);
    if (addQuerySecret(places, name, isDisabled)) continue;
    const plain = names(name, 'query');
    const schema = same.length > 1 ? REPEATED : PLAIN;
    places.parameters.push({ name: plain, schema, required: false, description: readDescription(same[0]?.description) });
    places.written[name] = `{${plain}}`;
  }
  return places;
};

/** Adds a secret header, or one that a tool does not send; returns true if it is not a template. */
const addSecretHeader = (places: Places, name: string, text: string, variables: Variables): boolean => {
  const plain = name.toLowerCase();
  if (plain === 'cookie') places.notes.push('Its header Cookie is omitted: tool calls send no cookies.');
  else if (isSignatureField(name)) places.notes.push(SIGNED);
  else if (plain === 'authorization') {
    const { credentials, notes } = readAuthorizationValue(name, text, variables);
    places.secrets.push(...credentials.map((credential) => ({ credential, required: true })));
    places.notes.push(...notes);
  } else if (carriesSecret(name, 'header'))
    places.secrets.push({ credential: { scheme: 'HEADER', name, placement: { header: name }, scopes: [] }, required: true });
  else return false;
  return true;
};

/** Headers: those with a secret by a credential, those with a variable by a parameter, and others as they are written. */
const readHeaders = (headers: readonly JsonObject[], names: UrlNames, variables: Variables): Places => {
  const places = newPlaces();
  for (const { key, value, disabled, description } of headers.slice(0, TEMPLATES_MAX)) {
    const name = readText(key);
    const plain = name.toLowerCase();
    if (disabled === true || SET_OTHERWISE.has(plain) || CONNECTION_HEADERS.has(plain)) continue;
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(plain)) {
      places.notes.push(`Its header ${toLine(name, 80)} is omitted: its name is not a valid header name.`);
      continue;
    }
    const text = readText(value);
    if (addSecretHeader(places, name, text, variables)) continue;
    if (!text.includes('{{') && hideSecretLooks(text, 'header', '') === text) {
      places.written[name] = text.replaceAll('{', '{{').replaceAll('}', '}}');
      continue;
    }
    const called = names(name, 'header');
    places.parameters.push({ name: called, schema: { type: 'string' }, required: false, description: readDescription(description) });
    places.written[name] = `{${called}}`;
  }
  return places;
};

/** The secrets of a request, each position once: the authentication of Postman replaces a header of the same name. */
const readSecrets = (item: Item, places: readonly { readonly secrets: readonly Secret[] }[], variables: Variables) => {
  const { credentials, notes } = findAuth(item.auth, variables);
  const sent = new Set(credentials.flatMap(listPositionKeys));
  const secrets: Secret[] = credentials.map((credential) => ({ credential, required: true }));
  for (const secret of places.flatMap((each) => each.secrets)) {
    const keys = listPositionKeys(secret.credential);
    if (keys.some((key) => sent.has(key))) continue;
    for (const key of keys) sent.add(key);
    secrets.push(secret);
  }
  const combined = combineSecrets([], secrets);
  return { credentials: combined.credentials, notes: [...notes, ...combined.notes] };
};

const getDraft = (
  item: Item,
  method: Method,
  collection: Collection,
): Omit<ProposalDraft, 'key' | 'operation' | 'summary' | 'description'> | { refused: string } => {
  const { request, folders, name } = item;
  const names = newNames();
  const url = readUrl(request.url, collection, names);
  if ('refused' in url) return url;
  const query = getQuery(url.query, names);
  const headers = readHeaders(readList(request.header).map(readMembers), names, collection.variables);
  const body: SentBody | { refused: string } = readSentBody(
    readMembers(request.body),
    method,
    readList(request.header).map(readMembers),
    names,
  );
  if ('refused' in body) return body;
  const { credentials, notes } = readSecrets(item, [headers, query, body], collection.variables);
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
    credentials,
    notes: [...new Set([...notes, ...headers.notes, ...query.notes, ...body.notes])],
    isDeprecated: false,
  };
};

/** Converts one request of a collection to a call, or returns why it cannot be one. */
export const readRequest = (item: Item, { key, isTwin }: Keyed, collection: Collection): ProposalDraft | RejectedOperation => {
  const { request, name, folders } = item;
  const method = (readText(request.method) || 'GET').toUpperCase().slice(0, 20);
  const operation = toLine(`${method} ${[...folders, name].join(' / ')}`, 500);
  const description = toLine(readDescription(request.description), 1_000);
  const summary = toLine(description, 200) || name || operation;
  const refused = (sentence: string): RejectedOperation => ({ key, operation, summary, refused: sentence });
  if (isTwin) return refused(TWIN);
  if (!isMethod(method)) return refused(`The method ${toLine(method, 20)} is not supported; must be one of ${METHODS.join(', ')}.`);
  const draft = getDraft(item, method, collection);
  return 'refused' in draft ? refused(draft.refused) : { key, operation, summary, description: description || summary, ...draft };
};
