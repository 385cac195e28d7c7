import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesFilter } from './matches-filter.ts';
import { patchGroup } from './patch-group.ts';
import { patchUser } from './patch-user.ts';
import { readFilter } from './read-filter.ts';
import { isScimFault } from './read-operations.ts';

const ADA = {
  userName: 'Ada@team.example',
  active: true,
  externalId: null,
  name: { givenName: 'Ada', familyName: 'L' },
  emails: [
    { value: 'ada@team.example', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  meta: { created: '2026-01-02T03:04:05.000Z' },
};
const holds = (text: string): boolean | undefined => {
  const filter = readFilter(text);
  return filter && matchesFilter(filter, ADA);
};

test('evaluates a filter as RFC 7644 specifies, in any case and nesting', () => {
  const trueOnes = [
    'userName eq "Ada@team.example"',
    'userName eq "ada@TEAM.example"',
    "userName eq 'ada@team.example'",
    String.raw`not (userName eq 'a \'quoted\' "word"')`,
    'emails[type eq "WORK"].value co "TEAM"',
    'not (userName ne "ADA@team.example")',
    'urn:ietf:params:scim:schemas:core:2.0:User:username sw "Ada" and ACTIVE Eq true',
    'active eq "True"',
    'name.givenName co "d"',
    'name[givenName eq "Ada" and familyName eq "L"]',
    'emails co "home.example"',
    'emails.value ew "@home.example"',
    'emails[type eq "work" and value co "team"]',
    'emails[type eq "work"].value eq "ada@team.example"',
    'not (active eq false) and (userName eq "x" or userName sw "Ada")',
    'userName eq "x" or active eq true and name.familyName ne "M"',
    'externalId eq null and not (title pr) and userName pr',
    'meta.created gt "2026-01-01T00:00:00Z" and meta.created lt "2027-01-01T00:00:00Z"',
    String.raw`not (userName eq "a \"quoted\" word and DOMAIN\\user")`,
  ];
  const falseOnes = [
    'meta.created eq "2026-01-02t03:04:05.000z"',
    'emails[type eq "home" and primary eq true]',
    'title pr',
    'active gt 1',
    'userName eq 7',
  ];
  for (const text of trueOnes) assert.equal(holds(text), true, text);
  for (const text of falseOnes) assert.equal(holds(text), false, text);
  const unread = [
    '',
    'userName',
    'userName eq',
    'userName xx "a"',
    '(((',
    'a pr)',
    '"',
    'a eq "x',
    "a eq 'x",
    "a eq 'x'y'",
    'a eq “x”',
    String.raw`a eq "\u0000"`,
    String.raw`a eq 'x\ud800'`,
    'a eq x\0',
    'a eq (',
    '[a pr]',
    'a pr b pr',
    'a[b pr',
    'x'.repeat(500),
    `a eq "${'x'.repeat(500)}"`,
  ];
  for (const text of [...unread, 'constructor.x eq 1', '__proto__.x pr', 'a[toString eq 1]'])
    assert.equal(readFilter(text), undefined, text);
});

const KNOWN = new Set(['title', 'phonenumbers', 'username']);
const patch = (...operations: object[]) => patchUser(ADA, operations, KNOWN) as Record<string, unknown>;
const getFault = (...operations: unknown[]) => {
  const after = patchUser(ADA, operations, KNOWN);
  return isScimFault(after) ? after.scim_type : undefined;
};

test('applies operations in order, and ignores attributes that are not stored', () => {
  assert.equal(patch({ op: 'Replace', path: 'DISPLAYNAME', value: 'A' }).displayName, 'A');
  assert.equal(
    patch({ op: 'replace', value: { active: 'False', title: 'x', 'urn:ietf:params:scim:schemas:extension:x': 1 } }).active,
    'False',
  );
  assert.deepEqual(patch({ op: 'replace', path: 'name.familyName', value: 'M' }).name, { givenName: 'Ada', familyName: 'M' });
  assert.deepEqual(patch({ op: 'add', path: 'name', value: { FAMILYNAME: 'M' } }).name, { givenName: 'Ada', familyName: 'M' });
  assert.deepEqual(patch({ op: 'replace', path: 'name', value: { familyName: 'M' } }).name, { familyName: 'M' });
  assert.deepEqual(patch({ op: 'remove', path: 'name.givenName' }).name, { familyName: 'L' });
  const [work, home] = ADA.emails;
  const moved = { op: 'replace', path: 'emails[type eq "work"].value', value: 'b@team.example' };
  assert.deepEqual(patch(moved).emails, [{ ...work, value: 'b@team.example' }, home]);
  assert.deepEqual(patch({ op: 'remove', path: 'emails[type eq "home"]' }).emails, [work]);
  assert.deepEqual(patch({ op: 'add', path: 'emails', value: { value: 'c', Type: 'other' } }).emails, [
    work,
    home,
    { value: 'c', type: 'other' },
  ]);
  assert.deepEqual(patch({ op: 'remove', path: 'emails' }, { op: 'add', path: 'emails', value: [] }).emails, []);
  assert.equal(patch({ op: 'remove', path: 'displayName' }).displayName, undefined);
});

test('reports faults in the terms of RFC 7644', () => {
  assert.equal(getFault(7), 'invalidSyntax');
  assert.equal(getFault({ op: 'boil', path: 'active' }), 'invalidSyntax');
  assert.equal(getFault({ op: 'remove' }), 'noTarget');
  assert.equal(getFault({ op: 'add', path: 'active' }), 'invalidValue');
  assert.equal(getFault({ op: 'add', value: 'x' }), 'invalidValue');
  assert.equal(getFault({ op: 'replace', path: 'name', value: 'x' }), 'invalidValue');
  assert.equal(getFault({ op: 'replace', path: 'emails', value: 'x' }), 'invalidValue');
  assert.equal(getFault({ op: 'replace', path: 'emails[type eq "no"].value', value: 'x' }), 'noTarget');
  for (const path of [
    'nothing',
    'nothing.here',
    'userName.x',
    'active[x pr]',
    'emails[',
    'emails]x[',
    'emails.x',
    'a.b.c',
    'emails[x pr].a.b',
    '',
    7,
    'toString',
  ])
    assert.equal(getFault({ op: 'replace', path, value: 1 }), 'invalidPath', String(path));
});

const GROUP = { display_name: 'G', external_id: null, members: ['a', 'b', 'c'] };
const group = (...operations: object[]) => {
  const after = patchGroup(GROUP, operations);
  return isScimFault(after) ? after.scim_type : after.members.join('');
};

test('adds, removes and replaces members of a group by their ids', () => {
  assert.equal(group({ op: 'add', path: 'members', value: [{ value: 'd' }, { value: 'a' }] }), 'abcd');
  assert.equal(group({ op: 'Add', value: { Members: { value: 'd' } } }), 'abcd');
  assert.equal(group({ op: 'remove', path: 'members[value eq "b"]' }), 'ac');
  assert.equal(group({ op: 'remove', path: 'members[value eq "b" or value eq "a"]' }), 'c');
  assert.equal(group({ op: 'remove', path: 'members', value: [{ value: 'b' }, { value: 'x' }] }), 'ac');
  assert.equal(group({ op: 'remove', path: 'members' }), '');
  assert.equal(group({ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members', value: [{ value: 'z' }] }), 'z');
  assert.equal(group({ op: 'replace', path: 'members', value: ['z'] }), 'invalidValue');
  assert.equal(group({ op: 'remove', path: 'members[display co "b"]' }), 'invalidPath');
  assert.equal(group({ op: 'replace', path: 'nothing', value: 1 }), 'invalidPath');
  assert.equal(group({ op: 'replace', value: { id: 'x', displayName: 'H' } }), 'abc');
});

/** Maximum body size, over the characters per operation. */
const BODY_CHARS = 250_000;
const most = (text: string): string => text.repeat(Math.floor(BODY_CHARS / text.length));

test('takes bounded processor time for a maximum body and number of operations', () => {
  const members = Array.from({ length: 5_000 }, (_, index) => `mem_${index}`);
  const filters = ['a.', '"\\', '[', '(', 'a pr or ', 'not (', '\\"', ' ', '"a" '].map(most);
  const crossed = ['(a pr or b pr) and ', 'a[a pr or b pr].'].map((text) => `${text.repeat(25)}a pr`.slice(0, 499));
  const paths = [...filters, ...crossed].flatMap((text) => [text, `members[${text}]`, `emails[${text.slice(0, 490)}].value`, `a${text}`]);
  const chosen = `emails[${'type eq "a" or '.repeat(10)}type eq "c"].value`;
  const attacks: readonly (() => unknown)[] = [
    ...[...filters, ...crossed].map((text) => () => readFilter(text)),
    ...paths.flatMap((path) => [
      () => patchGroup({ ...GROUP, members }, [{ op: 'remove', path }]),
      () => patchUser(ADA, [{ op: 'replace', value: { [path]: 'x' } }], KNOWN),
    ]),
    () =>
      patchGroup({ ...GROUP, members }, Array(100).fill({ op: 'remove', path: `members[${'value eq "x" or '.repeat(30)}value eq "y"]` })),
    () =>
      patchGroup(
        { ...GROUP, members },
        Array(100).fill({ op: 'replace', path: 'members', value: members.slice(0, 80).map((value) => ({ value })) }),
      ),
    () => patchUser({ ...ADA, emails: Array(20).fill({ type: 'c' }) }, Array(100).fill({ op: 'replace', path: chosen, value: 'x' }), KNOWN),
    () =>
      patchUser(ADA, [{ op: 'replace', value: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, 1])) }], KNOWN),
  ];
  for (const [index, attack] of attacks.entries()) {
    attack();
    const startedAt = process.cpuUsage();
    attack();
    const { user, system } = process.cpuUsage(startedAt);
    assert.ok(user + system < 300_000, `attack ${index} took ${user + system} µs`);
  }
});
