import type { Area } from './areas.ts';
import type { GuideName } from './guides.ts';
import type { Permission } from './permissions.ts';

/** A heading of the console's menu; routes without one are reached from other pages. */
export type MenuGroup = 'main' | 'control' | 'record' | 'settings' | 'personal';

/**
 * Who a page is for. `public`: no session is needed. `session`: signed-in people. `bare`: signed-in people, without the menu, for a single
 * decision that another program asks for.
 */
export type PageAccess = 'public' | 'session' | 'bare';

export type ConsoleRoute = {
  /** Path with `{name}` for parameters. */
  readonly path: string;
  /** Title of the page and its label in menus. */
  readonly name: string;
  readonly area: Area;
  readonly access: PageAccess;
  readonly group?: MenuGroup;
  /** Permission without which the page shows nothing. */
  readonly permission?: Permission;
  /** Keys that open the page, one after the other. */
  readonly chord?: string;
  /** The guide that explains the page. */
  readonly guide?: GuideName;
  /** Open to people whose organization requires a second factor that they have not enrolled yet. */
  readonly beforeFactor?: true;
  /** Earlier paths of the page, which mails already sent and bookmarks name; they redirect. */
  readonly formerPaths?: readonly string[];
};

/** Every page of the console. The plane's routes, the router, the menu, links in mails and notifications, and the tests derive from it. */
export const CONSOLE_ROUTES = {
  signIn: { path: '/sign-in', name: 'Sign in', area: 'people', access: 'public' },
  signUp: { path: '/sign-up', name: 'Sign up', area: 'people', access: 'public' },
  setup: { path: '/setup', name: 'Set up', area: 'people', access: 'public' },
  resetPassword: { path: '/reset-password', name: 'Reset password', area: 'people', access: 'public' },
  invitation: { path: '/invitation', name: 'Invitation', area: 'people', access: 'public' },
  cliRequest: { path: '/cli', name: 'Connect a terminal', area: 'people', access: 'bare' },
  deviceApprovals: { path: '/device-approvals', name: 'Pending sign-ins', area: 'people', access: 'bare' },
  overview: {
    path: '/overview',
    name: 'Overview',
    guide: 'first-governed-tool',
    area: 'service',
    access: 'session',
    group: 'main',
    chord: 'g o',
  },
  approvals: {
    path: '/approvals',
    name: 'Approvals',
    guide: 'approvals',
    area: 'actions',
    access: 'session',
    group: 'main',
    permission: 'approval:read',
    chord: 'g a',
  },
  approval: {
    path: '/approvals/{approvalId}',
    name: 'Approval',
    guide: 'approvals',
    area: 'actions',
    access: 'session',
    permission: 'approval:read',
  },
  actions: {
    path: '/actions',
    name: 'Actions',
    guide: 'first-governed-tool',
    area: 'actions',
    access: 'session',
    group: 'main',
    permission: 'action:read',
    chord: 'g c',
  },
  action: {
    path: '/actions/{actionId}',
    name: 'Action',
    guide: 'first-governed-tool',
    area: 'actions',
    access: 'session',
    permission: 'action:read',
  },
  policies: {
    path: '/policies',
    name: 'Policies',
    guide: 'write-a-policy',
    area: 'policies',
    access: 'session',
    group: 'control',
    permission: 'policy:read',
    chord: 'g p',
  },
  newPolicy: {
    path: '/policies/new',
    name: 'New policy',
    guide: 'write-a-policy',
    area: 'policies',
    access: 'session',
    permission: 'policy:create',
  },
  policy: {
    path: '/policies/{policyId}',
    name: 'Policy',
    guide: 'write-a-policy',
    area: 'policies',
    access: 'session',
    permission: 'policy:read',
  },
  policyEditor: {
    path: '/policies/{policyId}/edit',
    name: 'Edit policy',
    guide: 'write-a-policy',
    area: 'policies',
    access: 'session',
    permission: 'policy:read',
  },
  agents: {
    path: '/agents',
    name: 'Agents',
    guide: 'fleet',
    area: 'agents',
    access: 'session',
    group: 'control',
    permission: 'agent:read',
    chord: 'g n',
  },
  newAgent: {
    path: '/agents/new',
    name: 'New agent',
    guide: 'fleet',
    area: 'agents',
    access: 'session',
    permission: 'agent:create',
  },
  agent: {
    path: '/agents/{agentId}',
    name: 'Agent',
    guide: 'fleet',
    area: 'agents',
    access: 'session',
    permission: 'agent:read',
  },
  delegations: {
    path: '/delegations',
    name: 'Delegations',
    guide: 'delegations',
    area: 'agents',
    access: 'session',
    group: 'control',
    permission: 'delegation:read',
    chord: 'g d',
  },
  delegation: {
    path: '/delegations/{delegationId}',
    name: 'Delegation',
    guide: 'delegations',
    area: 'agents',
    access: 'session',
    permission: 'delegation:read',
  },
  tools: {
    path: '/tools',
    name: 'Tools',
    guide: 'calls-of-tools',
    area: 'tools',
    access: 'session',
    group: 'control',
    permission: 'tool:read',
    chord: 'g t',
  },
  newTool: {
    path: '/tools/new',
    name: 'New tool',
    guide: 'calls-of-tools',
    area: 'tools',
    access: 'session',
    permission: 'tool:create',
  },
  toolImports: {
    path: '/tools/imports',
    name: 'Imports',
    guide: 'import-tools',
    area: 'tools',
    access: 'session',
    permission: 'tool:read',
  },
  toolImport: {
    path: '/tools/imports/{importId}',
    name: 'Import',
    guide: 'import-tools',
    area: 'tools',
    access: 'session',
    permission: 'tool:read',
  },
  tool: {
    path: '/tools/{toolId}',
    name: 'Tool',
    guide: 'calls-of-tools',
    area: 'tools',
    access: 'session',
    permission: 'tool:read',
  },
  credentials: {
    path: '/credentials',
    name: 'Credentials',
    guide: 'credentials',
    area: 'credentials',
    access: 'session',
    group: 'control',
    permission: 'credential:read',
    chord: 'g k',
  },
  newCredential: {
    path: '/credentials/new',
    name: 'New credential',
    guide: 'credentials',
    area: 'credentials',
    access: 'session',
    permission: 'credential:create',
  },
  credential: {
    path: '/credentials/{credentialId}',
    name: 'Credential',
    guide: 'credentials',
    area: 'credentials',
    access: 'session',
    permission: 'credential:read',
  },
  mcpServers: {
    path: '/mcp',
    name: 'MCP servers',
    guide: 'mcp',
    area: 'peers',
    access: 'session',
    group: 'control',
    permission: 'mcp:read',
    chord: 'g m',
  },
  newMcpServer: {
    path: '/mcp/new',
    name: 'New MCP server',
    guide: 'mcp',
    area: 'peers',
    access: 'session',
    permission: 'mcp:register',
  },
  mcpServer: {
    path: '/mcp/{serverId}',
    name: 'MCP server',
    guide: 'mcp',
    area: 'peers',
    access: 'session',
    permission: 'mcp:read',
  },
  mcpTool: {
    path: '/mcp/{serverId}/tools/{mcpToolId}',
    name: 'MCP tool',
    guide: 'mcp',
    area: 'peers',
    access: 'session',
    permission: 'mcp:read',
  },
  a2aConnections: {
    path: '/a2a',
    name: 'A2A connections',
    guide: 'a2a',
    area: 'peers',
    access: 'session',
    group: 'control',
    permission: 'a2a:read',
    chord: 'g b',
  },
  newA2aConnection: {
    path: '/a2a/new',
    name: 'New A2A connection',
    guide: 'a2a',
    area: 'peers',
    access: 'session',
    permission: 'a2a:connect',
  },
  a2aConnection: {
    path: '/a2a/{a2aConnectionId}',
    name: 'A2A connection',
    guide: 'a2a',
    area: 'peers',
    access: 'session',
    permission: 'a2a:read',
  },
  trustProviders: {
    path: '/trust',
    name: 'Trust',
    guide: 'trust',
    area: 'risk',
    access: 'session',
    group: 'control',
    permission: 'trust:read',
    chord: 'g v',
  },
  newTrustProvider: {
    path: '/trust/new',
    name: 'New provider of trust evidence',
    guide: 'trust',
    area: 'risk',
    access: 'session',
    permission: 'trust:update',
  },
  trustProvider: {
    path: '/trust/{trustProviderId}',
    name: 'Provider of trust evidence',
    guide: 'trust',
    area: 'risk',
    access: 'session',
    permission: 'trust:read',
  },
  incidents: {
    path: '/incidents',
    name: 'Incidents',
    guide: 'incidents',
    area: 'incidents',
    access: 'session',
    group: 'control',
    permission: 'incident:read',
    chord: 'g e',
  },
  newIncident: {
    path: '/incidents/new',
    name: 'New incident',
    guide: 'incidents',
    area: 'incidents',
    access: 'session',
    permission: 'incident:create',
  },
  incident: {
    path: '/incidents/{incidentId}',
    name: 'Incident',
    guide: 'incidents',
    area: 'incidents',
    access: 'session',
    permission: 'incident:read',
  },
  emergency: {
    path: '/emergency',
    name: 'Emergency',
    guide: 'incidents',
    area: 'incidents',
    access: 'session',
    group: 'control',
    permission: 'incident:read',
    chord: '!',
  },
  auditEvents: {
    path: '/audit',
    name: 'Audit',
    guide: 'audit-record',
    area: 'events',
    access: 'session',
    group: 'record',
    permission: 'audit:read',
    chord: 'g u',
  },
  auditEvent: {
    path: '/audit/{eventId}',
    name: 'Audit event',
    guide: 'audit-record',
    area: 'events',
    access: 'session',
    permission: 'audit:read',
  },
  compliance: {
    path: '/compliance',
    name: 'Compliance',
    guide: 'compliance-report',
    area: 'events',
    access: 'session',
    group: 'record',
    permission: 'audit:read',
  },
  webhooks: {
    path: '/webhooks',
    name: 'Webhooks',
    guide: 'webhooks',
    area: 'events',
    access: 'session',
    group: 'record',
    permission: 'webhook:read',
    chord: 'g w',
  },
  newWebhook: {
    path: '/webhooks/new',
    name: 'New webhook',
    guide: 'webhooks',
    area: 'events',
    access: 'session',
    permission: 'webhook:create',
  },
  webhook: {
    path: '/webhooks/{subscriptionId}',
    name: 'Webhook',
    guide: 'webhooks',
    area: 'events',
    access: 'session',
    permission: 'webhook:read',
  },
  members: {
    path: '/settings/members',
    name: 'Members',
    guide: 'members-and-roles',
    area: 'people',
    access: 'session',
    group: 'settings',
    permission: 'member:read',
    formerPaths: ['/members'],
  },
  member: {
    path: '/settings/members/{memberId}',
    name: 'Member',
    guide: 'members-and-roles',
    area: 'people',
    access: 'session',
    permission: 'member:read',
  },
  notificationChannels: {
    path: '/settings/channels',
    name: 'Notification channels',
    guide: 'notifications',
    area: 'events',
    access: 'session',
    group: 'settings',
    permission: 'webhook:read',
    formerPaths: ['/notification-channels'],
  },
  notificationChannel: {
    path: '/settings/channels/{channelId}',
    name: 'Notification channel',
    guide: 'notifications',
    area: 'events',
    access: 'session',
    permission: 'webhook:read',
  },
  inbox: {
    path: '/inbox',
    name: 'Notifications',
    guide: 'notifications',
    area: 'events',
    access: 'session',
    group: 'personal',
    chord: 'g i',
    formerPaths: ['/notifications'],
  },
  profile: {
    path: '/me/profile',
    name: 'Profile',
    guide: 'passwords-and-sessions',
    area: 'people',
    access: 'session',
    group: 'personal',
    formerPaths: ['/account'],
  },
  sessions: {
    path: '/me/sessions',
    name: 'Sessions',
    guide: 'passwords-and-sessions',
    area: 'people',
    access: 'session',
    group: 'personal',
    formerPaths: ['/sessions'],
  },
  secondFactors: {
    path: '/me/factors',
    name: 'Second factors',
    guide: 'second-factors',
    area: 'people',
    access: 'session',
    group: 'personal',
    beforeFactor: true,
    formerPaths: ['/second-factor'],
  },
  password: {
    path: '/me/password',
    name: 'Password',
    guide: 'passwords-and-sessions',
    area: 'people',
    access: 'session',
    group: 'personal',
    formerPaths: ['/password'],
  },
  identities: {
    path: '/me/identities',
    name: 'Linked identities',
    guide: 'single-sign-on',
    area: 'people',
    access: 'session',
    group: 'personal',
    formerPaths: ['/identities'],
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>;

export type ConsoleRoutes = typeof CONSOLE_ROUTES;
export type ConsoleRouteName = keyof ConsoleRoutes;

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;
/** The parameters of a page's path. */
export type RouteParams<Name extends ConsoleRouteName> = Readonly<Record<ParameterOf<ConsoleRoutes[Name]['path']>, string>>;
type PathArguments<Name extends ConsoleRouteName> = [ParameterOf<ConsoleRoutes[Name]['path']>] extends [never]
  ? []
  : [params: RouteParams<Name>];

/** The path of a page, with its parameters filled in: `consolePath('approval', { approvalId })`. */
export const consolePath = <Name extends ConsoleRouteName>(name: Name, ...[params]: PathArguments<Name>): string =>
  CONSOLE_ROUTES[name].path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent((params as Readonly<Record<string, string>> | undefined)?.[parameter] ?? ''),
  );

/** Every path at which the console answers, former ones included. */
export const CONSOLE_PATHS: readonly string[] = Object.values(CONSOLE_ROUTES as Readonly<Record<string, ConsoleRoute>>).flatMap(
  ({ path, formerPaths = [] }) => [path, ...formerPaths],
);
