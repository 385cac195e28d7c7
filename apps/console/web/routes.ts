import type { ConsoleRouteName, ConsoleRoutes, RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import type { Session } from './data/session.ts';

/** What a page receives: the parameters of its path, and the session unless it is public. */
export type PageProps<Name extends ConsoleRouteName> = {
  readonly params: RouteParams<Name>;
} & (ConsoleRoutes[Name]['access'] extends 'public' ? unknown : { readonly session: Session });

type PageOf<Name extends ConsoleRouteName> = (props: PageProps<Name>) => ReactNode;

/** The component of each page, loaded when the page is opened. A route without a page does not compile. */
export const PAGES: { readonly [Name in ConsoleRouteName]: () => Promise<PageOf<Name>> } = {
  signIn: async () => (await import('./people/auth/sign-in.tsx')).SignIn,
  signUp: async () => (await import('./people/auth/sign-up.tsx')).SignUp,
  setup: async () => (await import('./people/setup/setup.tsx')).Setup,
  resetPassword: async () => (await import('./people/passwords/reset.tsx')).ResetPassword,
  invitation: async () => (await import('./people/invitations/invitation.tsx')).Invitation,
  cliRequest: async () => (await import('./people/cli/cli.tsx')).Cli,
  deviceApprovals: async () => (await import('./people/device-approvals/list.tsx')).DeviceApprovals,
  overview: async () => (await import('./service/overview/overview.tsx')).Overview,
  approvals: async () => (await import('./actions/approvals/list.tsx')).Approvals,
  approval: async () => (await import('./actions/approvals/detail.tsx')).ApprovalPage,
  actions: async () => (await import('./actions/actions/list.tsx')).Actions,
  action: async () => (await import('./actions/actions/detail.tsx')).ActionPage,
  policies: async () => (await import('./policies/policies/list.tsx')).Policies,
  newPolicy: async () => (await import('./policies/policies/create.tsx')).NewPolicy,
  policy: async () => (await import('./policies/policies/detail.tsx')).PolicyPage,
  policyEditor: async () => (await import('./policies/policies/editor.tsx')).PolicyEditor,
  agents: async () => (await import('./agents/agents/list.tsx')).Agents,
  newAgent: async () => (await import('./agents/agents/create.tsx')).NewAgent,
  agent: async () => (await import('./agents/agents/detail.tsx')).AgentPage,
  delegations: async () => (await import('./agents/delegations/list.tsx')).Delegations,
  delegation: async () => (await import('./agents/delegations/detail.tsx')).DelegationPage,
  tools: async () => (await import('./tools/tools/list.tsx')).Tools,
  newTool: async () => (await import('./tools/tools/create.tsx')).NewTool,
  toolImports: async () => (await import('./tools/tool-imports/list.tsx')).ToolImports,
  toolImport: async () => (await import('./tools/tool-imports/detail.tsx')).ToolImportPage,
  tool: async () => (await import('./tools/tools/detail.tsx')).ToolPage,
  credentials: async () => (await import('./credentials/credentials/list.tsx')).Credentials,
  newCredential: async () => (await import('./credentials/credentials/create.tsx')).NewCredential,
  credential: async () => (await import('./credentials/credentials/detail.tsx')).CredentialPage,
  mcpServers: async () => (await import('./peers/mcp/list.tsx')).McpServers,
  newMcpServer: async () => (await import('./peers/mcp/create.tsx')).NewMcpServer,
  mcpServer: async () => (await import('./peers/mcp/detail.tsx')).McpServerPage,
  mcpTool: async () => (await import('./peers/mcp/tool.tsx')).McpToolPage,
  a2aConnections: async () => (await import('./peers/a2a/list.tsx')).A2aConnections,
  newA2aConnection: async () => (await import('./peers/a2a/create.tsx')).NewA2aConnection,
  a2aConnection: async () => (await import('./peers/a2a/detail.tsx')).A2aConnectionPage,
  trustProviders: async () => (await import('./risk/trust/list.tsx')).TrustProviders,
  newTrustProvider: async () => (await import('./risk/trust/create.tsx')).NewTrustProviderPage,
  trustProvider: async () => (await import('./risk/trust/detail.tsx')).TrustProviderPage,
  incidents: async () => (await import('./incidents/incidents/list.tsx')).Incidents,
  newIncident: async () => (await import('./incidents/incidents/create.tsx')).NewIncident,
  incident: async () => (await import('./incidents/incidents/detail.tsx')).IncidentPage,
  emergency: async () => (await import('./incidents/emergency/emergency.tsx')).Emergency,
  auditEvents: async () => (await import('./events/audit-events/list.tsx')).Audit,
  auditEvent: async () => (await import('./events/audit-events/detail.tsx')).AuditEventPage,
  compliance: async () => (await import('./events/compliance/report.tsx')).Compliance,
  webhooks: async () => (await import('./events/webhooks/list.tsx')).Webhooks,
  newWebhook: async () => (await import('./events/webhooks/create.tsx')).NewWebhook,
  webhook: async () => (await import('./events/webhooks/detail.tsx')).WebhookPage,
  members: async () => (await import('./people/members/list.tsx')).Members,
  member: async () => (await import('./people/members/detail.tsx')).MemberPage,
  notificationChannels: async () => (await import('./events/notification-channels/list.tsx')).NotificationChannels,
  notificationChannel: async () => (await import('./events/notification-channels/detail.tsx')).NotificationChannelPage,
  inbox: async () => (await import('./events/notifications/inbox.tsx')).Notifications,
  profile: async () => (await import('./people/profile/profile.tsx')).Profile,
  sessions: async () => (await import('./people/sessions/list.tsx')).Sessions,
  secondFactors: async () => (await import('./people/second-factors/list.tsx')).SecondFactors,
  password: async () => (await import('./people/passwords/change.tsx')).Password,
  identities: async () => (await import('./people/sso/identities.tsx')).Identities,
};
