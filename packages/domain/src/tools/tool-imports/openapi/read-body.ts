import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { ProposalDraft } from '../draft/proposal.ts';
import { readMembers, readText, toLine } from '../draft/reading.ts';
import { type Resolve, resolved } from '../schema/resolve-reference.ts';
import type { Api } from './api.ts';
import type { ParameterNames } from './parameter-names.ts';
import { FORM, type ReadForm, readForm } from './read-form.ts';
import type { UnsendableParameter } from './read-parameters.ts';

const NOTHING: ReadForm = { parameters: [], headers: {}, secrets: [], notes: [] };

const plainType = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase();

type Sending = { readonly type: 'json' | 'form' | 'text'; readonly written: string; readonly media: JsonObject };

const JSON_LIKE = /^application\/[a-z0-9.+-]+\+json$/;
/** A list of steps comes last: the document of what is to be otherwise is what its schema describes, and the same services take both. */
const getRank = (plain: string): number =>
  plain === 'application/json' ? 0 : plain === 'application/merge-patch+json' ? 1 : plain === 'application/json-patch+json' ? 3 : 2;

const isBinary = (schema: unknown, resolve: Resolve): boolean => {
  const found = resolved(schema, resolve);
  return 'value' in found && /^(?:binary|byte)$/.test(readText(readMembers(found.value).format));
};

/** Prefers JSON to a form, and a form to text, among those that tools can send. */
const sendingOf = (content: JsonObject, resolve: Resolve): Sending | undefined => {
  const offered = Object.entries(content).map(([written, media]) => ({ written, plain: plainType(written), media: readMembers(media) }));
  const [exact] = offered
    .filter(({ plain }) => plain === 'application/json' || JSON_LIKE.test(plain))
    .toSorted((one, other) => getRank(one.plain) - getRank(other.plain));
  if (exact) return { type: 'json', written: exact.plain, media: exact.media };
  const form = offered.find(({ plain }) => plain === FORM);
  if (form) return { type: 'form', written: FORM, media: form.media };
  const any = offered.find(({ plain, media }) => (plain === '*/*' || plain === 'application/*') && !isBinary(media.schema, resolve));
  if (any) return { type: 'json', written: 'application/json', media: any.media };
  const text = offered.find(({ plain }) => plain === 'text/plain');
  return text && { type: 'text', written: 'text/plain', media: text.media };
};

const readWhole = ({ type, written, media }: Sending, { description, required }: JsonObject, names: ParameterNames): ReadForm => {
  const name = names('body', 'sent');
  const schema = type === 'text' ? { type: 'string' } : (media.schema ?? {});
  return {
    ...NOTHING,
    parameters: [{ name, schema, required: required === true, description: readText(description) }],
    body: `{${name}}`,
    headers: written === 'application/json' ? {} : { 'Content-Type': written },
  };
};

/** Returns the body of an operation: a document as one parameter, and a form field by field. */
export const readBody = (
  api: Api,
  operation: JsonObject,
  method: ProposalDraft['method'],
  names: ParameterNames,
): ReadForm | UnsendableParameter => {
  const sendsAlways = method === 'POST' || method === 'PUT' || method === 'PATCH';
  // Without a declared body such a call would send the parameters.
  const nothing = sendsAlways ? { ...NOTHING, body: {} } : NOTHING;
  if (operation.requestBody === undefined) return nothing;
  const found = resolved(operation.requestBody, api.resolve);
  if ('fault' in found) return { refused: `Its body ${found.fault}.` };
  const { content, required } = readMembers(found.value);
  const types = Object.keys(readMembers(content));
  if (types.length === 0) return nothing;
  const told = types
    .map((type) => toLine(type, 60))
    .slice(0, 3)
    .join(', ');
  const without = (why: string): ReadForm | UnsendableParameter =>
    // Documents seldom mark a body as required, and without it such a call has no effect.
    required === true || (sendsAlways && required !== false)
      ? { refused: `It accepts only ${told}, ${why}.` }
      : { ...nothing, notes: [`Its body is omitted: it accepts only ${told}, ${why}.`] };
  if (method === 'GET') return without('which a GET cannot send');
  const sending = sendingOf(readMembers(content), api.resolve);
  if (sending === undefined) return without('which tools do not send');
  return sending.type === 'form'
    ? readForm(api, sending.media, required === true, names)
    : readWhole(sending, readMembers(found.value), names);
};
