import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { isJsonObject } from './check-members.ts';
import { compileVersion } from './compile-version.ts';
import { coverage } from './coverage.ts';
import type { PolicyTemplate } from './policy-template.ts';
import { findTemplate, policyTemplates } from './policy-templates.ts';
import { activationFaults } from './run-tests.ts';
import { validateVersion } from './validate-version.ts';

const templates = policyTemplates();

const versionOf = ({ rules, tests }: PolicyTemplate) => {
  const checked = validateVersion({ rules, tests });
  assert.ok(checked.ok, JSON.stringify(checked));
  return compileVersion({
    policy_id: 'pol_1',
    policy_name: 'p',
    version_id: 'pvr_1',
    version_number: 1,
    binding: { scope: 'ORGANIZATION', id: 'org_1' },
    body: checked.body,
  });
};

const at = (root: unknown, pointer: string): unknown =>
  pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((value, key) => {
      if (Array.isArray(value)) return value[Number(key)];
      return isJsonObject(value) ? value[key] : undefined;
    }, root);

for (const template of templates) {
  describe(`the template ${template.id}`, () => {
    test('is valid, and its tests pass, so that it can be activated as it is', () => {
      assert.deepEqual(activationFaults(versionOf(template)), []);
    });

    test('has a test that reaches each of its rules', () => {
      assert.deepEqual(coverage(versionOf(template)), []);
    });

    test('names parameters by pointers to one and the same value', () => {
      for (const { name, pointers } of template.parameters ?? []) {
        const values = pointers.map((pointer) => JSON.stringify(at(template, pointer)));
        assert.ok(values.length > 0 && values.every((value) => value !== undefined && value === values[0]), `${name}: ${values}`);
      }
    });

    test('says whether anything is allowed by it', () => {
      const allows = template.rules.some(({ effect }) => effect === 'ALLOW');
      assert.equal(template.description.includes('It only restricts'), !allows);
    });
  });
}

test('there is a template for every file, under its name, each once', () => {
  const files = readdirSync(resolve(import.meta.dirname, 'templates')).map((name) => name.replace(/\.ts$/, ''));
  assert.deepEqual(templates.map(({ id }) => id).toSorted(), files.toSorted());
  assert.ok(templates.length >= 12);
  for (const template of templates) assert.equal(findTemplate(template.id), template);
  assert.equal(findTemplate('constructor'), undefined);
});
