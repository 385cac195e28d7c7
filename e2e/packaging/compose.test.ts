import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { SETTING_TABLE } from '@svc/contract/tables/settings.ts';
import { load } from 'js-yaml';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly profiles?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
};

/** The keys `<<` of YAML 1.1, which Compose supports. */
const merged = (value: Readonly<Record<string, unknown>>): Service => {
  const { '<<': base, ...own } = value;
  return { ...(base as object), ...own } as Service;
};

const { services, ...document } = load(read('compose.yaml')) as { services: Record<string, Record<string, unknown>>; volumes: object };
const all = Object.entries(services).map(([name, service]) => ({ name, ...merged(service) }));
const connector = all.find(({ name }) => name === 'connector');
const programs = all.filter(({ image, name }) => image === 'agent-governance' && name !== 'connector');

test('compose.yaml runs the migration, all programs and what they need', () => {
  assert.deepEqual(all.map(({ name }) => name).sort(), [
    ...['connector', 'control-plane', 'gateway', 'migrate', 'postgres', 'proxy', 'redis', 'worker'],
  ]);
  for (const { name, command } of programs) assert.equal(command?.[0], name === 'migrate' ? 'ops' : name);
  for (const { depends_on } of all) for (const other of Object.keys(depends_on ?? {})) assert.ok(other in services, other);
});

test('programs of compose.yaml run without privileges on a read-only root', () => {
  assert.equal(programs.length, 4);
  for (const { name, read_only, cap_drop } of programs) assert.deepEqual([read_only, cap_drop], [true, ['ALL']], name);
});

test('compose.yaml mounts files of the project and sets settings that exist', () => {
  const mounted = all.flatMap(({ volumes = [] }) =>
    volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0] ?? ''),
  );
  for (const file of mounted) assert.ok(file.endsWith('/tls') || existsSync(path.join(root, file)), file);
  for (const { name, environment = {} } of programs)
    for (const setting of Object.keys(environment)) assert.ok(setting in SETTING_TABLE, `${name}: ${setting}`);
  assert.ok('volumes' in document);
});

test('the connector of compose.yaml is off by default, gets no secret of the service, and runs without privileges', () => {
  assert.ok(connector);
  const { profiles, read_only, cap_drop, environment = {}, volumes = [], entrypoint = [] } = connector;
  assert.deepEqual([profiles, read_only, cap_drop], [['connector'], true, ['ALL']]);
  assert.deepEqual(Object.keys(environment).sort(), ['GOVERNANCE_CONNECTOR_SECRET', 'HOME', 'MEMORY_FILE_PATH']);
  assert.equal(
    volumes.some((volume) => volume.includes('database') || volume.includes('.env')),
    false,
  );
  assert.equal(spawnSync('sh', ['-n', '-c', entrypoint.at(-1) ?? '']).status, 0);
});

for (const file of ['deploy/compose/connector/connector.json', 'deploy/kubernetes/connector/connector.json'])
  test(`${file} pins each package by its digest`, () => {
    const configuration = JSON.parse(read(file));
    assert.equal(configuration.host, '0.0.0.0');
    const hosted = Object.values(configuration.servers) as {
      package: { name: string; version: string; integrity: string };
      sandbox: string;
    }[];
    assert.ok(hosted.length > 0);
    for (const { package: pinned, sandbox } of hosted) {
      assert.equal(sandbox, 'NONE');
      const locked = JSON.parse(read('package-lock.json')).packages[`node_modules/${pinned.name}`];
      assert.deepEqual([pinned.version, pinned.integrity], [locked.version, locked.integrity]);
    }
  });

test('only the owner of the migration and the server get the password of the owner', () => {
  const getting = all.filter(({ environment }) => JSON.stringify(environment ?? {}).includes('GOVERNANCE_OWNER_PASSWORD'));
  assert.deepEqual(getting.map(({ name }) => name).sort(), ['migrate', 'postgres']);
});

test('shell scripts have no syntax error', () => {
  const scripts = globSync('deploy/**/*.sh', { cwd: root });
  assert.equal(scripts.length, 2);
  for (const script of scripts) assert.equal(spawnSync('sh', ['-n', path.join(root, script)]).status, 0, script);
});

test('units of systemd run programs that exist', () => {
  const units = globSync('deploy/systemd/*.service', { cwd: root });
  assert.equal(units.length, 5);
  for (const unit of units) {
    const [, file, words] = /^ExecStart=\/usr\/bin\/node \/opt\/agent-governance\/(\S+) (.+)$/m.exec(read(unit)) ?? [];
    assert.ok(file && existsSync(path.join(root, file)), unit);
    const expected = path.basename(unit, '.service').replace('governance-', '');
    if (expected === 'connector') {
      assert.deepEqual([file, words], ['apps/connector/src/main.ts', '/etc/agent-governance-connector/connector.json']);
      assert.match(read(unit), /^User=governance-connector$/m);
      assert.doesNotMatch(read(unit), /EnvironmentFile/);
      continue;
    }
    assert.equal(words, expected === 'migrate' ? 'ops migrate --grant governance_programs' : expected);
  }
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd accepts the units', { skip: hasSystemd ? false : 'systemd-analyze is not installed' }, () => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-units-'));
  const verify = (change: (text: string) => string): string => {
    const units = globSync('deploy/systemd/*', { cwd: root }).map((unit) => {
      const copy = path.join(home, path.basename(unit));
      // The path of Node on this machine: systemd checks that the program exists.
      writeFileSync(copy, change(read(unit)).replaceAll('/usr/bin/node', process.execPath));
      return copy;
    });
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
    return stdout + stderr;
  };
  try {
    assert.equal(
      verify((text) => text),
      '',
    );
    assert.match(
      verify((text) => text.replace('[Service]', '[Service]\nProtectEverything=yes')),
      /Unknown key.*'ProtectEverything'/,
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
