import type { McpListingFailure, McpServer } from '@svc/contract/peers/mcp/mcp-servers.ts';
import type { McpFinding, McpTool, McpToolReview } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { refresh } from '../../data/use-operation.ts';

export type { McpFinding, McpListingFailure, McpServer, McpTool, McpToolReview };

const COUNT_NAMES: Readonly<Record<keyof McpServer['tools'], string>> = {
  authorized: 'authorized',
  changed: 'changed',
  discovered: 'not authorized',
  disabled: 'disabled',
  gone: 'gone',
};

/** The tools of a server, counted by status: "2 authorized, 1 changed". */
export const formatTools = ({ tools }: McpServer): string => {
  const counted = Object.entries(COUNT_NAMES) as [keyof McpServer['tools'], string][];
  const words = counted.filter(([status]) => tools[status] > 0).map(([status, name]) => `${tools[status]} ${name}`);
  return words.length === 0 ? 'None' : words.join(', ');
};

const RANKS: Readonly<Record<McpFinding['severity'], number>> = { low: 0, medium: 1, high: 2, critical: 3 };

/** The finding of the highest severity; undefined if there is none. */
export const getWorstFinding = (findings: readonly McpFinding[]): McpFinding | undefined =>
  findings.toSorted((a, b) => RANKS[b.severity] - RANKS[a.severity])[0];

export const OFFER_KINDS: Readonly<Record<McpTool['kind'], string>> = {
  TOOL: 'Tool',
  RESOURCE: 'Resource',
  RESOURCE_TEMPLATE: 'Template',
  PROMPT: 'Prompt',
};

/** True if a person must accept the finding before the tool is authorized. */
export const isSerious = ({ severity }: McpFinding): boolean => severity === 'high' || severity === 'critical';

/** Reads everything of MCP servers again after a change. */
export const refreshServers = (): Promise<void> => refresh('getMcpServer', 'listMcpServers', 'listMcpTools', 'getMcpTool', 'diffMcpTool');

/** The version and generation of the protocol that the server speaks. */
export const formatProtocol = ({ protocol_version, era }: McpServer): string => {
  if (protocol_version === null) return 'Not known before the first discovery';
  return era === 'LEGACY' ? `${protocol_version} (with sessions)` : protocol_version;
};

/** Name and version as the server states them. */
export const formatInfo = ({ server_info }: McpServer): string | undefined => {
  const { name, version } = (server_info ?? {}) as { readonly name?: unknown; readonly version?: unknown };
  if (typeof name !== 'string') return undefined;
  return `${name}${typeof version === 'string' ? ` ${version}` : ''} (stated by the server)`;
};
