import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { newGovernedEnvironment } from '@svc/testing/agents/governed-environment.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { type ProcessGroup, startGroup } from '@svc/testing/processes/start-group.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { runOperation, startVersioned } from '../upgrade/versioned-program.ts';

const root = path.resolve(import.meta.dirname, '../..');
const isInstalled = spawnSync('haproxy', ['-v']).status === 0;
const CELLS = ['eu-1', 'us-1'] as const;
type CellName = (typeof CELLS)[number];

type Cell = {
  readonly database: FreshDatabase;
  readonly env: Readonly<Record<string, string>>;
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly tenant: Tenant;
  readonly stop: () => Promise<void>;
};

type Answer = { readonly status: number | undefined; readonly location: string | undefined; readonly text: string };

/** A request to the proxy under the name of a host, as DNS with a wildcard leads there. */
const send = (
  port: number,
  host: string,
  method: string,
  target: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    // The certificate of the test is self-signed.
    const sent = request({ port, host: '127.0.0.1', path: target, method, headers, rejectUnauthorized: false, agent: false }, (answer) => {
      const chunks: string[] = [];
      answer.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
      answer.once('end', () => resolve({ status: answer.statusCode, location: answer.headers.location, text: chunks.join('') }));
    });
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

describe('two cells behind a proxy that routes by organization', { skip: isInstalled ? false : 'haproxy is not installed' }, () => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-cells-'));
  const map = path.join(home, 'cells.map');
  const cells = {} as Record<CellName, Cell>;
  let server: ManagedServer;
  let proxy: ProcessGroup;
  let ports: { readonly agents: number; readonly people: number };

  /** An installation of its own: database, master key, planes and worker. */
  const startCell = async (): Promise<Cell> => {
    const database = await server.newDatabase();
    const gatewayPort = await freePort();
    const env = {
      DATABASE_URL: database.url,
      SVC_MASTER_KEY: TEST_MASTER_KEY,
      SVC_MAIL: 'none',
      SVC_SIGNUP: 'open',
      LOG_LEVEL: 'error',
      SVC_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    };
    await runOperation(root, ['migrate'], env);
    const control = await startVersioned(root, 'control-plane', { ...env, CONTROL_PLANE_PORT: '0' });
    const gateway = await startVersioned(root, 'gateway', { ...env, GATEWAY_PORT: String(gatewayPort) });
    const worker = await startVersioned(root, 'worker', env);
    const tenant = await newTenant({ controlUrl: control.url });
    await stepUp(control.url, tenant);
    const stop = async (): Promise<void> => void (await Promise.all([control, gateway, worker].map((program) => program.stop())));
    return { database, env, controlUrl: control.url, gatewayUrl: gateway.url, tenant, stop };
  };

  const assign = (name: CellName, words: readonly string[] = []) => runOperation(root, ['cell', name, map, ...words], cells[name].env);
  const hostName = (name: CellName, zone: string): string => `${cells[name].tenant.organization_id}.${zone}.example`;

  const startProxy = async (): Promise<void> => {
    ports = { agents: await freePort(), people: await freePort() };
    let config = readFileSync(path.join(root, 'deploy/cells/haproxy.cfg'), 'utf8')
      .replaceAll('/etc/governance/tls', home)
      .replaceAll('/etc/governance/cells.map', map)
      .replace(':8444', `127.0.0.1:${ports.agents}`)
      .replace(':8443', `127.0.0.1:${ports.people}`);
    for (const name of CELLS)
      config = config
        .replace(`gateway.${name}:4100`, new URL(cells[name].gatewayUrl).host)
        .replace(`https://${name}.governance.example`, cells[name].controlUrl);
    writeFileSync(path.join(home, 'haproxy.cfg'), config);
    const words = ['-db', '-f', path.join(home, 'haproxy.cfg')];
    proxy = startGroup('haproxy', words);
    await waitUntil('the proxy answers', async () => {
      const [answer] = await Promise.allSettled([send(ports.agents, hostName('eu-1', 'agents'), 'GET', '/health/ready')]);
      return answer.status === 'fulfilled' && answer.value.status === 200;
    });
  };

  before(async () => {
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    assert.equal(spawnSync('openssl', [...words, '-keyout', `${home}/key.pem`, '-out', `${home}/certificate.pem`]).status, 0);
    writeFileSync(`${home}/governance.pem`, readFileSync(`${home}/certificate.pem`, 'utf8') + readFileSync(`${home}/key.pem`, 'utf8'));
    const [kind] = SERVER_KINDS;
    assert.ok(kind);
    server = await kind.start();
    for (const name of CELLS) cells[name] = await startCell();
    for (const name of CELLS) await assign(name);
    await startProxy();
  });
  after(async () => {
    await proxy?.end();
    for (const cell of Object.values(cells)) await cell.stop();
    await server?.remove();
    rmSync(home, { recursive: true, force: true });
  });

  for (const name of CELLS)
    test(`an agent of an organization in ${name} signs in, is decided for and recorded in that cell alone`, async () => {
      const { tenant } = cells[name];
      const { agent } = await newGovernedEnvironment(tenant, 'ENFORCE', [{ name: 'note', kind: 'SDK' }]);
      const host = hostName(name, 'agents');
      const audience = JSON.parse((await send(ports.agents, host, 'GET', '/.well-known/svc-platform-key')).text).audience;
      const body = { agent_id: agent.id, assertion: signAssertion(agent, audience), sdk: SDK };
      const minted = await send(ports.agents, host, 'POST', '/gateway/v1/token', { body });
      assert.equal(minted.status, 200, minted.text);
      const { token } = JSON.parse(minted.text).data;
      const acted = await send(ports.agents, host, 'POST', '/gateway/v1/actions', { token, body: { tool: 'note', parameters: {} } });
      const answer = JSON.parse(acted.text);
      const actionId = answer.action_id ?? answer.error?.details?.decision?.action_id;
      for (const other of CELLS) {
        const owner = await server.asSuperuser(new URL(cells[other].database.url).pathname.slice(1));
        const { rows } = await owner.query<{ organization_id: string; is_here: boolean }>(
          'select distinct organization_id, bool_or(id = $1) over () as is_here from actions',
          [actionId],
        );
        await owner.end();
        assert.equal(
          rows.some(({ is_here }) => is_here),
          other === name,
          acted.text,
        );
        assert.ok(rows.every(({ organization_id }) => organization_id === cells[other].tenant.organization_id));
      }
    });

  test('people are redirected to the control plane of their cell', async () => {
    for (const name of CELLS) {
      const { status, location } = await send(ports.people, hostName(name, 'governance'), 'GET', '/approvals?status=PENDING');
      assert.deepEqual([status, location], [307, `${cells[name].controlUrl}/approvals?status=PENDING`]);
    }
  });

  test('an organization that no cell has is answered with 404, and one of another cell is refused', async () => {
    const unknown = await send(ports.agents, 'org_00000000000000000000000000.agents.example', 'GET', '/health/ready');
    assert.equal(unknown.status, 404);
    const { token } = cells['eu-1'].tenant;
    const { status } = await send(ports.agents, hostName('us-1', 'agents'), 'POST', '/gateway/v1/actions', {
      token,
      body: { tool: 'note', parameters: {} },
    });
    assert.equal(status, 401);
  });

  test('each cell has its own feed and log', async () => {
    for (const name of CELLS) {
      const { tenant, controlUrl, database } = cells[name];
      const owner = await server.asSuperuser(new URL(database.url).pathname.slice(1));
      const sealed = async (): Promise<readonly string[]> =>
        (await owner.query<{ id: string }>('select organization_id as id from audit_trees where size > 0')).rows.map(({ id }) => id);
      await waitUntil('the log is sealed', async () => (await sealed()).length > 0);
      assert.deepEqual(await sealed(), [tenant.organization_id]);
      await owner.end();
      const { keys } = await mustCall(controlUrl, 'GET', '/v1/audit-log', { token: tenant.token });
      assert.ok(keys.length > 0);
    }
  });

  test('an organization that two cells have is a fault, and keeps its cell until it is named as moved', async () => {
    const line = `${cells['us-1'].tenant.organization_id.toLowerCase()} `;
    const before = readFileSync(map, 'utf8');
    writeFileSync(map, before.replace(`${line}us-1`, `${line}eu-1`));
    await assert.rejects(assign('us-1'), /FAULT .* is in eu-1 according to the map/);
    assert.ok(readFileSync(map, 'utf8').includes(`${line}eu-1`));
    await assign('us-1', ['--moved', cells['us-1'].tenant.organization_id]);
    assert.equal(readFileSync(map, 'utf8'), before);
  });
});
