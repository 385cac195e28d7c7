import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { compileVersion } from '../judge/compile-version.ts';
import { coverage } from '../trial/coverage.ts';
import { findActivationFaults } from '../trial/run-tests.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { isJsonObject } from '../values/check-members.ts';
import { fillTemplate } from './form/fill-template.ts';
import type { PolicyTemplate } from './form/policy-template.ts';
import { findTemplate, policyTemplates } from './policy-templates.ts';

const templates = policyTemplates();

const getVersion = ({ rules, tests }: PolicyTemplate) => {
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

/** Values that are no defaults, for every existing parameter. */
const OTHER_VALUES: Readonly<Record<string, Record<string, unknown>>> = {
  'high-score-needs-approval': { role: 'owner' },
  'refunds-over-amount': { amount: 123_456, sum: 7, count: 3, capability: 'shop.give-back' },
  'spending-tiers': { small_to: 5, one_person_to: 6, highest: 7, moving: ['coin'] },
  'no-production-at-night': { hours: '23:30-23:45' },
  'working-hours-only': { hours: '00:00-00:01', days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] },
  'change-freeze': { days: ['2028-02-28', '2028-02-29'], reading: ['look'] },
  'read-only-agent': { reading: ['look'] },
  'external-email-needs-approval': { domain: 'mail.acme.co.uk', capability: 'mail' },
  'data-stays-in-domains': { domains: ['acme.co.uk', 'acme.de'] },
  'no-private-addresses': { networks: ['203.0.112.0/24'] },
  'dangerous-tools-need-two': { people: 3 },
  'high-risk-needs-security': { role: 'approver' },
  'contractors-agents': { label: 'Extern' },
  'new-agents-on-probation': { days: 1, reading: ['look'] },
  'deletes-need-approval': { deleting: ['nuke'] },
  'office-network-only': { networks: ['198.51.100.0/24'] },
  'known-currencies-only': { currencies: ['XAF'] },
  'block-exfiltration-after-untrusted-content': { labels: ['payroll'] },
  'approve-confidential-egress': { labels: ['payroll'] },
};

const listPointers = (filled: ReturnType<typeof fillTemplate>): readonly string[] =>
  'rules' in filled ? [] : filled.map(({ pointer }) => pointer);

test('formats amounts in their currency', () => {
  const template = findTemplate('spending-tiers');
  assert.ok(template);
  const told = (currency: string) => {
    const filled = fillTemplate(template, { highest: 123_456_789, one_person_to: 1_000, small_to: 5 }, currency);
    return 'rules' in filled ? filled.rules.map(({ reason }) => /[\d.,]*\d/.exec(reason)?.[0]).filter(Boolean) : filled;
  };
  assert.deepEqual(told('USD'), ['1,234,567.89', '10.00', '0.05', '0.05']);
  assert.deepEqual(told('JPY'), ['123,456,789', '1,000', '5', '5']);
  assert.deepEqual(told('KWD'), ['123,456.789', '1.000', '0.005', '0.005']);
});

for (const template of templates) {
  describe(`the template ${template.id}`, () => {
    test('is valid, with passing tests, so that it can be activated unchanged', () => {
      assert.deepEqual(findActivationFaults(getVersion(template)), []);
    });

    test('has a test that reaches each of its rules', () => {
      assert.deepEqual(coverage(getVersion(template)), []);
    });

    test("has in every position the value derived from its parameter's default", () => {
      assert.deepEqual(fillTemplate(template, {}, 'USD'), { rules: template.rules, tests: template.tests });
      for (const { name, places } of template.parameters ?? []) {
        assert.ok(
          Object.keys(places).some((pointer) => pointer.startsWith('/rules/')),
          name,
        );
        for (const pointer of Object.keys(places)) assert.notEqual(at(template, pointer), undefined, pointer);
      }
    });

    test('takes other values, and its tests then hold for them and reach each of its rules', () => {
      const filled = fillTemplate(template, OTHER_VALUES[template.id] ?? {}, 'JPY');
      assert.ok('rules' in filled, JSON.stringify(filled));
      const version = getVersion({ ...template, ...filled });
      assert.deepEqual([findActivationFaults(version), coverage(version)], [[], []]);
      const untouched = (template.parameters ?? []).filter(({ places }) =>
        Object.keys(places).every((pointer) => JSON.stringify(at(filled, pointer)) === JSON.stringify(at(template, pointer))),
      );
      assert.deepEqual(untouched, []);
    });

    test('rejects a value of another type and an unknown parameter, each at its pointer', () => {
      for (const { name } of template.parameters ?? []) {
        for (const value of [null, {}, -1, 'No such value!', [[]], [0], true]) {
          const faults = fillTemplate(template, { [name]: value }, 'USD');
          assert.deepEqual(Array.isArray(faults) && faults.map(({ pointer }) => pointer), [`/values/${name}`], JSON.stringify(value));
        }
      }
      assert.deepEqual(listPointers(fillTemplate(template, { 'no/such': 1 }, 'USD')), ['/values/no~1such']);
      assert.deepEqual(listPointers(fillTemplate(template, JSON.parse('{"__proto__": 1}'), 'USD')), ['/values/__proto__']);
    });

    test('states if it allows anything', () => {
      const allows = template.rules.some(({ effect }) => effect === 'ALLOW');
      assert.equal(template.description.includes('This policy only restricts'), !allows);
    });
  });
}

test('lists every template file once, by name', () => {
  const files = readdirSync(resolve(import.meta.dirname, 'policies')).map((name) => name.replace(/\.ts$/, ''));
  assert.deepEqual(templates.map(({ id }) => id).toSorted(), files.toSorted());
  assert.ok(templates.length >= 12);
  for (const template of templates) assert.equal(findTemplate(template.id), template);
  assert.equal(findTemplate('constructor'), undefined);
});
