import type { Draft, DraftParameter } from '../draft/proposal.ts';
import { isMembers, listOf, type Members, membersOf, textOf } from '../draft/reading.ts';
import { isCredentialField } from '../openapi/credential-field.ts';
import type { Names } from './read-url.ts';

export type SentBody = {
  readonly parameters: readonly DraftParameter[];
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
};

const FIELDS_MAX = 60;
const DEPTH_MAX = 6;
const CHARACTERS_MAX = 100_000;
const NOTHING: SentBody = { parameters: [], headers: {}, notes: [] };
const BY_EXAMPLE = 'What it sends is described by the example in the collection alone.';

/** A schema that an example fits, and what is like it: every member of an object may be left out, and others be there. */
const schemaOf = (example: unknown, depth = 0): Members => {
  if (depth > DEPTH_MAX || example === null) return {};
  if (Array.isArray(example)) return { type: 'array', ...(example.length === 0 ? {} : { items: schemaOf(example[0], depth + 1) }) };
  if (isMembers(example)) {
    const properties = Object.entries(example).slice(0, 200);
    return { type: 'object', properties: Object.fromEntries(properties.map(([name, member]) => [name, schemaOf(member, depth + 1)])) };
  }
  // A variable may stand for a value of any kind.
  if (typeof example === 'string') return example.includes('{{') ? {} : { type: 'string' };
  return typeof example === 'number' ? { type: 'number' } : { type: 'boolean' };
};

/** A variable that stands without quotation marks is no JSON: a null stands for it while the example is read. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text.slice(0, CHARACTERS_MAX).replace(/(?<=[:[,]\s{0,20})\{\{[^{}"]{1,100}\}\}/g, 'null'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const whole = (schema: Members, names: Names, headers: Readonly<Record<string, string>>, notes: readonly string[]): SentBody => {
  const name = names('body', 'sent');
  return { parameters: [{ name, schema, required: true, description: '' }], body: `{${name}}`, headers, notes };
};

const ofRaw = (body: Members, names: Names): SentBody => {
  const text = textOf(body.raw);
  const language = textOf(membersOf(membersOf(body.options).raw).language);
  const example = language === '' || language === 'json' ? parsed(text) : undefined;
  if (example !== undefined) return whole(schemaOf(example), names, {}, [BY_EXAMPLE]);
  return language === 'json'
    ? whole({}, names, {}, ['Its example is no JSON, so that nothing is known of what it sends.'])
    : whole({ type: 'string' }, names, { 'Content-Type': 'text/plain' }, []);
};

const ofForm = (fields: readonly Members[], names: Names): SentBody => {
  const parameters: DraftParameter[] = [];
  const body: Record<string, string> = {};
  for (const { key, description } of fields.slice(0, FIELDS_MAX)) {
    const field = textOf(key).slice(0, 100);
    if (field === '' || field === '__proto__' || isCredentialField(field) || Object.hasOwn(body, field)) continue;
    const name = names(field, 'body');
    parameters.push({ name, schema: { type: ['string', 'number', 'boolean'] }, required: false, description: textOf(description) });
    body[field] = `{${name}}`;
  }
  return { parameters, body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, notes: [] };
};

const ofGraphql = (graphql: Members, names: Names): SentBody | { readonly refused: string } => {
  const query = textOf(graphql.query);
  if (query === '' || query.length > 20_000 || query.includes('{{'))
    return { refused: 'Its GraphQL query is missing, or has variables of the collection in it.' };
  const example = typeof graphql.variables === 'string' ? parsed(graphql.variables) : graphql.variables;
  const name = names('variables', 'sent');
  const body = { query: query.replaceAll('{', '{{').replaceAll('}', '}}'), variables: `{${name}}` };
  return {
    parameters: [{ name, schema: isMembers(example) ? schemaOf(example) : { type: 'object' }, required: false, description: '' }],
    body,
    headers: {},
    notes: [BY_EXAMPLE],
  };
};

/** What a request of a collection sends, with parameters in the place of its examples. */
export const sentBody = (body: Members, method: Draft['method'], names: Names): SentBody | { readonly refused: string } => {
  const mode = textOf(body.mode);
  const sends = method === 'POST' || method === 'PUT' || method === 'PATCH';
  if (method === 'GET') return NOTHING;
  if (mode === 'raw' && textOf(body.raw).trim() !== '') return ofRaw(body, names);
  if (mode === 'urlencoded') return ofForm(listOf(body.urlencoded).map(membersOf), names);
  if (mode === 'graphql') return ofGraphql(membersOf(body.graphql), names);
  if (mode === 'formdata' && listOf(body.formdata).length > 0) return { refused: 'It sends multipart/form-data, which tools do not send.' };
  if (mode === 'file') return { refused: 'It sends a file, which tools do not.' };
  return sends ? { ...NOTHING, body: {} } : NOTHING;
};
