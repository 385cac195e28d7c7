import type { IdNoun } from './ids.ts';

/** What a parameter of a path names: the kind of its identifier, or null for what is no row of its own, and the word people use for it. */
type PathParameterRow = { readonly id: IdNoun | null; readonly noun: string };

/** Every parameter that a path may have. Which table it is a row of, the adapter says for each of them. */
export const PATH_PARAMETERS = {
  workspaceId: { id: 'workspace', noun: 'workspace' },
  environmentId: { id: 'environment', noun: 'environment' },
  agentId: { id: 'agent', noun: 'agent' },
  capability: { id: null, noun: 'capability' },
  credentialId: { id: 'credential', noun: 'credential' },
  toolId: { id: 'tool', noun: 'tool' },
  importId: { id: 'tool_import', noun: 'tool import' },
  proposalKey: { id: null, noun: 'proposed tool' },
  policyId: { id: 'policy', noun: 'policy' },
  bindingId: { id: 'policy_binding', noun: 'binding' },
  invariantId: { id: 'policy_invariant', noun: 'invariant' },
  actionId: { id: 'action', noun: 'action' },
  approvalId: { id: 'approval', noun: 'approval' },
  delegationId: { id: 'delegation', noun: 'delegation' },
  memberId: { id: 'member', noun: 'member' },
  invitationId: { id: 'invitation', noun: 'invitation' },
  roleId: { id: 'role', noun: 'role' },
  sessionId: { id: 'session', noun: 'session' },
  apiKeyId: { id: 'api_key', noun: 'API key' },
  connectionId: { id: 'sso_connection', noun: 'single sign-on connection' },
  directoryUserId: { id: 'member', noun: 'user' },
  directoryGroupId: { id: 'directory_group', noun: 'group' },
  schemaUrn: { id: null, noun: 'schema' },
  resourceTypeName: { id: null, noun: 'resource type' },
  identityId: { id: 'sso_identity', noun: 'linked identity' },
  /** Of no organization until somebody decides on it, so that its operations tell who may know of it. */
  requestId: { id: null, noun: 'command-line request' },
  factorId: { id: null, noun: 'second factor' },
  deviceApprovalId: { id: 'device_approval', noun: 'device approval' },
  guideName: { id: null, noun: 'guide' },
  asset: { id: null, noun: 'page asset' },
  subscriptionId: { id: 'webhook_subscription', noun: 'webhook subscription' },
  deliveryId: { id: 'webhook_delivery', noun: 'webhook delivery' },
  channelId: { id: 'notification_channel', noun: 'notification channel' },
  notificationId: { id: 'notification', noun: 'notification' },
  eventId: { id: 'audit_event', noun: 'audit event' },
  searchId: { id: 'audit_search', noun: 'saved search' },
  tileLevel: { id: null, noun: 'tile level' },
  tile: { id: null, noun: 'tile' },
  tileNext: { id: null, noun: 'tile' },
  tileThird: { id: null, noun: 'tile' },
  tileWidth: { id: null, noun: 'tile' },
  step: { id: null, noun: 'step' },
  rateId: { id: 'exchange_rate', noun: 'exchange rate' },
} as const satisfies Record<string, PathParameterRow>;

export type PathParameter = keyof typeof PATH_PARAMETERS;

/** Those that identify a row. */
export type IdParameter = {
  [Name in PathParameter]: (typeof PATH_PARAMETERS)[Name]['id'] extends null ? never : Name;
}[PathParameter];

/** The parameters of one path. */
export type PathParameters = Readonly<Partial<Record<PathParameter, string>>>;

export const isPathParameter = (name: string): name is PathParameter => Object.hasOwn(PATH_PARAMETERS, name);

/** The names of a path's parameters, as they are written. */
export const parameterNamesOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
