import { type Asked, type Bodies, reason } from './bodies-of.ts';

const accessOf = (agentId: string, toolId = '') => ({
  subject: { type: 'agent', id: agentId },
  action: { name: 'call' },
  resource: { type: 'tool', id: toolId },
});

export const actionBodies = ({ made, setting: { agent, resources } }: Asked): Bodies => ({
  evaluateAction: { agent_id: agent.id, tool: resources.toolId ?? '' },
  evaluateAccess: accessOf(agent.id, resources.toolId),
  evaluateAccessBatch: { evaluations: [accessOf(agent.id, resources.toolId)] },
  searchAccessSubjects: { ...accessOf(agent.id, resources.toolId), subject: { type: 'agent' } },
  searchAccessResources: { ...accessOf(agent.id, resources.toolId), resource: { type: 'tool' } },
  searchAccessActions: accessOf(agent.id, resources.toolId),
  createDelegation: { delegate_agent_id: agent.id, can_redelegate: true, max_depth: made % 10 },
  simulateDelegation: { delegate_agent_id: agent.id },
  reduceDelegation: { can_redelegate: false },
  revokeDelegation: { reason },
  delegate: { delegate_agent_id: agent.id },
  verifyAuditEvents: {},
  exportAuditEvents: { format: 'CSV' },
  approveApproval: {},
  denyApproval: { reason },
  editApproval: { parameters: {} },
  withdrawVote: {},
  handOverApproval: { user_id: 'usr_00000000000000000000000000' },
  askAboutApproval: { question: 'Why?' },
  answerAboutApproval: { answer: 'Because.' },
  cancelApproval: { reason },
  answerOwnApproval: { answer: 'Because.' },
  cancelOwnApproval: {},
  endAgentSession: {},
  act: { tool: 'x' },
  reportOutcome: { status: 'COMPLETED' },
  mintToken: { agent_id: agent.id, assertion: 'x', sdk: { name: 'n', version: '1', runtime: 'r' } },
  handshake: { agent_id: agent.id, assertion: 'x', sdk: { name: 'n', version: '1', runtime: 'r' } },
});
