import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOTTED_NAME_PATTERN, TOOL_NAME_PATTERN } from '@svc/contract/tables/spellings.ts';
import { getExposedName, getGovernedToolName, serverSlug } from './tool-names.ts';

const EXPOSED = /^[A-Za-z0-9_-]{1,34}$/;

test('a slug is short and plain', () => {
  assert.equal(serverSlug('Émile’s  Weather (prod)'), 'emile-s-weather-pr');
  assert.equal(serverSlug('GitHub'), 'github');
  assert.equal(serverSlug('  — '), 'server');
  assert.equal(serverSlug('天気'), 'server');
  for (const name of ['a'.repeat(500), '-'.repeat(500), 'a-'.repeat(20)]) assert.match(serverSlug(name), /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

const UPSTREAM = [
  'getUser',
  'get_user',
  'GETUSER',
  'admin.tools.list',
  'admin_tools_list',
  'a b',
  'é',
  '天気',
  '-',
  'x'.repeat(128),
  `${'x'.repeat(127)}y`,
];

test('names of governed tools fit the contract and differ', () => {
  const taken = new Set<string>();
  for (const upstream of UPSTREAM) {
    const name = getGovernedToolName('weather', upstream, taken);
    assert.match(name, new RegExp(TOOL_NAME_PATTERN));
    assert.match(name, new RegExp(DOTTED_NAME_PATTERN));
    assert.ok(name.length <= 100 && name.startsWith('weather.'));
    assert.ok(!taken.has(name), upstream);
    taken.add(name);
  }
  assert.equal(getGovernedToolName('weather', 'getUser', new Set()), 'weather.getuser');
  assert.equal(getGovernedToolName('weather', 'admin.list', new Set()), 'weather.admin_list');
});

test('exposed names fit the APIs of models and differ', () => {
  const upstream = [
    ...UPSTREAM,
    ...Array.from({ length: 1_000 }, (_, at) => `list_all_the_${'very_'.repeat(at % 7)}long_things_of_kind_${at}`),
  ];
  for (const slug of ['s', 'weather', 'emile-s-weather-pr', 'far-too-long-for-a-slug-of-ours', 'far-too-long-for-a-slug-of-theirs']) {
    const names = upstream.map((name) => getExposedName(slug, name));
    for (const name of names) assert.match(name, EXPOSED);
    assert.equal(new Set(names).size, upstream.length, slug);
  }
  assert.equal(getExposedName('weather', 'getUser'), 'weather__getUser');
  assert.notEqual(getExposedName('far-too-long-for-a-slug-of-ours', 'x'), getExposedName('far-too-long-for-a-slug-of-theirs', 'x'));
});

test('no tool can have the shortened name of another', () => {
  const shortened = getExposedName('weather', 'a.b');
  assert.match(shortened, /^weather__a_b--[a-z2-7]{6}$/);
  assert.notEqual(getExposedName('weather', shortened.slice('weather__'.length)), shortened);
});
