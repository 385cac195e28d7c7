import type { ErrorCode } from './errors.ts';

/** The people a guide is for. The index of guides has a section for each, in this order. */
export const GUIDE_READERS = {
  developer: 'Developers',
  approver: 'Approvers',
  security: 'Security engineers',
  operator: 'Administrators and operators',
} as const;

export type GuideReader = keyof typeof GUIDE_READERS;

/** A document that the control plane serves at `/docs/guides/{name}`. */
export type Guide = {
  readonly reader: GuideReader;
  /** The first heading of the document. */
  readonly title: string;
  /** One sentence that states the result for the reader. */
  readonly summary: string;
  /** Path of the Markdown file in the project; `docs/guides/<name>.md` if absent. */
  readonly file?: string;
};

/** Every guide, by its name in the address, in the order of the index. */
export const GUIDES = {
  'first-governed-tool': {
    reader: 'developer',
    title: 'Your first governed tool',
    summary: 'Register an agent and a tool, activate a policy, and get a decision with its reason.',
  },
  'govern-a-function': {
    reader: 'developer',
    title: 'Govern a function you already have',
    summary: 'Put a decision in front of a function, also as a tool of the ai package.',
  },
  'bring-under-governance': {
    reader: 'developer',
    title: 'Bring a running agent under governance',
    summary: 'Go from OBSERVE to ENFORCE without breaking the agent, and back if you must.',
  },
  authzen: {
    reader: 'developer',
    title: 'Answer authorization requests with AuthZEN',
    summary: 'Let API gateways and identity products ask for decisions in a standard format.',
  },
  'proxied-requests': {
    reader: 'developer',
    title: 'Decide requests at a proxy',
    summary: 'Let Envoy, nginx, agentgateway or Kong ask before they forward a request of an agent.',
  },
  'import-tools': {
    reader: 'developer',
    title: 'Import tools',
    summary: 'Create tools from an OpenAPI document, a GraphQL schema or a Postman collection.',
  },
  integrations: {
    reader: 'developer',
    title: 'Set up an application of the catalogue',
    summary: 'Turn actions of GitHub, Stripe and other applications into tools, with their key, in one request.',
  },
  'code-assist': {
    reader: 'developer',
    title: 'Let a model propose guard calls',
    summary: 'Turn code assist on, hide secrets, and read what is checked in a proposal.',
  },
  mcp: {
    reader: 'developer',
    title: 'Govern an MCP client in five minutes',
    summary: 'Put policies, approvals and a record between an MCP client and the tools of an MCP server.',
  },
  'mcp-configuration': {
    reader: 'developer',
    title: 'Put an existing MCP configuration under governance',
    summary: 'Keep the MCP servers that your client already uses, with each call decided and recorded.',
  },
  a2a: {
    reader: 'developer',
    title: "Two companies' agents by A2A",
    summary: 'Verify the agent of a partner, and put policies, approvals and a block on the messages to it.',
  },
  'calls-of-tools': {
    reader: 'developer',
    title: "Configure a tool's calls",
    summary: 'Set expected responses and retries, and see a request before it is sent.',
  },
  'change-a-tool': { reader: 'developer', title: 'Change a tool', summary: 'Change a tool while agents use it.' },
  webhooks: { reader: 'developer', title: 'Webhooks', summary: 'Receive, verify and redeliver events.' },
  'live-events': { reader: 'developer', title: 'Live events', summary: 'Follow events as they happen, and resume after a disconnect.' },
  'command-line-sign-in': {
    reader: 'developer',
    title: 'Sign in from the command line',
    summary: 'Authorize a terminal in the browser instead of typing a password.',
  },
  'command-line': {
    reader: 'developer',
    title: 'Command line',
    summary: 'Do everything of the control plane in a terminal or a pipeline with svc.',
  },
  'policies-in-your-repository': {
    reader: 'developer',
    title: 'Policies in your repository',
    summary: 'Keep policies as files, see what a change would do, and apply it after a review.',
  },
  'agent-frameworks': {
    reader: 'developer',
    title: 'Guard tools of agent frameworks',
    summary: 'LangChain, LangGraph, OpenAI Agents, Mastra, Claude Agent SDK, MCP servers and clients, and unit tests.',
  },
  'govern-a-python-agent': {
    reader: 'developer',
    title: 'Govern a Python agent',
    summary: 'Guard Python functions and tools of agent frameworks, and test them without a service.',
  },
  sdk: {
    reader: 'developer',
    title: '@svc/sdk',
    summary: 'Reference of the client for agents: act, guard, approvals, errors.',
    file: 'packages/sdk/README.md',
  },
  'sdk-python': {
    reader: 'developer',
    title: 'svc-sdk for Python',
    summary: 'Reference of the Python client for agents.',
    file: 'sdks/python/README.md',
  },
  client: {
    reader: 'developer',
    title: '@svc/client',
    summary: 'Reference of the typed client for your own services.',
    file: 'packages/client/README.md',
  },
  approvals: { reader: 'approver', title: 'Approvals', summary: 'Approve, deny, edit, ask and reassign.' },
  notifications: { reader: 'approver', title: 'Notifications', summary: 'Choose what reaches you in the inbox, by mail and in Slack.' },
  'second-factors': {
    reader: 'approver',
    title: 'Second factors',
    summary: 'Set up an authenticator app, a passkey and recovery codes.',
  },
  'passwords-and-sessions': {
    reader: 'approver',
    title: 'Passwords, sessions and API keys',
    summary: 'Change your password, end sessions, and create keys for programs.',
  },
  runtimes: {
    reader: 'security',
    title: 'Verify the runtime of an agent',
    summary: 'Find ways around the gateway, compute the enforcement status from evidence, and refuse agents without it.',
  },
  'write-a-policy': {
    reader: 'security',
    title: 'Write, test and activate a policy',
    summary: 'Turn a rule of your organization into decisions, with tests.',
  },
  'flow-rules': {
    reader: 'security',
    title: 'Stop data from leaving: flow rules',
    summary: 'Label what tools read, block what would carry it to someone else, and keep tasks apart.',
  },
  invariants: { reader: 'security', title: 'Invariants', summary: 'State what no policy may permit, and have it proved.' },
  'limits-and-masks': { reader: 'security', title: 'Limits and masks', summary: 'Count calls and amounts, and hide fields.' },
  money: { reader: 'security', title: 'Money', summary: 'Compare amounts in different currencies.' },
  delegations: {
    reader: 'security',
    title: 'Delegated authority',
    summary: 'Give an agent a bounded, temporary part of a person’s authority.',
  },
  'verify-delegations': {
    reader: 'security',
    title: 'Verify delegations in a service',
    summary: 'Let services behind your agents see for whom an agent acts, and notice when that ends.',
  },
  credentials: { reader: 'security', title: 'Credentials', summary: 'Store secrets that tools send and agents never see.' },
  'credentials-with-oauth': {
    reader: 'security',
    title: 'Credentials with OAuth',
    summary: 'Connect services that issue access tokens.',
  },
  fleet: { reader: 'security', title: 'Many agents', summary: 'Label agents, change many at once, and let them expire.' },
  incidents: {
    reader: 'security',
    title: 'Incidents and emergency controls',
    summary: 'Stop agents, tools and destinations at once, and keep the timeline and report of an incident.',
  },
  risk: {
    reader: 'security',
    title: 'Risk signals and scores',
    summary: 'See what is unusual about an agent, judge it, and let policies act on the score.',
  },
  trust: {
    reader: 'security',
    title: 'Trust evidence',
    summary: 'Let agents act only while signed reviews, tests and provenance vouch for them.',
  },
  'audit-record': { reader: 'security', title: 'The audit record', summary: 'Search, export and verify what happened.' },
  'compliance-report': {
    reader: 'security',
    title: 'Compliance report',
    summary: 'Show auditors which controls are in effect, with counts.',
  },
  'sign-up-and-mail': { reader: 'operator', title: 'Sign-up and mail', summary: 'Open sign-up and send mail.' },
  'members-and-roles': { reader: 'operator', title: 'Members, invitations and roles', summary: 'Invite people and give them roles.' },
  'single-sign-on': {
    reader: 'operator',
    title: 'Single sign-on and provisioning',
    summary: 'Connect OpenID Connect, SAML and SCIM.',
  },
  organization: {
    reader: 'operator',
    title: 'Your organization',
    summary: 'Restrict networks, require second factors, archive and delete.',
  },
  running: {
    reader: 'operator',
    title: 'Run it for real',
    summary: 'Settings, your own PostgreSQL, replicas, the emergency stop and backups.',
    file: 'docs/operating/running.md',
  },
  monitoring: { reader: 'operator', title: 'Monitoring', summary: 'Metrics, alerts and traces.', file: 'docs/operating/monitoring.md' },
  'security-settings': {
    reader: 'operator',
    title: 'Security settings',
    summary: 'Every setting that affects security, with its effect.',
    file: 'docs/operating/security-settings.md',
  },
  'data-and-keys': {
    reader: 'operator',
    title: 'Data, keys, logs and connections',
    summary: 'The data that is stored, the keys that protect it, and outbound connections.',
    file: 'docs/operating/data-and-keys.md',
  },
  glossary: { reader: 'operator', title: 'Glossary', summary: 'The words of the product.', file: 'docs/glossary.md' },
} as const satisfies Readonly<Record<string, Guide>>;

