import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { isNotProposed } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import Value from 'typebox/value';
import { serviceActions } from './describe-application.ts';
import { exampleValues } from './example-values.fixture.ts';
import { fillValues } from './fill-values.ts';
import { proposeApplication } from './propose-application.ts';
import { readApplications } from './read-applications.ts';
import { searchApplications } from './search-applications.ts';

const entries = [...readApplications().values()];
const described = entries.filter((entry) => serviceActions(entry).length > 0);

test('the catalogue describes at least 30 applications and 200 actions', () => {
  const actions = described.reduce((sum, entry) => sum + serviceActions(entry).length, 0);
  assert.ok(described.length >= 30 && actions >= 200, `${described.length} applications, ${actions} actions`);
  assert.ok(entries.length > described.length + 100);
});

for (const entry of described) {
  test(`${entry.key} is an entry, and each of its actions is accepted as a tool`, () => {
    assert.deepEqual([...Value.Errors(CatalogueEntry, entry)].slice(0, 3), []);
    const filled = fillValues(entry, { values: exampleValues(entry) });
    assert.ok(!isFaults(filled));
    const refused = proposeApplication(entry, filled, entry.key).filter(isNotProposed);
    assert.deepEqual(refused, []);
    const keys = entry.actions.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    const sources = new Set(entry.sources.map(({ id }) => id));
    assert.ok(serviceActions(entry).every(({ source }) => sources.has(source.id)));
  });

  test(`${entry.key}: every entered value in an address has a pattern that admits no other host or path`, () => {
    const addresses = [entry.api?.base_url ?? '', ...serviceActions(entry).map(({ path }) => path)].join(' ');
    const used = entry.enter.filter(({ name, secret }) => !secret && addresses.includes(`{${name}}`));
    for (const { pattern = '' } of used) {
      const admits = new RegExp(pattern, 'u');
      for (const wrong of ['a/b', 'a?b', 'a#b', 'a@b', 'a:b', 'a%2fb', 'a b', '{id}', 'evil.example'])
        assert.ok(!admits.test(wrong), wrong);
    }
  });

  test(`${entry.key}: what ends or pays something is not rated as harmless`, () => {
    for (const { key, method, risk, side_effects } of serviceActions(entry)) {
      if (side_effects === 'NONE') assert.equal(risk.dangerous, false, key);
      if (method === 'DELETE' && side_effects === 'IRREVERSIBLE') assert.ok(risk.dangerous && risk.rating !== 'LOW', key);
      if (/refund|payment_intent\.create|\.void$/.test(key) && method !== 'GET') assert.ok(risk.dangerous, key);
    }
  });
}

test('a search ignores case and diacritics and needs every word', () => {
  const keys = (q: string) => searchApplications(entries, { q }).map(({ key }) => key);
  assert.deepEqual(keys('LINÉAR'), ['linear']);
  assert.deepEqual(keys('linear nothing-like-it'), []);
  assert.equal(searchApplications(entries, {}).length, described.length);
  assert.deepEqual(keys('postgres'), ['postgres']);
  const others = searchApplications(entries, { capability: 'NOT_AVAILABLE' });
  assert.equal(others.length, entries.length - described.length);
});

test('an entry of which an operation is missing, or with a placement of another scheme, is refused', () => {
  const [entry] = described;
  assert.ok(entry);
  const broken = { ...entry, actions: [{ ...entry.actions[0], method: 'FETCH' }] };
  assert.ok([...Value.Errors(CatalogueEntry, broken)].length > 0);
  assert.ok([...Value.Errors(CatalogueEntry, { ...entry, api: { base_url: 'http://plain.example' } })].length > 0);
});
