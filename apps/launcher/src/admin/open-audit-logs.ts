import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { loadPlatformKeys } from '@svc/operations/agents/identity/load-platform-keys.ts';
import type { AuditedLog, LogReader } from '@svc/operations/events/audit-log/verify-log.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { DatabaseAccess } from '../break-glass/reach-database.ts';

/** Loads the log keys of this installation. Returns a function that opens the audit log of one organization for verification. */
export const openAuditLogs = async ({ app, reader, masterKey }: DatabaseAccess) => {
  const installationId = deriveInstallation(masterKey).id;
  const { keys } = await loadPlatformKeys(reader, masterKey, { error: (facts, message) => console.error(message, facts) });
  return (organizationId: string): { readonly log: AuditedLog; readonly read: LogReader } => ({
    log: { organizationId, installationId, keys: [...keys.ofLog.values()] },
    read: (work) => readInTenant(app, { organization_id: organizationId }, work),
  });
};
