import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { strictness } from '../language/effects.ts';
import { readGiven } from '../language/read-given.ts';
import { validateVersion } from '../validate/validate-version.ts';
import type { PolicyTemplate } from './form/policy-template.ts';
import { findTemplate, policyTemplates } from './policy-templates.ts';

/** The promise of a template, requests that try to bypass it, and requests that it must not block. */
type Dodges = { readonly promise: Effect; readonly dodges: readonly Given[]; readonly passes: readonly Given[] };
type Given = Readonly<Record<string, unknown>>;

const FOLDER = resolve(import.meta.dirname, '../../dodges');

const getVersion = ({ id, rules, tests }: PolicyTemplate) => {
  const checked = validateVersion({ rules, tests });
  assert.ok(checked.ok, JSON.stringify(checked));
  const names = { policy_id: id, policy_name: id, version_id: id, version_number: 1 };
  return compileVersion({ ...names, binding: { scope: 'ORGANIZATION', id: 'org_1' }, body: checked.body });
};

const effectOn = (template: PolicyTemplate, given: Given): Effect => {
  const base = findTemplate('allow-granted');
  assert.ok(base);
  const context = readGiven(given);
  assert.ok(context.ok, JSON.stringify(context));
  return evaluate(compileSet([template, base].map(getVersion)), context.context).effect;
};

for (const template of policyTemplates()) {
  const { promise, dodges, passes }: Dodges = JSON.parse(readFileSync(resolve(FOLDER, `${template.id}.json`), 'utf8'));
  describe(`the template ${template.id}, next to one that allows everything,`, () => {
    test('keeps its promise against every variant of a request', () => {
      for (const given of dodges) {
        const effect = effectOn(template, given);
        assert.ok(strictness(effect) >= strictness(promise), `${effect} of ${JSON.stringify(given).slice(0, 200)}`);
      }
    });

    test('blocks nothing else', () => {
      for (const given of passes) assert.equal(effectOn(template, given), 'ALLOW', JSON.stringify(given));
    });
  });
}

test('permits no action with an amount stated separately, in any template except the one that allows everything', () => {
  for (const template of policyTemplates()) {
    if (template.id === 'allow-granted') continue;
    for (const amount of [0, 1, 10_000]) {
      const context = readGiven({ capability: 'crm.customers.delete', 'tool.name': 'crm.delete', amount, currency: 'USD' });
      assert.ok(context.ok);
      assert.equal(
        evaluate(compileSet([getVersion(template)]), context.context).matched_rules.find(
          ({ effect, outcome }) => effect === 'ALLOW' && outcome === 'matched',
        ),
        undefined,
        template.id,
      );
    }
  }
});

test('has bypass attempts for every template, and for nothing else', () => {
  const ids = policyTemplates().map(({ id }) => `${id}.json`);
  assert.deepEqual(readdirSync(FOLDER).toSorted(), ids.toSorted());
});
