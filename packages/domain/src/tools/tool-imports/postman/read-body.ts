import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { GraphqlCall } from '@svc/contract/tools/call-terms.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import type { Secret } from '../credentials/combine-secrets.ts';
import type { DraftParameter, ProposalDraft } from '../draft/proposal.ts';
import { readList, readMembers, readText, toLine } from '../draft/reading.ts';
import { isCredentialField } from '../openapi/credential-field.ts';
import { BY_EXAMPLE, inferSchema, parsed } from './by-example.ts';
import { buildGraphqlBody } from './graphql-body.ts';
import type { UrlNames } from './read-url.ts';

export type SentBody = {
  readonly parameters: readonly DraftParameter[];
  readonly body?: unknown;
  readonly graphql?: GraphqlCall;
  readonly headers: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  readonly secrets: readonly Secret[];
  /** For a body that states its effect: if it reads, and the words. */
  readonly says?: { readonly reads: boolean; readonly words: readonly string[] };
};

const FIELDS_MAX = 60;
const NOTHING: SentBody = { parameters: [], headers: {}, notes: [], secrets: [] };

const whole = (schema: JsonObject, names: UrlNames, headers: Readonly<Record<string, string>>, notes: readonly string[]): SentBody => {
  const name = names('body', 'sent');
  return { parameters: [{ name, schema, required: true, description: '' }], body: `{${name}}`, headers, notes, secrets: [] };
};

const LANGUAGES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
};

/** Returns the type of the document: by a header of the request, or the language of its text. */
const getType = (body: JsonObject, headers: readonly JsonObject[]): string => {
  const written = headers.find(
    ({ key, value, disabled }) => disabled !== true && readText(key).toLowerCase() === 'content-type' && !readText(value).includes('{{'),
  );
  const [type = ''] = readText(written?.value).split(';', 1);
  const language = readText(readMembers(readMembers(body.options).raw).language);
  return type.trim().toLowerCase() || (Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined) || '';
};

const ofRaw = (body: JsonObject, headers: readonly JsonObject[], names: UrlNames): SentBody | { readonly refused: string } => {
  const text = readText(body.raw);
  const type = getType(body, headers);
  const isJson = type === 'application/json' || /^application\/[a-z0-9.+-]+\+json$/.test(type);
  if (!isJson && type !== '' && type !== 'text/plain') return { refused: `It sends ${toLine(type, 60)}, which tools do not support.` };
  // Double-brace variables are placeholders, so that such a text is not JSON yet.
  const looksJson = type === '' && /^\s*[{[]/.test(text);
  const example = type === 'text/plain' ? undefined : parsed(text);
  const sentAs: Record<string, string> = isJson && type !== 'application/json' ? { 'Content-Type': type } : {};
  if (example !== undefined) return whole(inferSchema(example), names, sentAs, [BY_EXAMPLE]);
  return isJson || looksJson
    ? whole({}, names, sentAs, ['Its example is not JSON, so the body it sends is unknown.'])
    : whole({ type: 'string' }, names, { 'Content-Type': 'text/plain' }, []);
};

const PLAIN = { type: ['string', 'number', 'boolean'] };

const ofForm = (fields: readonly JsonObject[], names: UrlNames): SentBody => {
  const parameters: DraftParameter[] = [];
  const secrets: Secret[] = [];
  const body: Record<string, string> = {};
  const named = Map.groupBy(fields, ({ key }) => truncateText(readText(key), 100));
  const all = [...named].filter(([field]) => field !== '' && field !== '__proto__');
  for (const [field, same] of all.slice(0, FIELDS_MAX)) {
    if (isCredentialField(field)) {
      const credential = { scheme: 'BODY_FIELD' as const, name: toLine(field, 80), placement: { field }, scopes: [] };
      if (same.some(({ disabled }) => disabled !== true)) secrets.push({ credential, required: true });
      continue;
    }
    const name = names(field, 'body');
    const schema = same.length > 1 ? { anyOf: [PLAIN, { type: 'array', items: PLAIN, maxItems: 100 }] } : PLAIN;
    parameters.push({ name, schema, required: false, description: readText(same[0]?.description) });
    body[field] = `{${name}}`;
  }
  const notes = all.length > FIELDS_MAX ? [`Only the first ${FIELDS_MAX} of its fields are sent.`] : [];
  return { parameters, body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, notes, secrets };
};

/** Returns the body of a request of a collection, with parameters instead of its examples. */
export const readSentBody = (
  body: JsonObject,
  method: ProposalDraft['method'],
  headers: readonly JsonObject[],
  names: UrlNames,
): SentBody | { readonly refused: string } => {
  const mode = readText(body.mode);
  const sends = method === 'POST' || method === 'PUT' || method === 'PATCH';
  if (method === 'GET') return NOTHING;
  if (mode === 'raw' && readText(body.raw).trim() !== '') return ofRaw(body, headers, names);
  if (mode === 'urlencoded') return ofForm(readList(body.urlencoded).map(readMembers), names);
  if (mode === 'graphql') return buildGraphqlBody(readMembers(body.graphql), names);
  if (mode === 'formdata' && readList(body.formdata).length > 0)
    return { refused: 'It sends multipart/form-data, which tools do not support.' };
  if (mode === 'file') return { refused: 'It sends a file, which tools do not support.' };
  return sends ? { ...NOTHING, body: {} } : NOTHING;
};
