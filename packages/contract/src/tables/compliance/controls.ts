import type { References } from './frameworks.ts';
import type { MeasureName } from './measures.ts';

/** MET and PARTIAL require counted evidence; without evidence it is NOT_MET. NOT_APPLICABLE if there is nothing it could be about. */
export const CONTROL_STATES = ['MET', 'PARTIAL', 'NOT_MET', 'NOT_APPLICABLE'] as const;
export type ControlState = (typeof CONTROL_STATES)[number];

export type Control = {
  readonly title: string;
  /** The requirement, in our words. */
  readonly asks: string;
  readonly references: References;
  readonly measures: readonly [MeasureName, ...MeasureName[]];
  /** Why it is at most PARTIAL, regardless of the measures. */
  readonly neverWhole?: string;
  /** Evidence that only the operator can provide. */
  readonly operator: string;
};

/**
 * Requirements for operators of agents, what the service measures of them, and what it does not. Names are stable: past events contain
 * them.
 */
export const CONTROLS = {
  decisions_bind: {
    title: 'Decisions are enforced',
    asks: 'Active policies define the permitted actions of agents wherever it matters.',
    references: { OWASP_AGENTIC: ['ASI02'], EU_AI_ACT: ['26(1)'], ISO_42001: ['A.9.2', 'A.9.4'], SOC_2: ['CC6.3'] },
    measures: ['environments_enforcing', 'agents_under_policy'],
    operator:
      'Ensuring that policies match the instructions for use and your own rules. The service enforces policies but does not evaluate their content.',
  },
  turned_agents_bounded: {
    title: 'Compromised agents are limited',
    asks: 'An agent that follows injected instructions can only do what policies permit, and nothing risky without approval.',
    references: { OWASP_AGENTIC: ['ASI01'] },
    measures: ['agents_under_policy', 'tools_with_schemas', 'risky_actions_approved'],
    neverWhole:
      'Prompts and the input of agents do not pass through the service. It sees the requests of an agent, but not the reasons for them.',
    operator: 'Separating instructions from data, filtering the input of agents, and testing agents against injected instructions.',
  },
  tools_declared: {
    title: 'Tools accept only declared parameters',
    asks: 'Every tool declares its parameters and destinations, and its use is limited.',
    references: { OWASP_AGENTIC: ['ASI02'], ISO_42001: ['A.9.4'] },
    measures: ['tools_with_schemas', 'tools_with_narrow_destinations', 'limits_in_force'],
    operator: 'The effect of a tool in the target system, and access control in that system.',
  },
  agents_identified: {
    title: 'Agents are authenticated',
    asks: 'Every agent has its own identity, which it proves with a key that is rotated.',
    references: { OWASP_AGENTIC: ['ASI03'], SOC_2: ['CC6.1'] },
    measures: ['agents_with_passports', 'agent_keys_rotated'],
    operator: 'The storage of the private keys of agents, and read access to them.',
  },
  authority_ends: {
    title: 'Authority expires',
    asks: 'Unused authority is removed: delegations expire, and unused agents and keys are deleted.',
    references: { OWASP_AGENTIC: ['ASI03'], SOC_2: ['CC6.3'] },
    measures: ['delegations_end', 'agents_in_use', 'keys_in_use'],
    operator: 'Periodic reviews of roles, keys and capabilities, and a record of each review.',
  },
  people_identified: {
    title: 'People are authenticated',
    asks: 'People sign in through the identity provider of the organization, with a second factor.',
    references: { OWASP_AGENTIC: ['ASI03'], SOC_2: ['CC6.1', 'CC6.2'] },
    measures: ['members_with_factor', 'factor_required', 'sign_in_enforced'],
    operator: 'Adding and removing people in your directory, and verifying that the provider requires the factors that it reports.',
  },
  parts_known: {
    title: 'All called tools are known',
    asks: 'Agents use only registered and described tools, and reach no other hosts.',
    references: { OWASP_AGENTIC: ['ASI04'], ISO_42001: ['A.10.3'] },
    measures: ['inventory_described', 'tools_with_narrow_destinations'],
    neverWhole: 'The service has no information about the models, packages and prompts of agents.',
    operator: 'The sources of models, packages, prompts and servers, their versions and signatures, and agreements with suppliers.',
  },
  code_bounded: {
    title: 'Code execution is restricted',
    asks: 'Parameters that could contain code are restricted, and a person approves dangerous actions.',
    references: { OWASP_AGENTIC: ['ASI05'] },
    measures: ['tools_with_schemas', 'tools_with_narrow_destinations', 'risky_actions_approved'],
    neverWhole: 'The service does not see code inside an agent or behind a tool.',
    operator: 'Sandboxes for code execution, and tools that treat their input as data.',
  },
  poisoning_bounded: {
    title: 'The effect of poisoned memory is limited',
    asks: 'Decisions depend on data of the service and not on the memory of an agent, and invariants apply to all policies.',
    references: { OWASP_AGENTIC: ['ASI06'] },
    measures: ['agents_under_policy', 'invariants_stated'],
    neverWhole: 'The memory and context of agents do not pass through the service.',
    operator: 'Controlling writes to memory, separating users in it, and deleting it.',
  },
  agents_between_themselves: {
    title: 'Agents delegate limited authority',
    asks: 'Authority between authenticated agents is passed by a chain of delegations that expire.',
    references: { OWASP_AGENTIC: ['ASI07'] },
    measures: ['delegations_end', 'agents_with_passports'],
    neverWhole: 'Messages between agents do not pass through the service.',
    operator: 'Encrypting and authenticating messages between agents.',
  },
  failures_contained: {
    title: 'Failures are contained',
    asks: 'Use is limited, outcomes are known, and operators can stop agents.',
    references: { OWASP_AGENTIC: ['ASI08'], ISO_42001: ['A.6.2.6'] },
    measures: ['limits_in_force', 'outcomes_known', 'stops_exercised'],
    operator: 'The behavior of other systems when agents stop, and plans to continue without them.',
  },
  people_decide: {
    title: 'People approve risky actions',
    asks: 'High-risk actions require a decision by a person, who decides in time and can deny them.',
    references: { OWASP_AGENTIC: ['ASI09'], EU_AI_ACT: ['14(1)', '14(4)(d)'], ISO_42001: ['A.9.2'] },
    measures: ['risky_actions_approved', 'approvals_decided'],
    operator: 'Ensuring that people read what they approve and have enough time, and that high-risk tools are rated as such.',
  },
  people_understand: {
    title: 'People see what agents do',
    asks: 'Agents and tools are described, and each decision about an action is recorded.',
    references: { OWASP_AGENTIC: ['ASI09'], EU_AI_ACT: ['14(4)(a)'] },
    measures: ['inventory_described', 'actions_recorded'],
    neverWhole: 'The service cannot measure whether people understand the information they see.',
    operator: 'Training of the people who oversee agents, and accurate descriptions.',
  },
  people_stop: {
    title: 'People can stop agents',
    asks: 'Overseers can stop an agent or an environment, and this has been tested.',
    references: { OWASP_AGENTIC: ['ASI10'], EU_AI_ACT: ['14(4)(e)'], SOC_2: ['CC7.4'] },
    measures: ['stops_exercised', 'environments_enforcing'],
    operator: 'On-call duty, and preventing agents from bypassing the gateway.',
  },
  oversight_assigned: {
    title: 'Oversight is assigned',
    asks: 'More than one person can approve and deny, and these people are authenticated.',
    references: { EU_AI_ACT: ['26(2)'], ISO_42001: ['A.3.2'] },
    measures: ['approvers', 'members_with_factor'],
    operator: 'Their competence, training, time and support.',
  },
  rogues_found: {
    title: 'Rogue agents are detected',
    asks: 'Unused agents are removed, and events of agents are sent to a monitored system.',
    references: { OWASP_AGENTIC: ['ASI10'], SOC_2: ['CC7.3'] },
    measures: ['agents_in_use', 'receivers_reached'],
    operator: 'Monitoring and investigating the delivered events.',
  },
  operation_monitored: {
    title: 'Operation is monitored',
    asks: 'Events reach the responsible people, and outcomes are known.',
    references: { EU_AI_ACT: ['26(5)'], ISO_42001: ['A.6.2.6', 'A.8.4'], SOC_2: ['CC7.2'] },
    measures: ['receivers_reached', 'outcomes_known'],
    operator: 'Informing the provider, the distributor and the authorities of risks and serious incidents in time.',
  },
  events_recorded: {
    title: 'Events are recorded automatically',
    asks: 'Every decision about an action is recorded when it is made, and sealed.',
    references: { EU_AI_ACT: ['12(1)', '12(2)'], ISO_42001: ['A.6.2.8'], SOC_2: ['CC7.2'] },
    measures: ['actions_recorded', 'events_sealed'],
    operator: 'Ensuring that agents act only through the gateway, and logs of your own systems.',
  },
  record_kept: {
    title: 'Audit events are retained',
    asks: 'Audit events are retained for at least six months.',
    references: { EU_AI_ACT: ['19(1)', '26(6)'] },
    measures: ['record_kept', 'events_sealed'],
    operator: 'Backups and exports, logs outside the service, and longer retention required by other laws.',
  },
  record_intact: {
    title: 'The audit log is intact',
    asks: 'Audit events are sealed, and verified in every period.',
    references: { ISO_42001: ['A.6.2.8'], SOC_2: ['CC4.1'] },
    measures: ['record_verified', 'events_sealed'],
    operator: 'Storing a checkpoint where operators of the service cannot change it.',
  },
  inventory_kept: {
    title: 'An inventory is maintained',
    asks: 'Agents and tools are listed, described and in use.',
    references: { ISO_42001: ['A.4.2', 'A.4.4'] },
    measures: ['inventory_described', 'agents_in_use'],
    operator: 'Inventory of models, data, machines and people, and of agents that are not registered here.',
  },
  changes_tested: {
    title: 'Changes are tested',
    asks: 'Policies are activated with tests, and never break an invariant.',
    references: { ISO_42001: ['A.6.2.4'], SOC_2: ['CC8.1'] },
    measures: ['policies_tested', 'invariants_stated'],
    operator: 'Review of changes before activation, and changes of the agents themselves.',
  },
  information_masked: {
    title: 'Outgoing information is restricted',
    asks: 'Agents see masked values, and reach only named hosts.',
    references: { SOC_2: ['CC6.7'] },
    measures: ['masks_in_force', 'tools_with_narrow_destinations'],
    operator: 'Classification of confidential information, and encryption outside the service.',
  },
  boundaries_kept: {
    title: 'Boundaries are protected',
    asks: 'The service is called from named networks, and calls named hosts.',
    references: { SOC_2: ['CC6.6'] },
    measures: ['networks_named', 'tools_with_narrow_destinations'],
    operator: 'Firewalls and proxies around the service, and TLS in front of it.',
  },
} as const satisfies Record<string, Control>;

export type ControlName = keyof typeof CONTROLS;

export const CONTROL_NAMES = Object.keys(CONTROLS) as readonly ControlName[];
