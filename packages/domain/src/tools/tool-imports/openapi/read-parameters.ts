import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { CONNECTION_HEADERS } from '../../request/connection-headers.ts';
import { carriesSecret } from '../../secret-looks.ts';
import type { Secret } from '../credentials/combine-secrets.ts';
import { isSignatureField } from '../credentials/request-signing.ts';
import type { DraftParameter } from '../draft/proposal.ts';
import { isMembers, readList, readMembers, readText, toLine } from '../draft/reading.ts';
import { resolved } from '../schema/resolve-reference.ts';
import type { Api, ApiOperation } from './api.ts';
import { isCredentialField } from './credential-field.ts';
import { listLeftOutNotes, listNames, type OmittedPart, UNWRITTEN } from './left-out.ts';
import type { ParameterNames } from './parameter-names.ts';
import { hasPlainItems, resolveShape, simplifyShape, type ValueShape } from './read-shape.ts';
import { readAuthorization } from './security.ts';
import { type SpreadField, spreadField } from './spread-fields.ts';

export type ReadParameters = {
  readonly parameters: readonly DraftParameter[];
  /** Parameters of the path -> what they are called here. */
  readonly pathNames: ReadonlyMap<string, string>;
  /** Parameters that the address itself sends in its query, each with commas between its values. */
  readonly joined: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly Secret[];
  readonly notes: readonly string[];
};
type Reading = {
  readonly api: Api;
  readonly names: ParameterNames;
  readonly parameters: DraftParameter[];
  readonly pathNames: Map<string, string>;
  readonly query: [string, string][];
  readonly joined: string[];
  readonly headers: [string, string][];
  readonly secrets: Secret[];
  readonly notes: string[];
  readonly left: OmittedPart[];
  /** Lists that are passed as one text. */
  readonly texts: string[];
  /** Names in the query of the address itself. */
  readonly fixed: ReadonlySet<string>;
};
export type UnsendableParameter = { readonly refused: string };

export const isUnsendable = (value: object): value is UnsendableParameter => 'refused' in value;

type Parameter = {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly description: string;
  readonly members: JsonObject;
};

const TEMPLATES_MAX = 32;
/** Headers that follow from the media types of the operation. */
const SET_OTHERWISE: ReadonlySet<string> = new Set(['accept', 'content-type', 'accept-encoding']);

const listParameters = ({
  api,
  operation,
}: {
  readonly api: Api;
  readonly operation: ApiOperation;
}): readonly Parameter[] | UnsendableParameter => {
  const found = new Map<string, Parameter>();
  for (const each of [...readList(operation.shared.parameters), ...readList(operation.members.parameters)]) {
    const read = resolved(each, api.resolve);
    if ('fault' in read) return { refused: `One of its parameters ${read.fault}.` };
    if (!isMembers(read.value)) continue;
    const { in: place, name, required, description } = read.value;
    const parameter = {
      name: truncateText(readText(name), 200),
      place: readText(place),
      required: required === true,
      description: readText(description),
      members: read.value,
    };
    if (parameter.name !== '') found.set(`${parameter.place} ${parameter.name}`, parameter);
  }
  return [...found.values()];
};

const SECRET_IN_QUERY =
  'its name suggests a secret, and query parameters are recorded: declare it as a security scheme (apiKey in query), so that a credential sends it';

/** Returns true if this parameter carries the required credential of the operation. */
const isKeyOfScheme = ({ root, resolve }: Api, name: string): boolean =>
  Object.values(readMembers(readMembers(root.components).securitySchemes)).some((each) => {
    const found = resolved(each, resolve);
    const scheme = 'value' in found ? readMembers(found.value) : {};
    return scheme.type === 'apiKey' && scheme.in === 'query' && scheme.name === name;
  });

const leftOut = (on: Reading, { name, required }: Parameter, why: string): UnsendableParameter | undefined => {
  if (required) return { refused: `It requires the parameter ${toLine(name, 80)}, which cannot be sent: ${why}.` };
  on.left.push({ what: 'parameter', name, why });
  return undefined;
};

/** Says that a part of a request signature is not computed; the operation is proposed anyway, with this note. */
const leaveSignature = (on: Reading, name: string): undefined => {
  on.left.push({ what: 'parameter', name, why: 'it is part of request signing, which is not supported' });
};

