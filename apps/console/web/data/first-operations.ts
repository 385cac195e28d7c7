import type { OPERATIONS } from '@svc/client/operations.ts';

/**
 * Operations of the layout and of the approval card, so that the card opens on a phone without the table of all operations. The compiler
 * compares each row with that table.
 */
export const FIRST_OPERATIONS = {
  getSession: { plane: 'control', method: 'GET', path: '/v1/auth/session' },
  getMfa: { plane: 'control', method: 'GET', path: '/v1/auth/mfa' },
  logout: { plane: 'control', method: 'POST', path: '/v1/auth/logout' },
  listEnvironments: { plane: 'control', method: 'GET', path: '/v1/environments' },
  listWorkspaces: { plane: 'control', method: 'GET', path: '/v1/workspaces' },
  getApproval: { plane: 'control', method: 'GET', path: '/v1/approvals/{approvalId}' },
  streamApprovals: { plane: 'control', method: 'GET', path: '/v1/approvals/stream', wire: 'stream' },
  listApprovers: { plane: 'control', method: 'GET', path: '/v1/approvals/{approvalId}/approvers' },
  searchActions: { plane: 'control', method: 'GET', path: '/v1/actions' },
  getDelegationGraph: { plane: 'control', method: 'GET', path: '/v1/delegations/graph' },
  approveApproval: { plane: 'control', method: 'POST', path: '/v1/approvals/{approvalId}/approve' },
  denyApproval: { plane: 'control', method: 'POST', path: '/v1/approvals/{approvalId}/deny' },
  withdrawVote: { plane: 'control', method: 'POST', path: '/v1/approvals/{approvalId}/withdraw' },
} as const satisfies Partial<typeof OPERATIONS>;
