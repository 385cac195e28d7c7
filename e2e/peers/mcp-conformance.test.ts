import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { newGovernedServer } from '@svc/testing/agents/govern-mcp-server.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { type OpenServer, serveHttp, serveReference } from '@svc/testing/peers/reference-servers.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { newReferenceTools } from './reference-tools.ts';

/**
 * Scenarios of the suite about tools, resources, prompts, the transport and the lifecycle of a connection. Each check that passes without the gateway must pass
 * through it.
 */
const GOVERNED: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [
    ...['server-stateless', 'tools-list', 'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
    ...['tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress', 'server-sse-multiple-streams'],
    ...['dns-rebinding-protection', 'caching', 'http-header-validation', 'http-custom-header-server-validation'],
    ...['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read', 'sep-2164-resource-not-found'],
    ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
  ],
  '2025-11-25': [
    ...['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-image', 'tools-call-audio'],
    ...['tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress'],
    ...['server-sse-multiple-streams', 'dns-rebinding-protection'],
    ...['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
    ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
  ],
};

/** Scenarios about parts of the protocol that the gateway does not forward, by part. */
const UNGOVERNED: Readonly<Record<string, RegExp>> = {
  subscriptions: /^resources-(un)?subscribe/,
  completion: /^completion-/,
  logging: /^logging-|-with-logging$/,
  'sampling, elicitation and roots': /^input-required-result-|^elicitation-|^tools-call-(sampling|elicitation)/,
  tasks: /^tasks-/,
  skills: /skill/,
  'sessions and resumed streams': /^server-sse-polling$|^server-session/,
  'a tool of the suite that the reference server lacks': /^json-schema-2020-12/,
};

/** Checks that fail without the gateway too, because the reference server leaves them to what is in front of it. */
const PASSED_BY_THE_GATEWAY = ['dns-rebinding-protection'];

type Check = { readonly id: string; readonly name: string; readonly status: string; readonly errorMessage?: string };
type Checks = ReadonlyMap<string, readonly Check[]>;

const require = createRequire(import.meta.url);
const main = require.resolve('@modelcontextprotocol/conformance/dist/index.js');

/** Runs the scenarios that a revision requires, and returns the checks of each. */
const runSuite = async (url: string, revision: string): Promise<Checks> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'));
  try {
    const options = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
    // The suite exits with an error if any scenario fails; the files state which.
    await new Promise((resolve) => execFile(process.execPath, [main, ...options], { maxBuffer: 100_000_000 }, resolve));
    const checks = new Map<string, readonly Check[]>();
    for (const name of await readdir(folder)) {
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
      checks.set(scenario, JSON.parse(await readFile(path.join(folder, name, 'checks.json'), 'utf8')));
    }
    return checks;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Adds the token of an agent to each request, since the suite sends none. */
const serveWithToken = (target: string, token: string): Promise<OpenServer> => {
  const { hostname, port, pathname } = new URL(target);
  return serveHttp((incoming: IncomingMessage, outgoing: ServerResponse, body) => {
    const { method, headers } = incoming;
    const passed = { method, hostname, port, path: pathname, headers: { ...headers, authorization: `Bearer ${token}` } };
    const sent = request(passed, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.once('close', () => sent.destroy());
    sent.once('error', () => outgoing.destroy());
    sent.end(body);
  });
};

let planes: Planes;
const opened: OpenServer[] = [];
let urls: { readonly alone: string; readonly through: string };
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
  const upstream = await serveReference(newReferenceTools, { legacy: 'stateless' });
  const governed = await newGovernedServer(planes, upstream.url);
  const proxy = await serveWithToken(governed.url, governed.token);
  opened.push(upstream, proxy);
  urls = { alone: upstream.url, through: proxy.url };
});
after(async () => {
  await Promise.all(opened.map(({ close }) => close()));
  await planes.stop();
});

/** Checks of `server-stateless` about subscriptions to changed lists, which the gateway does not offer. */
const SUBSCRIPTIONS = /^sep-2575-server-(sends-subscription-ack|tags-subscription-id|honors-notification-filter) /;

const checkName = ({ id, name }: Check): string => `${id} ${name}`;
const passedNames = (checks: readonly Check[] = []): ReadonlySet<string> =>
  new Set(checks.filter(({ status }) => status === 'SUCCESS').map(checkName));

for (const [revision, scenarios] of Object.entries(GOVERNED))
  test(`checks of ${revision} about tools, resources and prompts that pass without the gateway pass through it`, async () => {
    const [alone, through] = await Promise.all([runSuite(urls.alone, revision), runSuite(urls.through, revision)]);
    assert.deepEqual([...through.keys()].toSorted(), [...alone.keys()].toSorted());
    const unnamed = [...alone.keys()].filter(
      (scenario) => !scenarios.includes(scenario) && !Object.values(UNGOVERNED).some((pattern) => pattern.test(scenario)),
    );
    assert.deepEqual(unnamed, [], 'each scenario is governed, or belongs to a part that is not');
    const worse: string[] = [];
    for (const scenario of scenarios) {
      const [expected, checks = []] = [passedNames(alone.get(scenario)), through.get(scenario)];
      assert.ok(checks.length > 0, `${scenario} did not run`);
      assert.ok(expected.size > 0 || PASSED_BY_THE_GATEWAY.includes(scenario), `the reference server passes nothing of ${scenario}`);
      const passed = passedNames(checks);
      const failed = checks.filter(({ status }) => status === 'FAILURE');
      const broken = failed.filter((check) => expected.has(checkName(check)) || PASSED_BY_THE_GATEWAY.includes(scenario));
      worse.push(...broken.map((check) => `${scenario}: ${checkName(check)}: ${check.errorMessage}`));
      const lost = [...expected].filter(
        (name) => !passed.has(name) && !SUBSCRIPTIONS.test(name) && !failed.some((check) => checkName(check) === name),
      );
      worse.push(...lost.map((name) => `${scenario}: ${name} was not tried`));
    }
    assert.deepEqual(worse, []);
  });
