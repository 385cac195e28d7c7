import type { Measure } from './measure.ts';

const EVERY_ONE = { metShare: 1, partialShare: 0.5 } as const;
const NEARLY_ALL = { metShare: 0.99, partialShare: 0.9 } as const;
const MOST = { metShare: 0.9, partialShare: 0.5 } as const;
const ONE = { count: 1 } as const;

const AGENTS = { path: '/v1/agents', permission: 'agent:read', query: { status: 'ACTIVE' } } as const;
const TOOLS = { path: '/v1/tools', permission: 'tool:read' } as const;
const POLICIES = { path: '/v1/policies', permission: 'policy:read' } as const;
const ORGANIZATION = { path: '/v1/organization', permission: 'organization:read' } as const;
const MEMBERS = { path: '/v1/members', permission: 'member:read' } as const;
const ACTIONS = { path: '/v1/actions', permission: 'action:read', inPeriod: true } as const;
const LOG = { path: '/v1/audit-log', permission: 'audit:read' } as const;
const eventsOf = (...types: readonly string[]) =>
  ({ path: '/v1/audit-events', permission: 'audit:read', query: { type: types.join(',') }, inPeriod: true }) as const;

/** What is measured, by name; how it is counted is in `packages/postgres/src/events/compliance`. */
export const MEASURES = {
  environments_enforcing: {
    asks: 'Environments of production, and those in which decisions bind (mode ENFORCE).',
    of: 'NOW',
    needs: { metShare: 1, partialShare: 0.01 },
    ifNone: 'NOT_MET',
    lacking: 'Set the mode of every environment of production to ENFORCE.',
    evidence: [{ path: '/v1/environments', permission: 'environment:read' }],
  },
  agents_under_policy: {
    asks: 'Active agents, and those to which a policy in force applies.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Bind a policy to the organization, or to every place in which agents are active.',
    evidence: [AGENTS, POLICIES],
  },
  policies_tested: {
    asks: 'Policies in force, and those whose version in force has tests.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_MET',
    lacking: 'Put a policy in force, with tests for what it is to allow and to stop.',
    evidence: [POLICIES],
  },
  invariants_stated: {
    asks: 'Invariants that no change of policies may break.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Create an invariant for each requirement that no policy may override.',
    evidence: [{ path: '/v1/policies/invariants', permission: 'policy:read' }],
  },
  limits_in_force: {
    asks: 'Policies in force with a rule that limits, and active delegations from a person with a ceiling on amounts or calls.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Limit amounts or calls by a rule of effect LIMIT, or by the ceiling of a delegation.',
    evidence: [POLICIES, { path: '/v1/delegations', permission: 'delegation:read', query: { status: 'ACTIVE' } }],
  },
  masks_in_force: {
    asks: 'Policies in force with a rule that masks.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Mask what agents need not see by a rule of effect MASK.',
    evidence: [POLICIES],
  },
  tools_with_schemas: {
    asks: 'Tools in use, and those that declare their parameters and take no others.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Declare the parameters of every tool, with additionalProperties false.',
    evidence: [TOOLS],
  },
  tools_with_narrow_destinations: {
    asks: 'Tools in use that the gateway calls, and those that reach named hosts alone.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'List the hosts of every tool; an entry that begins with * allows all subdomains.',
    evidence: [TOOLS],
  },
  inventory_described: {
    asks: 'Active agents and tools in use, and those that are described.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Describe every agent and every tool.',
    evidence: [AGENTS, TOOLS],
  },
  agents_with_passports: {
    asks: 'Active agents, and those whose passport has not ended.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Look why passports are not renewed: what /health/ready says of them, and the log of the control plane.',
    evidence: [AGENTS],
  },
  agent_keys_rotated: {
    asks: 'Active agents, and those whose key is not older than a year.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Rotate the credentials of agents whose key is older than a year.',
    evidence: [AGENTS, { ...eventsOf('agent.identity_rotated') }],
  },
  agents_in_use: {
    asks: 'Active agents, and those that were made or asked for an action within 90 days.',
    of: 'NOW',
    needs: MOST,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Pause or revoke unused agents.',
    evidence: [AGENTS],
  },
  delegations_end: {
    asks: 'Active delegations, and those that have an end.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Give every delegation an end.',
    evidence: [{ path: '/v1/delegations', permission: 'delegation:read', query: { status: 'ACTIVE' } }],
  },
  members_with_factor: {
    asks: 'Members, and those with a second factor, or whose provider vouches for one and is enforced.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_MET',
    lacking: 'Have every member enrol a second factor.',
    evidence: [MEMBERS, eventsOf('user.mfa_enrolled', 'user.mfa_factor_added', 'user.mfa_factor_removed')],
  },
  factor_required: {
    asks: 'The organization requires a second factor.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Require a second factor for all members (require_mfa).',
    evidence: [ORGANIZATION],
  },
  sign_in_enforced: {
    asks: 'Active connections of single sign-on by which members have to sign in.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Connect your identity provider and enforce it, so that people who leave lose access here too.',
    evidence: [{ path: '/v1/sso/connections', permission: 'sso:read' }],
  },
  keys_in_use: {
    asks: 'API keys that hold, and those that were made or used within 90 days.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Revoke unused API keys.',
    evidence: [{ path: '/v1/api-keys', permission: 'apikey:read' }],
  },
  networks_named: {
    asks: 'Networks from which alone people and API keys may call; none while one of them is wider than 8 bits of prefix.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Name the networks from which the organization is called (allowed_networks).',
    evidence: [ORGANIZATION],
  },
  approvers: {
    asks: 'People whose role lets them approve and deny.',
    of: 'NOW',
    needs: { count: 2 },
    ifNone: 'NOT_MET',
    lacking: 'Give at least two people a role that approves and denies, so that one decides where the other may not or is away.',
    evidence: [MEMBERS, { path: '/v1/roles', permission: 'role:read' }],
  },
  record_kept: {
    asks: 'Days that the record goes back without interruption by retention, of the six months (183 days) that are asked.',
    of: 'NOW',
    needs: { metShare: 1, partialShare: 0.001 },
    ifNone: 'NOT_MET',
    lacking: 'Keep the record for six months at least. Before an organization is six months old nothing shows that it is.',
    evidence: [
      { path: '/v1/audit-events', permission: 'audit:read' },
      { path: '/v1/audit-events/retention', permission: 'audit:read' },
    ],
  },
  actions_recorded: {
    asks: 'Actions of the period, and those whose decision stands in the record.',
    of: 'PERIOD',
    needs: { metShare: 1, partialShare: 0.9 },
    ifNone: 'NOT_MET',
    lacking:
      'Verify the record: actions without the event that says how they were decided are a finding. Without actions nothing is shown.',
    evidence: [ACTIONS, eventsOf('action.allowed', 'action.blocked', 'action.approval_required', 'action.limited', 'action.masked')],
  },
  risky_actions_approved: {
    asks: 'Actions of the period with tools that are dangerous or rated HIGH or CRITICAL and that were let through, and those a person approved.',
    of: 'PERIOD',
    needs: EVERY_ONE,
    ifNone: 'NOT_MET',
    lacking:
      'Require approval for actions with such tools (REQUIRE_APPROVAL). Without permitted actions there is no evidence that people decide.',
    evidence: [ACTIONS, TOOLS, { path: '/v1/approvals', permission: 'approval:read' }],
  },
  approvals_decided: {
    asks: 'Approvals asked for in the period that have ended, and those that a person decided before they ran out.',
    of: 'PERIOD',
    needs: MOST,
    ifNone: 'NOT_MET',
    lacking: 'Decide approvals before they expire. Without requested approvals there is no evidence that people decide.',
    evidence: [
      { path: '/v1/approvals', permission: 'approval:read' },
      eventsOf('approval.approved', 'approval.denied', 'approval.expired'),
    ],
  },
  outcomes_known: {
    asks: 'Actions of the period that were carried out, and those whose outcome is known.',
    of: 'PERIOD',
    needs: NEARLY_ALL,
    ifNone: 'NOT_MET',
    lacking: 'Look at actions of status UNKNOWN: whether what they set going happened is known to the other side alone.',
    evidence: [
      { ...ACTIONS, query: { status: 'UNKNOWN' } },
      { ...ACTIONS, query: { status: 'COMPLETED' } },
    ],
  },
  events_sealed: {
    asks: 'Events of the period, and those that are sealed in the transparency log; none while the log is held.',
    of: 'PERIOD',
    needs: { metShare: 1, partialShare: 0.9 },
    ifNone: 'NOT_MET',
    lacking: 'Run the worker, and see to it that the log is not held.',
    evidence: [LOG, { path: '/v1/audit-events', permission: 'audit:read', inPeriod: true }],
  },
  record_verified: {
    asks: 'Leaves of the log when it was last verified in the period, and those that were found intact; none where anything was found wrong.',
    of: 'PERIOD',
    needs: { metShare: 1, partialShare: 0.01 },
    ifNone: 'NOT_MET',
    lacking: 'Verify the whole record in every period, and follow up on what is found.',
    evidence: [eventsOf('audit.integrity_verified'), { path: '/v1/audit-events/checkpoints', permission: 'audit:read' }],
  },
  receivers_reached: {
    asks: 'Active webhook subscriptions, and those to which something was delivered in the period and that do not fail.',
    of: 'PERIOD',
    needs: EVERY_ONE,
    ifNone: 'NOT_MET',
    lacking: 'Deliver events to a monitored system, and fix failing deliveries.',
    evidence: [{ path: '/v1/webhooks', permission: 'webhook:read' }],
  },
  stops_exercised: {
    asks: 'Agents and environments that people paused, suspended or isolated in the period, as an exercise or in earnest.',
    of: 'PERIOD',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Exercise the stop: pause an agent or an environment and take it back.',
    evidence: [eventsOf('agent.paused', 'agent.suspended', 'agent.isolated', 'environment.paused')],
  },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;

export const MEASURE_NAMES = Object.keys(MEASURES) as readonly MeasureName[];
