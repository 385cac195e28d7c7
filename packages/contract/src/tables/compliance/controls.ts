import type { References } from './frameworks.ts';
import type { MeasureName } from './measures.ts';

/** MET and PARTIAL are shown by what was counted; what nothing shows is NOT_MET. NOT_APPLICABLE where there is nothing it could be about. */
export const CONTROL_STATES = ['MET', 'PARTIAL', 'NOT_MET', 'NOT_APPLICABLE'] as const;
export type ControlState = (typeof CONTROL_STATES)[number];

export type Control = {
  readonly title: string;
  /** What is asked, in our words. */
  readonly asks: string;
  readonly references: References;
  readonly measures: readonly [MeasureName, ...MeasureName[]];
  /** Why it is never more than PARTIAL, whatever is measured. */
  readonly neverWhole?: string;
  /** What nobody but the operator can show. */
  readonly operator: string;
};

/** What is asked of whoever runs agents, what of it is measured here, and what is not. Names are kept: events of the past tell them. */
export const CONTROLS = {
  decisions_bind: {
    title: 'Decisions bind',
    asks: 'Active policies define the permitted actions of agents wherever it matters.',
    references: { OWASP_AGENTIC: ['ASI02'], EU_AI_ACT: ['26(1)'], ISO_42001: ['A.9.2', 'A.9.4'], SOC_2: ['CC6.3'] },
    measures: ['environments_enforcing', 'agents_under_policy'],
    operator: 'That the policies say what the instructions for use and your own rules ask; the service keeps them and does not judge them.',
  },
  turned_agents_bounded: {
    title: 'A turned agent is bounded',
    asks: 'An agent that follows foreign instructions can do no more than policies let it, and nothing risky without a person.',
    references: { OWASP_AGENTIC: ['ASI01'] },
    measures: ['agents_under_policy', 'tools_with_schemas', 'risky_actions_approved'],
    neverWhole: 'Prompts and what agents read do not pass the service: it sees what an agent asks for, not why.',
    operator: 'Separating instructions from data, filtering what agents read, and testing them against injected instructions.',
  },
  tools_declared: {
    title: 'Tools take what they declare',
    asks: 'Every tool says what it takes and where it goes, and uses are limited.',
    references: { OWASP_AGENTIC: ['ASI02'], ISO_42001: ['A.9.4'] },
    measures: ['tools_with_schemas', 'tools_with_narrow_destinations', 'limits_in_force'],
    operator: 'The effect of a tool in the target system, and that it checks its callers.',
  },
  agents_identified: {
    title: 'Agents prove who they are',
    asks: 'Every agent has an identity of its own, proved by a key that is renewed.',
    references: { OWASP_AGENTIC: ['ASI03'], SOC_2: ['CC6.1'] },
    measures: ['agents_with_passports', 'agent_keys_rotated'],
    operator: 'The storage of the private keys of agents, and read access to them.',
  },
  authority_ends: {
    title: 'Authority ends',
    asks: 'Unused authority is removed: delegations expire, and unused agents and keys are deleted.',
    references: { OWASP_AGENTIC: ['ASI03'], SOC_2: ['CC6.3'] },
    measures: ['delegations_end', 'agents_in_use', 'keys_in_use'],
    operator: 'Periodic reviews of roles, keys and capabilities, and a record of each review.',
  },
  people_identified: {
    title: 'People prove who they are',
    asks: 'People sign in by the organization’s own provider, with a second factor.',
    references: { OWASP_AGENTIC: ['ASI03'], SOC_2: ['CC6.1', 'CC6.2'] },
    measures: ['members_with_factor', 'factor_required', 'sign_in_enforced'],
    operator: 'Joining and leaving in your directory, and that it asks for the factors it says.',
  },
  parts_known: {
    title: 'All called tools are known',
    asks: 'Agents reach what was registered and described, and no other hosts.',
    references: { OWASP_AGENTIC: ['ASI04'], ISO_42001: ['A.10.3'] },
    measures: ['inventory_described', 'tools_with_narrow_destinations'],
    neverWhole: 'The service has no information about the models, packages and prompts of agents.',
    operator: 'The sources of models, packages, prompts and servers, their versions and signatures, and agreements with suppliers.',
  },
  code_bounded: {
    title: 'Code is not run unasked',
    asks: 'Parameters that could carry code are bounded, and what is dangerous is approved by a person.',
    references: { OWASP_AGENTIC: ['ASI05'] },
    measures: ['tools_with_schemas', 'tools_with_narrow_destinations', 'risky_actions_approved'],
    neverWhole: 'The service does not see code inside an agent or behind a tool.',
    operator: 'Sandboxes for code execution, and tools that treat their input as data.',
  },
  poisoning_bounded: {
    title: 'Poisoned memory is bounded',
    asks: 'Decisions depend on data of the service and not on the memory of an agent, and invariants apply to all policies.',
    references: { OWASP_AGENTIC: ['ASI06'] },
    measures: ['agents_under_policy', 'invariants_stated'],
    neverWhole: 'Memory and context of agents do not pass the service.',
    operator: 'Control of writes to memory, separation of users in it, and its deletion.',
  },
  agents_between_themselves: {
    title: 'Agents hand on what they hold',
    asks: 'Authority between agents is a chain of delegations that end, between agents that have proved who they are.',
    references: { OWASP_AGENTIC: ['ASI07'] },
    measures: ['delegations_end', 'agents_with_passports'],
    neverWhole: 'Messages between agents do not pass through the service.',
    operator: 'Encrypting and authenticating messages between agents.',
  },
  failures_contained: {
    title: 'Failures do not spread',
    asks: 'Uses are limited, outcomes are known, and operators can stop agents.',
    references: { OWASP_AGENTIC: ['ASI08'], ISO_42001: ['A.6.2.6'] },
    measures: ['limits_in_force', 'outcomes_known', 'stops_exercised'],
    operator: 'The behavior of other systems when agents stop, and plans to continue without them.',
  },
  people_decide: {
    title: 'People decide what is risky',
    asks: 'Actions of high risk wait for a person, who decides in time and could say no.',
    references: { OWASP_AGENTIC: ['ASI09'], EU_AI_ACT: ['14(1)', '14(4)(d)'], ISO_42001: ['A.9.2'] },
    measures: ['risky_actions_approved', 'approvals_decided'],
    operator: 'That people read what they approve and are not hurried, and that tools of high risk are rated as such.',
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
    operator: 'Who is called at night, and that agents have no way around the gateway.',
  },
  oversight_assigned: {
    title: 'Oversight is assigned',
    asks: 'People are named who may approve and deny, more than one, and they prove who they are.',
    references: { EU_AI_ACT: ['26(2)'], ISO_42001: ['A.3.2'] },
    measures: ['approvers', 'members_with_factor'],
    operator: 'Their competence, training, time and support.',
  },
  rogues_found: {
    title: 'Agents out of control are found',
    asks: 'Unused agents are removed, and events of agents are sent to a monitored system.',
    references: { OWASP_AGENTIC: ['ASI10'], SOC_2: ['CC7.3'] },
    measures: ['agents_in_use', 'receivers_reached'],
    operator: 'Watching what is delivered, and looking into it.',
  },
  operation_monitored: {
    title: 'Operation is monitored',
    asks: 'Events reach the responsible people, and outcomes are known.',
    references: { EU_AI_ACT: ['26(5)'], ISO_42001: ['A.6.2.6', 'A.8.4'], SOC_2: ['CC7.2'] },
    measures: ['receivers_reached', 'outcomes_known'],
    operator: 'Telling the provider, the distributor and the authorities of risks and serious incidents in time.',
  },
  events_recorded: {
    title: 'Events are recorded by themselves',
    asks: 'Every decision about an action is recorded as it is made, and sealed.',
    references: { EU_AI_ACT: ['12(1)', '12(2)'], ISO_42001: ['A.6.2.8'], SOC_2: ['CC7.2'] },
    measures: ['actions_recorded', 'events_sealed'],
    operator: 'That agents act through the gateway alone, and logs of your own systems.',
  },
  record_kept: {
    title: 'The record is kept',
    asks: 'The record is kept for six months at least.',
    references: { EU_AI_ACT: ['19(1)', '26(6)'] },
    measures: ['record_kept', 'events_sealed'],
    operator: 'Backups and exports, logs outside of the service, and longer times that other law asks.',
  },
  record_intact: {
    title: 'The record is whole',
    asks: 'The record is sealed and verified in every period.',
    references: { ISO_42001: ['A.6.2.8'], SOC_2: ['CC4.1'] },
    measures: ['record_verified', 'events_sealed'],
    operator: 'Storing a checkpoint where operators of the service cannot change it.',
  },
  inventory_kept: {
    title: 'There is an inventory',
    asks: 'Agents and tools are listed, described and in use.',
    references: { ISO_42001: ['A.4.2', 'A.4.4'] },
    measures: ['inventory_described', 'agents_in_use'],
    operator: 'Models, data, machines and people, and agents that are not registered here.',
  },
  changes_tested: {
    title: 'Changes are tested',
    asks: 'Policies come into force with tests, and never break what was stated to hold.',
    references: { ISO_42001: ['A.6.2.4'], SOC_2: ['CC8.1'] },
    measures: ['policies_tested', 'invariants_stated'],
    operator: 'Who looks at a change before it is activated, and changes of agents themselves.',
  },
  information_masked: {
    title: 'Information that leaves is restricted',
    asks: 'Agents see values masked, and reach named hosts alone.',
    references: { SOC_2: ['CC6.7'] },
    measures: ['masks_in_force', 'tools_with_narrow_destinations'],
    operator: 'Which information is confidential, and encryption outside of the service.',
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
