import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';

/** Pages of things, by the prefix of their ids. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  act: (actionId) => buildConsolePath('action', { actionId }),
  apr: (approvalId) => buildConsolePath('approval', { approvalId }),
  evt: (eventId) => buildConsolePath('auditEvent', { eventId }),
  agt: (agentId) => buildConsolePath('agent', { agentId }),
  tool: (toolId) => buildConsolePath('tool', { toolId }),
  tim: (importId) => buildConsolePath('toolImport', { importId }),
  pol: (policyId) => buildConsolePath('policy', { policyId }),
  del: (delegationId) => buildConsolePath('delegation', { delegationId }),
  cred: (credentialId) => buildConsolePath('credential', { credentialId }),
  mcp: (serverId) => buildConsolePath('mcpServer', { serverId }),
  mem: (memberId) => buildConsolePath('member', { memberId }),
  rsk: (riskEventId) => buildConsolePath('riskEvent', { riskEventId }),
  req: (id) => `${buildConsolePath('actions')}?request_id=${id}`,
};

const ID = /^([a-z]{2,5})_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The console page of a thing; undefined for ids of kinds without a page, and for texts that are not ids. */
export const getObjectPath = (id: string): string | undefined => {
  const prefix = ID.exec(id)?.[1];
  return prefix === undefined ? undefined : PAGES[prefix]?.(id);
};