export type GuideName = keyof typeof GUIDES;

// Marked as pure, so that pages which only link to a guide do not load the table.
export const GUIDE_NAMES = /* @__PURE__ */ Object.keys(GUIDES) as readonly GuideName[];

/** Address of the index of guides on the control plane. */
export const GUIDES_PATH = '/docs/guides';

/** Maximum length of a search in the guides. */
export const GUIDE_QUERY_CHARS = 200;

/** Address of a guide on the control plane. */
export const getGuidePath = (name: GuideName): string => `${GUIDES_PATH}/${name}`;

/** Path of the Markdown file of a guide, from the folder of the project. */
export const getGuideFile = (name: GuideName): string => {
  const guide: Guide = GUIDES[name];
  return guide.file ?? `docs/guides/${name}.md`;
};

/** The guide that helps with each error code. */
export const ERROR_GUIDES: Readonly<Record<ErrorCode, GuideName>> = {
  VALIDATION_FAILED: 'first-governed-tool',
  INVALID_REQUEST: 'first-governed-tool',
  INVALID_STATE_TRANSITION: 'approvals',
  INVALID_POLICY: 'write-a-policy',
  INVALID_CREDENTIAL_REFERENCE: 'credentials',
  NONCE_REPLAYED: 'first-governed-tool',
  TIMESTAMP_OUT_OF_WINDOW: 'first-governed-tool',
  UNAUTHENTICATED: 'passwords-and-sessions',
  INVALID_CREDENTIALS: 'passwords-and-sessions',
  SESSION_EXPIRED: 'passwords-and-sessions',
  AGENT_AUTHENTICATION_FAILED: 'first-governed-tool',
  AGENT_TOKEN_EXPIRED: 'first-governed-tool',
  AGENT_IDENTITY_REVOKED: 'fleet',
  IDENTITY_GENERATION_STALE: 'sdk',
  SUBSCRIPTION_REQUIRED: 'organization',
  PERMISSION_DENIED: 'members-and-roles',
  STEP_UP_REQUIRED: 'second-factors',
  MFA_REQUIRED: 'second-factors',
  TENANT_MISMATCH: 'members-and-roles',
  NETWORK_RESTRICTED: 'organization',
  ACTION_BLOCKED: 'write-a-policy',
  AUTHORITY_EXCEEDED: 'delegations',
  CAPABILITY_NOT_GRANTED: 'first-governed-tool',
  DELEGATION_INVALID: 'delegations',
  DELEGATION_EXPIRED: 'delegations',
  DELEGATION_ESCALATION: 'delegations',
  AGENT_NOT_OPERATIONAL: 'fleet',
  AGENT_ISOLATED: 'fleet',
  ENVIRONMENT_PAUSED: 'bring-under-governance',
  TOOL_DISABLED: 'change-a-tool',
  TOOL_NOT_AUTHORIZED: 'first-governed-tool',
  DESTINATION_BLOCKED: 'calls-of-tools',
  APPROVAL_REQUIRED: 'approvals',
  APPROVAL_NOT_GRANTED: 'approvals',
  APPROVAL_EXPIRED: 'approvals',
  TRUST_EVIDENCE_INSUFFICIENT: 'trust',
  PASSPORT_INVALID: 'fleet',
  MCP_SERVER_NOT_TRUSTED: 'mcp',
  A2A_CONNECTION_BLOCKED: 'a2a',
  VELOCITY_LIMIT_EXCEEDED: 'limits-and-masks',
  NOT_FOUND: 'first-governed-tool',
  CONFLICT: 'change-a-tool',
  ALREADY_EXISTS: 'first-governed-tool',
  VERSION_CONFLICT: 'change-a-tool',
  IDEMPOTENCY_KEY_REUSED: 'sdk',
  GONE: 'sign-up-and-mail',
  UNPROCESSABLE: 'first-governed-tool',
  RATE_LIMITED: 'running',
  INTERNAL_ERROR: 'running',
  EXECUTION_FAILED: 'calls-of-tools',
  DEPENDENCY_UNAVAILABLE: 'running',
  IDENTITY_SERVICE_UNAVAILABLE: 'running',
  POLICY_SERVICE_UNAVAILABLE: 'running',
  APPROVAL_SERVICE_UNAVAILABLE: 'running',
  CREDENTIAL_SERVICE_UNAVAILABLE: 'credentials',
  AUDIT_SERVICE_UNAVAILABLE: 'running',
  EXECUTION_TIMEOUT: 'calls-of-tools',
};
