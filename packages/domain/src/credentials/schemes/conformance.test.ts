import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  CREDENTIAL_SCHEMES,
  type CredentialScheme,
  EXTRA_POSITIONS,
  type ExtraPosition,
  Placement,
} from '@svc/contract/credentials/credentials.ts';
import { isInBody, listRevealingTexts, placeSecrets, showSecrets } from '../place-secret.ts';
import { findExtraFaults, findPlacementFaults, findRepeatedPrefixFaults } from '../placement-faults.ts';
import type { SecretBearing } from '../slots/slot.ts';
import { SLOTS } from '../slots/slots.ts';
import { SCHEMES } from './schemes.ts';

const SECRET = 'k&y=1 +/%"e-of-the-service';

type Example = {
  /** Placements without faults, the first one the shortest. */
  readonly placements: readonly [Placement, ...Placement[]];
  /** The text that a service reads as the secret. */
  readonly read: (sent: SecretBearing, placement: Placement) => string | null | undefined;
  /** A member that belongs to another scheme. */
  readonly foreign: Placement;
  /** Placements with a fault of their own, by its pointer. */
  readonly faulty: readonly (readonly [Placement, string])[];
};

const AUTHORIZATION = 'authorization';
const fromBase64 = (text = ''): string => Buffer.from(text.replace('Basic ', ''), 'base64').toString();
const readHeader = ({ headers }: SecretBearing, { header = '', prefix, template }: Placement): string | undefined => {
  const [before = '', after = ''] = template?.split('{secret}') ?? [prefix === undefined ? '' : `${prefix} `];
  const text = headers[header.toLowerCase()] ?? '';
  return text.startsWith(before) && text.endsWith(after) ? text.slice(before.length, text.length - after.length) : undefined;
};

/** An example of every scheme: one without an example does not compile. */
const EXAMPLES: Readonly<Record<CredentialScheme, Example>> = {
  BEARER: {
    placements: [{}],
    read: ({ headers }) => headers[AUTHORIZATION]?.replace('Bearer ', ''),
    foreign: { header: 'x-key' },
    faulty: [],
  },
  HEADER: {
    placements: [
      { header: 'X-Key' },
      { header: 'Authorization', prefix: 'Token' },
      { header: 'Authorization', template: 'Token token={secret}' },
      { header: 'Authorization', template: 'GenieKey "{secret}"; v=1' },
    ],
    read: readHeader,
    foreign: { field: 'key' },
    faulty: [
      ...['Host', 'content-length', 'Transfer-Encoding', 'Connection', '__proto__', 'x y', 'x\r\ny'].map(
        (header) => [{ header }, '/placement/header'] as const,
      ),
      ...['no hole at all', '{secret}{secret}', ' {secret}', '{secret} '].map(
        (template) => [{ header: 'x-key', template }, '/placement/template'] as const,
      ),
      [{ header: 'x-key', prefix: 'Token', template: 'key={secret}' }, '/placement/prefix'],
    ],
  },
  BASIC: {
    placements: [{}, { username: 'shop' }, { secret_is: 'USERNAME' }],
    read: ({ headers }, { secret_is, username = '' }) => {
      const text = fromBase64(headers[AUTHORIZATION]);
      return secret_is === 'USERNAME' ? text.slice(0, -1) : text.slice(username.length + 1);
    },
    foreign: { template: 'key={secret}' },
    faulty: [[{ secret_is: 'USERNAME', username: 'shop' }, '/placement/username']],
  },
  BODY_FIELD: {
    placements: [{ field: 'key' }],
    read: ({ body }, { field = '' }) => (JSON.parse(body ?? '{}') as Record<string, string>)[field],
    foreign: { parameter: 'key' },
    faulty: [],
  },
  QUERY: {
    placements: [{ parameter: 'key' }, { parameter: 'keys[]' }],
    read: ({ url }, { parameter = '' }) => url.searchParams.get(parameter),
    foreign: { username: 'shop' },
    faulty: [],
  },
};

/** Checks a value against the bounds of the contract. */
const isValid = (member: keyof Placement, value: string): boolean => {
  const { maxLength = value.length, pattern = '' } = Placement.properties[member] as { maxLength?: number; pattern?: string };
  return value.length <= maxLength && new RegExp(pattern, 'u').test(value);
};

const bare = (): SecretBearing => ({
  url: new URL('https://service.example/a?key=of-the-agent&b=1'),
  headers: { authorization: 'of-the-agent', 'x-key': 'of-the-agent' },
  body: '{"key":"of-the-agent","a":1}',
});

const pointers = (faults: readonly { readonly pointer: string }[]): readonly string[] => faults.map(({ pointer }) => pointer);
const getTexts = ({ url, headers, body }: SecretBearing): string => JSON.stringify([url.href, headers, body]);

