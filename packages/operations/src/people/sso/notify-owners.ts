import { getSecurityMembers } from '@svc/contract/automation.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { mailSecurityChange, type Requesting } from '../mail/mail-owners.ts';
import type { MailService } from '../mail/mail-service.ts';

const SECURITY = getSecurityMembers(ENDPOINTS.updateSsoConnection);

/** Returns the members of a body that decide whom a connection signs in, and how: their change is critical. */
export const listSecurityMembers = (body: object): readonly string[] => SECURITY.filter((member) => Object.hasOwn(body, member));

export const CRITICAL = { severity: 'critical' } as const;

/** Mails every owner the change of a connection's sign-in settings. */
export const notifyOwners = (
  deps: { readonly mail: MailService },
  request: Requesting,
  tx: TenantTransaction,
  { name, changed }: { readonly name: string; readonly changed: readonly string[] },
): Promise<void> => mailSecurityChange(deps, request, tx, `single sign-on connection “${name}” (${changed.join(', ')})`);
