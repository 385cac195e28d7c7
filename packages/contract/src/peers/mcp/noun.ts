import type { NounFacts } from '../../tables/noun-facts.ts';

export const mcpNouns = {
  mcp_server: {
    idPrefix: 'mcp',
    table: 'mcp_servers',
    parameters: { serverId: { noun: 'MCP server' } },
    eventScope: 'columns',
    events: {
      'mcp.server_registered': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'An MCP server was registered; its tools cannot be used yet.',
      },
      'mcp.server_updated': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'], when: 'An MCP server was changed.' },
      'mcp.server_disabled': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An MCP server was disabled.',
      },
      'mcp.server_quarantined': {
        webhook: false,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An MCP server changed its tools unexpectedly and was quarantined.',
      },
      'mcp.tools_discovered': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'READ'],
        when: 'The tools of an MCP server were listed.',
      },
      'mcp.tool_authorized': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A tool of an MCP server was authorized.',
      },
      'mcp.tool_disabled': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A tool of an MCP server was disabled.',
      },
      'mcp.tool_invoked': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A tool of an MCP server was called under governance.',
      },
    },
  },
  mcp_tool: {
    idPrefix: 'mct',
    table: 'mcp_tools',
    parameters: { mcpToolId: { noun: 'tool of an MCP server' } },
  },
} as const satisfies Record<string, NounFacts>;
