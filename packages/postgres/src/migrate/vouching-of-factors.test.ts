import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_INSTALLATION } from '@svc/testing/database/master-key.ts';
import { EMPTY_SCHEMA } from './empty-schema.fixture.ts';
import { forInstallation } from './read-migrations.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const MIGRATION = '0148_proofs_name_the_organization_that_vouched.sql';

/** A person, their password, the proofs of the session that enrolled their factor (none if it is forgotten), and whether they have an identity. */
const PEOPLE = [
  { name: 'own', password: true, amr: '{PASSWORD,TOTP}', linked: true, expected: null },
  { name: 'provider', password: true, amr: '{SSO,TOTP}', linked: true, expected: 'org_a' },
  { name: 'stepped_up', password: true, amr: '{SSO,PASSWORD,TOTP}', linked: true, expected: null },
  { name: 'forgotten_provider', password: false, amr: null, linked: true, expected: 'org_b' },
  { name: 'forgotten_own', password: true, amr: null, linked: true, expected: null },
  { name: 'no_provider', password: false, amr: null, linked: false, expected: null },
] as const;

test('counts factors, recovery codes and sessions of earlier versions for the organization of the vouching provider', async () => {
  const fresh = await createFreshDatabase();
  const client = await fresh.client();
  try {
    await client.query(EMPTY_SCHEMA);
    const names = readdirSync(FOLDER).sort();
    const getText = (name: string) => forInstallation(readFileSync(new URL(name, FOLDER), 'utf8'), TEST_INSTALLATION);
    for (const name of names.filter((each) => each < MIGRATION)) await client.query(getText(name));
    await client.query(`insert into organizations (id, name, base_currency) values ('org_a', 'a', 'EUR'), ('org_b', 'b', 'EUR')`);
    await client.query(`
      insert into sso_connections (organization_id, id, kind, name, issuer, client_id, scopes, jit, role_mapping, trusts_mfa, created_by)
        values ('org_b', 'sso_b', 'OIDC', 'b', 'http://127.0.0.1:9', 'c', array['openid'], false, '[]', false, 'own')`);
    for (const { name, password, amr, linked } of PEOPLE) {
      await client.query('insert into users (id, email, name, password_hash) values ($1, $1, $1, $2)', [name, password ? 'x' : null]);
      for (const organization of ['org_a', 'org_b'])
        await client.query(
          "insert into members (organization_id, id, user_id, role_id) values ($1, $2, $2, 'rol_00000000000000000000000007')",
          [...[organization, name]],
        );
      if (amr)
        await client.query(
          `insert into sessions (organization_id, id, user_id, token_hash, expires_at, amr) values ('org_a', $1, $1, convert_to($1::text, 'UTF8'), now(), $2)`,
          [name, amr],
        );
      if (linked)
        await client.query(
          "insert into sso_identities (organization_id, id, connection_id, subject, user_id) values ('org_b', $1, 'sso_b', $1, $1)",
          [name],
        );
      await client.query(
        `insert into second_factors (user_id, id, kind, name, enrolled_in, sealed_secret, confirmed_at)
         values ($1, $1, 'TOTP', 'Phone', $1, '\\x00', now())`,
        [name],
      );
      await client.query('insert into recovery_codes (user_id, code_hash) values ($1, sha256(convert_to($1::text, $2)))', [name, 'UTF8']);
    }
    await client.query(getText(MIGRATION));
    const read = async (table: string) =>
      Object.fromEntries((await client.query(`select user_id, vouched_by from ${table}`)).rows.map((row) => [row.user_id, row.vouched_by]));
    const expected = Object.fromEntries(PEOPLE.map((person) => [person.name, person.expected]));
    assert.deepEqual(await read('second_factors'), expected);
    assert.deepEqual(await read('recovery_codes'), expected);
    const { rows } = await client.query('select id, vouched_amr from sessions order by id');
    assert.deepEqual(
      rows.map(({ id, vouched_amr }) => [id, vouched_amr]),
      [
        ['own', []],
        ['provider', ['SSO', 'TOTP']],
        ['stepped_up', ['SSO', 'TOTP']],
      ],
    );
  } finally {
    await client.end();
    await fresh.drop();
  }
});
