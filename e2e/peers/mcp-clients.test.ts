import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type GovernedServer, governServer } from '@svc/testing/agents/govern-mcp-server.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { type OpenServer, serveReference, startEverythingServer } from '@svc/testing/peers/reference-servers.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { CLIENTS } from './clients.ts';
import { newReferenceTools } from './reference-tools.ts';

const RULES = [
  { id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.', when: { field: 'parameters.a', op: 'gte', value: 100 } },
  { id: 'blocked', effect: 'BLOCK', reason: 'Not that word.', when: { field: 'parameters.message', op: 'eq', value: 'secret' } },
  { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
];
const TESTS = [{ name: 'allows', given: {}, then: { effect: 'ALLOW' } }];

let planes: Planes;
const opened: OpenServer[] = [];
const governed: Record<string, { readonly upstream: string; readonly server: GovernedServer }> = {};
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
  const starts = { 'a legacy server': startEverythingServer(), 'a modern server': serveReference(newReferenceTools) };
  const tenant = await newGoverned(planes, { rules: RULES, tests: TESTS });
  for (const [name, starting] of Object.entries(starts)) {
    const upstream = await starting;
    opened.push(upstream);
    governed[name] = { upstream: upstream.url, server: await governServer(tenant, upstream.url, { name }) };
  }
});
after(async () => {
  await Promise.all(opened.map(({ close }) => close()));
  await planes.stop();
});

/** Records the text of every response that the client reads, and the protocol revisions that it states. */
const newRecorder = () => {
  const texts: string[] = [];
  const versions = new Set<string | null>();
  const recording: typeof fetch = async (...asked) => {
    const response = await fetch(...asked);
    versions.add(new Request(...asked).headers.get('mcp-protocol-version'));
    if (response.ok && response.body !== null)
      texts.push(
        await response
          .clone()
          .text()
          .catch(() => ''),
      );
    return response;
  };
  return { texts, versions, fetch: recording };
};

/** Returns the definitions in a response as raw text. */
const readDefinitions = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) =>
    text
      .split('\n')
      .map((line) => (line.startsWith('data: ') ? line.slice(6) : line))
      .filter((line) => line.includes('"tools":['))
      .flatMap((line) => JSON.parse(line).result.tools as object[])
      .map((tool) => JSON.stringify(tool)),
  );

const UPSTREAM_ERAS = { 'a legacy server': 'LEGACY', 'a modern server': 'MODERN' } as const;

for (const [upstreamName, era] of Object.entries(UPSTREAM_ERAS))
  for (const [clientName, { version, open }] of Object.entries(CLIENTS))
    describe(`${clientName} at ${upstreamName}`, () => {
      const scene = () => {
        const found = governed[upstreamName];
        if (found === undefined) throw new Error('the server is not governed');
        return found;
      };
      const connect = (more: { fetch?: typeof fetch } = {}) => open({ url: scene().server.url, token: scene().server.token, ...more });

      test('lists the tools as the server defines them, and calls one', async () => {
        const { owner, serverId } = scene().server;
        assert.equal((await owner('GET', `/v1/mcp/servers/${serverId}`)).json.era, era);
        const recorder = newRecorder();
        const client = await connect({ fetch: recorder.fetch });
        try {
          const names = await client.names();
          const definitions = (await owner('GET', `/v1/mcp/servers/${serverId}/tools`)).json;
          assert.deepEqual([...names].toSorted(), definitions.map(({ name }: { name: string }) => name).toSorted());
          assert.ok(readDefinitions(recorder.texts).length >= names.length);
          assert.ok(recorder.versions.has(version), `it states ${[...recorder.versions]}`);
          assert.deepEqual(await client.call('echo', { message: 'hello é' }), { text: 'Echo: hello é', isError: false });
        } finally {
          await client.close();
        }
      });

      test('returns a refusal to the program as text', async () => {
        const client = await connect();
        try {
          const { text, isError } = await client.call('echo', { message: 'secret' });
          assert.equal(isError, true, text);
          assert.match(text, /^ACTION_BLOCKED: Not that word\. What to do: /);
        } finally {
          await client.close();
        }
      });

      test('gets the result of a call that a person approves while it is held', async () => {
        const { owner } = scene().server;
        const client = await connect();
        try {
          const calling = client.call('get-sum', { a: 100, b: 11 });
          let pending = '';
          await waitUntil('the call waits', async () => {
            pending = (await owner('GET', '/v1/approvals?status=PENDING')).json[0]?.id ?? '';
            return pending !== '';
          });
          const approved = await owner('POST', `/v1/approvals/${pending}/approve`, {});
          assert.equal(approved.status, 200, approved.text);
          const { text, isError } = await calling;
          assert.equal(isError, false, text);
          assert.match(text, /111/);
        } finally {
          await client.close();
        }
      });
    });

for (const name of Object.keys(UPSTREAM_ERAS))
  test(`a client reads the definitions of ${name} byte for byte`, async () => {
    const { upstream, server } = governed[name] ?? assert.fail();
    const era = UPSTREAM_ERAS[name as keyof typeof UPSTREAM_ERAS];
    const { open } = Object.values(CLIENTS).find(({ version }) => (version === '2026-07-28') === (era === 'MODERN')) ?? assert.fail();
    const [direct, through] = [newRecorder(), newRecorder()];
    for (const connecting of [
      { url: upstream, fetch: direct.fetch },
      { url: server.url, token: server.token, fetch: through.fetch },
    ]) {
      const client = await open(connecting);
      await client.names();
      await client.close();
    }
    const definitions = readDefinitions(direct.texts);
    assert.ok(definitions.length >= 5);
    for (const definition of definitions)
      assert.ok(
        through.texts.some((text) => text.includes(definition)),
        definition,
      );
  });

for (const [clientName, { open }] of Object.entries(CLIENTS))
  test(`${clientName} calls servers of both eras at the endpoint of all servers, and each call is one action of its server`, async () => {
    const servers = Object.values(governed).map(({ server }) => server);
    const [{ owner, token } = assert.fail()] = servers;
    const client = await open({ url: `${planes.gatewayUrl}/gateway/v1/mcp`, token });
    try {
      const names = await client.names();
      for (const { slug, serverId } of servers) {
        const name = `${slug}__echo`;
        assert.ok(names.includes(name), `${name} in ${names}`);
        const count = async () => {
          const { data } = (await owner('GET', '/v1/audit-events?type=mcp.tool_invoked&limit=100')).json;
          return data.filter((event: { data: { server_id: string } }) => event.data.server_id === serverId).length;
        };
        const before = await count();
        assert.deepEqual(await client.call(name, { message: 'all' }), { text: 'Echo: all', isError: false });
        assert.equal(await count(), before + 1);
      }
    } finally {
      await client.close();
    }
  });
