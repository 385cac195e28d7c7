import { runtimeRefusal } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import type { Facts } from '../facts/facts.ts';
import { PASSED, refused, type StageAnswer, stage } from '../facts/stage.ts';

const REFUSES = ['TRUST_EVIDENCE_INSUFFICIENT', 'AGENT_NOT_OPERATIONAL'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const FREES = 'Verify the runtime again and close what it finds, or let a person bind the agent to another runtime.';

/** Every runtime that the agent runs in is in operation, and has the evidence that it needs if it fails closed. */
const checkTrust = ({ agent, now }: Pick<Facts, 'agent' | 'now'>): Answer => {
  for (const { runtime_id, name, ...terms } of agent.runtimes) {
    const refusal = runtimeRefusal(terms, now);
    if (refusal?.code === 'AGENT_NOT_OPERATIONAL') {
      const { runtime_status } = refusal;
      return refused('AGENT_NOT_OPERATIONAL', `The runtime ${name} of the agent is ${runtime_status}.`, { runtime_id, runtime_status });
    }
    if (refusal) {
      const { enforcement, required, since } = refusal;
      const reason = `The enforcement status of the runtime ${name} is ${enforcement}, and ${required} is required.`;
      return refused('TRUST_EVIDENCE_INSUFFICIENT', reason, { runtime_id, enforcement, required, since, frees_by: FREES });
    }
  }
  return PASSED;
};

/** No mode relaxes it: a runtime that can get around the service can get around what OBSERVE records too. */
export const trust = stage({ name: 'trust', relaxedByObserve: false, refuses: REFUSES, check: checkTrust });
