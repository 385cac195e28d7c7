/**
 * Reads offers of MCP servers other than tools: resources, templates of resources, and prompts. Each is read as the definition of a tool that has its
 * parameters, so that it is judged, pinned and authorized as a tool is.
 */
import type { McpOfferKind } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readUriTemplate } from '@svc/domain/peers/mcp/uri-template.ts';
import { type DefinitionFault, isDefinitionFault, readDefinition, type ToolDefinition } from './definition.ts';
import { digestText } from './digest.ts';
import { definitionPin } from './pin.ts';
import { isForbiddenScheme } from './uri-schemes.ts';

type Members = Readonly<Record<string, unknown>>;
type ResourceKind = 'RESOURCE' | 'RESOURCE_TEMPLATE';

const { uriCharsMax, promptArgumentsMax, toolNameCharsMax } = LIMITS.mcp;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

const fault = (pointer: string, text: string): DefinitionFault => ({ fault: text, pointer });

/** The member that identifies an offer of a kind at its server. */
export const KEY_MEMBERS = { TOOL: 'name', RESOURCE: 'uri', RESOURCE_TEMPLATE: 'uriTemplate', PROMPT: 'name' } as const satisfies Readonly<
  Record<McpOfferKind, string>
>;

const ADDRESS = /^[A-Za-z][A-Za-z0-9+.-]{0,63}:[\x21-\x7e]{1,}$/u;

const uriFault = (kind: ResourceKind, uri: unknown): DefinitionFault | undefined => {
  const pointer = `/${KEY_MEMBERS[kind]}`;
  if (typeof uri !== 'string' || uri.length > uriCharsMax || (kind === 'RESOURCE' && !ADDRESS.test(uri)))
    return fault(pointer, `must be an absolute address of at most ${uriCharsMax} characters of ASCII`);
  if (isForbiddenScheme(uri)) return fault(pointer, 'must not have a scheme that runs code, or that is a page of the server');
  const template = kind === 'RESOURCE' ? undefined : readUriTemplate(uri);
  return template !== undefined && 'fault' in template ? fault(pointer, template.fault) : undefined;
};

const uriSchema = (kind: ResourceKind, uri: string): Members => {
  const schema =
    kind === 'RESOURCE' ? { const: uri } : { type: 'string', maxLength: uriCharsMax, description: `Address of the form ${uri}` };
  return { type: 'object', properties: { uri: schema }, required: ['uri'], additionalProperties: false };
};

type Argument = { readonly name: string; readonly description?: string; readonly title?: string; readonly required?: boolean };

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';

const isArgument = (value: unknown): value is Argument =>
  isMembers(value) &&
  typeof value.name === 'string' &&
  value.name !== '' &&
  value.name.length <= toolNameCharsMax &&
  isText(value.description) &&
  isText(value.title) &&
  (value.required === undefined || typeof value.required === 'boolean');

const promptSchema = (given: unknown): Members | DefinitionFault => {
  const list = given ?? [];
  if (!Array.isArray(list) || list.length > promptArgumentsMax)
    return fault('/arguments', `must be a list of at most ${promptArgumentsMax} arguments`);
  const wrong = list.findIndex((each) => !isArgument(each));
  if (wrong !== -1) return fault(`/arguments/${wrong}`, 'must have a name, and a description that is a string');
  const all = list as readonly Argument[];
  if (new Set(all.map(({ name }) => name)).size < all.length) return fault('/arguments', 'must not name an argument twice');
  const properties = all.map(({ name, title, description }) => {
    const texts = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
    return [name, { type: 'string', ...texts }] as const;
  });
  const required = all.filter((each) => each.required === true).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
};

const parse = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** The time of the last change and the size move with the content, which is not pinned. */
const readAnnotations = (annotations: unknown): unknown => {
  if (!isMembers(annotations)) return annotations;
  const { lastModified: _, ...rest } = annotations;
  return rest;
};

const MIME_CHARS_MAX = 256;

/** Reads one offer of a server from its JSON text, or returns the first reason why no one could use it. */
export const readOffer = (kind: McpOfferKind, text: string): ToolDefinition | DefinitionFault => {
  if (kind === 'TOOL') return readDefinition(text);
  const value = parse(text);
  if (value === undefined) return fault('', 'must be a JSON object');
  const { name, title, description, annotations, _meta, mimeType } = value;
  if (mimeType !== undefined && (typeof mimeType !== 'string' || mimeType.length > MIME_CHARS_MAX))
    return fault('/mimeType', `must be a string of at most ${MIME_CHARS_MAX} characters`);
  const key = value[KEY_MEMBERS[kind]];
  const unusable = kind === 'PROMPT' ? undefined : uriFault(kind, key);
  if (unusable) return unusable;
  const inputSchema = kind === 'PROMPT' ? promptSchema(value.arguments) : uriSchema(kind, String(key));
  if ('fault' in inputSchema && 'pointer' in inputSchema) return inputSchema as DefinitionFault;
  // Reading the text itself finds members that are there twice.
  const whole = readDefinition(text.replace(/\}\s*$/u, `${Object.keys(value).length === 0 ? '' : ','}"inputSchema":{}}`));
  if (isDefinitionFault(whole)) return whole;
  const read = readDefinition(JSON.stringify({ name, title, description, inputSchema, annotations: readAnnotations(annotations), _meta }));
  return isDefinitionFault(read) || mimeType === undefined ? read : { ...read, outputSchema: { contentMediaType: mimeType } };
};

/** Returns the pin of an offer. Those of two kinds are never the same. */
export const offerPin = (kind: McpOfferKind, definition: ToolDefinition): string =>
  kind === 'TOOL' ? definitionPin(definition) : digestText(`${kind}\n${definitionPin(definition)}`);

/** Pointers into the definition of a tool, each with the pointer into a definition of another kind. */
const PLACES: readonly (readonly [prefix: string, place: string])[] = [
  ['/inputSchema/properties/uri/const', '/uri'],
  ['/inputSchema/properties/uri/description', '/uriTemplate'],
  ['/outputSchema/contentMediaType', '/mimeType'],
];

/** Returns a pointer into the text of an offer for a pointer into its definition as a tool. */
export const getOfferPointer = (kind: McpOfferKind, pointer: string, { inputSchema }: ToolDefinition): string => {
  if (kind === 'TOOL') return pointer;
  const known = PLACES.find(([prefix]) => pointer === prefix);
  if (known) return known[1];
  const [, schema, properties, name, ...rest] = pointer.split('/');
  if (kind !== 'PROMPT' || schema !== 'inputSchema' || properties !== 'properties' || name === undefined) return pointer;
  const plain = name.replaceAll('~1', '/').replaceAll('~0', '~');
  const index = Object.keys((inputSchema.properties ?? {}) as Members).indexOf(plain);
  return index === -1 ? pointer : ['', 'arguments', index, ...(rest.length === 0 ? ['name'] : rest)].join('/');
};

/** Returns the name that governed tools of an offer have behind the slug of the server. No tool of a server can have it: its dots become `_`. */
export const getOfferPrefix = (kind: McpOfferKind, prefix: string): string => {
  if (kind === 'TOOL') return prefix;
  return `${prefix}.${kind === 'PROMPT' ? 'prompt' : 'resource'}`;
};
