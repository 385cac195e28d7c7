import { ALL_CONTEXTS } from '@svc/domain/risk/contexts/context-name.ts';
import { createEmptyContexts } from '../facts/context-facts.ts';
import type { Facts } from '../facts/facts.ts';
import { type PipelineCode, STAGES } from '../pipeline.ts';

/** Signals are not evaluated for a tool alone. */
const NO_MARKS: Facts['marks'] = () => [0, 0];

/** Returns the code that a request of the agent for this tool would be refused with before the request itself is examined; null if none. */
export const askTool = (known: Pick<Facts, 'agent' | 'environment' | 'now' | 'requestHashes'>, toolName: string): PipelineCode | null => {
  const principal = { type: 'AGENT' as const, id: known.agent.agent_id };
  const facts: Facts = {
    ...known,
    principal,
    session: null,
    contexts: createEmptyContexts(ALL_CONTEXTS),
    source: null,
    request: { tool: toolName },
    parametersBytes: 0,
    approval: undefined,
    marks: NO_MARKS,
  };
  for (const stage of STAGES.ask_tool) {
    const answer = stage.check(facts, {});
    if (answer.outcome === 'refused') return answer.code;
  }
  return null;
};
