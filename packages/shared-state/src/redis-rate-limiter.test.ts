import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { newRateLimiter } from './new-rate-limiter.ts';
import type { RateLimiter, RateLimitState } from './rate-limiter.ts';
import { rateLimiterConformance } from './rate-limiter-conformance.fixture.ts';
import { RateLimiterUnavailableError } from './rate-limiter-unavailable-error.ts';
import { newRedisRateLimiter } from './redis-rate-limiter.ts';

const PASSWORD = 'a-password-nobody-may-read';

const takeOrError = async (limiter: RateLimiter): Promise<{ readonly tookMs: number; readonly outcome: RateLimitState | Error }> => {
  const startedAt = performance.now();
  const outcome = await Promise.resolve(limiter.take({ key: 'key', limit: 1_000 }, 60_000)).catch((error: Error) => error);
  return { tookMs: performance.now() - startedAt, outcome };
};

/** Uses the limiter until its error matches, once its connection has failed. */
const saidSoon = async (limiter: RateLimiter, said: RegExp): Promise<void> => {
  const until = performance.now() + 30_000;
  for (let last = ''; !said.test(last); ) {
    assert.ok(performance.now() < until, `never ${said}, but ${last}`);
    const { outcome } = await takeOrError(limiter);
    last = outcome instanceof Error ? outcome.message : 'counted';
    await sleep(50);
  }
};

/** Asserts the refusal that callers turn into 503, in about a second at most, without the store's address or credentials. */
const assertUnavailable = async (limiter: RateLimiter, withinMs = 10_000): Promise<void> => {
  const { tookMs, outcome } = await takeOrError(limiter);
  assert.ok(outcome instanceof RateLimiterUnavailableError, inspect(outcome));
  assert.ok(tookMs < withinMs, `${tookMs} ms`);
  const told = inspect(outcome, { depth: 10, showHidden: true });
  for (const secret of [PASSWORD, '127.0.0.1', 'auth']) assert.ok(!told.includes(secret), told);
};

/** Returns a limiter that is closed after the test, passed or failed. */
const opened = (t: TestContext, url: string): RateLimiter => {
  const limiter = newRedisRateLimiter(url);
  t.after(() => limiter.close());
  return limiter;
};

/** Closes a server and its connections when the test ends. */
const endedAfter = (t: TestContext, server: Server): Server => {
  const sockets: Socket[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return server;
};

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

const unusedPort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
};

