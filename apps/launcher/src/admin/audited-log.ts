import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { loadPlatformKeys } from '@svc/operations/agents/identity/load-platform-keys.ts';
import type { AuditedLog, LogReader } from '@svc/operations/events/audit-log/verify-log.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ReachedDatabase } from '../break-glass/reach-database.ts';

/** Opens the audit logs of this installation for comparison. */
export const openLogs = async ({ app, reader, masterKey }: ReachedDatabase) => {
  const installationId = deriveInstallation(masterKey).id;
  const { keys } = await loadPlatformKeys(reader, masterKey, { error: (facts, sentence) => console.error(sentence, facts) });
  return (organizationId: string): { readonly log: AuditedLog; readonly read: LogReader } => ({
    log: { organizationId, installationId, keys: [...keys.ofLog.values()] },
    read: (work) => readInTenant(app, { organization_id: organizationId }, work),
  });
};
