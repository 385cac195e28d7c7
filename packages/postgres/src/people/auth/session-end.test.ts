import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { inTenant } from '../../connection/in-tenant.ts';
import { findCliDecision } from '../cli/decisions.ts';
import { findApprovingSession } from '../device-approvals.ts';
import { endPersonSessions, keepSession, listLiveSessions } from '../sessions/own-sessions.ts';
import { isSessionAlive } from '../sso/identities.ts';
import { readMethods } from './mfa-challenges.ts';
import { readSessions } from './read-credentials.ts';

/** A person of two organizations: signed in to `org_a`, switched to `org_b`, and with a session of each that approved something. */
let fresh: FreshDatabase;
let owner: pg.Client;
let app: Database;
let identity: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  const rows = [
    "insert into organizations (id, name) values ('org_a', 'a'), ('org_b', 'b')",
    "insert into users (id, email, name) values ('usr', 'p@example.com', 'P')",
    "insert into members (organization_id, id, user_id, role_id) values ('org_a', 'mem_a', 'usr', 'r'), ('org_b', 'mem_b', 'usr', 'r')",
    `insert into sessions (organization_id, id, user_id, token_hash, expires_at, sign_in_id, amr)
     values ('org_a', 'ses_a', 'usr', sha256('a'), now() + interval '1 hour', null, '{PASSWORD,TOTP}'),
            ('org_b', 'ses_b', 'usr', sha256('b'), now() + interval '1 hour', 'ses_a', '{PASSWORD,TOTP}')`,
    `insert into second_factors (user_id, id, kind, name, enrolled_in, sealed_secret, confirmed_at) values ('usr', 'mfa', 'TOTP', 'x', 'ses_a', 'x', now())`,
    `insert into mfa_challenges (organization_id, session_id, user_id, token_hash, proofs, source, expires_at)
     values ('org_b', 'ses_c', 'usr', 'c', '{PASSWORD}', 'x', now() + interval '10 minutes')`,
    `insert into device_approvals (organization_id, id, session_id, user_id, number, source_ip, expires_at, decided_at, decided_in, is_approved)
     values ('org_b', 'dev', 'ses_c', 'usr', 42, 'x', now() + interval '10 minutes', now(), 'ses_b', true)`,
    `insert into cli_requests (id, flow, code_challenge, user_code_hash, source_ip, address_group, created_at, expires_at, poll_after, poll_seconds)
     values ('cli', 'DEVICE', 'x', 'x', 'x', 'x', now(), now() + interval '10 minutes', now(), 5)`,
    `insert into cli_decisions (organization_id, request_id, user_id, session_id, is_approved, decided_at) values ('org_b', 'cli', 'usr', 'ses_b', true, now())`,
    `insert into sso_connections (organization_id, id, kind, name, issuer, client_id, scopes, jit, role_mapping, trusts_mfa, created_by)
     values ('org_b', 'con', 'OIDC', 'x', 'https://x', 'x', '{openid}', false, '[]', false, 'usr')`,
  ];
  for (const row of rows) await owner.query(row);
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: fresh.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 20_000 });
  [app, identity] = [as('svc_app'), as('svc_identity')];
});
after(async () => {
  await Promise.all([app.destroy(), identity.destroy()]);
  await owner.end();
  await fresh.drop();
});

const here = { organization_id: 'org_b' };
const session = { organizationId: 'org_b', userId: 'usr' };

/** All checks of the session in `org_b`; their results must agree. */
const ASKED: Readonly<Record<string, () => Promise<boolean>>> = {
  'the check of a request': async () => (await readSessions(identity, [getHash('b')])).every(({ row }) => row.revoked_at === null),
  isSessionAlive: () => inTenant(app, here, (tx) => isSessionAlive(tx, { ...session, id: 'ses_b' }, new Date())),
  keepSession: async () => {
    let isKept = false;
    const undone = inTenant(app, here, async (tx) => {
      await endPersonSessions(tx, 'usr');
      isKept = await keepSession(tx, { ...session, sessionId: 'ses_b' });
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    return isKept;
  },
  readMethods: async () => (await inTenant(app, here, (tx) => readMethods(tx, 'org_b', 'usr', new Date()))).includes('DEVICE'),
  findApprovingSession: async () =>
    (await findApprovingSession(identity, { ...here, session_id: 'ses_c', user_id: 'usr' }, 'dev', new Date())) !== undefined,
  listLiveSessions: async () => {
    const shown = await listLiveSessions(identity, { userId: 'usr', now: new Date(), idleSince: new Date(0) });
    return shown.some(({ id }) => id === 'ses_b');
  },
  'what a terminal redeems': async () => (await findCliDecision(identity, 'cli', new Date()))?.approver !== null,
};
const getHash = (text: string): Buffer => createHash('sha256').update(text).digest();

const answers = async (): Promise<Record<string, boolean>> =>
  Object.fromEntries(await Promise.all(Object.entries(ASKED).map(async ([name, ask]) => [name, await ask()] as const)));
const all = (answer: boolean): Record<string, boolean> => Object.fromEntries(Object.keys(ASKED).map((name) => [name, answer]));

const ENDS: readonly (readonly [how: string, end: string, takeBack: string])[] = [
  [
    'it is ended itself',
    "update sessions set revoked_at = now() where id = 'ses_b'",
    "update sessions set revoked_at = null where id = 'ses_b'",
  ],
  [
    'its sign-in is ended from another organization',
    "insert into ended_sign_ins (organization_id, session_id, sign_in_id) values ('org_a', 'ses_a', 'ses_a')",
    'delete from ended_sign_ins',
  ],
  [
    'the sign-in that approved it is ended with its terminals, in another organization',
    `insert into ended_sign_ins (organization_id, session_id, sign_in_id, with_terminals) values ('org_a', 'ses_a', 'ses_a', true);
     update sessions set sign_in_id = null, approved_by_sign_in_id = 'ses_a' where id = 'ses_b'`,
    "delete from ended_sign_ins; update sessions set sign_in_id = 'ses_a', approved_by_sign_in_id = null where id = 'ses_b'",
  ],
  [
    'the connection that opened it is not active any more',
    `insert into sso_sessions (organization_id, session_id, connection_id, user_id) values ('org_b', 'ses_a', 'con', 'usr');
     update sso_connections set status = 'DISABLED'`,
    "delete from sso_sessions; update sso_connections set status = 'ACTIVE'",
  ],
];

describe('a session', () => {
  test('is active for all checks', async () => assert.deepEqual(await answers(), all(true)));
  for (const [how, end, takeBack] of ENDS)
    test(`has ended for all checks, by any role, once ${how}`, async () => {
      await owner.query(end);
      assert.deepEqual(await answers(), all(false));
      await owner.query(takeBack);
      assert.deepEqual(await answers(), all(true));
    });
  test('of a terminal continues if the sign-in that approved it ends without its terminals', async () => {
    await owner.query(`insert into ended_sign_ins (organization_id, session_id, sign_in_id) values ('org_a', 'ses_a', 'ses_a');
      update sessions set sign_in_id = null, approved_by_sign_in_id = 'ses_a' where id = 'ses_b'`);
    assert.deepEqual(await answers(), all(true));
  });
});
