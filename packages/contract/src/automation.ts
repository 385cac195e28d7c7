import { ENDPOINTS, type Endpoints } from './endpoints.ts';
import type { Endpoint } from './rows/endpoint.ts';
import { PERMISSION_NAMES, type Permission, stepUpOf } from './tables/permissions.ts';

/** Who may send a member of a body: a person, or a person who stepped up. Never an API key. */
export type MemberRule = 'PERSON' | 'STEP_UP';

/**
 * What an API key may do with an operation, whatever its role.
 * - `ALLOWED`: what its permissions allow.
 * - `STEP_UP`: nothing. The operation always needs a step-up, which only a person can give.
 * - an object: what its permissions allow, except for the members named in `members`, and within `limit`, a sentence for what depends on more
 *   than the name of a member and is enforced by the handler. `members` are enforced before the handler, whatever their values; `compared` leaves
 *   that to the handler, which refuses them (`memberRefusal`) only where they differ from what is stored.
 */
export type AutomationRule =
  | 'ALLOWED'
  | 'STEP_UP'
  | {
      readonly operation?: 'STEP_UP';
      readonly members?: Readonly<Record<string, MemberRule>>;
      readonly compared?: true;
      readonly limit?: string;
    };

/** Operations that change something and that an API key can reach. One that is for people alone (`credential: 'person'`) has no row. */
export type AutomatedOperation = {
  [Name in keyof Endpoints]: Endpoints[Name] extends { readonly credential: 'caller' }
    ? Endpoints[Name] extends { readonly method: 'GET' }
      ? never
      : Name
    : never;
}[keyof Endpoints];

const ROLES = 'Assigns only roles without a permission of `isPersonal`. An invitation with another role must be confirmed by a person.';
const OWNERS = 'Never an owner.';
const GRANT = 'The new key expires no later than the key that creates it, has no additional permissions, and is never extended by a key.';
const ISOLATION = 'Not from ISOLATED: ending an isolation requires emergency:execute and a step-up.';
const LOOSENS =
  'Not to lower a risk rating, to clear dangerous or to widen destinations, not for a dangerous or critical tool, and not if rules in force warn of it.';
const STOPPED = 'Not if a person made the stop that it lifts.';
const FACTS = 'Not to set a name, label or capability that a rule in force reads.';
const REDUCES = 'Not to reduce enforcement, to weaken the separation of duties or to unarchive a resource.';

const SSO = {
  operation: 'STEP_UP',
  members: {
    enforce: 'STEP_UP',
    trusts_mfa: 'STEP_UP',
    email_trust: 'STEP_UP',
    domains: 'STEP_UP',
    client_id: 'STEP_UP',
    client_secret: 'STEP_UP',
    certificates: 'STEP_UP',
    sso_url: 'STEP_UP',
    break_glass_user_id: 'STEP_UP',
    status: 'STEP_UP',
  },
} as const;

/**
 * Automation never widens human access: no API key changes who a person is, what people may do, how they sign in, or how long a key lives.
 * A new operation does not compile without its row.
 */
