import type { SignalDefinition } from '../signal.ts';

const DAY_MS = 86_400_000;

export const toolJustChanged: SignalDefinition = {
  name: 'tool_just_changed',
  look: ({ tool, nowMs }) => {
    if (tool === null || tool.changedAt === null || nowMs - Date.parse(tool.changedAt) >= DAY_MS) return undefined;
    if (tool.kind !== 'MCP' && tool.risk_rating !== 'HIGH' && tool.risk_rating !== 'CRITICAL') return undefined;
    return {
      subject: tool.name,
      sentence: `The declaration of ${tool.name} was changed in the last 24 hours.`,
      evidence: { tool: tool.name, changed_at: tool.changedAt },
    };
  },
};
