import { type Asked, type Bodies, reason } from './bodies-of.ts';

export const tenancyBodies = ({
  made,
  setting: {
    tenant: { workspace_id },
  },
}: Asked): Bodies => ({
  updateOrganization: { name: `Organization ${made}` },
  createExchangeRate: { base_currency: 'EUR', quote_currency: 'USD', rate: '1.1' },
  // Nobody deletes the organization in which the others are tried.
  deleteOrganization: { confirm_name: 'another name', reason },
  restoreOrganization: {},
  createWorkspace: { name: `Workspace ${made}` },
  updateWorkspace: { name: `Workspace ${made}` },
  archiveWorkspace: { reason },
  createEnvironment: { workspace_id, name: `Environment ${made}`, type: 'STAGING' },
  updateEnvironment: { requires_delegation: false },
  setGatewayMode: { mode: 'ENFORCE' },
  pauseEnvironment: { reason },
  resumeEnvironment: { reason },
  archiveEnvironment: { reason },
});
