import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@svc/testing/processes/free-port.ts';
import type pg from 'pg';
import { bundleNode } from '../../sdks/n8n/build/bundle-node.ts';

/** It loads 900 node types, which takes minutes on a busy machine. */
const READY_MS_MAX = 900_000;
const OWNER = { email: 'owner@automation.example', firstName: 'Owner', lastName: 'Example', password: 'A-long-passw0rd' };
const LAST_OUTPUT_CHARS = 20_000;

// biome-ignore lint/suspicious/noExplicitAny: answers of a product
type Json = any;
export type N8nAnswer = { readonly status: number; readonly body: Json };

/** A real n8n with our package, and an API key of its owner. */
export type RealN8n = {
  readonly url: string;
  readonly apiKey: string;
  /** A request with the API key. */
  readonly api: (method: string, path: string, body?: object) => Promise<N8nAnswer>;
  /** A request with the session of the owner. */
  readonly rest: (method: string, path: string, body?: object) => Promise<N8nAnswer>;
  readonly output: () => string;
  readonly stop: () => Promise<void>;
};

type Starting = {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly database: pg.Client;
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Archive of our package from a bundle; it is built from its sources without one. */
  readonly archive?: string;
};

const wait = async (what: string, isThere: () => Promise<boolean>): Promise<void> => {
  for (const until = Date.now() + READY_MS_MAX; !(await isThere()); await sleep(500))
    if (Date.now() > until) throw new Error(`${what} is not there within ${READY_MS_MAX / 1_000} s.`);
};

const request = async (
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<N8nAnswer & { cookie: string }> => {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', 'browser-id': 'test', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return { status: answer.status, body: isJson && text !== '' ? JSON.parse(text) : text, cookie: answer.headers.getSetCookie().join('; ') };
};

const mustBe = (what: string, { status, body }: N8nAnswer): Json => {
  if (status >= 300) throw new Error(`${what} answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
  return body;
};

/** Puts our package where n8n loads installed packages from. */
const installPackage = async (home: string, archive: string | undefined): Promise<void> => {
  const packages = join(home, '.n8n/nodes/node_modules');
  const target = join(packages, 'n8n-nodes-svc-governance');
  mkdirSync(target, { recursive: true });
  if (archive !== undefined) {
    const { status } = spawnSync('tar', ['-xf', '-', '-C', packages], { input: Buffer.from(archive, 'base64') });
    if (status !== 0) throw new Error(`tar ended with ${status}`);
    return;
  }
  cpSync(join(import.meta.dirname, '../../sdks/n8n/package.json'), join(target, 'package.json'));
  await bundleNode(join(target, 'dist'));
};

const newDatabase = async (database: pg.Client, databaseUrl: string): Promise<Record<string, string>> => {
  const name = `n8n_${randomBytes(6).toString('hex')}`;
  await database.query(`create database ${name}`);
  const { hostname, port, username, password, searchParams } = new URL(databaseUrl);
  // The server of the tests listens at a socket.
  const [host, portText] = [searchParams.get('host') ?? hostname, searchParams.get('port') ?? (port || '5432')];
  return {
    ...{ DB_TYPE: 'postgresdb', DB_POSTGRESDB_DATABASE: name, DB_POSTGRESDB_HOST: host, DB_POSTGRESDB_PORT: portText },
    ...{ DB_POSTGRESDB_USER: decodeURIComponent(username), DB_POSTGRESDB_PASSWORD: decodeURIComponent(password) },
  };
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(hard);
};

/** Starts n8n with a database of its own, sets up its owner and creates an API key with all scopes. */
export const startN8n = async ({ folder, databaseUrl, database, port, env = {}, archive }: Starting): Promise<RealN8n> => {
  const home = mkdtempSync(join(tmpdir(), 'n8n-home-'));
  await installPackage(home, archive);
  const url = `http://127.0.0.1:${port}`;
  const stored = await newDatabase(database, databaseUrl);
  const { hashSync } = createRequire(join(folder, 'node_modules/n8n/package.json'))('bcryptjs');
  const values: Record<string, string> = {
    ...{
      N8N_USER_FOLDER: home,
      N8N_PORT: String(port),
      N8N_RUNNERS_BROKER_PORT: String(await freePort()),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
    },
    ...{ N8N_HOST: '127.0.0.1', N8N_PROTOCOL: 'http', N8N_WEBHOOK_URL: `${url}/`, N8N_SECURE_COOKIE: 'false' },
    ...{ N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'), N8N_DIAGNOSTICS_ENABLED: 'false', N8N_HIRING_BANNER_ENABLED: 'false' },
    ...{ N8N_VERSION_NOTIFICATIONS_ENABLED: 'false', N8N_TEMPLATES_ENABLED: 'false', N8N_PERSONALIZATION_ENABLED: 'false' },
    ...{ N8N_INSTANCE_AI_ENABLED: 'false', N8N_COMMUNITY_PACKAGES_ENABLED: 'false', N8N_INSTANCE_OWNER_EMAIL: OWNER.email },
    ...{ N8N_INSTANCE_OWNER_FIRST_NAME: OWNER.firstName, N8N_INSTANCE_OWNER_LAST_NAME: OWNER.lastName },
    ...{ N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true', N8N_INSTANCE_OWNER_PASSWORD_HASH: hashSync(OWNER.password, 10) },
    ...stored,
    ...env,
  };
  const child = spawn(process.execPath, [join(folder, 'node_modules/n8n/bin/n8n'), 'start'], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...values },
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-LAST_OUTPUT_CHARS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`n8n ended with ${child.exitCode}: ${output}`);
    return fetch(`${url}/healthz/readiness`).then(
      ({ status }) => status === 200,
      () => false,
    );
  };
  const isThere = async (): Promise<boolean> => (await request(`${url}/rest/settings`, 'GET', {})).status === 200;
  try {
    await wait('n8n', isReady);
    await wait('The API of n8n', isThere);
  } catch (error) {
    await end(child);
    throw new Error(output, { cause: error });
  }
  const login = await request(`${url}/rest/login`, 'POST', {}, { emailOrLdapLoginId: OWNER.email, password: OWNER.password });
  mustBe('login', login);
  const cookie = /n8n-auth=[^;]+/.exec(login.cookie)?.[0] ?? '';
  const rest = (method: string, path: string, body?: object) => request(url + path, method, { cookie }, body);
  const { data: scopes } = mustBe('scopes', await rest('GET', '/rest/api-keys/scopes'));
  const made = mustBe('api key', await rest('POST', '/rest/api-keys', { label: 'test', scopes, expiresAt: null }));
  const apiKey: string = made.data.rawApiKey;
  return {
    ...{ url, apiKey, rest, output: () => output },
    api: (method, path, body) => request(`${url}/api/v1${path}`, method, { 'x-n8n-api-key': apiKey }, body),
    stop: async () => {
      await end(child);
      await database.query(`drop database if exists ${stored.DB_POSTGRESDB_DATABASE} with (force)`);
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
