import { refuseByRuntime } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { defineStage, PASSED, refuseStage, type StageAnswer } from '../facts/stage.ts';
import { findUnmetRequirement, listEndedEvidence } from '../facts/trust-facts.ts';

const REFUSES = ['TRUST_EVIDENCE_INSUFFICIENT', 'AGENT_NOT_OPERATIONAL'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const FREES = 'Verify the runtime again and close what it finds, or let a person bind the agent to another runtime.';

const raiseRemedy = (agentId: string): string =>
  `Add current evidence about the agent, or renew what expired: GET /v1/agents/${agentId}/trust says which.`;

const WORDS = { ENVIRONMENT: 'environment', TOOL: 'tool' } as const;

/** Checks that the agent has the evidence that its environment and the tool require. */
const checkEvidence = (facts: Facts, learned: Learned): Answer => {
  const unmet = findUnmetRequirement(facts, learned);
  if (unmet === undefined) return PASSED;
  const { of, required, level, missing_kinds, is_lowered, texts } = unmet;
  const reason = `The ${WORDS[of]} requires trust evidence. ${texts.join(' ')}`;
  const details = {
    required_by: of,
    required,
    level,
    missing_kinds,
    is_lowered,
    ...listEndedEvidence(facts),
    frees_by: raiseRemedy(facts.agent.agent_id),
  };
  return refuseStage('TRUST_EVIDENCE_INSUFFICIENT', reason, details);
};

/**
 * Checks that every runtime of the agent is in operation, and has the required evidence if it fails closed. Then checks the evidence about
 * the agent itself.
 */
const checkTrust = (facts: Facts, learned: Learned): Answer => {
  const { agent, now } = facts;
  for (const { runtime_id, name, ...terms } of agent.runtimes) {
    const refusal = refuseByRuntime(terms, now);
    if (refusal?.code === 'AGENT_NOT_OPERATIONAL') {
      const { runtime_status } = refusal;
      return refuseStage('AGENT_NOT_OPERATIONAL', `The runtime ${name} of the agent is ${runtime_status}.`, { runtime_id, runtime_status });
    }
    if (refusal) {
      const { enforcement, required, since } = refusal;
      const reason = `The enforcement status of the runtime ${name} is ${enforcement}, and ${required} is required.`;
      return refuseStage('TRUST_EVIDENCE_INSUFFICIENT', reason, { runtime_id, enforcement, required, since, frees_by: FREES });
    }
  }
  return checkEvidence(facts, learned);
};

/**
 * No mode relaxes it: a runtime that can bypass the service can also bypass what OBSERVE records, and an agent that is not the reviewed one
 * must not act as if it were.
 */
export const trust = defineStage({ name: 'trust', relaxedByObserve: false, refuses: REFUSES, check: checkTrust });
