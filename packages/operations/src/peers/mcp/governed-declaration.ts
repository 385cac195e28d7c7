import type { McpOfferKind } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { RiskRating } from '@svc/contract/tables/vocabulary.ts';
import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import { validateToolDeclaration } from '@svc/domain/tools/declaration/validate-tool-declaration.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import { isDefinitionFault, type ToolDefinition } from '@svc/peers/mcp/definitions/definition.ts';
import { buildSuggestedTerms } from '@svc/peers/mcp/definitions/input-schema.ts';
import { getOfferPointer, getOfferPrefix, readOffer } from '@svc/peers/mcp/definitions/offers.ts';
import type { McpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';

const DESCRIPTION_CHARS_MAX = 4_000;
const CAPABILITY_CHARS_MAX = 100;

/** The terms that a person chose for a tool. */
export type ChosenTerms = {
  readonly risk_rating?: RiskRating | undefined;
  readonly dangerous?: boolean | undefined;
  readonly required_capability?: string | undefined;
};

/** Returns the capability that a tool needs unless its authorization names another. */
export const suggestCapability = (
  { capability_prefix }: Pick<McpServerRow, 'capability_prefix'>,
  kind: McpOfferKind,
  name: string,
): string =>
  `${getOfferPrefix(kind, capability_prefix)}.${name.toLowerCase().replace(/[^a-z0-9_-]/gu, '_')}`.slice(0, CAPABILITY_CHARS_MAX);

/** Returns the host that the tools of a server call. */
const listDestinations = (url: string): string[] => {
  const destination = parseDestination(url);
  return 'fault' in destination ? [] : [`${destination.host}:${destination.port}`];
};

/** Returns the declaration of a definition's governed tool. */
const readTerms = (
  server: McpServerRow,
  { kind, definition, toolName }: { readonly kind: McpOfferKind; readonly definition: ToolDefinition; readonly toolName: string },
  chosen: ChosenTerms,
): ToolDeclaration => {
  const suggested = buildSuggestedTerms(definition);
  return {
    name: toolName,
    environment_id: server.environment_id,
    kind: 'MCP',
    required_capability: chosen.required_capability ?? suggestCapability(server, kind, definition.name),
    description: (definition.description ?? definition.title ?? '').slice(0, DESCRIPTION_CHARS_MAX),
    destination_allowlist: listDestinations(server.transport.url),
    risk_rating: chosen.risk_rating ?? suggested.risk_rating,
    dangerous: chosen.dangerous ?? suggested.dangerous,
    parameters_schema: definition.inputSchema,
  };
};

/** Reads a stored definition and its governed declaration, or returns why it cannot be authorized. */
export const readDeclaration = (
  server: McpServerRow,
  tool: { readonly kind: McpOfferKind; readonly definition: string; readonly toolName: string },
  chosen: ChosenTerms,
): { readonly declaration: ToolDeclaration; readonly definition: ToolDefinition } | Refusal<'UNPROCESSABLE'> => {
  const definition = readOffer(tool.kind, tool.definition);
  if (isDefinitionFault(definition))
    return buildRefusal('UNPROCESSABLE', `The definition cannot be used: ${definition.pointer} ${definition.fault}.`);
  const declaration = readTerms(server, { kind: tool.kind, definition, toolName: tool.toolName }, chosen);
  const faults = validateToolDeclaration(declaration);
  if (faults.length === 0) return { declaration, definition };
  const [first] = faults;
  const pointer = getOfferPointer(tool.kind, first?.pointer.replace('/parameters_schema', '/inputSchema') ?? '', definition);
  const message = `The definition cannot be used: ${pointer} ${first?.message}.`;
  return buildRefusal('UNPROCESSABLE', message, { faults });
};
