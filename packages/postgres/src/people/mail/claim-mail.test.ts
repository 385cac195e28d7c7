import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { type ClaimedMail, claimMails, FIRST_PLACE } from './claim-mail.ts';
import { settleSent } from './settle-mail.ts';

const AT_ONCE = LIMITS.mail.inFlightMax;

let database: FreshDatabase;
let owner: pg.Client;
let identity: Database;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  identity = connect({ url: database.url, role: 'svc_identity', ...testLogin('svc_identity'), connectionsMax: 1, timeoutMs: 20_000 });
});
after(async () => {
  await Promise.all([identity.destroy(), owner.end()]);
  await database.drop();
});
beforeEach(async () => {
  await owner.query('delete from mails');
});

const start = Date.now();
const at = (seconds: number): Date => new Date(start + seconds * 1_000);
const newOrganization = (): string => `org_${newUlid()}`;

type Left = { readonly from: string; readonly sender?: string; readonly to: readonly string[]; readonly when?: number };
const leave = async ({ from, sender = from, to, when = 0 }: Left): Promise<void> => {
  await owner.query(
    `insert into mails (organization_id, id, template, sealed, recipient_key, sender_key, per_hour_max, created_at, due_at, expires_at)
     select $1, x.id, 'invitation', '\\x00', x.recipient, $2, 10, $5, $5, $5::timestamptz + interval '1 day'
       from unnest($3::text[], $4::text[]) as x (id, recipient)`,
    [from, sender, to.map(() => `mal_${newUlid()}`), to, at(when)],
  );
};

/** Runs rounds like one plane, each of which sends its claimed mails. */
const sendRounds = async (rounds: number, seconds: number): Promise<ClaimedMail[]> => {
  let place = FIRST_PLACE;
  const sent: ClaimedMail[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const claimed = await claimMails(identity, at(seconds), AT_ONCE, place);
    place = claimed.place;
    for (const mail of claimed.mails) {
      await settleSent(identity, mail, at(seconds), false);
      sent.push(mail);
    }
  }
  return sent;
};
const isOf =
  (from: string) =>
  (mail: ClaimedMail): boolean =>
    mail.organization_id === from;

describe("sends a small sender's mails at once, though more wait than one claim examines", () => {
  const many = (count: number, among: number) => Array.from({ length: count }, (_, n) => `recipient ${n % among}`);

  test('of a dozen organizations that mail the same addresses repeatedly', async () => {
    for (let n = 0; n < 12; n += 1) await leave({ from: newOrganization(), to: many(500, 50), when: n });
    const good = newOrganization();
    await leave({ from: good, to: ['somebody'], when: 60 });
    assert.equal((await sendRounds(3, 120)).filter(isOf(good)).length, 1);
  });

  test('of a dozen unauthenticated senders', async () => {
    for (let n = 0; n < 12; n += 1)
      await leave({ from: NOBODYS_ORGANIZATION, sender: `stranger ${n}`, to: many(LIMITS.mail.waitingPerSenderMax, 50) });
    await leave({ from: NOBODYS_ORGANIZATION, sender: 'z good', to: ['somebody'], when: 60 });
    const sent = (await sendRounds(4, 120)).map(({ id }) => id);
    const { rows } = await owner.query("select id from mails where sender_key = 'z good'");
    assert.ok(sent.includes(rows[0].id));
  });

  test('of more organizations than one round examines, each in turn', async () => {
    const organizations = Array.from({ length: LIMITS.mail.sendersConsideredMax + AT_ONCE }, newOrganization).sort();
    for (const from of organizations) await leave({ from, to: many(2, 2).map((to) => `${from} ${to}`) });
    const last = organizations.at(-1) ?? '';
    assert.equal((await sendRounds(2, 1)).filter(isOf(last)).length, 1);
  });
});

test('does not delay an organization by its mails to a recipient at the rate limit', async () => {
  const [flooding, own] = [newOrganization(), newOrganization()];
  await leave({ from: flooding, to: Array.from({ length: 10 }, () => 'busy') });
  assert.equal((await sendRounds(2, 1)).length, 10);
  await leave({ from: own, to: [...Array.from({ length: 40 }, () => 'busy'), 'other'], when: 2 });
  const sent = await sendRounds(6, 3);
  assert.equal(sent.length, 1, 'that to the other');
  assert.equal((await sendRounds(3, 3_500)).length, 0, 'nothing more within the hour');
  assert.equal((await sendRounds(4, 3_700)).length, 10);
});

test('gives up a mail that waits too long for a rate limit', async () => {
  const from = newOrganization();
  await leave({ from, to: Array.from({ length: 20 }, () => 'busy') });
  await owner.query('update mails set expires_at = $1', [at(60)]);
  await sendRounds(4, 1);
  const { rows } = await owner.query("select max(due_at) as due from mails where state = 'WAITING'");
  assert.equal(rows[0].due.getTime(), at(60).getTime());
});
