import { buildConsolePath, CONSOLE_ROUTES, type ConsoleRouteName } from '@svc/contract/tables/console-routes.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { may } from '../data/permissions.ts';
import type { Session } from '../data/session.ts';
import type { PaletteEntry } from './palette-entries.ts';

type Action = { readonly text: string; readonly permission?: Permission } & Pick<PaletteEntry, 'path' | 'command' | 'keys'>;

const onList = (name: ConsoleRouteName, query: string): string => `${CONSOLE_ROUTES[name].path}?${query}`;

/** The actions of the palette, in addition to the pages of the menu. Each is listed also for people who lack its permission, with its name. */
const ACTIONS: readonly Action[] = [
  { text: 'Register an agent', path: buildConsolePath('newAgent'), permission: 'agent:create' },
  { text: 'Pause or resume agents', path: onList('agents', 'status=ACTIVE'), permission: 'agent:pause' },
  { text: 'Write a policy', path: buildConsolePath('newPolicy'), permission: 'policy:create' },
  { text: 'Create a tool', path: buildConsolePath('newTool'), permission: 'tool:create' },
  { text: 'Import tools', path: buildConsolePath('toolImports'), permission: 'tool:create' },
  { text: 'Add an application', path: buildConsolePath('integrations'), permission: 'integration:read' },
  { text: 'Save a credential', path: buildConsolePath('newCredential'), permission: 'credential:create' },
  { text: 'Connect an MCP server', path: buildConsolePath('newMcpServer'), permission: 'mcp:register' },
  { text: 'Connect an A2A agent', path: buildConsolePath('newA2aConnection'), permission: 'a2a:connect' },
  { text: 'Add a provider of trust evidence', path: buildConsolePath('newTrustProvider'), permission: 'trust:update' },
  { text: 'Open an incident', path: buildConsolePath('newIncident'), permission: 'incident:create' },
  { text: 'Stop an agent, environment or destination', path: buildConsolePath('emergency'), permission: 'incident:read', keys: '!' },
  { text: 'Request break-glass access', path: buildConsolePath('breakGlass') },
  { text: 'Invite a member', path: buildConsolePath('members'), permission: 'member:invite' },
  { text: 'Create a role', path: buildConsolePath('roles'), permission: 'role:create' },
  { text: 'Create an API key', path: buildConsolePath('apiKeys'), permission: 'apikey:create' },
  { text: 'Create a webhook', path: buildConsolePath('newWebhook'), permission: 'webhook:create' },
  { text: 'Create a workspace', path: buildConsolePath('organization'), permission: 'workspace:create' },
  { text: 'Create an environment', path: buildConsolePath('environments'), permission: 'environment:create' },
  { text: 'Change the mode of an environment', path: buildConsolePath('environments'), permission: 'environment:set_mode' },
  { text: 'Limit networks', path: buildConsolePath('networks'), permission: 'organization:update' },
  { text: 'Set up single sign-on', path: buildConsolePath('sso'), permission: 'sso:update' },
  { text: 'Set up a directory (SCIM)', path: buildConsolePath('scim'), permission: 'sso:update' },
  { text: 'Change the retention of the audit record', path: buildConsolePath('retention'), permission: 'audit:update_retention' },
  { text: 'Follow the audit record live', path: buildConsolePath('auditEvents'), permission: 'audit:read' },
  { text: 'Verify the audit record', path: buildConsolePath('auditEvents'), permission: 'audit:verify' },
  { text: 'Show approvals for me', path: onList('approvals', 'status=MINE'), permission: 'approval:approve' },
  { text: 'Show waiting approvals', path: onList('approvals', 'status=PENDING'), permission: 'approval:read' },
  { text: 'Show denied approvals', path: onList('approvals', 'status=DENIED'), permission: 'approval:read' },
  { text: 'Show blocked actions', path: onList('actions', 'decision=BLOCK'), permission: 'action:read' },
  { text: 'Show held actions', path: onList('actions', 'decision=REQUIRE_APPROVAL'), permission: 'action:read' },
  { text: 'Show allowed actions', path: onList('actions', 'decision=ALLOW'), permission: 'action:read' },
  { text: 'Show failed actions', path: onList('actions', 'status=FAILED'), permission: 'action:read' },
  { text: 'Show paused agents', path: onList('agents', 'status=PAUSED'), permission: 'agent:read' },
  { text: 'Show active agents', path: onList('agents', 'status=ACTIVE'), permission: 'agent:read' },
  { text: 'Show delegations as a table', path: onList('delegations', 'view=table'), permission: 'delegation:read' },
  { text: 'Try an operation of the API', path: buildConsolePath('apiExplorer') },
  { text: 'Look up an error code', path: buildConsolePath('errorCodes') },
  { text: 'Look up an event type', path: buildConsolePath('eventTypes') },
  { text: 'Open the guides', path: '/docs/guides' },
  { text: 'Add a second factor', path: buildConsolePath('secondFactors') },
  { text: 'Sign out other sessions', path: buildConsolePath('sessions') },
  { text: 'Use light colours', command: 'light' },
  { text: 'Use dark colours', command: 'dark' },
  { text: 'Use the colours of the system', command: 'auto' },
  { text: 'Copy the link of this page', command: 'copy-link' },
  { text: 'Show the requests of this page (API and CLI)', command: 'calls' },
  { text: 'Show keyboard shortcuts', command: 'shortcuts', keys: '?' },
  { text: 'Collapse or expand the menu', command: 'menu', keys: '[' },
  { text: 'Sign out', command: 'sign-out' },
];

/** The actions of the palette; those that the person may not do name the missing permission. */
export const getPaletteActions = (session: Session): readonly PaletteEntry[] =>
  ACTIONS.map(({ permission, text, ...action }) => ({
    key: text,
    text,
    kind: 'Action',
    ...action,
    ...(may(session, permission) ? {} : { missing: permission }),
  }));