for (const scheme of CREDENTIAL_SCHEMES) {
  const { placements, read, foreign, faulty } = EXAMPLES[scheme];
  const { needs, allows, slot } = SCHEMES[scheme];
  const [shortest] = placements;
  const place = (placement: Placement, secret = SECRET) => placeSecrets(bare(), { scheme, placement, extras: [] }, { secret, extras: [] });

  describe(`the scheme ${scheme}`, () => {
    test('accepts its own members, and names every missing, foreign or wrong one', () => {
      for (const placement of placements) {
        for (const [member, value] of Object.entries(placement)) assert.ok(isValid(member as keyof Placement, value));
        assert.deepEqual(findPlacementFaults(scheme, placement), []);
      }
      for (const member of needs) {
        const { [member]: _, ...others } = shortest;
        assert.deepEqual(pointers(findPlacementFaults(scheme, others)), [`/placement/${member}`]);
      }
      const [[name]] = Object.entries(foreign) as [[string, string]];
      assert.ok(![...needs, ...allows].includes(name as keyof Placement));
      assert.deepEqual(pointers(findPlacementFaults(scheme, { ...shortest, ...foreign })), [`/placement/${name}`]);
      for (const [placement, pointer] of faulty)
        assert.deepEqual(pointers(findPlacementFaults(scheme, placement)), [pointer], JSON.stringify(placement));
    });

    test('bounds the length of every member and accepts no line break in any', () => {
      for (const member of [...needs, ...allows].filter((each) => each !== 'secret_is')) {
        assert.ok(!isValid(member, 'x'.repeat(300)), member);
        assert.ok(!isValid(member, 'x-key{secret}\r\nx-other: 1'), member);
      }
    });

    test('places the secret where a service reads it, instead of the text of the agent', () => {
      for (const placement of placements) {
        const sent = place(placement);
        assert.ok(!('unplaced' in sent));
        assert.equal(read(sent, placement), SECRET);
        const { in: position, name } = slot(placement);
        assert.deepEqual(
          findExtraFaults(scheme, placement, [{ in: position, name }]).map(({ pointer }) => pointer),
          ['/extras/0/name'],
        );
        const item = position === 'HEADER' ? sent.headers[name.toLowerCase()] : `${sent.url.search}${sent.body}`;
        assert.ok(item !== undefined && !(position === 'HEADER' ? item : '').includes('of-the-agent'));
      }
    });

    test('places no secret that would begin another header', () => {
      const isHeader = slot(shortest).in === 'HEADER';
      for (const line of ['\r\n', '\n', '\r', '\0']) {
        const sent = place(shortest, `a-key${line}x-injected: 1`);
        if ('unplaced' in sent) assert.ok(isHeader && !sent.unplaced.includes('a-key'));
        else for (const text of Object.values(sent.headers)) assert.doesNotMatch(text, /[\r\n\0]/);
      }
    });

    test('shows the position of the secret without it, its length or its encoding', () => {
      for (const placement of placements) {
        const shown = showSecrets(bare(), { scheme, placement, extras: [{ in: 'HEADER', name: 'X-App' }] });
        assert.ok(!('unplaced' in shown));
        assert.match(getTexts(shown.shown), /\*\*\*/);
        assert.equal(shown.place, `${SLOTS[slot(placement).in].describe(slot(placement).name)}, header x-app`);
        assert.equal(isInBody({ scheme, placement, extras: [] }), slot(placement).in === 'BODY_FIELD');
      }
    });

    test('names each text of the request that depends on the secret, so that it is masked in responses', () => {
      for (const placement of placements) {
        const sent = place(placement);
        assert.ok(!('unplaced' in sent));
        const revealing = [
          SECRET,
          encodeURIComponent(SECRET),
          JSON.stringify(SECRET).slice(1, -1),
          ...listRevealingTexts({ scheme, placement }, SECRET),
        ];
        const { in: position, name } = slot(placement);
        const text = { HEADER: sent.headers[name.toLowerCase()] ?? '', QUERY: sent.url.search, BODY_FIELD: sent.body ?? '' }[position];
        assert.ok(
          revealing.some((each) => text.includes(each)),
          text,
        );
      }
    });

    test('rejects a secret that begins with the text before it', () => {
      for (const placement of placements) {
        const { around, encoding } = SCHEMES[scheme];
        const [before] = around(placement);
        const isRepeated = encoding === undefined && before !== '';
        assert.deepEqual(
          pointers(findRepeatedPrefixFaults(scheme, placement, `${before.toUpperCase()}${SECRET}`)),
          isRepeated ? ['/secret'] : [],
        );
        assert.deepEqual(findRepeatedPrefixFaults(scheme, placement, SECRET), []);
      }
    });
  });
}

/** A good name and another spelling of it that a service may read as the same one. */
const NAMES: Readonly<Record<ExtraPosition, { readonly name: string; readonly same: string; readonly reserved: readonly string[] }>> = {
  HEADER: { name: 'X-App', same: 'x-APP', reserved: ['Host', 'content-type', 'Content-Length', '__proto__', 'x:y'] },
  QUERY: { name: 'statuses[]', same: 'statuses[]', reserved: [] },
  BODY_FIELD: { name: 'app_key', same: 'App-Key', reserved: [] },
};

for (const position of EXTRA_POSITIONS)
  test(`requires a free and unreserved name for an extra item in ${position}`, () => {
    const { name, same, reserved } = NAMES[position];
    const getFaults = (...names: readonly string[]) =>
      pointers(
        findExtraFaults(
          'BEARER',
          {},
          names.map((each) => ({ in: position, name: each })),
        ),
      );
    assert.deepEqual(getFaults(name, 'another'), []);
    assert.deepEqual(getFaults(name, 'another', same), ['/extras/2/name']);
    for (const each of reserved) assert.deepEqual(getFaults(each), ['/extras/0/name'], each);
  });
