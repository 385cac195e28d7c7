import type { Facts } from '../facts/facts.ts';
import { PIPELINE, type PipelineCode } from '../pipeline.ts';
import { tool } from '../stages/04-tool.ts';

const UP_TO_THE_TOOL = PIPELINE.slice(0, PIPELINE.indexOf(tool) + 1);

/** The code that a request of the agent for this tool would be refused with before anything of the request itself is looked at; null when none. */
export const askTool = (known: Pick<Facts, 'agent' | 'environment' | 'now' | 'requestHashes'>, toolName: string): PipelineCode | null => {
  const principal = { type: 'AGENT' as const, id: known.agent.agent_id };
  const facts: Facts = {
    ...known,
    principal,
    session: null,
    source: null,
    request: { tool: toolName },
    parametersBytes: 0,
    approval: undefined,
  };
  for (const stage of UP_TO_THE_TOOL) {
    const answer = stage.check(facts, {});
    if (answer.outcome === 'refused') return answer.code;
  }
  return null;
};
