import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { type ProcessGroup, startGroup } from '@svc/testing/processes/start-group.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const root = path.resolve(import.meta.dirname, '../..');

type Proxy = {
  readonly name: string;
  readonly file: string;
  readonly check: readonly string[];
  readonly run: (config: string) => readonly string[];
};
const PROXIES: readonly Proxy[] = [
  { name: 'haproxy', file: 'haproxy.cfg', check: ['haproxy', '-v'], run: (config) => ['haproxy', '-db', '-f', config] },
  {
    name: 'nginx',
    file: 'nginx.conf',
    check: ['nginx', '-v'],
    run: (config) => ['nginx', '-g', `daemon off; pid ${config}.pid; error_log stderr;`, '-c', config],
  },
  {
    name: 'envoy',
    file: 'envoy.yaml',
    check: ['envoy', '--version'],
    run: (config) => ['envoy', '-c', config, '--log-level', 'error'],
  },
];

const isInstalled = ([program = '', ...words]: readonly string[]): boolean => spawnSync(program, words).status === 0;

const ANSWER_MS = 5_000;

const get = (port: number, target: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; hsts: string | undefined }>((resolve, reject) => {
    // The certificate of the test is self-signed.
    const asked = request(
      { port, host: '127.0.0.1', path: target, headers, rejectUnauthorized: false, agent: false, timeout: ANSWER_MS },
      (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode, hsts: answer.headers['strict-transport-security'] });
      },
    );
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${ANSWER_MS} ms`)));
    asked.once('error', reject).end();
  });

describe('proxies with TLS in front of both planes', () => {
  let planes: StartedPlanes;
  const home = mkdtempSync(path.join(tmpdir(), 'svc-proxies-'));
  const running: ProcessGroup[] = [];
  before(async () => {
    const certificate = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      `${home}/key.pem`,
      '-out',
      `${home}/certificate.pem`,
    ]);
    assert.equal(certificate.status, 0);
    writeFileSync(`${home}/governance.pem`, readFileSync(`${home}/certificate.pem`, 'utf8') + readFileSync(`${home}/key.pem`, 'utf8'));
    planes = await startPlanes({ env: { SVC_TRUST_PROXY: 'true', SVC_MAIL: 'none', LOG_LEVEL: 'info' } });
  });
  after(async () => {
    await Promise.all(running.map((proxy) => proxy.end()));
    await planes?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  for (const { name, file, check, run } of PROXIES)
    test(`${name} forwards to both planes and replaces a forged client address`, {
      skip: isInstalled(check) ? false : `${name} is not installed`,
    }, async () => {
      const [controlPort, gatewayPort] = [await freePort(), await freePort()];
      const at = (url: string): string => new URL(url).host;
      const config = readFileSync(path.join(root, 'deploy/proxies', file), 'utf8')
        .replaceAll('control-plane:4000', at(planes.controlUrl))
        .replaceAll('gateway:4100', at(planes.gatewayUrl))
        .replaceAll('address: control-plane, port_value: 4000', `address: 127.0.0.1, port_value: ${new URL(planes.controlUrl).port}`)
        .replaceAll('address: gateway, port_value: 4100', `address: 127.0.0.1, port_value: ${new URL(planes.gatewayUrl).port}`)
        .replaceAll('/etc/governance/tls', home)
        .replaceAll('8443', String(controlPort))
        .replaceAll('8444', String(gatewayPort));
      const written = path.join(home, file);
      writeFileSync(written, config);
      const [program = '', ...words] = run(written);
      const proxy = startGroup(program, words);
      running.push(proxy);
      for (const port of [controlPort, gatewayPort])
        await waitUntil(`${name} answers`, async () => {
          assert.equal(proxy.child.exitCode, null, proxy.said());
          const [outcome] = await Promise.allSettled([get(port, '/health/ready')]);
          return outcome.status === 'fulfilled' && outcome.value.status === 200;
        });
      const forged = `203.0.113.${PROXIES.findIndex((proxy) => proxy.name === name) + 1}`;
      const refused = await get(controlPort, '/v1/agents', { 'x-forwarded-for': forged });
      assert.equal(refused.status, 401);
      if (name !== 'envoy') assert.match(refused.hsts ?? '', /max-age=63072000/);
      await waitUntil('the refusal is logged', () => /"source_ip":"127\.0\.0\.1"/.test(planes.logs()));
      assert.equal(planes.logs().includes(forged), false);
      await proxy.end();
    });
});
