import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPlainEnglish } from '../rules/plain-english.ts';
import { buildTree } from '../tree.ts';
import { findMarkers } from './markers.ts';
import { readSentences } from './read-sentences.ts';

const file = 'packages/http/src/a.ts';
const counts = (sentences: number) => JSON.stringify({ sentences: { 'packages/http': sentences }, comments: {}, names: {} });

test('lists strings with their kind and leaves out identifiers, SQL and tests', () => {
  const text = [
    "export const row = { summary: 'Returns one agent.', name: 'agent_id' };",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in a fixture
    "refusal('NOT_FOUND', `No agent has the id ${id}.`);",
    'db.query(`select id from agents where id = 1`);',
  ].join('\n');
  const found = readSentences(buildTree({ [file]: text, 'packages/http/src/a.test.ts': text }).sources);
  assert.deepEqual(
    found.map(({ line, kind, text }) => [line, kind, text]),
    [
      [1, 'summary', 'Returns one agent.'],
      [2, 'refusal', 'No agent has the id ….'],
    ],
  );
});

test('finds markers at the start of a sentence and anywhere', () => {
  assert.deepEqual(findMarkers('Of the agents. Whether it runs, somebody tells.'), ['Of', 'Whether', 'somebody', 'tells']);
  assert.deepEqual(findMarkers('By default, the value of the setting is used.'), []);
});

test('rejects more markers than an area has recorded', () => {
  const tree = (allowed: number) =>
    buildTree({ [file]: "export const a = 'nobody told the caller';", 'tools/sentences/counts.json': counts(allowed) });
  assert.deepEqual(getPlainEnglish(tree(2)), []);
  assert.match(getPlainEnglish(tree(1))[0]?.says ?? '', /^2 markers of unclear English in sentences, 1 allowed/);
});
