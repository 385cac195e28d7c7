import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { maskToolResult, type ToolResult } from './mask-tool-result.ts';

const text = (value: unknown) => ({ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) });
const SECRET = 'ada@example.com';
const CUSTOMER = { name: 'Ada', email: SECRET };
const HIDDEN = { name: 'Ada', email: MASKED };
const LIST = { customers: [CUSTOMER, CUSTOMER] };
const IMAGE = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const LINK = { type: 'resource_link', uri: `https://a.example/${SECRET}`, name: 'x' };
const resource = (more: object) => ({ type: 'resource', resource: { uri: 'file:///a', mimeType: 'application/json', ...more } });

const isWithheld = (block: unknown): boolean => /^Withheld/.test((block as { text?: string }).text ?? '');

test('masks structuredContent and its twin as text alike', () => {
  const masked = maskToolResult({ content: [text(CUSTOMER)], structuredContent: CUSTOMER, isError: false }, ['email']);
  assert.deepEqual(masked, { content: [text(HIDDEN)], structuredContent: HIDDEN, isError: false });
  const list = maskToolResult({ content: [text(LIST)], structuredContent: LIST }, ['customers.email']);
  assert.deepEqual(list.structuredContent, { customers: [HIDDEN, HIDDEN] });
  assert.deepEqual(list.content, [text({ customers: [HIDDEN, HIDDEN] })]);
});

test('masks JSON in texts and embedded resources where there is no structuredContent', () => {
  const masked = maskToolResult({ content: [text(CUSTOMER), text([CUSTOMER]), resource({ text: JSON.stringify(CUSTOMER) })] }, ['email']);
  assert.deepEqual(masked.content, [text(HIDDEN), text([HIDDEN]), resource({ text: JSON.stringify(HIDDEN) })]);
});

test('withholds every block that is not JSON once a path matches', () => {
  const blocks = [
    text(`Mail to ${SECRET}`),
    text(`"${SECRET}"`),
    IMAGE,
    LINK,
    resource({ blob: 'aGk=' }),
    resource({ text: SECRET }),
    { type: 'new', value: SECRET },
  ];
  const results: readonly ToolResult[] = [
    { content: blocks, structuredContent: CUSTOMER },
    { content: [text(CUSTOMER), ...blocks] },
    { content: [text(CUSTOMER), ...blocks], structuredContent: { other: 1 } },
  ];
  for (const result of results) {
    const masked = maskToolResult(result, ['email']);
    assert.ok(masked.content.slice(-blocks.length).every(isWithheld));
    assert.ok(!JSON.stringify(masked).includes(SECRET));
  }
});

test('withholds unreadable blocks if nothing shows that no path matches', () => {
  assert.ok(maskToolResult({ content: [text('plain'), IMAGE] }, ['email']).content.every(isWithheld));
  const deep = JSON.parse(`${'{"a":'.repeat(100)}{"email":"${SECRET}"}${'}'.repeat(100)}`);
  for (const result of [
    { content: [text(deep)] },
    { content: [text('x')], structuredContent: deep },
    { content: [text('['.repeat(200_000))] },
  ])
    assert.ok(!JSON.stringify(maskToolResult(result, ['email'])).includes(SECRET));
});

test('shows other text if no path matches structuredContent', () => {
  const result = { content: [text('Done.'), IMAGE], structuredContent: { ok: true } };
  assert.deepEqual(maskToolResult(result, ['email']), result);
});

test('removes a duplicate member in a text completely', () => {
  const twice = `{"a":{"email":"${SECRET}"},"a":{}}`;
  assert.deepEqual(maskToolResult({ content: [text(twice)], structuredContent: { a: {} } }, ['a.email']).content, [text({ a: {} })]);
});

test('removes unknown members, and changes nothing without paths', () => {
  const result = { content: [{ ...text(CUSTOMER), _meta: { SECRET } }], structuredContent: CUSTOMER, _meta: { email: SECRET } };
  assert.equal(maskToolResult(result, []), result);
  assert.deepEqual(maskToolResult(result, ['email']), { content: [text(HIDDEN)], structuredContent: HIDDEN });
});
