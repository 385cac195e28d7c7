/** `Mcp-Param-*` headers: copies of call arguments whose schema has the keyword `x-mcp-header`. */
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { formatPointer } from '@svc/domain/tools/json-pointer.ts';
import type { DefinitionFault, ToolDefinition } from '../definitions/definition.ts';
import { isMembers } from './messages.ts';
import { encodeHeaderValue } from './protocol.ts';

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose value is data, not a schema. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'example']);

const { parameterHeaderCharsMax, parameterHeadersMax } = LIMITS.mcp;

/** An annotated parameter: its member path, and the suffix of its header name. */
type AnnotatedParameter = { readonly path: readonly string[]; readonly header: string };

/** A schema to visit. `path` is undefined if it is not reachable through `properties` alone. */
type SchemaNode = { readonly schema: unknown; readonly tokens: readonly string[]; readonly path: readonly string[] | undefined };

const findAnnotationFault = (
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[] | undefined,
  seen: ReadonlySet<string>,
): string | undefined => {
  const header = schema[ANNOTATION];
  if (path === undefined || path.length === 0) return 'is allowed only on properties that are reachable through "properties" alone';
  if (typeof header !== 'string' || !TOKEN.test(header)) return 'must be the name of a header';
  if (!PRIMITIVES.has(schema.type)) return 'is allowed only on parameters of type string, integer or boolean';
  return seen.has(header.toLowerCase()) ? 'must be unique' : undefined;
};

const listSubschemas = ({ schema, tokens, path }: SchemaNode): readonly SchemaNode[] => {
  if (Array.isArray(schema)) return schema.map((each, index) => ({ schema: each, tokens: [...tokens, String(index)], path: undefined }));
  if (!isMembers(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]): readonly SchemaNode[] => {
    if (DATA.has(keyword)) return [];
    if (keyword !== 'properties' || !isMembers(value)) return [{ schema: value, tokens: [...tokens, keyword], path: undefined }];
    return Object.entries(value).map(([name, property]) => ({
      schema: property,
      tokens: [...tokens, keyword, name],
      path: path === undefined ? undefined : [...path, name],
    }));
  });
};

/** Returns the annotated parameters of a tool, or the reason why its annotations are invalid: a tool with invalid annotations must not be listed. */
export const listAnnotatedParameters = ({
  inputSchema,
}: Pick<ToolDefinition, 'inputSchema'>): readonly AnnotatedParameter[] | DefinitionFault => {
  const found: AnnotatedParameter[] = [];
  const seen = new Set<string>();
  const open: SchemaNode[] = [{ schema: inputSchema, tokens: ['inputSchema'], path: [] }];
  for (let visited = open.pop(); visited !== undefined; visited = open.pop()) {
    const { schema, tokens, path } = visited;
    if (isMembers(schema) && Object.hasOwn(schema, ANNOTATION)) {
      const fault = findAnnotationFault(schema, path, seen);
      if (fault !== undefined) return { fault, pointer: formatPointer([...tokens, ANNOTATION]) };
      const header = String(schema[ANNOTATION]);
      seen.add(header.toLowerCase());
      found.push({ path: path ?? [], header });
    }
    open.push(...listSubschemas(visited));
  }
  if (found.length > parameterHeadersMax)
    return { fault: `must not have more than ${parameterHeadersMax} members ${ANNOTATION}`, pointer: '/inputSchema' };
  return found;
};

const readArgument = (callArguments: unknown, path: readonly string[]): unknown => {
  let value = callArguments;
  for (const name of path) value = isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
};

const formatHeaderText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
};

/** Builds the `Mcp-Param-*` headers of a call, or returns the reason why an argument cannot be sent in a header. */
export const buildParameterHeaders = (
  definition: Pick<ToolDefinition, 'inputSchema'>,
  callArguments: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | DefinitionFault => {
  const parameters = listAnnotatedParameters(definition);
  if ('fault' in parameters) return parameters;
  const headers: Record<string, string> = {};
  for (const { path, header } of parameters) {
    const value = readArgument(callArguments, path);
    if (value === undefined || value === null) continue;
    const text = formatHeaderText(value);
    if (text === undefined || text.length > parameterHeaderCharsMax)
      return {
        fault: `must fit in a header of at most ${parameterHeaderCharsMax} characters`,
        pointer: `/arguments${formatPointer(path)}`,
      };
    headers[`mcp-param-${header.toLowerCase()}`] = encodeHeaderValue(text);
  }
  return headers;
};
