import type { Syntax } from './format.ts';

/** A configuration with a local server `files`, a remote one `search`, and members that no change may touch. */
export type Sample = { readonly text: string /** Lines that stay byte for byte. */; readonly kept: readonly string[] };

const KEPT_JSON = ['  // A comment of the person.', '"theme" :  "dark",'] as const;

const json = (container: string, local: string, remote: string, env = 'env'): Sample => ({
  kept: [...KEPT_JSON, `"${env}": { "API_TOKEN": "s3cr3t-value" }`, '"mine": [1,2 ,3]'],
  text: `{
  // A comment of the person.
  "theme" :  "dark",
  ${container} {
      "files": { ${local}, "${env}": { "API_TOKEN": "s3cr3t-value" }, "mine": [1,2 ,3] }, // trailing
      "search": { ${remote} }
  }
}
`,
});

const LOCAL = '"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/data"]';
const REMOTE = '"url": "https://search.service.example/mcp"';
const COMMON = json('"mcpServers":', LOCAL, REMOTE);
const TYPED = json('"mcpServers":', LOCAL, `"type": "http", ${REMOTE}`);

/** The sample of each client. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  'claude-desktop': COMMON,
  'claude-code': TYPED,
  cursor: COMMON,
  vscode: json('"servers":', `"type": "stdio", ${LOCAL}`, `"type": "http", ${REMOTE}`),
  copilot: json('"mcpServers":', `"type": "local", "tools": ["*"], ${LOCAL}`, `"type": "http", ${REMOTE}`),
  windsurf: json('"mcpServers":', LOCAL, '"serverUrl": "https://search.service.example/mcp"'),
  cline: json('"mcpServers":', `"disabled": false, "autoApprove": [], ${LOCAL}`, `"type": "streamableHttp", ${REMOTE}`),
  codex: {
    kept: [
      '# A comment of the person.',
      'theme  =  "dark"',
      'API_TOKEN = "s3cr3t-value" # rotate',
      'startup_timeout_sec = 20',
      '[other]',
      'b = 2024-01-01',
    ],
    text: `# A comment of the person.
theme  =  "dark"

[mcp_servers.files]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-filesystem",
  "/data"]
startup_timeout_sec = 20

[mcp_servers.files.env]
API_TOKEN = "s3cr3t-value" # rotate

[mcp_servers.search]
url = "https://search.service.example/mcp"

[other]
b = 2024-01-01
`,
  },
  gemini: json('"mcpServers":', LOCAL, '"httpUrl": "https://search.service.example/mcp"'),
  zed: json('"context_servers":', `"source": "custom", ${LOCAL}`, `"source": "custom", ${REMOTE}`),
  goose: {
    kept: [
      '# A comment of the person.',
      'GOOSE_MODEL:   some-model',
      '      API_TOKEN: s3cr3t-value # rotate',
      '    enabled: true',
      '    timeout: 300',
    ],
    text: `# A comment of the person.
GOOSE_MODEL:   some-model
extensions:
  developer:
    type: builtin
    enabled: true
  files:
    type: stdio
    cmd: npx
    args:
    - -y
    - "@modelcontextprotocol/server-filesystem"
    - /data
    envs:
      API_TOKEN: s3cr3t-value # rotate
    timeout: 300
  search:
    type: streamable_http
    uri: https://search.service.example/mcp # address
`,
  },
  continue: {
    kept: ['# A comment of the person.', 'name:   my assistant', '      API_TOKEN: s3cr3t-value # rotate', 'models: [ ]'],
    text: `# A comment of the person.
name:   my assistant
mcpServers:
  - name: files
    command: npx
    args:
      - -y
      - "@modelcontextprotocol/server-filesystem"
      - /data
    env:
      API_TOKEN: s3cr3t-value # rotate
  - url: https://search.service.example/mcp
    name: search
    type: streamable-http
models: [ ]
`,
  },
  opencode: json(
    '"mcp":',
    '"type": "local", "enabled": true, "command": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/data"]',
    `"type": "remote", ${REMOTE}`,
    'environment',
  ),
  'lm-studio': COMMON,
  kiro: COMMON,
  crush: json('"mcp":', `"type": "stdio", ${LOCAL}`, `"type": "http", ${REMOTE}`),
};

/** Texts that are no configuration. */
export const BROKEN: Readonly<Record<Syntax, string>> = { json: '{ "mcpServers": ', yaml: 'a: [1\nb: }', toml: '[a\nb = ' };
