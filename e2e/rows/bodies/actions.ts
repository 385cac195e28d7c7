import { type Asked, type Bodies, reason } from './bodies-of.ts';

export const actionBodies = ({ made, setting: { agent, resources } }: Asked): Bodies => ({
  evaluateAction: { agent_id: agent.id, tool: resources.toolId ?? '' },
  createDelegation: { delegate_agent_id: agent.id, can_redelegate: true, max_depth: made % 10 },
  simulateDelegation: { delegate_agent_id: agent.id },
  reduceDelegation: { can_redelegate: false },
  revokeDelegation: { reason },
  delegate: { delegate_agent_id: agent.id },
  verifyAuditEvents: {},
  exportAuditEvents: { format: 'CSV' },
  approveApproval: {},
  denyApproval: { reason },
  endAgentSession: {},
  act: { tool: 'x' },
  reportOutcome: { status: 'COMPLETED' },
  mintToken: { agent_id: agent.id, assertion: 'x', sdk: { name: 'n', version: '1', runtime: 'r' } },
  handshake: { agent_id: agent.id, assertion: 'x', sdk: { name: 'n', version: '1', runtime: 'r' } },
});
