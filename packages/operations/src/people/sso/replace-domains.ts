import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { deleteDomain, insertDomain } from '@svc/postgres/people/sso/domains.ts';

type Owner = { readonly organization_id: string; readonly connection_id: string; readonly now: Date };

const CHALLENGE_BYTES = 16;

/** Sets the domains of a connection; one that stays keeps its verification. Returns a domain that another connection has, if any. */
export const replaceDomains = async (
  tx: TenantTransaction,
  { organization_id, connection_id, now }: Owner,
  before: readonly string[],
  named: readonly string[],
): Promise<string | undefined> => {
  const wanted = new Set(named.map((domain) => domain.toLowerCase()));
  for (const domain of before) if (!wanted.has(domain)) await deleteDomain(tx, { organization_id, domain });
  for (const domain of wanted) {
    if (before.includes(domain)) continue;
    const challenge = randomHex(CHALLENGE_BYTES);
    if (!(await insertDomain(tx, { organization_id, connection_id, domain, challenge, now }))) return domain;
  }
  return undefined;
};
