import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listEntries, readServer } from '../plan/read-entries.ts';
import { newEdit, rewriteEntry } from '../plan/rewrite-entry.ts';
import { SYNTAXES } from '../text/config-text.ts';
import { FORMATS } from './formats.ts';
import { BROKEN, SAMPLES } from './samples.fixture.ts';

const FOLDERS = { home: '/h', project: '/p', env: {} } as const;

const find = (format: (typeof FORMATS)[number], text: string, name: string) => {
  const entry = listEntries(format, SYNTAXES[format.syntax].read(text)).find((each) => each.name === name);
  assert.ok(entry, `${name} of ${format.id}`);
  return { entry, server: readServer(format, entry) };
};

test('every client has a sample, and files on each system', () => {
  assert.deepEqual(FORMATS.map(({ id }) => id).toSorted(), Object.keys(SAMPLES).toSorted());
  for (const { id, files } of FORMATS)
    for (const platform of ['linux', 'darwin', 'win32'] as const) assert.ok(files({ ...FOLDERS, platform }).length > 0, id);
});

for (const format of FORMATS) {
  const sample = SAMPLES[format.id] ?? { text: '', kept: [] };
  const command = (name: string) => ({ program: 'svc', args: ['mcp', 'proxy', '--prefix', `${name}.`, '--', 'a "quoted" word', 'ä'] });

  test(`${format.name}: reads a local and a remote server`, () => {
    const local = find(format, sample.text, 'files').server;
    assert.ok(local.kind === 'LOCAL');
    assert.deepEqual([local.program, ...local.args], ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/data']);
    assert.deepEqual(local.env, { API_TOKEN: 's3cr3t-value' });
    const remote = find(format, sample.text, 'search').server;
    assert.deepEqual(remote, { kind: 'REMOTE', url: 'https://search.service.example/mcp', headers: [] });
  });

  for (const end of ['\n', '\r\n'])
    test(`${format.name}: rewrites both and keeps everything else byte for byte, with ${end === '\n' ? 'LF' : 'CR LF'}`, () => {
      let text = sample.text.replaceAll('\n', end);
      for (const name of ['files', 'search']) {
        const { entry, server } = find(format, text, name);
        const next = rewriteEntry(format, text, newEdit(format, entry, command(name), server.kind === 'REMOTE'));
        assert.ok(next !== undefined, `${name} of ${format.id}`);
        text = next;
      }
      for (const line of sample.kept) assert.ok(text.includes(line), `${line} is not in\n${text}`);
      assert.ok(end === '\r\n' || !text.includes('\r'));
      assert.ok(end === '\n' || !/[^\r]\n/.test(text), JSON.stringify(text));
      for (const name of ['files', 'search']) assert.deepEqual(find(format, text, name).server, { kind: 'GOVERNED' });
      assert.ok(!text.includes('search.service.example'));
    });

  test(`${format.name}: reads nothing of a broken file`, () => {
    assert.deepEqual(listEntries(format, SYNTAXES[format.syntax].read(BROKEN[format.syntax])), []);
  });
}

test('an entry that cannot be changed without another change is left', () => {
  const format = FORMATS.find(({ id }) => id === 'goose');
  assert.ok(format);
  const text = 'extensions:\n  files: { type: stdio, cmd: npx, args: [a] }\n';
  const { entry } = find(format, text, 'files');
  assert.equal(rewriteEntry(format, text, newEdit(format, entry, { program: 'svc', args: ['mcp', 'proxy'] }, false)), undefined);
});

test('a rewrite that changes anything else is refused', () => {
  const format = FORMATS.find(({ id }) => id === 'cursor');
  assert.ok(format);
  // The editor changes one of two members with the same name, and programs read the other.
  const text = '{ "mcpServers": { "a": { "command": "x", "command": "y" } } }';
  const { entry } = find(format, text, 'a');
  const next = rewriteEntry(format, text, newEdit(format, entry, { program: 'svc', args: ['mcp', 'proxy'] }, false));
  assert.ok(next === undefined || JSON.parse(next).mcpServers.a.command === 'svc');
});
