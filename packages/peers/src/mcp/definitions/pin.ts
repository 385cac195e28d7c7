/**
 * Pins: digests of what a person authorizes. A pin changes with every change that a model or a client could notice, and with nothing else: not with
 * the order of members, of `required` and of `enum`, icons, versions or caching hints.
 */
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import type { ToolDefinition } from './definition.ts';
import { digestText } from './digest.ts';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords whose value is data, in which order counts. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'example', 'examples']);
/** Keywords whose members are names of an author, not keywords. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sorted = (values: readonly unknown[]): readonly unknown[] =>
  values
    .map((value) => ({ value, key: canonicalJson(value) }))
    .sort((a, b) => compareTexts(a.key, b.key))
    .map(({ value }) => value);

const orderedMap = (map: Members): Members => Object.fromEntries(Object.entries(map).map(([name, value]) => [name, orderedSchema(value)]));

const orderedKeyword = (keyword: string, value: unknown): unknown => {
  if (DATA.has(keyword)) return value;
  if ((keyword === 'required' || keyword === 'enum') && Array.isArray(value)) return sorted(value);
  return MAPS.has(keyword) && isMembers(value) ? orderedMap(value) : orderedSchema(value);
};

/** Returns a schema with its unordered lists sorted. */
const orderedSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(orderedSchema);
  if (!isMembers(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, orderedKeyword(keyword, value)]));
};

/** Returns the pin of a tool: the SHA-256 in hex of the canonical JSON (RFC 8785) of all that authorizing it rests on. */
export const definitionPin = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
  execution,
  _meta,
}: ToolDefinition): string =>
  digestText(
    canonicalJson({
      name,
      title,
      description,
      inputSchema: orderedSchema(inputSchema),
      outputSchema: orderedSchema(outputSchema),
      annotations,
      execution,
      _meta: _meta?.ui === undefined ? undefined : { ui: _meta.ui },
    }),
  );

/** The part of a server's description of itself that a person authorizes. */
export type PinnedServer = { readonly instructions: string | null; readonly capabilities: unknown; readonly name: string };

/** Returns the pin of a server, in hex. */
export const serverPin = ({ instructions, capabilities, name }: PinnedServer): string =>
  digestText(canonicalJson({ instructions, capabilities, name }));
