import type { MeasureDefinition } from './measure.ts';

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
const listEvents = (...types: readonly string[]) =>
  ({ path: '/v1/audit-events', permission: 'audit:read', query: { type: types.join(',') }, inPeriod: true }) as const;

/** Measures by name; `packages/postgres/src/events/compliance` counts them. */
export const MEASURES = {
  environments_enforcing: {
    asks: 'Production environments; fulfilled by those in which decisions are enforced (mode ENFORCE).',
    of: 'NOW',
    needs: { metShare: 1, partialShare: 0.01 },
    ifNone: 'NOT_MET',
    lacking: 'Set the mode of every production environment to ENFORCE.',
    evidence: [{ path: '/v1/environments', permission: 'environment:read' }],
  },
  agents_under_policy: {
    asks: 'Active agents; fulfilled by those to which an active policy applies.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Bind a policy to the organization, or to every scope with active agents.',
    evidence: [AGENTS, POLICIES],
  },
  policies_tested: {
    asks: 'Active policies; fulfilled by those whose active version has tests.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_MET',
    lacking: 'Activate a policy with tests for the actions that it permits and refuses.',
    evidence: [POLICIES],
  },
  invariants_stated: {
    asks: 'Invariants that no change of policies can break.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Create an invariant for each requirement that no policy may override.',
    evidence: [{ path: '/v1/policies/invariants', permission: 'policy:read' }],
  },
  limits_in_force: {
    asks: 'Active policies with a limiting rule, and active delegations from a person with a ceiling on amounts or calls.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Limit amounts or calls with a rule that has the effect LIMIT, or with the ceiling of a delegation.',
    evidence: [POLICIES, { path: '/v1/delegations', permission: 'delegation:read', query: { status: 'ACTIVE' } }],
  },
  masks_in_force: {
    asks: 'Active policies with a masking rule.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Mask values that agents do not need, with a rule that has the effect MASK.',
    evidence: [POLICIES],
  },
  tools_with_schemas: {
    asks: 'Tools in use; fulfilled by those that declare their parameters and accept no others.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Declare the parameters of every tool, with additionalProperties set to false.',
    evidence: [TOOLS],
  },
  tools_with_narrow_destinations: {
    asks: 'Tools in use that the gateway calls; fulfilled by those that reach only named hosts.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'List the hosts of every tool; an entry that begins with * allows all subdomains.',
    evidence: [TOOLS],
  },
  inventory_described: {
    asks: 'Active agents and tools in use; fulfilled by those that have a description.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Add a description to every agent and every tool.',
    evidence: [AGENTS, TOOLS],
  },
  agents_with_passports: {
    asks: 'Active agents; fulfilled by those whose passport has not expired.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Find out why passports are not renewed: see /health/ready and the log of the control plane.',
    evidence: [AGENTS],
  },
  agent_keys_rotated: {
    asks: 'Active agents; fulfilled by those whose key is not older than a year.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Rotate the credentials of agents whose key is older than a year.',
    evidence: [AGENTS, { ...listEvents('agent.identity_rotated') }],
  },
  agents_in_use: {
    asks: 'Active agents; fulfilled by those that were created or requested an action within 90 days.',
    of: 'NOW',
    needs: MOST,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Pause or revoke unused agents.',
    evidence: [AGENTS],
  },
  delegations_end: {
    asks: 'Active delegations; fulfilled by those that have an expiry.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Set an expiry for every delegation.',
    evidence: [{ path: '/v1/delegations', permission: 'delegation:read', query: { status: 'ACTIVE' } }],
  },
  members_with_factor: {
    asks: 'Members; fulfilled by those with a second factor, or with an enforced provider that reports one.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_MET',
    lacking: 'Have every member enroll a second factor.',
    evidence: [MEMBERS, listEvents('user.mfa_enrolled', 'user.mfa_factor_added', 'user.mfa_factor_removed')],
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
    asks: 'Active single sign-on connections that are enforced for members.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Connect your identity provider and enforce it, so that people who leave also lose access here.',
    evidence: [{ path: '/v1/sso/connections', permission: 'sso:read' }],
  },
  keys_in_use: {
    asks: 'Valid API keys; fulfilled by those that were created or used within 90 days.',
    of: 'NOW',
    needs: EVERY_ONE,
    ifNone: 'NOT_APPLICABLE',
    lacking: 'Revoke unused API keys.',
    evidence: [{ path: '/v1/api-keys', permission: 'apikey:read' }],
  },
  networks_named: {
    asks: 'Allowed networks of users and API keys; none if one of them has a prefix shorter than 8 bits.',
    of: 'NOW',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Set the networks from which users and API keys call (allowed_networks).',
    evidence: [ORGANIZATION],
  },
  approvers: {
    asks: 'People whose role permits approving and denying.',
    of: 'NOW',
    needs: { count: 2 },
    ifNone: 'NOT_MET',
    lacking: 'Give at least two people a role that permits approving and denying, so that one can decide if the other cannot or is absent.',
    evidence: [MEMBERS, { path: '/v1/roles', permission: 'role:read' }],
  },
  record_kept: {
    asks: 'Number of days for which events are retained without a gap, of the required six months (183 days).',
    of: 'NOW',
    needs: { metShare: 1, partialShare: 0.001 },
    ifNone: 'NOT_MET',
    lacking: 'Retain events for at least six months. There is no evidence for this until the organization is six months old.',
    evidence: [
      { path: '/v1/audit-events', permission: 'audit:read' },
      { path: '/v1/audit-events/retention', permission: 'audit:read' },
    ],
  },
  actions_recorded: {
    asks: 'Actions in the period; fulfilled by those whose decision is recorded as an event.',
    of: 'PERIOD',
    needs: { metShare: 1, partialShare: 0.9 },
    ifNone: 'NOT_MET',
    lacking: 'Verify the audit log: actions without an event for their decision are a finding. Without actions there is no evidence.',
    evidence: [ACTIONS, listEvents('action.allowed', 'action.blocked', 'action.approval_required', 'action.limited', 'action.masked')],
  },
  risky_actions_approved: {
    asks: 'Permitted actions in the period with tools that are dangerous or rated HIGH or CRITICAL; fulfilled by those that a person approved.',
    of: 'PERIOD',
    needs: EVERY_ONE,
    ifNone: 'NOT_MET',
    lacking:
      'Require approval for actions with such tools (REQUIRE_APPROVAL). Without permitted actions there is no evidence that people decide.',
    evidence: [ACTIONS, TOOLS, { path: '/v1/approvals', permission: 'approval:read' }],
  },
  approvals_decided: {
    asks: 'Approvals requested in the period that have ended; fulfilled by those that a person decided before they expired.',
    of: 'PERIOD',
    needs: MOST,
    ifNone: 'NOT_MET',
    lacking: 'Decide approvals before they expire. Without requested approvals there is no evidence that people decide.',
    evidence: [
      { path: '/v1/approvals', permission: 'approval:read' },
      listEvents('approval.approved', 'approval.denied', 'approval.expired'),
    ],
  },
  outcomes_known: {
    asks: 'Executed actions in the period; fulfilled by those with a known outcome.',
    of: 'PERIOD',
    needs: NEARLY_ALL,
    ifNone: 'NOT_MET',
    lacking: 'Check the actions with status UNKNOWN: only the target system knows whether they took effect.',
    evidence: [
      { ...ACTIONS, query: { status: 'UNKNOWN' } },
      { ...ACTIONS, query: { status: 'COMPLETED' } },
    ],
  },
  events_sealed: {
    asks: 'Events in the period; fulfilled by those that are sealed in the transparency log; none while the log is held.',
    of: 'PERIOD',
    needs: { metShare: 1, partialShare: 0.9 },
    ifNone: 'NOT_MET',
    lacking: 'Run the worker, and make sure that the log is not held.',
    evidence: [LOG, { path: '/v1/audit-events', permission: 'audit:read', inPeriod: true }],
  },
  record_verified: {
    asks: 'Leaves of the log at its last verification in the period; fulfilled by those that were intact; none if there was any finding.',
    of: 'PERIOD',
    needs: { metShare: 1, partialShare: 0.01 },
    ifNone: 'NOT_MET',
    lacking: 'Verify the whole audit log in every period, and follow up on findings.',
    evidence: [listEvents('audit.integrity_verified'), { path: '/v1/audit-events/checkpoints', permission: 'audit:read' }],
  },
  receivers_reached: {
    asks: 'Active webhook subscriptions; fulfilled by those that received a delivery in the period and do not fail.',
    of: 'PERIOD',
    needs: EVERY_ONE,
    ifNone: 'NOT_MET',
    lacking: 'Deliver events to a monitored system, and fix failing deliveries.',
    evidence: [{ path: '/v1/webhooks', permission: 'webhook:read' }],
  },
  stops_exercised: {
    asks: 'Agents and environments that people paused, suspended or isolated in the period, as an exercise or in an emergency.',
    of: 'PERIOD',
    needs: ONE,
    ifNone: 'NOT_MET',
    lacking: 'Exercise a stop: pause an agent or an environment, and resume it.',
    evidence: [listEvents('agent.paused', 'agent.suspended', 'agent.isolated', 'environment.paused')],
  },
} as const satisfies Record<string, MeasureDefinition>;

export type MeasureName = keyof typeof MEASURES;

export const MEASURE_NAMES = Object.keys(MEASURES) as readonly MeasureName[];
