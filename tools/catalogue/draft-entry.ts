import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { CatalogueSource } from '@svc/contract/tools/catalogue-entry.ts';
import { readList, readMembers, readText } from '@svc/domain/tools/tool-imports/draft/reading.ts';
import type { ReadFields } from '@svc/domain/tools/tool-imports/graphql/read-field.ts';
import { newResolve, resolved } from '@svc/domain/tools/tool-imports/schema/resolve-reference.ts';
import { draftAction, isDocument } from './draft-action.ts';
import { draftGraphql, openGraphql } from './draft-graphql.ts';
import { CatalogueFailure, type VendorDocument } from './read-document.ts';
import { findOperation, getPointersNamed } from './read-operation.ts';

const VERSION_CHARS_MAX = 60;

/** The origin of a document: either a package with its version, or a repository with its commit. */
export type DocumentOrigin = Pick<CatalogueSource, 'path' | 'licence'> &
  Partial<Pick<CatalogueSource, 'package' | 'repository' | 'commit'>> & {
    /** Address of a GraphQL service, which its schema does not state. */
    readonly url?: string;
  };
type GraphqlOrigin = DocumentOrigin & { readonly url: string };

const singleLine = (word: string): string =>
  word
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');

type Scheme = { readonly scheme: string; readonly placement: object; readonly oauth?: object };

const readFlow = (flows: JsonObject): object => {
  const [name, flow] = Object.entries(flows)[0] ?? ['', {}];
  const { tokenUrl, authorizationUrl, scopes } = readMembers(flow);
  return {
    grant: name === 'clientCredentials' ? 'CLIENT_CREDENTIALS' : 'REFRESH_TOKEN',
    token_url: readText(tokenUrl),
    ...(readText(authorizationUrl) === '' ? {} : { authorization_url: readText(authorizationUrl) }),
    scope: Object.keys(readMembers(scopes)).join(' '),
  };
};

/** Returns how a security scheme is sent; undefined for schemes that no credential has. */
const readScheme = ({ type, scheme, in: position, name, flows }: JsonObject): Scheme | undefined => {
  const word = readText(scheme).toLowerCase();
  if (type === 'http' && word === 'bearer') return { scheme: 'BEARER', placement: {} };
  if (type === 'http' && word === 'basic') return { scheme: 'BASIC', placement: {} };
  if (type === 'apiKey' && position === 'header') return { scheme: 'HEADER', placement: { header: readText(name).toLowerCase() } };
  if (type === 'apiKey' && position === 'query') return { scheme: 'QUERY', placement: { parameter: readText(name) } };
  return type === 'oauth2' ? { scheme: 'BEARER', placement: {}, oauth: readFlow(readMembers(flows)) } : undefined;
};

const findCredential = (root: JsonObject) => {
  const resolve = newResolve(root);
  const schemes = Object.values(readMembers(readMembers(root.components).securitySchemes)).flatMap((each) => {
    const found = resolved(each, resolve);
    return ('value' in found ? readScheme(readMembers(found.value)) : undefined) ?? [];
  });
  const chosen = schemes.find(({ oauth }) => oauth === undefined) ?? schemes[0];
  if (chosen === undefined) return null;
  return { ...chosen, ...(chosen.oauth === undefined ? { secret: 'api_key' } : {}) };
};

const makeEntered = (credential: { readonly oauth?: object } | null): readonly object[] => {
  if (credential === null) return [];
  const secret = (name: string, label: string) => ({ name, label, secret: true, required: true });
  if (credential.oauth === undefined) return [secret('api_key', 'API key')];
  const isRefreshed = 'grant' in credential.oauth && credential.oauth.grant === 'REFRESH_TOKEN';
  return [
    { name: 'client_id', label: 'Client ID', secret: false, required: true },
    secret('client_secret', 'Client secret'),
    ...(isRefreshed ? [secret('refresh_token', 'Refresh token')] : []),
  ];
};

