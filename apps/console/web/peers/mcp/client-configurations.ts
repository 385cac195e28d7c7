/** The name of the environment variable in which a client finds the token of its agent. */
const TOKEN_VARIABLE = 'AGENT_TOKEN';

type Endpoint = { readonly slug: string; readonly endpoint: string };
export type ClientConfiguration = { readonly client: string; readonly file: string; readonly text: string };

const bearer = (source: string): { readonly Authorization: string } => ({ Authorization: `Bearer \${${source}}` });
const written = (value: object): string => JSON.stringify(value, null, 2);

/** Configurations that connect MCP clients to the endpoint of a server. None contains a token. */
export const getClientConfigurations = ({ slug, endpoint: url }: Endpoint): readonly ClientConfiguration[] => [
  {
    client: 'Claude Code',
    file: '.mcp.json',
    text: written({ mcpServers: { [slug]: { type: 'http', url, headers: bearer(TOKEN_VARIABLE) } } }),
  },
  {
    client: 'Cursor',
    file: '.cursor/mcp.json',
    text: written({ mcpServers: { [slug]: { url, headers: bearer(`env:${TOKEN_VARIABLE}`) } } }),
  },
  {
    client: 'VS Code',
    file: '.vscode/mcp.json',
    text: written({
      inputs: [{ type: 'promptString', id: 'agent-token', description: 'Token of the agent', password: true }],
      servers: { [slug]: { type: 'http', url, headers: bearer('input:agent-token') } },
    }),
  },
];
