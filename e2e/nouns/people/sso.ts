import { getSamlForm, newSamlProvider, readSamlRequest } from '@svc/testing/peers/saml-provider.ts';
import { call } from '@svc/testing/people/client.ts';
import { insertSso } from '@svc/testing/records/insert-sso.ts';
import type { NounTests } from '../noun-tests.ts';
import { type Recipes, SYSTEM } from '../scene/play.ts';
import { getWholeOrganization } from '../scope-sql.ts';

const ISSUER = 'http://127.0.0.1:9';

const sessionBy = async ({ database, tenant, name }: Parameters<Recipes['unlinkIdentity']>[0], connectionId: string): Promise<string> => {
  const id = `ses_${name('x').replace(' ', '').toUpperCase().padStart(26, '0')}`;
  await database.query(
    `insert into sessions (organization_id, id, user_id, token_hash, expires_at)
     values ($1, $2, $3, sha256(convert_to($2::text, 'UTF8')), now() + interval '1 hour')`,
    [tenant.organization_id, id, tenant.user.id],
  );
  await database.query('insert into sso_sessions (organization_id, session_id, connection_id, user_id) values ($1, $2, $3, $4)', [
    tenant.organization_id,
    id,
    connectionId,
    tenant.user.id,
  ]);
  return id;
};

export const ssoTests = {
  scopes: { sso_connection: getWholeOrganization('sso_connections') },
  bodies: ({ made, resources }) => ({
    createSsoConnection: { name: `Connection ${made}`, issuer: 'http://127.0.0.1:9', client_id: 'the-service' },
    updateSsoConnection: { name: `Connection ${made}`, scopes: ['openid', `scope-${made}`] },
    deleteSsoConnection: {},
    testSsoConnection: {},
    receiveSamlResponse: {},
    linkIdentity: { connection_id: resources.connectionId ?? '' },
    unlinkIdentity: {},
  }),
  recipes: {
    createSsoConnection: async ({ send, name }) => {
      const answer = await send('POST', '/v1/sso/connections', { name: name('connection'), issuer: ISSUER, client_id: 'x' });
      return [{ answer, events: [['sso.connection_updated', 'sso_connection', answer.json.id]] }];
    },
    updateSsoConnection: async ({ make, send, name }) => {
      const { id } = await make('POST', '/v1/sso/connections', { name: name('connection'), issuer: ISSUER, client_id: 'x' });
      const answer = await send('PATCH', `/v1/sso/connections/${id}`, { status: 'DISABLED' });
      return [{ answer, events: [['sso.connection_updated', 'sso_connection', id]] }];
    },
    deleteSsoConnection: async ({ make, send, name }) => {
      const { id } = await make('POST', '/v1/sso/connections', { name: name('connection'), issuer: ISSUER, client_id: 'x' });
      return [{ answer: await send('DELETE', `/v1/sso/connections/${id}`), events: [['sso.connection_updated', 'sso_connection', id]] }];
    },
    testSsoConnection: async ({ make, send, name, nameServer }) => {
      const domains = [`${name('d').replace(' ', '')}.example`];
      const made = await make('POST', '/v1/sso/connections', { name: name('connection'), issuer: ISSUER, client_id: 'x', domains });
      const { record } = made.domains[0];
      nameServer.publish(record.name, record.value);
      const answer = await send('POST', `/v1/sso/connections/${made.id}/test`, {});
      return [{ answer, events: [['sso.connection_updated', 'sso_connection', made.id]] }];
    },
    receiveSamlResponse: async ({ planes, make, name }) => {
      const provider = newSamlProvider(name('idp').replace(' ', ''));
      const { entityId: issuer, ssoUrl: sso_url, keys } = provider;
      const body = { kind: 'SAML', name: name('connection'), issuer, sso_url, certificates: [keys.certificate] };
      const { id } = await make('POST', '/v1/sso/connections', body);
      const begun = await call(planes.controlUrl, 'GET', `/v1/auth/sso/start?connection_id=${id}`);
      const request = readSamlRequest(begun.headers.get('location') ?? '');
      const answer = await call(planes.controlUrl, 'POST', `/v1/auth/sso/saml/${id}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        raw: getSamlForm(request, provider.unsigned(request)),
      });
      return [{ answer, by: SYSTEM, events: [['user.login_failed', 'user', 'unknown']] }];
    },
    linkIdentity: async ({ send }) => [
      { answer: await send('POST', '/v1/auth/identities', { connection_id: 'sso_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }), events: [] },
    ],
    unlinkIdentity: async (scene) => {
      const { planes, tenant, send } = scene;
      const { connectionId, identityId } = await insertSso(planes.database, tenant.organization_id, tenant.user.id);
      const session = await sessionBy(scene, connectionId);
      const answer = await send('DELETE', `/v1/auth/identities/${identityId}`);
      return [
        {
          answer,
          events: [
            ['user.identity_unlinked', 'user', tenant.user.id],
            ['session.revoked', 'session', session],
          ],
        },
      ];
    },
  },
} as const satisfies NounTests;
