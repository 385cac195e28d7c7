import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentEndpoints } from '@svc/contract/agents/agents/agents.ts';
import fc from 'fast-check';
import { isCapabilityName } from './capability-name.ts';

test('accepts dotted lower-case words', () => {
  for (const name of ['refund.create', 'crm.contact.read_all', 's3.get-object', 'search', 'a.1', 'x'.repeat(100)]) {
    assert.ok(isCapabilityName(name), name);
  }
});

test('rejects variants, wildcards, control characters and look-alike letters', () => {
  const refused = ['', '.', 'refund.', '.create', 'refund..create', 'Refund.create', 'refund create', 'refund.*', '*', 'refund:create'];
  const sly = ['refund.create\n', ' refund.create', 'refund\u0000', 'rеfund.create', 'refund.ＣＲＥＡＴＥ', 'x'.repeat(101), '../a', 'a/b'];
  for (const name of [...refused, ...sly, 7, null, undefined, ['refund.create']]) assert.ok(!isCapabilityName(name), JSON.stringify(name));
});

test('accepts exactly the names that the API accepts', () => {
  const { capability } = agentEndpoints.grantCapability.body.properties;
  const { pattern, maxLength } = capability as object as { pattern?: string; maxLength?: number };
  const wire = (name: string) => new RegExp(pattern ?? '').test(name) && name.length <= (maxLength ?? 0);
  const letters = fc.string({ unit: fc.constantFrom('a', 'z', '0', '9', '_', '-', '.', 'A', ' ', '*', 'é'), maxLength: 104 });
  fc.assert(fc.property(letters, (name) => isCapabilityName(name) === wire(name)));
});
