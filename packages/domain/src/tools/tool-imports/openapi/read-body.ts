import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { startOf } from '@svc/policy/values/start-of.ts';
import type { Draft, DraftParameter } from '../draft/proposal.ts';
import { lineOf, type Members, membersOf, textOf } from '../draft/reading.ts';
import { resolved } from '../schema/resolve-reference.ts';
import type { Api } from './api.ts';
import { isCredentialField } from './credential-field.ts';
import { type LeftOut, leftOutNotes, UNWRITTEN } from './left-out.ts';
import type { Names } from './parameter-names.ts';
import type { Unsendable } from './read-parameters.ts';
import { shapeOf } from './shape-of.ts';
import { spreadField } from './spread-fields.ts';

export type ReadBody = {
  readonly parameters: readonly DraftParameter[];
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: readonly WantedCredential[];
  readonly notes: readonly string[];
};

const FORM = 'application/x-www-form-urlencoded';
const FIELDS_MAX = 60;
const NOTHING: ReadBody = { parameters: [], headers: {}, credentials: [], notes: [] };

const plainType = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase();

type Sending = { readonly type: 'json' | 'form' | 'text'; readonly written: string; readonly media: Members };

/** JSON before a form, and a form before text: the one that is sent, of those that tools can send. */
const sendingOf = (content: Members): Sending | undefined => {
  const offered = Object.entries(content).map(([written, media]) => ({ written, plain: plainType(written), media: membersOf(media) }));
  const exact =
    offered.find(({ plain }) => plain === 'application/json') ??
    offered.find(({ plain }) => /^application\/[a-z0-9.+-]+\+json$/.test(plain));
  if (exact) return { type: 'json', written: exact.plain, media: exact.media };
  const form = offered.find(({ plain }) => plain === FORM);
  if (form) return { type: 'form', written: FORM, media: form.media };
  const any = offered.find(({ plain }) => plain === '*/*' || plain === 'application/*');
  if (any) return { type: 'json', written: 'application/json', media: any.media };
  const text = offered.find(({ plain }) => plain === 'text/plain');
  return text && { type: 'text', written: 'text/plain', media: text.media };
};

const readForm = ({ resolve }: Api, media: Members, names: Names): ReadBody | Unsendable => {
  const shape = shapeOf(media.schema ?? { type: 'object', properties: {} }, resolve);
  if (shape.kind !== 'object')
    return { refused: 'Its form is not described by fields, or by more than are looked through, so that nothing can be sent in it.' };
  const encodings = membersOf(media.encoding);
  const parameters: DraftParameter[] = [];
  const credentials: WantedCredential[] = [];
  const left: LeftOut[] = [];
  const body: Record<string, string> = {};
  const isAsked = ([name]: readonly [string, unknown]): boolean => shape.required.has(name);
  const fields = Object.entries(shape.properties).filter(([name]) => name !== '__proto__');
  for (const [name, schema] of [...fields.filter(isAsked), ...fields.filter((field) => !isAsked(field))]) {
    const required = shape.required.has(name);
    if (isCredentialField(name)) {
      credentials.push({ scheme: 'BODY_FIELD', name: lineOf(name, 80), placement: { field: startOf(name, 100) }, scopes: [] });
      continue;
    }
    const encoding = membersOf(encodings[name]);
    const style = encoding.style === 'deepObject' || encoding.style === undefined ? 'deepObject' : 'plain';
    const isRepeated = encoding.style !== 'deepObject' && shapeOf(schema, resolve).kind === 'list';
    const spread = spreadField({ name, schema, required, description: '', style: isRepeated ? 'plain' : style }, 'body', names, resolve);
    const room = FIELDS_MAX - Object.keys(body).length;
    const unsent =
      'unsent' in spread
        ? `it is ${spread.unsent}`
        : Object.keys(spread.written).length > room
          ? 'a tool has no more room for fields'
          : undefined;
    if (unsent !== undefined && required)
      return { refused: `It requires the field ${lineOf(name, 80)}, which cannot be sent in a form: ${unsent}.` };
    if ('unsent' in spread || unsent !== undefined) {
      left.push({ what: 'field', name, why: unsent ?? '' });
      continue;
    }
    parameters.push(spread.parameter);
    left.push(...spread.unwritten.map((part) => ({ what: 'field' as const, name: part, why: UNWRITTEN })));
    Object.assign(body, spread.written);
  }
  return { parameters, body, headers: { 'Content-Type': FORM }, credentials, notes: leftOutNotes(left) };
};

const readWhole = ({ type, written, media }: Sending, description: string, names: Names): ReadBody => {
  const name = names('body', 'sent');
  const schema = type === 'text' ? { type: 'string' } : (media.schema ?? {});
  return {
    ...NOTHING,
    parameters: [{ name, schema, required: true, description }],
    body: `{${name}}`,
    headers: written === 'application/json' ? {} : { 'Content-Type': written },
  };
};

/** What an operation sends: a document whole, as one parameter, and a form field by field. */
export const readBody = (api: Api, operation: Members, method: Draft['method'], names: Names): ReadBody | Unsendable => {
  const sendsAlways = method === 'POST' || method === 'PUT' || method === 'PATCH';
  // Without a body of its own such a call would send the parameters.
  const nothing = sendsAlways ? { ...NOTHING, body: {} } : NOTHING;
  if (operation.requestBody === undefined) return nothing;
  const found = resolved(operation.requestBody, api.resolve);
  if ('fault' in found) return { refused: `Its body ${found.fault}.` };
  const { content, required, description } = membersOf(found.value);
  const types = Object.keys(membersOf(content));
  if (types.length === 0) return nothing;
  const told = types
    .map((type) => lineOf(type, 60))
    .slice(0, 3)
    .join(', ');
  const without = (why: string): ReadBody | Unsendable =>
    required === true
      ? { refused: `It takes only ${told}, ${why}.` }
      : { ...nothing, notes: [`Its body is left out: it takes only ${told}, ${why}.`] };
  if (method === 'GET') return required === true ? without('which a GET cannot send') : NOTHING;
  const sending = sendingOf(membersOf(content));
  if (sending === undefined) return without('which tools do not send');
  return sending.type === 'form' ? readForm(api, sending.media, names) : readWhole(sending, textOf(description), names);
};