const actionAt = (root: JsonObject, word: string) => {
  const [pointer, ...more] = getPointersNamed(root, word);
  const operation = pointer === undefined ? undefined : findOperation(root, pointer);
  if (pointer === undefined || operation === undefined) throw new CatalogueFailure(`The document has no operation ${word}.`);
  if (more.length > 0) throw new CatalogueFailure(`${more.length + 1} operations are named ${word}. Name one by method and path.`);
  const { left_out, ...facts } = draftAction(operation);
  const key = singleLine(readText(operation.members.operationId) || `${operation.method} ${operation.path}`);
  return {
    action: {
      ...{ key, performed_by: 'SERVICE', name: '', ...facts },
      ...{ side_effects: operation.method === 'GET' ? 'NONE' : null, risk: null },
      source: { id: 'api', pointer },
    },
    notes: left_out.map((each) => `${key}: left out ${each}`),
  };
};

const findBaseUrl = (root: JsonObject): string => {
  const url = readText(readMembers(readList(root.servers)[0]).url);
  return url.startsWith('https://') ? url.replace(/\/+$/, '') : '';
};

const graphqlActionAt = (fields: ReadFields, word: string, path: string) => {
  const field = fields.find(word);
  if (field === undefined) throw new CatalogueFailure(`The schema has no field ${word}. Name it as Query.name or Mutation.name.`);
  const { left_out, ...facts } = draftGraphql(field, path);
  const key = singleLine(word.split('.')[1] ?? word);
  return {
    action: {
      ...{ key, performed_by: 'SERVICE', name: '', ...facts },
      ...{ side_effects: field.isMutation ? null : 'NONE', risk: null },
      source: { id: 'api', pointer: word },
    },
    notes: left_out.map((each) => `${key}: left out ${each}`),
  };
};

/** A schema does not state its address or its key: a person fills them in. */
const draftGraphqlEntry = (key: string, document: VendorDocument, words: readonly string[], { url, ...origin }: GraphqlOrigin) => {
  const fields = openGraphql(document);
  const { origin: host, pathname } = new URL(url);
  const drafted = words.map((word) => graphqlActionAt(fields, word, pathname));
  const entry = {
    ...{ format: 'svc-catalogue/1', key, version: 1, name: '', category: null, summary: '', automation: null },
    ...{ api: { base_url: host }, credential: null, enter: [] as readonly object[], extra_items: [], test: null },
    sources: [{ id: 'api', kind: 'GRAPHQL', ...origin, sha256: document.sha256, document_version: null }],
    actions: drafted.map(({ action }) => action),
  };
  return { entry, notes: drafted.flatMap(({ notes }) => notes) };
};

/**
 * Returns a proposal for an entry: facts of the document, and empty members for what a person decides. The check refuses it until these are filled.
 */
export const draftEntry = (key: string, document: VendorDocument, words: readonly string[], { url, ...origin }: DocumentOrigin) => {
  const { root, sha256 } = document;
  if (url !== undefined) return draftGraphqlEntry(key, document, words, { ...origin, url });
  if (!isDocument(root)) throw new CatalogueFailure(`${document.path} is no document of OpenAPI 3. Convert Swagger 2.0 before.`);
  const drafted = words.map((word) => actionAt(root, word));
  const version = readText(readMembers(root.info).version).slice(0, VERSION_CHARS_MAX);
  const credential = findCredential(root);
  const entry = {
    ...{ format: 'svc-catalogue/1', key, version: 1, name: '', category: null, summary: '', automation: null },
    ...{ api: { base_url: findBaseUrl(root) }, credential },
    enter: makeEntered(credential),
    ...{ extra_items: [], test: null },
    sources: [{ id: 'api', kind: 'OPENAPI', ...origin, sha256, document_version: version === '' ? null : version }],
    actions: drafted.map(({ action }) => action),
  };
  return { entry, notes: drafted.flatMap(({ notes }) => notes) };
};
