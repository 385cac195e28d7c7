import type { RuntimeKind } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { newWorkflow } from '@svc/testing/peers/automation/automation-server.ts';
import type { ReportedFile } from './kind.ts';

export const GATEWAY = 'https://gateway.example';
/** A value that no evidence, finding or stored fact may contain. */
export const SECRET = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

type Reported = {
  readonly by: 'reports';
  /** For each product, files without a way around the service, and files with one. */
  readonly products: Readonly<Record<string, { readonly good: ReportedFile; readonly bad: ReportedFile }>>;
};
type Workflows = ReturnType<typeof newWorkflow>[];
type Instance = {
  readonly by: 'instance';
  readonly products: Readonly<Record<string, { readonly good: Workflows; readonly bad: Workflows }>>;
};

const managedFile = (servers: object): ReportedFile => ({
  ...{ path: '/etc/claude-code/managed-mcp.json', scope: 'MANAGED', owner_is_root: true },
  content: JSON.stringify({ mcpServers: servers }),
});
const client = {
  good: managedFile({ gateway: { type: 'http', url: `${GATEWAY}/gateway/v1/mcp` } }),
  bad: managedFile({ direct: { command: 'npx', args: ['-y', 'server-github'], env: { GITHUB_TOKEN: SECRET } } }),
};
const CLIENTS = ['claude-code', 'claude-desktop', 'vscode', 'cursor', 'windsurf', 'cline', 'gemini-cli', 'zed'];

const kong = (enabled: boolean): ReportedFile => ({
  path: 'kong.yaml',
  content: JSON.stringify({
    _format_version: '3.0',
    services: [
      { name: 'shop', url: `https://x:${SECRET}@shop.example`, routes: [{ name: 'all' }], plugins: [{ name: 'ext-authz', enabled }] },
    ],
  }),
});
const envoy = (disabled: boolean): ReportedFile => {
  const override = { 'envoy.filters.http.ext_authz': { disabled } };
  const manager = {
    http_filters: [{ name: 'envoy.filters.http.ext_authz', typed_config: {} }, { name: 'envoy.filters.http.router' }],
    route_config: { virtual_hosts: [{ name: 'shop', routes: [{ name: 'all', typed_per_filter_config: override }] }] },
  };
  const filters = [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }];
  return {
    path: 'envoy.json',
    content: JSON.stringify({ token: SECRET, static_resources: { listeners: [{ filter_chains: [{ filters }] }] } }),
  };
};
const nginx = (guard: string): ReportedFile => ({
  path: 'nginx.conf',
  content: `server { location /shop { ${guard} proxy_set_header X-Key ${SECRET}; proxy_pass http://shop; } location = /authz { internal; proxy_pass http://gateway; } }`,
});
const agentgateway = (failureMode: string): ReportedFile => ({
  path: 'config.yaml',
  content: JSON.stringify({
    key: SECRET,
    binds: [{ listeners: [{ routes: [{ name: 'all', policies: { extAuthz: { failureMode } } }] }] }],
  }),
});
const coverage = (guarded: boolean): ReportedFile => ({
  path: 'coverage.json',
  content: JSON.stringify({ build: 'b1', token: SECRET, tools: [{ name: 'refund', guarded }], guard_calls: 1, unguarded_calls: 0 }),
});

const instance: Instance = {
  by: 'instance',
  products: {
    n8n: {
      good: [newWorkflow('w1', [{ type: 'n8n-nodes-base.manualTrigger' }, { type: 'n8n-nodes-base.set' }])],
      bad: [
        newWorkflow('w1', [
          { type: 'n8n-nodes-base.scheduleTrigger' },
          { type: 'n8n-nodes-base.httpRequest', parameters: { url: `https://direct.example/?token=${SECRET}` } },
        ]),
      ],
    },
  },
};

/** Examples of every kind. A kind without an example does not compile, and the suite fails for a product without one. */
export const EXAMPLES: Readonly<Record<RuntimeKind, Reported | Instance>> = {
  WORKFLOW_AUTOMATION: instance,
  WORKFLOW_AUTOMATION_MANAGED: instance,
  MCP_CLIENT: { by: 'reports', products: Object.fromEntries(CLIENTS.map((product) => [product, client])) },
  API_PLATFORM: {
    by: 'reports',
    products: {
      kong: { good: kong(true), bad: kong(false) },
      envoy: { good: envoy(false), bad: envoy(true) },
      nginx: { good: nginx('auth_request /authz;'), bad: nginx('auth_request off;') },
      agentgateway: { good: agentgateway('FailClosed'), bad: agentgateway('FailOpen') },
    },
  },
  SDK_PROGRAM: { by: 'reports', products: { sdk: { good: coverage(true), bad: coverage(false) } } },
};
