import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HIDDEN_SECRET, newHider } from './hide-secret.ts';

const secretText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
});
const around = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 20 });

const WRITINGS: Readonly<Record<string, (before: string, secret: string, behind: string) => string>> = {
  'as it is': (a, s, b) => a + s + b,
  'in base64': (a, s, b) => Buffer.from(a + s + b).toString('base64'),
  'in base64url': (a, s, b) => Buffer.from(a + s + b).toString('base64url'),
  'in hex': (a, s, b) => Buffer.from(a + s + b).toString('hex'),
  'in large hex': (a, s, b) =>
    Buffer.from(a + s + b)
      .toString('hex')
      .toUpperCase(),
  'in a URL': (a, s, b) => encodeURIComponent(a + s + b),
  'in a form': (a, s, b) => new URLSearchParams({ a: a + s + b }).toString(),
  'in JSON': (a, s, b) => JSON.stringify({ a: a + s + b }),
  'in JSON, each character escaped': (a, s, b) =>
    `"${[...(a + s + b)].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
  'in HTML': (a, s, b) => (a + s + b).replace(/[&<>"']/g, (c) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[c]};`),
  'in HTML by number': (a, s, b) => [...(a + s + b)].map((char) => `&#${char.charCodeAt(0)};`).join(''),
  'from the end': (a, s, b) => [...(a + s + b)].reverse().join(''),
};

/** The part of a base64 text that says nothing of its neighbours is all but the first and last two bytes of the secret. */
const isGone = (name: string, hidden: string, secret: string): boolean => {
  if (!name.includes('base64')) return hidden.includes(HIDDEN_SECRET);
  return hidden.includes(HIDDEN_SECRET) && !Buffer.from(hidden.replaceAll(HIDDEN_SECRET, ''), 'base64').toString('latin1').includes(secret);
};

for (const [name, write] of Object.entries(WRITINGS))
  test(`a secret that is given back ${name} is hidden, whatever stands around it`, () => {
    fc.assert(
      fc.property(around, secretText, around, (before, secret, behind) =>
        isGone(name, newHider([secret]).inText(write(before, secret, behind)), secret),
      ),
    );
  });

test('in JSON it is hidden in names, texts and numbers at any depth, and everything else is left as it is', () => {
  const secret = 'sk_live_0123456789';
  const { inJson } = newHider([secret, '12345678']);
  const told = {
    [`a ${secret}`]: [1, true, null, `x${secret}y`, { deep: [Buffer.from(secret).toString('base64'), 12345678] }],
    other: 'sk_',
  };
  const hidden = JSON.stringify(inJson(told));
  assert.ok(
    !hidden.includes(secret) && !hidden.includes(Buffer.from(secret).toString('base64').slice(0, 12)) && !hidden.includes('1234567'),
  );
  assert.deepEqual(inJson({ other: [1, 'sk_live_', null] }), { other: [1, 'sk_live_', null] });
});

test('in a text within a text it is hidden, however often it was quoted', () => {
  const secret = 'k"ey\\with/all(of.*it)';
  const { inText } = newHider([secret]);
  let text = `"${[...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')} ${secret}"`;
  for (let depth = 0; depth < 5; depth += 1) {
    assert.equal(inText(text).replace(/\\*"/g, ''), `${HIDDEN_SECRET} ${HIDDEN_SECRET}`, `depth ${depth}`);
    text = JSON.stringify(text);
  }
});

test('half of a secret or more of it is hidden wherever it begins, and less is left', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 64 });
  fc.assert(
    fc.property(hex, fc.nat(), fc.nat(), (secret, a, b) => {
      const half = Math.ceil(secret.length / 2);
      const length = half + (a % (secret.length - half + 1));
      const from = b % (secret.length - length + 1);
      const part = secret.slice(from, from + length);
      const hidden = newHider([secret]).inText(`<< ${part} >> << ${part} >>`);
      return !hidden.includes(part) && hidden.startsWith('<< ') && hidden.endsWith(' >>') && hidden.includes(HIDDEN_SECRET);
    }),
  );
  assert.equal(newHider(['0123456789abcdef']).inText('key 0123456 is wrong'), 'key 0123456 is wrong');
});

test('an answer made of parts of a long secret is looked through all the same', () => {
  const secret = `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`;
  const { inText } = newHider([secret]);
  const passed = `${'a'.repeat(1_500)}c`.repeat(40);
  assert.equal(inText(passed), passed);
  assert.equal(inText(`${passed}${secret}`), `${passed}${HIDDEN_SECRET}`);
});
