import { consolePath } from '@svc/contract/tables/console-routes.ts';

/** Pages of things, by the prefix of their ids. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  act: (actionId) => consolePath('action', { actionId }),
  apr: (approvalId) => consolePath('approval', { approvalId }),
  evt: (eventId) => consolePath('auditEvent', { eventId }),
  agt: (agentId) => consolePath('agent', { agentId }),
  tool: (toolId) => consolePath('tool', { toolId }),
  tim: (importId) => consolePath('toolImport', { importId }),
  pol: (policyId) => consolePath('policy', { policyId }),
  del: (delegationId) => consolePath('delegation', { delegationId }),
  cred: (credentialId) => consolePath('credential', { credentialId }),
  mcp: (serverId) => consolePath('mcpServer', { serverId }),
  mem: (memberId) => consolePath('member', { memberId }),
  rsk: (riskEventId) => consolePath('riskEvent', { riskEventId }),
  req: (id) => `${consolePath('actions')}?request_id=${id}`,
};

const ID = /^([a-z]{2,5})_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The console page of a thing; undefined for ids of kinds without a page, and for texts that are not ids. */
export const objectPath = (id: string): string | undefined => {
  const prefix = ID.exec(id)?.[1];
  return prefix === undefined ? undefined : PAGES[prefix]?.(id);
};
