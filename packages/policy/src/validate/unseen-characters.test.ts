import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { unseenCharacters } from './unseen-characters.ts';

const findPointers = (rule: object, tests: readonly object[] = []): string[] =>
  unseenCharacters({ rules: [{ id: 'r', effect: 'BLOCK', reason: 'r', ...rule } as PolicyRule], tests: tests as never }).map(
    ({ pointer }) => pointer,
  );

test('rejects bidirectional and invisible characters in every text of a rule that people read', () => {
  for (const text of [
    'gpj\u202eexe',
    'a\u2066b',
    'pay\u200bments',
    '\ufeffadmin',
    'a\u00adb',
    'admin\u200d',
    'x\u{e0041}',
    'a\u3164',
    'DE\ufe0f',
  ]) {
    assert.deepEqual(findPointers({ reason: text }), ['/rules/0/reason']);
    assert.deepEqual(findPointers({ description: text }), ['/rules/0/description']);
    const when = {
      any: [{ field: 'parameters.a', op: 'eq', value: 'a' }, { not: { field: 'parameters.a', op: 'in', value: ['a', text] } }],
    };
    assert.deepEqual(findPointers({ when }), ['/rules/0/when/any/1/not/value/1']);
    assert.deepEqual(findPointers({ when: { field: `parameters.${text}`, op: 'exists' } }), ['/rules/0/when/field']);
    assert.deepEqual(findPointers({ mask: { result: [text] } }), ['/rules/0/mask/result/0']);
    assert.deepEqual(findPointers({}, [{ name: text, given: {}, then: { effect: 'BLOCK' } }]), ['/tests/0/name']);
  }
});

test('accepts the characters that scripts, emoji, line breaks and requests of tests need', () => {
  for (const text of [
    'می\u200cخواهم',
    'שלום\u200e!',
    '👩\u200d💻',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    'क\u094d\u200dष',
    'two\nlines\tand more',
    'Zoë',
  ])
    assert.deepEqual(findPointers({ reason: text, when: { field: 'parameters.a', op: 'eq', value: text } }), [], text);
  const hidden = { name: 't', given: { parameters: { a: 'pay\u200bments' } }, then: { effect: 'BLOCK' } };
  assert.deepEqual(findPointers({ when: { field: 'parameters.a', op: 'matches', value: '\\x{200B}' } }, [hidden]), []);
});
