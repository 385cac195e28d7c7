/** Reads the definition of one tool as an MCP server sent it. The text is kept and served as it is; what is read here is only judged. */
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findOutOfBounds } from '@svc/domain/tools/schema/json-bounds.ts';
import { findAmbiguity } from './json-text.ts';

type Members = Record<string, unknown>;

/** Hints of a server about its tool. They are claims: they never lower a rating. */
export type ToolAnnotations = {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
  readonly [name: string]: unknown;
};

/** A tool as an MCP server defines it, without icons, which are never fetched. */
export type ToolDefinition = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Members;
  readonly outputSchema?: Members;
  readonly annotations?: ToolAnnotations;
  readonly execution?: Members;
  readonly _meta?: Members;
};

/** The reason why a definition cannot be used: the rest of a sentence that begins with the name of the place. */
export type DefinitionFault = { readonly fault: string; readonly pointer: string };

const { definitionBytesMax, definitionDepthMax, descriptionBytesMax, schemaBytesMax, toolNameCharsMax, toolTitleCharsMax } = LIMITS.mcp;

const BOUNDS = { depthMax: definitionDepthMax, bytesMax: definitionBytesMax };
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Each member with the fault of its value; undefined if it has none. */
const MEMBERS: Readonly<Record<Exclude<keyof ToolDefinition, 'name'>, (value: unknown) => string | undefined>> = {
  title: (value) =>
    typeof value === 'string' && value.length <= toolTitleCharsMax
      ? undefined
      : `must be a string of at most ${toolTitleCharsMax} characters`,
  description: (value) =>
    typeof value === 'string' && byteLength(value) <= descriptionBytesMax
      ? undefined
      : `must be a string of at most ${descriptionBytesMax} bytes in UTF-8`,
  inputSchema: (value) => schemaFault(value),
  outputSchema: (value) => schemaFault(value),
  annotations: (value) => (isMembers(value) ? undefined : 'must be an object'),
  execution: (value) => (isMembers(value) ? undefined : 'must be an object'),
  _meta: (value) => (isMembers(value) ? undefined : 'must be an object'),
};

const schemaFault = (value: unknown): string | undefined => {
  if (!isMembers(value)) return 'must be an object';
  return byteLength(JSON.stringify(value)) <= schemaBytesMax ? undefined : `must be at most ${schemaBytesMax} bytes of JSON`;
};

const fault = (pointer: string, text: string): DefinitionFault => ({ fault: text, pointer });

const nameFault = (name: unknown): DefinitionFault | undefined =>
  typeof name === 'string' && name !== '' && name.length <= toolNameCharsMax
    ? undefined
    : fault('/name', `must be a string of 1 to ${toolNameCharsMax} characters`);

const hintFault = (annotations: unknown): DefinitionFault | undefined => {
  if (!isMembers(annotations)) return undefined;
  const wrong = HINTS.find((hint) => annotations[hint] !== undefined && typeof annotations[hint] !== 'boolean');
  if (wrong !== undefined) return fault(`/annotations/${wrong}`, 'must be true or false');
  return annotations.title === undefined || typeof annotations.title === 'string'
    ? undefined
    : fault('/annotations/title', 'must be a string');
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Reads one tool from its JSON text, or returns the first reason why no one could use it. */
export const readDefinition = (text: string): ToolDefinition | DefinitionFault => {
  if (byteLength(text) > definitionBytesMax) return fault('', `must be at most ${definitionBytesMax} bytes`);
  const value = parse(text);
  if (!isMembers(value)) return fault('', 'must be a JSON object');
  const outOfBounds = findOutOfBounds(value, BOUNDS);
  if (outOfBounds !== undefined) return fault(outOfBounds.pointer, outOfBounds.message);
  const ambiguity = findAmbiguity(text);
  if (ambiguity !== undefined) return ambiguity;
  const early = nameFault(value.name);
  if (early !== undefined) return early;
  const definition: Members = { name: value.name };
  for (const [member, check] of Object.entries(MEMBERS)) {
    const given = value[member];
    if (given === undefined && member !== 'inputSchema') continue;
    const found = check(given);
    if (found !== undefined) return fault(`/${member}`, found);
    definition[member] = given;
  }
  return hintFault(value.annotations) ?? (definition as ToolDefinition);
};

/** Returns true for a definition that could not be read. */
export const isDefinitionFault = (read: ToolDefinition | DefinitionFault): read is DefinitionFault => 'fault' in read;