/** A credential described as a parameter, with the word before it that its description or example shows. */
const readAuthorizationHeader = (on: Reading, { name, required, description, members }: Parameter): undefined => {
  const schema = readMembers(members.schema);
  const examples = [members.example, schema.example, schema.default].map(readText).filter((text) => text !== '');
  const wanted = readAuthorization(name, [description, ...examples.map((text) => `"${text}"`)].join(' '));
  if ('unsent' in wanted) on.notes.push(`A credential cannot be sent: ${wanted.unsent}.`);
  else on.secrets.push({ credential: wanted, required });
};

const readPath = (on: Reading, parameter: Parameter): UnsendableParameter | undefined => {
  const { name, members, description } = parameter;
  const shape = simplifyShape(resolveShape(members.schema, on.api.resolve));
  const style = members.style ?? 'simple';
  if (shape.kind !== 'scalar') return { refused: `It has a list or an object in its path (${toLine(name, 80)}), which is not supported.` };
  const plain = on.names(name, 'path');
  on.parameters.push({ name: plain, schema: members.schema ?? {}, required: true, description });
  on.pathNames.set(name, style === 'label' ? `.${plain}` : style === 'matrix' ? `;${plain}` : plain);
  return undefined;
};

const getField = ({ name, required, description, members }: Parameter): SpreadField => {
  const style = readText(members.style) || 'form';
  const isSpread = style === 'form' && members.explode !== false;
  return {
    name,
    schema: members.schema ?? {},
    required,
    description,
    style: style === 'deepObject' ? 'deepObject' : isSpread ? 'spread' : 'plain',
  };
};

const JOINED_MAX = 12;

const isJoined = ({ members }: Parameter, { kind }: ValueShape): boolean =>
  (readText(members.style) || 'form') === 'form' && members.explode === false && kind === 'list';

/**
 * Lists that are sent as one value with commas [style form without explode]. Under a name that no expression can have, and beyond as many as
 * one expression holds, the list is one text as it is sent.
 */
const readJoined = (on: Reading, { name, required, description }: Parameter, { schema }: ValueShape): void => {
  const plain = on.names(name, 'query');
  if (plain === name && on.joined.length < JOINED_MAX && hasPlainItems(schema, on.api.resolve)) {
    on.parameters.push({ name: plain, schema, required, description });
    on.joined.push(plain);
    return;
  }
  on.texts.push(name);
  on.parameters.push({ name: plain, schema: { type: 'string' }, required, description });
  on.query.push([name, `{${plain}}`]);
};

const readQuery = (on: Reading, parameter: Parameter): UnsendableParameter | undefined => {
  const { name, members, required } = parameter;
  if (isSignatureField(name)) return leaveSignature(on, name);
  if (isCredentialField(name)) {
    const credential = { scheme: 'QUERY' as const, name: toLine(name, 80), placement: { parameter: truncateText(name, 100) }, scopes: [] };
    on.secrets.push({ credential, required });
    return undefined;
  }
  if (isKeyOfScheme(on.api, name)) return undefined;
  if (on.fixed.has(name)) {
    on.left.push({ what: 'parameter', name, why: 'its address fixes the value' });
    return undefined;
  }
  if (carriesSecret(name, 'query')) return leftOut(on, parameter, SECRET_IN_QUERY);
  if (isMembers(members.content)) return leftOut(on, parameter, 'it is a structured document in the query');
  if (/[^\x20-\x7e]/.test(name)) return leftOut(on, parameter, 'its name is not plain text');
  const { style, explode } = members;
  if (typeof style === 'string' && /Delimited$/.test(style) && explode !== true)
    return leftOut(on, parameter, `lists with ${toLine(style, 40)} are not supported`);
  if (on.query.length >= TEMPLATES_MAX) return leftOut(on, parameter, `a tool has at most ${TEMPLATES_MAX} query parameters`);
  const shape = resolveShape(members.schema, on.api.resolve);
  if (isJoined(parameter, shape)) {
    readJoined(on, parameter, shape);
    return undefined;
  }
  const spread = spreadField(getField(parameter), 'query', on.names, on.api.resolve);
  if ('unsent' in spread) return leftOut(on, parameter, `it is ${spread.unsent}`);
  const written = Object.entries(spread.written).filter(([each]) => !carriesSecret(each, 'query'));
  if (on.query.length + written.length > TEMPLATES_MAX)
    return leftOut(on, parameter, `a tool has at most ${TEMPLATES_MAX} query parameters`);
  on.parameters.push(spread.parameter);
  on.left.push(...spread.unwritten.map((part) => ({ what: 'parameter' as const, name: part, why: UNWRITTEN })));
  on.query.push(...written);
  return undefined;
};

