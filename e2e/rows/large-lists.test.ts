import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const ROWS = 40;
/** Maximum bytes of a row, like those of bodies; a page may exceed its limit by as much. */
const ROW_BYTES_MAX = LIMITS.bodies.requestBytesMax * 1.1;
const RULES = Array.from({ length: 150 }, (_, n) => ({
  id: `r${n}`,
  effect: 'BLOCK',
  reason: 'x',
  description: 'words '.repeat(230),
  when: { field: 'tool.name', op: 'eq', value: `tool-${n}` },
}));
const templates = (name: string) => Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`${name}-${n}`, 'some words '.repeat(170)]));

const s = createScene();
let toolId: string;
let policyId: string;

/** Copies rows that differ in a JSON text. */
const copy = async (table: string, where: string, differing: string, count: number): Promise<void> => {
  const owner = await s.planes.database.client();
  try {
    await owner.query(
      `insert into ${table} select (made.t).* from (
         select json_populate_record(t, ${differing}) as t from ${table} t, generate_series(1, ${count}) n where ${where}) made`,
    );
  } finally {
    await owner.end();
  }
};

s.before(async () => {
  const { token, environment_id, controlUrl } = s.tenant;
  const send = (method: string, path: string, body: object) => mustCall(controlUrl, method, path, { token, body });
  const execution = { method: 'POST', url: 'https://large.example/', headers: templates('x-word'), query: templates('q') };
  const declared = { name: 'large', environment_id, required_capability: 'x', kind: 'HTTP', destination_allowlist: ['large.example'] };
  toolId = (await send('POST', '/v1/tools', { ...declared, execution })).id;
  await send('PATCH', `/v1/tools/${toolId}`, { risk_rating: 'HIGH', accept_warnings: true });
  policyId = (await send('POST', '/v1/policies', { name: 'Large', rules: RULES })).id;
  const numbered = "lpad(n::text, 10, '0')";
  await copy('tools', `t.id = '${toolId}'`, `json_build_object('id', left(t.id, 20) || ${numbered}, 'name', 'large-' || n)`, ROWS);
  await copy('tool_versions', `t.tool_id = '${toolId}' and t.version_number = 2`, "json_build_object('version_number', n + 2)", ROWS);
  await copy('policies', `t.id = '${policyId}'`, `json_build_object('id', left(t.id, 20) || ${numbered}, 'name', 'large-' || n)`, ROWS);
  await copy(
    'policy_versions',
    `t.policy_id = '${policyId}'`,
    `json_build_object('id', left(t.id, 20) || ${numbered}, 'policy_id', left(t.policy_id, 20) || ${numbered})`,
    ROWS,
  );
  await copy(
    'policy_versions',
    `t.policy_id = '${policyId}'`,
    `json_build_object('id', left(t.id, 20) || lpad((1000 + n)::text, 10, '0'), 'version_number', n + 1)`,
    ROWS,
  );
});

const nextOf = (answer: TestResponse): string | undefined => /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
const listIds = ({ json }: TestResponse): unknown[] =>
  (json.items ?? json).map((row: { id?: string; version_number?: number }) => row.id ?? row.version_number);

const walk = async (path: string): Promise<TestResponse[]> => {
  const answers: TestResponse[] = [];
  for (let next: string | undefined = path; next !== undefined; next = nextOf(answers.at(-1) as TestResponse)) {
    answers.push(await call(s.tenant.controlUrl, 'GET', next, { token: s.tenant.token }));
    assert.equal(answers.at(-1)?.status, 200, answers.at(-1)?.text.slice(0, 300));
    assert.ok(answers.length <= ROWS + 1, 'the links lead on and on');
  }
  return answers;
};

const LISTS = {
  tools: () => ['/v1/tools', ROWS + 1, 1],
  'versions of a tool': () => [`/v1/tools/${toolId}/versions`, ROWS + 2, 1],
  // One of them shows ten versions.
  policies: () => ['/v1/policies', ROWS + 1, 10],
  'versions of a policy': () => [`/v1/policies/${policyId}/versions`, ROWS + 1, 1],
} as const satisfies Record<string, () => readonly [string, number, number]>;

for (const [name, of] of Object.entries(LISTS))
  test(`a page of ${name} of maximum size ends when it is full, and the links lead to each of them once`, async () => {
    const [path, count, rowsOfOne] = of();
    const answers = await walk(`${path}?limit=${LIMITS.pages.countMax}`);
    const ids = answers.flatMap(listIds);
    assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
    assert.ok(answers.length > 1, 'one page holds all of them');
    for (const { text } of answers) {
      const most = LIMITS.pages.bytesMax + rowsOfOne * ROW_BYTES_MAX;
      assert.ok(text.length <= most, `a page is ${text.length} bytes`);
    }
    for (const { text } of answers.slice(0, -1)) assert.ok(text.length >= LIMITS.pages.bytesMax, `a page ends after ${text.length} bytes`);
  });
