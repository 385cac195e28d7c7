import { countKnown, isFull, isKnown } from '../../conduct/bloom.ts';
import { type SignalDefinition, UNKNOWN } from '../signal.ts';

export const firstToolUse: SignalDefinition = {
  name: 'first_tool_use',
  look: ({ conduct, tool, isNewlyAuthorized }) => {
    if (tool === null || isNewlyAuthorized) return undefined;
    if (conduct === null) return UNKNOWN;
    if (isKnown(conduct.tools, tool.mark) || isFull(conduct.tools)) return undefined;
    const known = countKnown(conduct.tools);
    return {
      subject: tool.name,
      sentence: `The agent did not use ${tool.name} in the last 30 days; it knows about ${known} tools.`,
      evidence: { tool: tool.name, known_tools: known },
    };
  },
};
