import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newGovernedServer } from '@svc/testing/agents/govern-mcp-server.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { type FakeMcpServer, startMcpServer } from '@svc/testing/peers/mcp-server.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { openSvc, type Svc } from '@svc/testing/processes/open-svc.ts';

let planes: Planes;
let svc: Svc;
const peers: FakeMcpServer[] = [];
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
  svc = openSvc();
});
after(async () => {
  svc?.remove();
  await Promise.all(peers.map(({ close }) => close()));
  await planes?.stop();
});

const RULES = [
  { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
  { id: 'block', effect: 'BLOCK', reason: 'No passwords.', when: { field: 'parameters.text', op: 'eq', value: 'password' } },
];
const TESTS = [{ name: 'others', given: { 'parameters.text': 'x' }, then: { effect: 'ALLOW' } }];

const open = async (mode: 'legacy' | { readonly pin: string }, gatewayUrl?: string) => {
  const peer = await startMcpServer(mode === 'legacy' ? 'LEGACY' : 'MODERN');
  peers.push(peer);
  const { agent, serverId } = await newGovernedServer(planes, peer.url, { rules: RULES, tests: TESTS });
  const keyFile = join(svc.folder, `${agent.id}.key`);
  writeFileSync(keyFile, agent.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const client = new Client({ name: 'stdio-client', version: '1' }, { versionNegotiation: { mode } });
  const args = ['--agent', agent.id, '--key-file', keyFile, '--gateway', gatewayUrl ?? planes.gatewayUrl, '--server', serverId];
  return { client, transport: new StdioClientTransport({ command: process.execPath, args: [svc.program, 'mcp', 'proxy', ...args] }) };
};

type Result = { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] };

for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
  test(`a client that starts programs uses a registered server, ${mode === 'legacy' ? 'by sessions' : 'without sessions'}`, async () => {
    const { client, transport } = await open(mode);
    await client.connect(transport);
    try {
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        ['echo'],
      );
      const answered = (await client.callTool({ name: 'echo', arguments: { text: 'hello' } })) as Result;
      assert.equal(answered.content[0]?.text, '{"text":"hello"}');
      const refused = (await client.callTool({ name: 'echo', arguments: { text: 'password' } })) as Result;
      assert.equal(refused.isError, true);
      assert.match(refused.content[0]?.text ?? '', /ACTION_BLOCKED: No passwords/);
    } finally {
      await client.close();
    }
  });

test('a call is refused with a reason if the gateway cannot be reached', async () => {
  const run = await svc.run(
    ['mcp', 'proxy', '--agent', 'agt_01M8NK3XYEPVA5N8BRZ1EQVXSZ', '--gateway', 'http://127.0.0.1:1', '--server', 'all', '--key-file', 'k'],
    { input: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}\n' },
  );
  assert.equal(run.code, 1, 'there is no key');
  writeFileSync(join(svc.folder, 'k'), 'MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g', { mode: 0o600 });
  const refused = await svc.run(
    [
      'mcp',
      'proxy',
      '--agent',
      'agt_01M8NK3XYEPVA5N8BRZ1EQVXSZ',
      '--gateway',
      'http://127.0.0.1:1',
      '--server',
      'all',
      '--key-file',
      'k',
      '--timeout',
      '2s',
    ],
    { input: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}\n' },
  );
  assert.equal(refused.json.result.isError, true);
  assert.match(refused.json.result.content[0].text, /^(GATEWAY_UNREACHABLE|TIMED_OUT)/);
});
