import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import type { EgressSettings } from '@svc/egress/create-egress.ts';
import type { ListingFailure } from './failures.ts';
import { type Listing, takeListing } from './listing.ts';
import { type Asked, answerJson, closeAll, newSend, serve, servePages } from './servers.fixture.ts';

afterEach(closeAll);
after(closeAll);

const take = async (
  url: string,
  settings: Partial<EgressSettings> = {},
): Promise<{ result: Listing | ListingFailure; requests: string[] }> => {
  const send = newSend(settings);
  const requests: string[] = [];
  const result = await takeListing({
    send: (request) => {
      requests.push(`${request.method} ${request.url}`);
      return send(request);
    },
    url,
    clientInfo: { name: 'svc', version: '0.1.0' },
    now: () => performance.now(),
  });
  return { result, requests };
};

/** Lists, and returns the kind and the explanation of the failure. */
const fail = async (url: string, settings: Partial<EgressSettings> = {}): Promise<readonly [kind: string, explanation: string]> => {
  const { result } = await take(url, settings);
  assert.ok('kind' in result, 'listed');
  return [result.kind, result.explanation];
};

const tool = (name: string, more = {}) => ({ name, inputSchema: { type: 'object' }, ...more });

test('stops at cursors that repeat, and at too many pages', async () => {
  const empty = await servePages((cursor) => ({ tools: [], nextCursor: cursor === undefined ? '1' : cursor === '1' ? '2' : '1' }));
  assert.match((await fail(empty)).join(' '), /^PROTOCOL .*repeat without end/);
  const endless = await servePages((cursor) => ({ tools: [], nextCursor: `${Number(cursor ?? 0) + 1}` }));
  assert.match((await fail(endless)).join(' '), /^TOO_LARGE .*more than 50 pages/);
});

test('stops at too many tools', async () => {
  const url = await servePages(() => ({ tools: Array.from({ length: 10_000 }, (_, at) => tool(`t${at}`)) }));
  assert.match((await fail(url, { readsAtOnce: true })).join(' '), /^TOO_LARGE .*more than 1000 tools/);
});

test('reads no more than 4 MiB of a list, in one page or in many', async () => {
  const one = await servePages((_cursor, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"');
    const piece = 'a'.repeat(1_048_576);
    let left = 100;
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
    return undefined;
  });
  assert.equal((await fail(one))[0], 'TOO_LARGE');
  const many = await servePages((cursor = '0') => ({
    tools: [tool(`t${cursor}`, { description: 'a'.repeat(900_000) })],
    nextCursor: `${Number(cursor) + 1}`,
  }));
  assert.equal((await fail(many))[0], 'TOO_LARGE');
});

test('gives up a server that never answers, within the time of a listing', async () => {
  const url = await serve(() => undefined);
  const send = newSend();
  const timeouts: number[] = [];
  const TIMES = 20;
  const startedAt = performance.now();
  const result = await takeListing({
    send: ({ timeoutMs = 0, ...request }) => {
      timeouts.push(timeoutMs);
      return send({ ...request, timeoutMs: timeoutMs / TIMES });
    },
    url,
    clientInfo: { name: 'svc', version: '0.1.0' },
    now: () => (performance.now() - startedAt) * TIMES,
  });
  assert.equal('kind' in result && result.kind, 'TIMEOUT', JSON.stringify(result));
  const [probe = 0, ...others] = timeouts;
  assert.ok(probe <= 5_000 && others.length > 0 && others.every((timeout) => timeout <= 10_000), timeouts.join());
});

test('follows no redirect, and sends nothing to its target', async () => {
  let reached = 0;
  const target = await serve((_request, response) => {
    reached += 1;
    response.end();
  });
  const url = await serve((_request, response) => response.writeHead(307, { location: target }).end());
  const [kind, explanation] = await fail(url);
  assert.deepEqual([kind, reached], ['PROTOCOL', 0]);
  assert.match(explanation, /redirects to .*Register the address it redirects to\./);
});

