import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';
import type pg from 'pg';
import { assertRefused } from './refusals.ts';
import { getMalformedVersions } from './versions/malformed-versions.ts';
import { UNFIT } from './versions/unfit-versions.ts';
import type { BuilderSchema, Malformed } from './versions/version.ts';

let planes: Planes;
let governed: Governed;
let owner: pg.Client;
let malformed: readonly Malformed[];
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  owner = await planes.database.client();
  const { token } = governed.tenant;
  malformed = getMalformedVersions((await mustCall(planes.controlUrl, 'GET', '/v1/policies/builder-schema', { token })) as BuilderSchema);
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const policyPath = (): string => `/v1/policies/${governed.policyId}`;
const send = (method: string, path: string, raw: string): Promise<TestResponse> =>
  call(planes.controlUrl, method, path, { token: governed.tenant.token, raw });

type Expected = { readonly what: string; readonly code: ErrorCode; readonly pointer: string | null; readonly says: RegExp };

/** Asserts that the fault points at exactly the member and has a sentence for people. */
const assertSays = (answer: TestResponse, { what, code, pointer, says }: Expected): void => {
  assertRefused(answer, code, what);
  const faults: { pointer: string; message: string }[] = answer.json.error.details?.faults ?? [];
  const own = pointer === null ? [answer.json.error] : faults.filter((fault) => fault.pointer === pointer);
  const told = JSON.stringify(faults).slice(0, 500);
  assert.ok(
    own.some(({ message }) => says.test(message)),
    `${what}: wanted ${says} at ${pointer}, got ${told}`,
  );
  for (const { message } of faults) assert.match(message, /^\S.{10,}[.?]$/s, `${what}: no sentence in ${told}`);
};

const withName = (raw: string, name: string): string => raw.replace('{', `{"name":${JSON.stringify(name)},`);

/** Asserts that none of the requests stores anything, with one comparison around all of them. */
const storingNothing = async (work: () => Promise<void>): Promise<void> => {
  const before = await readTables(owner);
  await work();
  assert.deepEqual(await readTables(owner), before);
};

describe('a malformed version of a policy', () => {
  test('has more than 200 variants, each with another fault', () => {
    assert.ok(malformed.length + UNFIT.length >= 200, `${malformed.length + UNFIT.length}`);
    assert.equal(new Set(malformed.map(({ body }) => JSON.stringify(body))).size, malformed.length);
  });

  for (const [method, path] of [
    ['POST', () => '/v1/policies'],
    ['PATCH', policyPath],
  ] as const) {
    test(`is refused by ${method} with the pointer to the faulty member and the remedy, and nothing is stored`, () =>
      storingNothing(async () => {
        for (const [index, { body, ...expected }] of malformed.entries()) {
          const raw = JSON.stringify(method === 'POST' ? { name: `Wrong ${index}`, ...body } : body);
          assertSays(await send(method, path(), raw), { ...expected, code: 'INVALID_POLICY' });
        }
      }));

    test(`with malformed text or structure is refused by ${method} before the language is checked`, () =>
      storingNothing(async () => {
        for (const { raw, code, ...expected } of UNFIT) {
          const body = method === 'POST' ? withName(raw, 'Unfit') : raw;
          assertSays(await send(method, path(), body), { ...expected, code: code as ErrorCode });
        }
      }));
  }

  test('is refused by a preview of its tests with the same messages, and nothing is stored', () =>
    storingNothing(async () => {
      const previewed = malformed.filter(({ pointer }) => pointer.startsWith('/tests/'));
      assert.ok(previewed.length >= 20);
      for (const { body, pointer, ...expected } of previewed) {
        const cases = (body as { tests: unknown[] }).tests;
        const answer = await send('POST', `${policyPath()}/tests/preview`, JSON.stringify({ cases }));
        assertSays(answer, { ...expected, pointer: pointer.replace('/tests', '/cases'), code: 'INVALID_POLICY' });
      }
      for (const [cases, says] of [
        ['[]', /at least 1 item/],
        [`[${'{},'.repeat(50)}{}]`, /at most 50 item/],
        ['{}', /Must be an array/],
        ['null', /Must be an array/],
      ] as const) {
        const answer = await send('POST', `${policyPath()}/tests/preview`, `{"cases":${cases}}`);
        assertSays(answer, { what: cases.slice(0, 20), code: 'VALIDATION_FAILED', pointer: '/cases', says });
      }
    }));
});
