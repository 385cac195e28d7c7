import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { MCP_OFFER_KINDS } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { isDefinitionFault, readDefinition } from '../definitions/definition.ts';
import { KEY_MEMBERS, readOffer } from '../definitions/offers.ts';
import { type Listing, takeListing } from './listing.ts';
import type { Era } from './protocol.ts';
import { closeAll, newSend, serveModern, startEverything } from './servers.fixture.ts';

const clientInfo = { name: 'svc', version: '0.2.0' };
const list = (url: string, known?: Era, settings = {}) =>
  takeListing({ send: newSend(settings), url, clientInfo, now: () => performance.now(), ...(known === undefined ? {} : { known }) });

const listed = (result: Awaited<ReturnType<typeof list>>): Listing => {
  assert.ok(!('kind' in result), JSON.stringify(result));
  return result;
};

afterEach(closeAll);
after(closeAll);

const newServer = (): McpServer => {
  const server = new McpServer({ name: 'weather', version: '2.0.0', title: 'Weather' }, { instructions: 'Use metric units.' });
  const inputSchema = fromJsonSchema(
    JSON.parse('{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}},"required":["city"]}'),
  );
  server.registerTool('forecast', { description: 'Tomorrow, é 世界', inputSchema }, async () => ({ content: [] }));
  server.registerTool('now', { description: 'Now' }, async () => ({ content: [] }));
  return server;
};

test('lists a modern server', async () => {
  const url = await serveModern(newServer);
  const listing = listed(await list(url));
  assert.deepEqual([listing.era, listing.protocolVersion, listing.instructions], ['MODERN', '2026-07-28', 'Use metric units.']);
  assert.deepEqual([listing.serverInfo.name, listing.serverInfo.version], ['weather', '2.0.0']);
  assert.deepEqual(
    listing.tools.map(({ name }) => name),
    ['forecast', 'now'],
  );
  const definition = readDefinition(listing.tools[0]?.text ?? '');
  assert.ok(!isDefinitionFault(definition));
  assert.equal(definition.description, 'Tomorrow, é 世界');
});

test('finds a modern server again that was known as a legacy one', async () => {
  const url = await serveModern(newServer);
  assert.equal(listed(await list(url, 'LEGACY')).era, 'MODERN');
});

test('lists the legacy reference server, regardless of the era that is tried first', async () => {
  const url = await startEverything();
  const [first, second, asText] = [
    listed(await list(url)),
    listed(await list(url, 'LEGACY')),
    listed(await list(url, 'LEGACY', { asText: true, readsAtOnce: true })),
  ];
  assert.deepEqual([first.era, first.protocolVersion], ['LEGACY', '2025-11-25']);
  assert.ok(first.tools.length > 5 && first.tools.some(({ name }) => name === 'echo'));
  for (const { kind, name, text } of first.tools) {
    const definition = readOffer(kind, text);
    assert.ok(!isDefinitionFault(definition) && JSON.parse(text)[KEY_MEMBERS[kind]] === name, text);
  }
  assert.deepEqual(
    [...new Set(first.tools.map(({ kind }) => kind))].toSorted(),
    MCP_OFFER_KINDS.toSorted(),
    'resources, templates and prompts are read too',
  );
  assert.equal(first.hash, second.hash);
  assert.equal(first.hash, asText.hash);
});
