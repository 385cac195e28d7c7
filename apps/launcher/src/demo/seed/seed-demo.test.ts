import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { Governance } from '@svc/sdk/governance.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { getSetupToken } from '@svc/testing/people/setup-token.ts';
import { type LaunchedService, launchService } from '@svc/testing/processes/launch-service.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-seed-test-'));
after(() => rmSync(home, { recursive: true, force: true }));
const main = path.resolve(import.meta.dirname, '../../main.ts');
const dataDir = path.join(home, 'data');
const file = path.join(dataDir, 'demo.json');

const start = (env: Record<string, string> = {}): Promise<LaunchedService> =>
  launchService({ dataDir, env, command: [process.execPath, main, '--demo'], until: "Agents' keys" });

/** Signs in with what the start printed, like a person would. */
const signIn = async ({ controlUrl, said }: LaunchedService) => {
  const [, email, password] = /Sign in\s+(\S+) with password (\S+)/.exec(said()) ?? [];
  const { token } = await mustCall(controlUrl, 'POST', '/v1/auth/login', { body: { email, password } });
  return (query: string) => mustCall(controlUrl, 'GET', query, { token });
};

const findLink = ({ said }: LaunchedService): string => /First set-up\s+(\S+)/.exec(said())?.[1] ?? '';

type Action = { readonly tool: string; readonly status: string };

/** Reads every recorded action, page by page. */
const allActions = async (read: Awaited<ReturnType<typeof signIn>>): Promise<readonly Action[]> => {
  const found: Action[] = [];
  let cursor: string | undefined;
  do {
    const { data, page } = await read(`/v1/actions?limit=200${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    found.push(...data);
    cursor = page.has_more ? page.next_cursor : undefined;
  } while (cursor !== undefined);
  return found;
};

const counts = async (read: Awaited<ReturnType<typeof signIn>>) => ({
  workspaces: (await read('/v1/workspaces')).length,
  environments: (await read('/v1/environments')).length,
  agents: (await read('/v1/agents')).total,
  tools: (await read('/v1/tools')).total,
  policies: (await read('/v1/policies')).length,
  decisions: (await allActions(read)).length,
  servers: (await read('/v1/mcp/servers')).map(({ status }: { status: string }) => status).join(),
  connections: (await read('/v1/a2a/connections'))
    .map(({ status }: { status: string }) => status)
    .toSorted()
    .join(),
  pending: (await read('/v1/approvals?status=PENDING')).length,
});

const SEEDED = {
  ...{ workspaces: 2, environments: 3, agents: 6, tools: 9, policies: 3, decisions: 319 },
  ...{ servers: 'QUARANTINED,ACTIVE', connections: 'PENDING,PENDING,VERIFIED', pending: 3 },
};

describe('demo data', () => {
  test('is a sample organization, whose owner signs in with the printed credentials, also with closed sign-up', async () => {
    const service = await start({ SVC_SIGNUP: 'closed' });
    try {
      const read = await signIn(service);
      assert.deepEqual(await counts(read), SEEDED);
      const policies = await read('/v1/policies');
      assert.ok(policies.every(({ active_version }: { active_version: unknown }) => active_version !== null));
      const statuses = new Set((await allActions(read)).map(({ status }) => status));
      for (const each of ['BLOCKED', 'COMPLETED', 'FAILED', 'PENDING_APPROVAL']) assert.ok(statuses.has(each), each);
      const ofPeers = (await allActions(read)).filter(({ tool }) => /^(a2a|help-desk|knowledge-base)\./.test(tool));
      const outcomes = Object.entries(Object.groupBy(ofPeers, ({ tool, status }) => `${tool} ${status}`));
      assert.deepEqual(Object.fromEntries(outcomes.map(([name, each = []]) => [name, each.length])), {
        'a2a.shipping-partner COMPLETED': 4,
        'help-desk.search_tickets COMPLETED': 7,
        'knowledge-base.search_articles BLOCKED': 1,
        'knowledge-base.search_articles COMPLETED': 1,
      });
      const [server] = await read('/v1/mcp/servers?limit=1');
      const [tool] = await read(`/v1/mcp/servers/${server.id}/tools`);
      const { changes } = await read(`/v1/mcp/servers/${server.id}/tools/${tool.id}/diff`);
      assert.match(JSON.stringify(changes), /sends|address/);
      const agents = (await read('/v1/agents')).items.map(({ status }: { status: string }) => status);
      assert.deepEqual([...new Set(agents)].sort(), ['ACTIVE', 'ISOLATED', 'PAUSED']);
      const { edges } = await read('/v1/delegations/graph');
      assert.deepEqual(edges.map(({ status }: { status: string }) => status).sort(), ['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'REVOKED']);
      assert.ok((await read('/v1/runtime-findings')).data.length >= 3);
      const body = { setup_token: getSetupToken({ setupUrl: findLink(service) }) };
      const link = await call(service.controlUrl, 'POST', '/v1/auth/signup/check', { body });
      assert.equal(link.status, 200, 'the set-up link is still good for whoever starts for real');
      assert.equal(statSync(file).mode & 0o077, 0, 'its secrets are for its owner alone');
    } finally {
      assert.equal(await service.stop(), 0);
    }
  });

  test('stays unchanged at the next start, which reports it, and its agent still reaches its refund tool', async () => {
    const service = await start();
    try {
      assert.match(service.said(), /Demo data is there already, as it was left\./);
      const read = await signIn(service);
      assert.deepEqual(await counts(read), SEEDED);
      // The ports differ from those of the first start.
      const { controlUrl, gatewayUrl, agents } = JSON.parse(readFileSync(file, 'utf8'));
      assert.deepEqual([controlUrl, gatewayUrl], [service.controlUrl, service.gatewayUrl]);
      const { items } = await read('/v1/agents');
      assert.deepEqual(
        [agents.refunds.agentId, agents.reports.agentId],
        ['refund-bot', 'report-bot'].map((each) => items.find(({ name }: { name: string }) => name === each).id),
      );
      const governance = new Governance({ gatewayUrl, ...agents.refunds });
      const decision = await governance.act('refund.create', { parameters: { order: 'order-9', amount: 100, currency: 'USD' } });
      assert.deepEqual([decision.status, decision.execution?.http_status], ['COMPLETED', 200]);
    } finally {
      assert.equal(await service.stop(), 0);
    }
  });

  test('that was interrupted is completed, and nothing in it is created twice', async () => {
    const credentials = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...credentials, complete: false }));
    const service = await start();
    try {
      assert.match(service.said(), /^Demo data: /m);
      // One more than seeded: the refund of the previous test.
      assert.deepEqual(await counts(await signIn(service)), { ...SEEDED, decisions: 320 });
      assert.equal(JSON.parse(readFileSync(file, 'utf8')).complete, true);
    } finally {
      assert.equal(await service.stop(), 0);
    }
  });
});
