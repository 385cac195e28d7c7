import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes, { rules: [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
});
after(() => planes.stop());

/** Sends parameters as raw text, since a parsed value loses its form. */
const act = (parameters: string, approvalId?: string): Promise<TestResponse> => {
  const named = approvalId === undefined ? '' : `, "approval_id": "${approvalId}"`;
  const raw = `{"tool": "${governed.tool.name}", "parameters": ${parameters}${named}}`;
  return call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: governed.token, raw });
};
const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? `${status}`;

type Pair = readonly [name: string, approved: string, sent: string];

const SAME: readonly Pair[] = [
  ['other order of members', '{"n": "a", "to": {"x": 1, "y": 2}}', '{"to": {"y": 2, "x": 1}, "n": "a"}'],
  ['1 and 1.0', '{"n": 1}', '{"n": 1.0}'],
  ['0 and -0', '{"n": 0}', '{"n": -0}'],
  ['an exponent and its digits', '{"n": 1e3}', '{"n": 1000}'],
  ['an escaped and a plain letter', '{"n": "\\u00e9"}', '{"n": "é"}'],
  ['white space between members', '{"n":1,"m":2}', '{ "n" : 1 ,\n "m" : 2 }'],
];
const DIFFERENT: readonly Pair[] = [
  ['a composed and a decomposed letter', '{"n": "\\u00e9"}', '{"n": "e\\u0301"}'],
  ['82000 and 820000', '{"n": 82000}', '{"n": 820000}'],
  ['a plus and its percent encoding', '{"n": "b+c"}', '{"n": "b%2Bc"}'],
  ['a number and a text', '{"n": 1}', '{"n": "1"}'],
  ['other order of elements', '{"n": [1, 2]}', '{"n": [2, 1]}'],
  ['an absent member and null', '{}', '{"n": null}'],
  ['upper and lower case', '{"n": "A"}', '{"n": "a"}'],
  ['a space at the end', '{"n": "a"}', '{"n": "a "}'],
];

for (const [pairs, expected] of [[SAME, '200'] as const, [DIFFERENT, 'APPROVAL_NOT_GRANTED'] as const]) {
  for (const [name, approved, sent] of pairs) {
    test(`${expected === '200' ? 'accepts an approval for' : 'rejects an approval for'} ${name}`, async () => {
      const held = await act(approved);
      assert.equal(getCode(held), 'APPROVAL_REQUIRED', held.text);
      const { approval_id } = held.json.error.details;
      assert.equal((await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {})).status, 200);
      assert.equal(getCode(await act(sent, approval_id)), expected);
      assert.equal(getCode(await act(approved, approval_id)), expected === '200' ? 'APPROVAL_NOT_GRANTED' : '200');
    });
  }
}