test('bounds a flood of events', async () => {
  const url = await servePages((_cursor, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n'.repeat(500);
    const more = (): void => {
      while (!response.destroyed) if (!response.write(events)) return void response.once('drain', more);
    };
    more();
    return undefined;
  });
  assert.equal((await fail(url))[0], 'TOO_LARGE');
});

test('reads an answer from a stream between other messages', async () => {
  const url = await servePages((_cursor, response, id) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"jsonrpc":"2.0","id":99,"method":"sampling/createMessage","params":{}}\n\n');
    response.write(`data: {"jsonrpc":"2.0","id":${id + 7},"result":{"tools":[]}}\n\n`);
    response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [tool('a')] } })}\n\n`);
    return undefined;
  });
  const { result } = await take(url);
  assert.deepEqual('tools' in result && result.tools, [{ kind: 'TOOL', name: 'a', text: '{"name":"a","inputSchema":{"type":"object"}}' }]);
});

test('keeps a definition byte for byte if the client forwards text', async () => {
  const text = '{ "inputSchema" : {"type":"object","x":[1.0, 2e2]} ,\n "description":"\\u00e9 \\" ]}", "name":"a" }';
  const url = await servePages((_cursor, response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":${id}, "jsonrpc":"2.0","result":{"tools": [ ${text} ]}}`);
    return undefined;
  });
  const { result } = await take(url, { asText: true, readsAtOnce: true });
  assert.deepEqual('tools' in result && result.tools, [{ kind: 'TOOL', name: 'a', text }]);
  const { result: parsed } = await take(url);
  assert.deepEqual('tools' in parsed && parsed.tools, [{ kind: 'TOOL', name: 'a', text: JSON.stringify(JSON.parse(text)) }]);
});

test('fails a list with a nameless tool or with a name that is there twice', async () => {
  assert.match(
    (await fail(await servePages(() => ({ tools: [tool('a'), { inputSchema: {} }] })))).join(' '),
    /^PROTOCOL Tool 2 of a page has no name/,
  );
  assert.match((await fail(await servePages(() => ({ tools: [tool('a'), tool('a')] })))).join(' '), /^PROTOCOL .*the tool a twice/);
});