export const AUTOMATION = {
  updateOrganization: {
    members: { require_mfa: 'STEP_UP', allowed_networks: 'STEP_UP', base_currency: 'PERSON', time_zone: 'PERSON' },
    compared: true,
  },
  deleteOrganization: 'STEP_UP',
  restoreOrganization: 'STEP_UP',
  createWorkspace: 'ALLOWED',
  updateWorkspace: { limit: REDUCES },
  archiveWorkspace: 'STEP_UP',
  createEnvironment: 'ALLOWED',
  updateEnvironment: { limit: REDUCES },
  archiveEnvironment: 'STEP_UP',
  setGatewayMode: { limit: REDUCES },
  pauseEnvironment: 'STEP_UP',
  resumeEnvironment: 'STEP_UP',

  resetMemberMfa: 'STEP_UP',
  revokeMemberSessions: { limit: OWNERS },
  updateMember: { limit: `${ROLES} ${OWNERS}` },
  removeMember: { limit: OWNERS },
  inviteMember: { limit: ROLES },
  resendInvitation: { limit: ROLES },
  withdrawInvitation: { limit: OWNERS },
  createRole: {
    limit: 'Only permissions that the key has. The role has no effect until a person, or a group mapping created by a person, assigns it.',
  },
  updateRole: 'STEP_UP',
  deleteRole: { limit: 'Only a role that no member, key, invitation, group mapping or rule uses.' },
  createApiKey: { limit: GRANT },
  rotateApiKey: { limit: GRANT },
  endPreviousSecret: 'ALLOWED',
  revokeApiKey: 'ALLOWED',
  createSsoConnection: SSO,
  updateSsoConnection: SSO,
  deleteSsoConnection: 'STEP_UP',
  testSsoConnection: 'STEP_UP',
  updateScimConfiguration: 'STEP_UP',
  createScimToken: 'STEP_UP',
  revokeScimToken: 'STEP_UP',

  createAgent: { limit: FACTS },
  updateAgent: { limit: `Not to set an earlier expiry of an agent, or a later one if a person set it. ${FACTS}` },
  grantCapability: { limit: `${STOPPED} ${FACTS}` },
  revokeCapability: 'ALLOWED',
  pauseAgent: 'ALLOWED',
  resumeAgent: { limit: `${ISOLATION} ${STOPPED}` },
  suspendAgent: { limit: ISOLATION },
  isolateAgent: 'STEP_UP',
  decommissionAgent: 'STEP_UP',
  revokeAgent: 'STEP_UP',
  rotateAgentCredentials: { limit: 'Not for an agent that may use a dangerous or critical tool.' },
  renewPassport: 'ALLOWED',
  bulkChangeAgents: 'STEP_UP',
  previewBulkChange: 'ALLOWED',
  createDelegation: 'ALLOWED',
  simulateDelegation: 'ALLOWED',
  reduceDelegation: 'ALLOWED',
  revokeDelegation: 'ALLOWED',

  createTool: 'ALLOWED',
  authorizeAgentForTool: { limit: `Not for a dangerous or critical tool in an environment of type PRODUCTION. ${STOPPED}` },
  withdrawAgentFromTool: 'ALLOWED',
  disableTool: 'ALLOWED',
  enableTool: { limit: STOPPED },
  updateTool: { limit: LOOSENS },
  previewTool: 'ALLOWED',
  restrictTool: 'ALLOWED',
  dryCallTool: 'ALLOWED',
  createToolImport: 'ALLOWED',
  uploadToolImport: 'ALLOWED',
  deleteToolImport: 'ALLOWED',
  applyToolImport: { limit: LOOSENS },
  createCredential: 'ALLOWED',
  rotateCredential: 'STEP_UP',
  revokeCredential: 'STEP_UP',
  testCredential: 'ALLOWED',

  createPolicy: 'ALLOWED',
  updatePolicy: 'ALLOWED',
  deletePolicy: 'ALLOWED',
  activatePolicy: 'STEP_UP',
  rollbackPolicy: 'STEP_UP',
  suspendPolicy: 'STEP_UP',
  bindPolicy: 'STEP_UP',
  unbindPolicy: 'STEP_UP',
  simulatePolicy: 'ALLOWED',
  runPolicyTests: 'ALLOWED',
  previewPolicyTests: 'ALLOWED',
  createInvariant: 'ALLOWED',
  checkInvariant: 'ALLOWED',
  deleteInvariant: 'STEP_UP',

  evaluateAction: 'ALLOWED',
  evaluateAccess: 'ALLOWED',
  evaluateAccessBatch: 'ALLOWED',
  searchAccessSubjects: 'ALLOWED',
  searchAccessResources: 'ALLOWED',
  searchAccessActions: 'ALLOWED',
  approveApproval: { limit: 'Not if a rule requires a step-up of the approver.' },
  denyApproval: 'ALLOWED',
  editApproval: { limit: 'Not if a rule requires a step-up of the approver.' },
  handOverApproval: 'ALLOWED',
  askAboutApproval: 'ALLOWED',
  withdrawVote: 'ALLOWED',
  answerAboutApproval: 'ALLOWED',
  cancelApproval: 'ALLOWED',
  refreshExchangeRates: 'ALLOWED',

  exportAuditEvents: 'ALLOWED',
  verifyAuditEvents: 'ALLOWED',
  updateAuditRetention: 'STEP_UP',
  createAuditSearch: 'ALLOWED',
  updateAuditSearch: 'ALLOWED',
  deleteAuditSearch: 'ALLOWED',
  createWebhook: 'ALLOWED',
  updateWebhook: 'ALLOWED',
  deleteWebhook: 'ALLOWED',
  rotateWebhookSecret: 'ALLOWED',
  redeliverDelivery: 'ALLOWED',
  redeliverFailed: 'ALLOWED',
  testWebhook: 'ALLOWED',
  createNotificationChannel: 'ALLOWED',
  updateNotificationChannel: 'ALLOWED',
  deleteNotificationChannel: 'ALLOWED',
  testNotificationChannel: 'ALLOWED',
} as const satisfies Readonly<Record<AutomatedOperation, AutomationRule>>;

const rules = new Map<Endpoint, AutomationRule>(
  (Object.keys(AUTOMATION) as AutomatedOperation[]).map((name) => [ENDPOINTS[name], AUTOMATION[name]]),
);

const NO_MEMBERS: Readonly<Record<string, MemberRule>> = {};

/** Returns the members of a body that need a person, each with what it needs. */
export const memberRulesOf = (row: Endpoint): Readonly<Record<string, MemberRule>> => {
  const rule = rules.get(row);
  return (typeof rule === 'object' && rule.members) || NO_MEMBERS;
};

/** True if the handler compares the members with what is stored. */
export const isCompared = (row: Endpoint): boolean => {
  const rule = rules.get(row);
  return typeof rule === 'object' && rule.compared === true;
};

/** Members of a body whose change writes a critical event and mails every owner. */
export const securityMembersOf = (row: Endpoint): readonly string[] =>
  Object.entries(memberRulesOf(row)).flatMap(([member, rule]) => (rule === 'STEP_UP' ? [member] : []));

const PERSONAL_NOUNS: ReadonlySet<string> = new Set(['member', 'role', 'apikey']);
const PERSONAL: ReadonlySet<Permission> = new Set(['approval:approve', 'approval:deny']);

/** True for a permission that an API key gives to nobody: what needs a step-up, decides approvals, or is about people, roles and keys. */
export const isPersonal = (permission: Permission): boolean =>
  stepUpOf(permission) !== false || PERSONAL.has(permission) || PERSONAL_NOUNS.has(permission.split(':')[0] ?? '');

export const PERSONAL_PERMISSIONS: ReadonlySet<string> = new Set(PERMISSION_NAMES.filter(isPersonal));