test('rejects an address that is not a Redis address when the limiter is created', async () => {
  await assert.rejects(newRateLimiter('http://127.0.0.1:6379'), /redis:\/\//);
});

test('rejects a database that is not a number when the limiter is created', async () => {
  for (const path of ['/none', '/-1', '/1x', '/1/2', '/?db=none'])
    await assert.rejects(newRateLimiter(`redis://127.0.0.1:6379${path}`), /must be a number/, path);
});

test('counts in this process without an address', async () => {
  const limiter = await newRateLimiter(undefined);
  assert.equal('allowed' in limiter.take({ key: 'key', limit: 1 }, 1_000), true);
  await limiter.close();
});

test('throws, and does not admit, when no server listens', async (t) => {
  const limiter = opened(t, `redis://:${PASSWORD}@127.0.0.1:${await unusedPort()}`);
  await assertUnavailable(limiter, 400);
  await assertUnavailable(limiter, 400);
});

test('throws within about a second, each time, for a store that accepts connections and never answers', async (t) => {
  const port = await listen(endedAfter(t, createServer()));
  const limiter = opened(t, `redis://:${PASSWORD}@127.0.0.1:${port}`);
  for (let each = 0; each < 4; each += 1) await assertUnavailable(limiter);
});

test('throws for a server that does not speak the protocol', async (t) => {
  const server = createServer((socket) => socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')));
  await assertUnavailable(opened(t, `redis://127.0.0.1:${await listen(endedAfter(t, server))}`));
});

const getProgram = (names: readonly string[]): string | undefined =>
  names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);

const program = getProgram(['redis-server', 'valkey-server']);
const skip = program === undefined && 'there is neither redis-server nor valkey-server on the PATH';

type Running = { readonly url: string; readonly child: ChildProcess; readonly port: number };

const startRedis = async (folder: string, port: number): Promise<Running> => {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', PASSWORD, '--save', '', '--appendonly', 'no'];
  const child = spawn(program ?? '', [...settings, '--dir', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of child.stdout) if (/ready to accept connections/i.test(String(line))) break;
  child.stdout.resume();
  return { url: `redis://:${PASSWORD}@127.0.0.1:${port}`, child, port };
};

const stopRedis = async ({ child }: Running): Promise<void> => {
  child.kill('SIGCONT');
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

const allowedSoon = async (limiter: RateLimiter): Promise<void> => {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    const { outcome } = await takeOrError(limiter);
    if (!(outcome instanceof Error)) return assert.equal(outcome.allowed, true);
    await sleep(50);
  }
  assert.fail('the store was never used again');
};

if (skip) {
  test('redis: keeps the promises of a rate limiter with a stopped, frozen and failing store', { skip }, () => {});
} else {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  let redis: Running;
  let limiter: RateLimiter;

  before(async () => {
    redis = await startRedis(folder, await unusedPort());
    limiter = newRedisRateLimiter(redis.url);
  });
  after(async () => {
    await limiter.close();
    await stopRedis(redis);
    rmSync(folder, { recursive: true });
  });

  rateLimiterConformance('redis', () => limiter);

  const getClient = (t: TestContext): Redis => {
    const client = new Redis(redis.url);
    t.after(() => client.disconnect());
    return client;
  };

  test('redis: shares one budget between processes', async (t) => {
    const others = Array.from({ length: 4 }, () => opened(t, redis.url));
    const budgets = await Promise.all(
      Array.from({ length: 40 }, (_, each) => others[each % 4]?.take({ key: 'shared', limit: 10 }, 60_000)),
    );
    assert.equal(budgets.filter((budget) => budget?.allowed).length, 10);
  });

  test('redis: throws, and does not admit, with a wrong password', async (t) => {
    const wrong = opened(t, redis.url.replace(PASSWORD, `${PASSWORD}-but-wrong`));
    await assertUnavailable(wrong);
    await saidSoon(wrong, /it answered WRONGPASS/);
    await assertUnavailable(wrong);
  });

  test('redis: reports in one word what prevents a connection', async (t) => {
    await saidSoon(opened(t, `redis://127.0.0.1:${redis.port}`), /it answered NOAUTH/);
    await saidSoon(opened(t, `redis://127.0.0.1:${await unusedPort()}`), /it is unreachable \(ECONNREFUSED\)/);
    await saidSoon(opened(t, redis.url.replace('redis:', 'rediss:')), /it is unreachable \(\w+\)/);
  });

  test('redis: counts in the database that the address names, and nothing in one that does not exist', async (t) => {
    const third = opened(t, `${redis.url}/3`);
    await allowedSoon(third);
    assert.equal((await third.take({ key: 'third', limit: 1 }, 60_000)).allowed, true);
    const client = getClient(t);
    assert.equal(await client.exists('svc:rate:60000:third'), 0);
    await client.select(3);
    assert.equal(await client.exists('svc:rate:60000:third'), 1);
    for (const path of ['/9999', '/?db=9999']) {
      const nowhere = opened(t, `${redis.url}${path}`);
      await assertUnavailable(nowhere);
      await saidSoon(nowhere, /the database number in REDIS_URL does not exist, or this user has no access to it \(SELECT returned ERR\)/);
      for (let each = 0; each < 3; each += 1) await assertUnavailable(nowhere);
    }
  });

  test('redis: throws, and does not admit, when the store answers with an error', async (t) => {
    const client = getClient(t);
    await client.set('svc:rate:60000:key', 'no number');
    await assertUnavailable(limiter);
    await client.del('svc:rate:60000:key');
    await allowedSoon(limiter);
  });

  test('redis: gives a new expiry to a count that lost it, so that no key is blocked for ever', async (t) => {
    const client = getClient(t);
    await client.set('svc:rate:60000:without-expiry', '99');
    assert.equal((await limiter.take({ key: 'without-expiry', limit: 10 }, 60_000)).allowed, false);
    assert.ok((await client.pttl('svc:rate:60000:without-expiry')) > 59_000);
  });

  test('redis: throws within about a second per use while the server is frozen, and uses it again afterwards', async () => {
    redis.child.kill('SIGSTOP');
    const frozenUntil = performance.now() + 3_500;
    while (performance.now() < frozenUntil) await Promise.all(Array.from({ length: 8 }, () => assertUnavailable(limiter)));
    redis.child.kill('SIGCONT');
    await allowedSoon(limiter);
  });

  test('redis: drops and reopens a connection that went silent', async (t) => {
    const passing: Socket[] = [];
    const relay = createServer((client) => {
      const server = connect(redis.port, '127.0.0.1').on('error', () => {});
      t.after(() => server.destroy());
      client.pipe(server).pipe(client);
      passing.push(client, server);
    });
    const limiterBehind = opened(t, redis.url.replace(String(redis.port), String(await listen(endedAfter(t, relay)))));
    await allowedSoon(limiterBehind);
    for (const socket of passing) {
      socket.unpipe();
      socket.pause();
    }
    await assertUnavailable(limiterBehind);
    await allowedSoon(limiterBehind);
  });

  test('redis: throws when the server was killed, and uses it again after a restart', async () => {
    await stopRedis(redis);
    await assertUnavailable(limiter);
    redis = await startRedis(folder, redis.port);
    await allowedSoon(limiter);
  });

  test('redis: closes without waiting for a frozen server', async () => {
    const other = newRedisRateLimiter(redis.url);
    await other.take({ key: 'close', limit: 1 }, 1_000);
    redis.child.kill('SIGSTOP');
    const waiting = takeOrError(other);
    const startedAt = performance.now();
    await other.close();
    assert.ok(performance.now() - startedAt < 10_000);
    assert.ok((await waiting).outcome instanceof RateLimiterUnavailableError);
    redis.child.kill('SIGCONT');
  });
}