test('lists tools whose schemas are too deep or point elsewhere, and reads nothing for them', async () => {
  const deep = `${'{"anyOf":['.repeat(3_000)}{}${']}'.repeat(3_000)}`;
  const tools = `{"name":"deep","inputSchema":${deep}},{"name":"far","inputSchema":{"$ref":"http://169.254.169.254/"}}`;
  const url = await servePages((_cursor, response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[${tools}]}}`);
    return undefined;
  });
  const { result, requests } = await take(url);
  assert.ok('tools' in result, JSON.stringify(result));
  assert.equal(result.tools.map(({ text }) => text).join(','), tools);
  assert.equal(requests.length, 2);
});

test('rejects content without a JSON media type', async () => {
  const url = await serve((_request, response, body) => {
    const { id } = JSON.parse(body || '{"id":0}') as Asked;
    const text = JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { supportedVersions: ['2026-07-28'], capabilities: {}, tools: [tool('a')] },
    });
    response.writeHead(200, { 'content-type': 'text/html' }).end(text);
  });
  assert.equal((await fail(url))[0], 'NOT_MCP');
  const stream = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('{"jsonrpc":"2.0"}'),
  );
  assert.equal((await fail(stream))[0], 'PROTOCOL');
});

test('names the old transport and its remedy', async () => {
  const url = await serve((request, response) => {
    if (request.method !== 'GET') return response.writeHead(405).end();
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages?id=1\n\n');
  });
  assert.match((await fail(url)).join(' '), /^SSE_TRANSPORT .*streamable HTTP address/);
});

test('reports an address where no MCP server is', async () => {
  const page = await serve((_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'));
  assert.match((await fail(page)).join(' '), /^NOT_MCP .*status 404/);
  assert.match((await fail('http://127.0.0.1:9/mcp')).join(' '), /^UNREACHABLE .*Check the address/);
  const broken = await serve((_request, response) => response.writeHead(502).end());
  assert.match((await fail(broken)).join(' '), /^PROTOCOL .*status 502/);
});

test('names the revisions of a server that speaks only others', async () => {
  const url = await serve((_request, response, body) => {
    const { id } = JSON.parse(body) as Asked;
    answerJson(response, { jsonrpc: '2.0', id, error: { code: -32022, message: 'no', data: { supported: ['2031-01-01'] } } }, 400);
  });
  assert.match((await fail(url)).join(' '), /^PROTOCOL The server speaks 2031-01-01 of the protocol/);
});

const challenge = async (header: string, documents: (path: string, origin: string) => unknown) => {
  let origin = '';
  const url = await serve((request, response) => {
    const document = documents(request.url ?? '', origin);
    if (request.method === 'GET') return document === undefined ? response.writeHead(404).end() : answerJson(response, document);
    return response.writeHead(401, { 'www-authenticate': header.replace('ORIGIN', origin) }).end();
  });
  origin = new URL(url).origin;
  return { url, origin, ...(await take(url)) };
};

test('reads the metadata of a server that requires a credential', async () => {
  const { url, origin, result } = await challenge('Bearer realm="x", resource_metadata="ORIGIN/meta", scope="read write"', (path, at) =>
    path === '/meta' ? { resource: `${at}/mcp`, authorization_servers: ['https://login.example'], scopes_supported: ['other'] } : undefined,
  );
  assert.deepEqual(result, {
    kind: 'NEEDS_CREDENTIAL',
    explanation:
      'The server asks for a credential, or does not accept the one it got. Connect a credential for this server, then list its tools again.',
    metadataUrl: `${origin}/meta`,
    issuer: 'https://login.example',
    scopes: ['read', 'write'],
    resource: url,
  });
});

test('finds the metadata of a server that states no address of it', async () => {
  const { result } = await challenge('Bearer', (path) =>
    path === '/.well-known/oauth-protected-resource/mcp'
      ? { authorization_servers: ['https://login.example'], scopes_supported: ['a'] }
      : undefined,
  );
  assert.ok('kind' in result && result.kind === 'NEEDS_CREDENTIAL');
  assert.deepEqual([result.issuer, result.scopes], ['https://login.example', ['a']]);
});

test('reads metadata from no other origin', async () => {
  for (const foreign of ['http://169.254.169.254/latest/meta-data', 'https://evil.example/meta', 'file:///etc/passwd', 'not a url']) {
    const { requests, origin, result } = await challenge(`Bearer resource_metadata="${foreign}"`, () => ({
      authorization_servers: ['https://a.example'],
    }));
    assert.ok('kind' in result && result.kind === 'NEEDS_CREDENTIAL');
    assert.deepEqual([result.issuer, result.metadataUrl], [undefined, undefined]);
    assert.match(result.explanation, /on another origin and was not read/);
    for (const request of requests) assert.equal(new URL(request.split(' ')[1] ?? '').origin, origin);
  }
});

test('ends the session of a legacy server, even after a failure', async () => {
  const seen: string[] = [];
  const url = await serve((request, response, body) => {
    if (request.method === 'DELETE') {
      seen.push(`DELETE ${request.headers['mcp-session-id']}`);
      return response.writeHead(200).end();
    }
    const { id, method } = JSON.parse(body) as Asked;
    seen.push(`${method} ${request.headers['mcp-session-id'] ?? ''}`);
    if (method === 'initialize')
      return answerJson(
        response,
        { jsonrpc: '2.0', id, result: { protocolVersion: '2025-03-26', serverInfo: {}, capabilities: {} } },
        200,
        {
          'mcp-session-id': 's1',
        },
      );
    if (id === undefined) return response.writeHead(202).end();
    return answerJson(response, { jsonrpc: '2.0', id, error: { code: -32603, message: 'broken\u001b[8m' } }, 400);
  });
  assert.match((await fail(url)).join(' '), /^PROTOCOL The server refused to list its tools: broken \[8m/);
  assert.deepEqual(seen, ['server/discover ', 'initialize ', 'notifications/initialized s1', 'tools/list s1', 'DELETE s1']);
});
