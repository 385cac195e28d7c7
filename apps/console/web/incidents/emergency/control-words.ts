import type { ControlBlastRadius, EmergencyControl } from '@svc/contract/incidents/emergency/emergency-shapes.ts';

type ControlWords = { readonly name: string; readonly target: string; readonly placeholder: string; readonly means: string };

/** Emergency controls, in words. */
export const CONTROL_WORDS: Readonly<Record<EmergencyControl, ControlWords>> = {
  'isolate-agent': {
    name: 'Isolate an agent',
    target: 'Agent id',
    placeholder: 'agt_…',
    means: 'Its sessions end and all its requests are refused.',
  },
  'pause-environment': {
    name: 'Pause an environment',
    target: 'Environment id',
    placeholder: 'env_…',
    means: 'All protected actions in it are refused.',
  },
  'disable-tool': {
    name: 'Disable a tool',
    target: 'Tool id',
    placeholder: 'tool_…',
    means: 'No agent can call it.',
  },
  'block-destination': {
    name: 'Block a destination',
    target: 'Host, *.host, address or network',
    placeholder: 'api.partner.example',
    means: 'No call of the organization goes there: tools, MCP servers, webhooks, channels and token addresses.',
  },
  'revoke-sessions': {
    name: 'Revoke sessions',
    target: 'Id of an agent, environment, workspace, member or the organization',
    placeholder: 'env_…',
    means: 'All sessions end. Agents and people can sign in again.',
  },
};

const PART_NAMES: Readonly<Record<string, string>> = {
  sessions: 'sessions',
  approvals: 'open approvals',
  executing: 'calls being made',
  agents: 'agents',
  credentials: 'credentials',
  webhooks: 'webhooks',
  mcp_servers: 'MCP servers',
  channels: 'notification channels',
};

/** The number of a preview: "3 agents, or more". */
export const formatNumber = ({ number, unit, counted_all }: ControlBlastRadius): string => {
  const word = number === 1 ? unit.slice(0, -1) : unit;
  return `${number} ${word}${counted_all ? '' : ' or more'}`;
};

/** Describes other effects of a control: "2 sessions, 1 webhooks". */
export const formatParts = ({ parts }: ControlBlastRadius): string => {
  const some = Object.entries(parts).filter(([, count]) => count > 0);
  return some.length === 0 ? 'Nothing else' : some.map(([kind, count]) => `${PART_NAMES[kind] ?? kind}: ${count}`).join(', ');
};
