import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, id, jsonObject, nullable, timestamp } from '../../rows/schema.ts';

export const MCP_TOOL_STATUSES = ['DISCOVERED', 'AUTHORIZED', 'DISABLED', 'CHANGED', 'GONE'] as const;
export type McpToolStatus = (typeof MCP_TOOL_STATUSES)[number];

/** Kinds of things that an MCP server offers. */
export const MCP_OFFER_KINDS = ['TOOL', 'RESOURCE', 'RESOURCE_TEMPLATE', 'PROMPT'] as const;
export type McpOfferKind = (typeof MCP_OFFER_KINDS)[number];

export const FINDING_SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

/** Part of a definition that a person should see before the tool is authorized. */
export const McpFinding = closedObject({
  kind: Type.String(),
  severity: enumSchema(FINDING_SEVERITIES),
  stops: Type.Boolean({ description: 'True if the tool cannot be authorized because of it.' }),
  pointer: Type.String({ description: 'JSON Pointer into the definition.' }),
  start: Type.Integer(),
  end: Type.Integer(),
  excerpt: Type.String({ description: 'The text, with invisible characters drawn as <U+200B>.' }),
  explanation: Type.String(),
});
export type McpFinding = Static<typeof McpFinding>;

export const McpTool = closedObject({
  id: id('Id of the tool at its server (mct_).'),
  server_id: Type.String(),
  kind: enumSchema(MCP_OFFER_KINDS, 'Resources and prompts are authorized like tools.'),
  name: Type.String({ description: 'Name at the server. For a resource its address, for a template the address with its variables.' }),
  status: enumSchema(
    MCP_TOOL_STATUSES,
    'DISCOVERED: not authorized. CHANGED: its definition is not the authorized one. GONE: the server no longer offers it.',
  ),
  pin: Type.String({ description: 'SHA-256 of the definition in the newest listing, in hex.' }),
  authorized_pin: nullable(Type.String()),
  tool_id: nullable(Type.String({ description: 'The governed tool. Null until the tool is first authorized.' })),
  tool_name: nullable(Type.String({ description: 'Name of the governed tool, as policies and agents use it.' })),
  findings: Type.Array(McpFinding),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  authorized_by: nullable(Type.String()),
  authorized_at: nullable(timestamp),
  disabled_reason: nullable(Type.String()),
});
export type McpTool = Static<typeof McpTool>;

/** A tool with its definition, for the page where a person reviews it. */
export const McpToolReview = closedObject({
  ...McpTool.properties,
  definition: jsonObject('Definition in the newest listing.'),
  suggested: closedObject({
    tool_name: Type.String(),
    required_capability: Type.String(),
    risk_rating: Type.String(),
    dangerous: Type.Boolean(),
  }),
  unusable: nullable(Type.String({ description: 'Why the tool cannot be authorized; null if it can.' })),
});
export type McpToolReview = Static<typeof McpToolReview>;

/** Parts of a text: unchanged, added or removed. */
export const WORD_KINDS = ['same', 'added', 'removed'] as const;

export const McpDefinitionChange = closedObject({
  pointer: Type.String(),
  kind: enumSchema(['added', 'removed', 'changed']),
  before: Type.Optional(Type.String()),
  after: Type.Optional(Type.String()),
  words: Type.Optional(Type.Array(closedObject({ kind: enumSchema(WORD_KINDS), text: Type.String() }))),
});
export type McpDefinitionChange = Static<typeof McpDefinitionChange>;
