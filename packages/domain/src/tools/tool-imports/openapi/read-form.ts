import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import type { Secret } from '../credentials/combine-secrets.ts';
import type { DraftParameter } from '../draft/proposal.ts';
import { readMembers, readText, toLine } from '../draft/reading.ts';
import type { Resolve } from '../schema/resolve-reference.ts';
import type { Api } from './api.ts';
import { isCredentialField } from './credential-field.ts';
import { listLeftOutNotes, listNames, type OmittedPart, UNWRITTEN } from './left-out.ts';
import type { ParameterNames } from './parameter-names.ts';
import type { UnsendableParameter } from './read-parameters.ts';
import { hasPlainItems, resolveShape } from './read-shape.ts';
import { type Spread, spreadField } from './spread-fields.ts';

export type ReadForm = {
  readonly parameters: readonly DraftParameter[];
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly Secret[];
  readonly notes: readonly string[];
};

export const FORM = 'application/x-www-form-urlencoded';
const FIELDS_MAX = 60;
/** The type of a required field without a description. */
const PLAIN = { type: ['string', 'number', 'boolean'] };

type FormField = { readonly name: string; readonly schema: unknown; readonly required: boolean; readonly encoding: JsonObject };

const isPlainList = (schema: unknown, resolve: Resolve): boolean => {
  const shape = resolveShape(schema, resolve);
  return shape.kind === 'list' && hasPlainItems(shape.schema, resolve);
};

/** Writes a field by its encoding; by default lists are repeated and objects written as `name[part]`. */
const spreadFormField = ({ name, schema, required, encoding }: FormField, names: ParameterNames, resolve: Resolve): Spread => {
  const { kind } = resolveShape(schema, resolve);
  if (kind !== 'scalar' && /json/i.test(readText(encoding.contentType))) return { unsent: 'a document within the form' };
  if (kind === 'list' && encoding.explode === false) return { unsent: 'a list with separators between its values' };
  const isDeep = encoding.style === 'deepObject' || (encoding.style === undefined && !isPlainList(schema, resolve));
  return spreadField({ name, schema, required, description: '', style: isDeep ? 'deepObject' : 'plain' }, 'body', names, resolve);
};

const BRACKETS = 'Objects in its form are written as name[part], because the document does not specify the format.';

type Form = {
  readonly parameters: DraftParameter[];
  readonly secrets: Secret[];
  readonly left: OmittedPart[];
  readonly notes: Set<string>;
  readonly body: Record<string, string>;
};

const addField = (form: Form, field: FormField, names: ParameterNames, resolve: Resolve): UnsendableParameter | undefined => {
  const { name, required, encoding } = field;
  if (isCredentialField(name)) {
    const placement = { field: truncateText(name, 100) };
    form.secrets.push({ credential: { scheme: 'BODY_FIELD', name: toLine(name, 80), placement, scopes: [] }, required });
    return undefined;
  }
  const spread = spreadFormField(field, names, resolve);
  const room = FIELDS_MAX - Object.keys(form.body).length;
  const isTooMany = 'written' in spread && Object.keys(spread.written).length > room;
  if ('unsent' in spread || isTooMany) {
    const why = 'unsent' in spread ? `it is ${spread.unsent}` : 'a tool cannot have more fields';
    if (required) return { refused: `It requires the field ${toLine(name, 80)}, which cannot be sent in a form: ${why}.` };
    form.left.push({ what: 'field', name, why });
    return undefined;
  }
  if (encoding.style === undefined && resolveShape(field.schema, resolve).kind !== 'scalar' && !isPlainList(field.schema, resolve))
    form.notes.add(BRACKETS);
  form.parameters.push(spread.parameter);
  form.left.push(...spread.unwritten.map((part) => ({ what: 'field' as const, name: part, why: UNWRITTEN })));
  Object.assign(form.body, spread.written);
  return undefined;
};

/** Reads a form field by field, required ones first, so that others are dropped before them. */
export const readForm = (
  { resolve }: Api,
  media: JsonObject,
  isRequired: boolean,
  names: ParameterNames,
): ReadForm | UnsendableParameter => {
  const shape = resolveShape(media.schema ?? { type: 'object', properties: {} }, resolve);
  const isUndeclared = shape.kind === 'object' && shape.open && Object.keys(shape.properties).length + shape.required.size === 0;
  if (shape.kind !== 'object' || isUndeclared)
    return { refused: 'Its form has no fields, or more fields than are processed, so nothing can be sent in it.' };
  const encodings = readMembers(media.encoding);
  const form: Form = { parameters: [], secrets: [], left: [], notes: new Set(), body: {} };
  const undescribed = [...shape.required].filter((name) => !Object.hasOwn(shape.properties, name)).map((name) => [name, PLAIN] as const);
  const fields = [...Object.entries(shape.properties), ...undescribed]
    .filter(([name]) => name !== '__proto__')
    .map(([name, schema]) => ({ name, schema, required: shape.required.has(name), encoding: readMembers(encodings[name]) }));
  for (const field of fields.toSorted((one, other) => Number(other.required) - Number(one.required))) {
    const refused = addField(form, field, names, resolve);
    if (refused !== undefined) return refused;
  }
  const { body, secrets, notes, left } = form;
  const needed = form.parameters.filter(({ required }) => required).map(({ name }) => name);
  const parameters = isRequired ? form.parameters : form.parameters.map((each) => ({ ...each, required: false }));
  if (!isRequired && needed.length > 0) notes.add(`The body is optional; a body that is sent requires ${listNames(needed)}.`);
  return { parameters, body, headers: { 'Content-Type': FORM }, secrets, notes: [...notes, ...listLeftOutNotes(left)] };
};
