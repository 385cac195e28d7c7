import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isPlainForm, UNCLEAR } from '../credentials/authorization-form.ts';
import { combineSecrets } from '../credentials/combine-secrets.ts';
import type { DraftParameter, ProposalDraft, RejectedOperation } from '../draft/proposal.ts';
import { describeUnstorable, readList, readText, toLine } from '../draft/reading.ts';
import { TWIN } from '../judge/keys.ts';
import type { Api, ApiOperation } from './api.ts';
import { newNames } from './parameter-names.ts';
import { readBody } from './read-body.ts';
import { isUnsendable, readParameters } from './read-parameters.ts';
import { readCredentials } from './security.ts';
import { buildServerUrl } from './server-url.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = ProposalDraft['method'];

const isMethod = (word: string): word is Method => METHODS.some((method) => method === word);

const VERSION = /^(?:v?\d+(?:\.\d+)*|api|rest|public)$/i;

/** Returns its first tag, or the first meaningful word of its path. */
const getGroup = ({ members, path }: ApiOperation): string =>
  readText(readList(members.tags)[0]) ||
  (path.split('/').find((part) => part !== '' && !part.startsWith('{') && !VERSION.test(part)) ?? 'api');

const PATH_LITERAL = /[^A-Za-z0-9!$&'()*+,./:;=?@[\]_~%{}-]/gu;

/** The words by which its risk is judged: what it is called, and the fixed parts of its path. */
const calledOf = ({ members, path }: ApiOperation): readonly string[] => [
  readText(members.operationId).slice(0, 300),
  readText(members.summary).slice(0, 300),
  path.replace(/\{[^{}]*\}/g, ' '),
];

/** With those of what it belongs to. */
const listWords = (operation: ApiOperation): readonly string[] => [
  operation.key,
  ...calledOf(operation),
  ...readList(operation.members.tags).map((tag) => readText(tag).slice(0, 100)),
];

const readUrl = (server: Read['server'], { path }: ApiOperation, names: ReadonlyMap<string, string>, joined: readonly string[]): string => {
  const placed = path
    .replace(PATH_LITERAL, (character) => encodeURIComponent(character))
    .replace(/\{([^{}]*)\}/g, (_, name: string) => `{${names.get(name) ?? ''}}`);
  const mark = placed.includes('?') ? '&' : '?';
  const fixed = server.query === '' ? placed : `${placed}${mark}${server.query}`;
  const expression = joined.length === 0 ? '' : `{${fixed.includes('?') ? '&' : '?'}${joined.join(',')}}`;
  return server.url + fixed + expression;
};

const toldOf = (members: JsonObject, operation: string): { summary: string; description: string } => {
  const summary = toLine(members.summary, 200) || toLine(members.description, 200) || operation;
  return { summary, description: toLine(members.description, 1_000) || summary };
};

type Read = {
  readonly server: { readonly url: string; readonly query: string; readonly notes: readonly string[] };
  readonly method: Method;
};

const getDraft = (
  api: Api,
  operation: ApiOperation,
  { server, method }: Read,
): Omit<ProposalDraft, 'key' | 'operation' | 'summary' | 'description'> | { refused: string } => {
  const { members } = operation;
  const names = newNames();
  const read = readParameters(api, operation, server.query, names);
  if (isUnsendable(read)) return read;
  const body = readBody(api, members, method, names);
  if (isUnsendable(body)) return body;
  const security = readCredentials(api, members, server.url);
  const combined = combineSecrets(security.credentials, [...read.secrets, ...body.secrets]);
  const notes = new Set([...security.notes, ...combined.notes, ...(combined.credentials.some(isPlainForm) ? [UNCLEAR] : [])]);
  const parameters: DraftParameter[] = [...read.parameters, ...body.parameters];
  return {
    method,
    url: readUrl(server, operation, read.pathNames, read.joined),
    headers: { ...read.headers, ...body.headers },
    query: read.query,
    ...(body.body === undefined ? {} : { body: body.body }),
    parameters,
    group: getGroup(operation),
    reads: method === 'GET',
    words: [...listWords(operation), ...security.scopes],
    called: calledOf(operation),
    credentials: combined.credentials,
    notes: [...server.notes, ...read.notes, ...body.notes, ...notes],
    isDeprecated: members.deprecated === true,
  };
};

/** Converts one operation of an OpenAPI document to a call, or returns why it cannot be one. */
export const readOperation = (api: Api, operation: ApiOperation): ProposalDraft | RejectedOperation => {
  const { key, isTwin, method, path, members, shared } = operation;
  const named = { key, operation: toLine(`${method} ${path}`, 500) };
  const told = toldOf(members, named.operation);
  const refused = (sentence: string): RejectedOperation => ({ ...named, summary: told.summary, refused: sentence });
  if (isTwin) return refused(TWIN);
  if (!isMethod(method)) return refused(`The method ${method} is not supported; must be one of ${METHODS.join(', ')}.`);
  // No such character can be written into an address.
  const unkept = describeUnstorable(path);
  if (unkept !== undefined) return refused(`Its path contains ${unkept}.`);
  if (path.includes('#')) return refused('Its path has a fragment (#), which is never sent.');
  const server = buildServerUrl(api, members, shared);
  if ('refused' in server) return refused(server.refused);
  const draft = getDraft(api, operation, { server, method });
  return 'refused' in draft ? refused(draft.refused) : { ...named, ...told, ...draft };
};