const readHeader = (on: Reading, parameter: Parameter): UnsendableParameter | undefined => {
  const { name, members, required, description } = parameter;
  const plain = name.toLowerCase();
  if (SET_OTHERWISE.has(plain) || CONNECTION_HEADERS.has(plain)) return undefined;
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(plain)) return leftOut(on, parameter, 'its name is not a valid header name');
  if (isSignatureField(name)) return leaveSignature(on, name);
  if (plain === 'authorization') return readAuthorizationHeader(on, parameter);
  if (carriesSecret(name, 'header')) {
    on.secrets.push({ credential: { scheme: 'HEADER', name, placement: { header: name }, scopes: [] }, required });
    return undefined;
  }
  if (plain === 'cookie') return leftOut(on, parameter, 'cookies are not sent');
  if (simplifyShape(resolveShape(members.schema ?? {}, on.api.resolve)).kind !== 'scalar')
    return leftOut(on, parameter, 'headers can only contain plain values');
  if (on.headers.length >= TEMPLATES_MAX - 2) return leftOut(on, parameter, 'a tool cannot have more headers');
  const called = on.names(name, 'header');
  on.parameters.push({ name: called, schema: members.schema ?? {}, required, description });
  on.headers.push([name, `{${called}}`]);
  return undefined;
};

const READERS: Readonly<Record<string, (on: Reading, parameter: Parameter) => UnsendableParameter | undefined>> = {
  path: readPath,
  query: readQuery,
  header: readHeader,
  cookie: (on, parameter) => leftOut(on, parameter, 'it is a cookie, and tool calls send no cookies'),
};

/** Names in the path that no parameter describes are texts. */
const addUndescribed = (on: Reading, { path }: ApiOperation): void => {
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
    if (on.pathNames.has(name)) continue;
    const plain = on.names(name, 'path');
    on.parameters.push({ name: plain, schema: { type: 'string' }, required: true, description: '' });
    on.pathNames.set(name, plain);
  }
};

const textNotes = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`Sent as one comma-separated text: ${listNames(names)}.`];

/** Maps the parameters of an operation to positions in a call. Required ones come first, so that others are dropped before them. */
export const readParameters = (
  api: Api,
  operation: ApiOperation,
  serverQuery: string,
  names: ParameterNames,
): ReadParameters | UnsendableParameter => {
  const found = listParameters({ api, operation });
  if ('refused' in found) return found;
  const on: Reading = {
    api,
    names,
    parameters: [],
    pathNames: new Map(),
    query: [],
    joined: [],
    headers: [],
    secrets: [],
    notes: [],
    left: [],
    texts: [],
    fixed: new Set([...new URLSearchParams(`${operation.path.split('?')[1] ?? ''}&${serverQuery}`)].map(([name]) => name)),
  };
  const inPath = (parameter: Parameter): boolean => parameter.place !== 'path' || operation.path.includes(`{${parameter.name}}`);
  const order = ({ place, required }: Parameter): number => (place === 'path' ? 0 : required ? 1 : 2);
  for (const parameter of found.filter(inPath).toSorted((one, other) => order(one) - order(other))) {
    const read = Object.hasOwn(READERS, parameter.place) ? READERS[parameter.place] : undefined;
    const refused = read?.(on, parameter);
    if (refused !== undefined) return refused;
  }
  addUndescribed(on, operation);
  const { parameters, pathNames, secrets, notes } = on;
  return {
    parameters,
    pathNames,
    joined: on.joined,
    query: Object.fromEntries(on.query),
    headers: Object.fromEntries(on.headers),
    secrets,
    notes: [...notes, ...textNotes(on.texts), ...listLeftOutNotes(on.left)],
  };
};
