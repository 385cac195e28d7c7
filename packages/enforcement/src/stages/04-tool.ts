import type { Facts } from '../facts/facts.ts';
import { refused, type StageAnswer, stage } from '../facts/stage.ts';

const REFUSES = ['NOT_FOUND', 'TOOL_DISABLED', 'CAPABILITY_NOT_GRANTED', 'TOOL_NOT_AUTHORIZED'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

/** Known, enabled, its capability held, and the agent authorized for it: four different answers, in this order. */
const checkTool = ({ environment, agent, request }: Facts): Answer => {
  const tool = environment.tools.get(request.tool);
  if (!tool) return refused('NOT_FOUND', 'There is no such tool in this environment.', { tool: request.tool });
  const learned = { tool };
  if (tool.status === 'DISABLED')
    return { ...refused('TOOL_DISABLED', `The tool is disabled: ${tool.disabled_reason ?? 'no reason given'}`), learned };
  if (!agent.capabilities.has(tool.required_capability)) {
    const details = { capability: tool.required_capability };
    return {
      ...refused('CAPABILITY_NOT_GRANTED', `The agent does not have the capability ${tool.required_capability}.`, details),
      learned,
    };
  }
  if (!agent.tool_ids.has(tool.id)) {
    return {
      ...refused('TOOL_NOT_AUTHORIZED', `The agent has the capability, but is not authorized for ${tool.name}.`, { tool: tool.name }),
      learned,
    };
  }
  return { outcome: 'passed', learned };
};

export const tool = stage({ name: 'tool', relaxedByObserve: false, refuses: REFUSES, check: checkTool });
