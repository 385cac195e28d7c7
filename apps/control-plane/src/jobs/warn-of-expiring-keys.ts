import { postMail } from '@svc/operations/people/mail/post-mail.ts';
import { findAddressesBehindKey, findOrganizationsWithExpiringKeys, takeExpiringKeys } from '@svc/postgres/people/expiring-keys.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { ControlDeps } from '../deps.ts';
import type { Job } from './job.ts';

const BATCH = 20;

/** Tells whoever is behind an API key, and the owners, once, that it is about to end. Of several replicas one does. */
export const warnOfExpiringKeys = (deps: Pick<ControlDeps, 'mail'>): Job => ({
  name: 'warn-of-expiring-keys',
  everyMs: 60_000,
  findOrganizations: async (identity, now) => (deps.mail.kind === 'none' ? [] : findOrganizationsWithExpiringKeys(identity, now)),
  step: async ({ tx }, organizationId, now) => {
    const keys = await takeExpiringKeys(tx, organizationId, now, BATCH);
    for (const { id, name, expires_at, organization_name } of keys)
      for (const to of await findAddressesBehindKey(tx, organizationId, id))
        await postMail(deps, { now, sourceIp: '', newId }, tx, {
          to,
          template: 'api-key-expiring',
          values: { service: deps.mail.service(), organization: organization_name, key: name, key_id: id, expires_at },
          organizationId,
        });
    return keys.length === BATCH;
  },
});
