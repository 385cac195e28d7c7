import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import createClient from 'openapi-fetch';
import generate from 'openapi-typescript';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
});
after(() => planes.stop());

type Operation = { readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } } };
type Served = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};

const getDocument = (plane: 'control' | 'gateway'): Promise<Served> =>
  mustCall(plane === 'control' ? planes.controlUrl : planes.gatewayUrl, 'GET', '/openapi.json');

/** Rules of a published linter about validity; those that require more prose are left out. */
const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-identical-paths': 'error',
  'path-parameters-defined': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'operation-summary': 'error',
  'operation-description': 'error',
  'security-defined': 'error',
  'no-unused-components': 'error',
  'no-empty-servers': 'error',
  'tag-description': 'off',
} as const;

/** Code that a person writes with the generated types only. */
const CLIENT = `import type { paths as Control, components } from './control.ts';
import type { paths as Gateway } from './gateway.ts';
import type create from 'openapi-fetch';
type Body<Operation> = Operation extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;
type Answer<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never;
const condition: components['schemas']['PolicyCondition'] = { all: [{ field: 'amount', op: 'lte', value: 1 }, { not: { field: 'currency', op: 'eq', value: 'EUR' } }] };
export const policy: Body<Control['/v1/policies']['post']> = {
  name: 'Typed', rules: [{ id: 'a', effect: 'ALLOW', when: condition, reason: 'Typed.' }], tests: [],
};
export const action: Body<Gateway['/gateway/v1/actions']['post']> = { tool: 'pay', parameters: { n: 1 } };
export const effectOf = (answer: Answer<Gateway['/gateway/v1/actions']['post']>): 'ALLOW' | 'MASK' | 'LIMIT' | 'REQUIRE_APPROVAL' | 'BLOCK' => answer.decision;
export const details: components['schemas']['Error']['error']['details'] = { faults: [{ pointer: '/name' }], retry_after_seconds: 1 };
export const labelled: Body<Control['/v1/agents']['post']>['labels'] = { team: 'support' };
export const relabelled: Body<Control['/v1/agents/{agentId}']['patch']> = { labels: { team: 'support' } };
export const whyOf = ({ explanation }: Answer<Gateway['/gateway/v1/actions']['post']>): [string | undefined, ('true' | 'false' | 'unknown')[]] => [
  explanation.matched_rule?.policy_name,
  explanation.matched_rules.flatMap(({ conditions }) => conditions.map(({ outcome }) => outcome)),
];
// @ts-expect-error A rule without an effect is none.
export const wrong: components['schemas']['PolicyRule'] = { id: 'a', reason: 'No effect.' };
export const play = async (createClient: typeof create, at: { control: string; gateway: string; owner: string; agent: string }) => {
  const control = createClient<Control>({ baseUrl: at.control, headers: { authorization: 'Bearer ' + at.owner } });
  const gateway = createClient<Gateway>({ baseUrl: at.gateway, headers: { authorization: 'Bearer ' + at.agent } });
  const made = await control.POST('/v1/policies', { body: policy });
  const read = await control.GET('/v1/policies/{policyId}', { params: { path: { policyId: made.data?.id ?? '' } } });
  const events = await control.GET('/v1/audit-events', { params: { query: { limit: 1 } } });
  const acted = await gateway.POST('/gateway/v1/actions', { body: action });
  const refused = await gateway.POST('/gateway/v1/actions', { body: { ...action, tool: '' } });
  const faults = refused.error?.error.details?.faults as readonly { pointer: string }[] | undefined;
  return {
    made: made.response.status, name: made.data?.name, read: read.data?.name, next: typeof events.data?.page.next_cursor === 'string',
    decision: acted.data?.decision, pointer: faults?.[0]?.pointer,
  };
};
`;

describe('the OpenAPI documents', () => {
  for (const plane of ['control', 'gateway'] as const) {
    test(`of the ${plane} plane passes a published linter`, async () => {
      const config = await createConfig({ rules: RULES });
      const problems = await lintFromString({ source: JSON.stringify(await getDocument(plane)), absoluteRef: `/${plane}.json`, config });
      assert.deepEqual(
        problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
        [],
      );
    });
  }

  test('become typed clients by a published generator, which compile and call both planes', async () => {
    const folder = mkdtempSync(path.join(root, '.cache', 'openapi-'));
    try {
      for (const plane of ['control', 'gateway'] as const)
        writeFileSync(path.join(folder, `${plane}.ts`), await generate((await getDocument(plane)) as never));
      writeFileSync(path.join(folder, 'client.ts'), CLIENT);
      const strict = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
      const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      await run(process.execPath, [compiler, '--ignoreConfig', ...strict, path.join(folder, 'client.ts')]).catch(({ stdout, stderr }) =>
        assert.fail(`${stdout}${stderr}`),
      );
      const { play } = (await import(path.join(folder, 'client.ts'))) as { play: (create: unknown, at: object) => Promise<unknown> };
      const at = { control: planes.controlUrl, gateway: planes.gatewayUrl, owner: governed.tenant.token, agent: governed.token };
      assert.deepEqual(await play(createClient, at), {
        made: 201,
        name: 'Typed',
        read: 'Typed',
        next: true,
        decision: 'ALLOW',
        pointer: '/tool',
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('contain working examples, except for their ids', async () => {
    const { environment_id, workspace_id } = governed.tenant;
    const { paths } = await getDocument('control');
    const posts = Object.entries(paths).flatMap(([at, { post }]) => {
      const example = post?.requestBody?.content['application/json']?.example;
      return example === undefined ? [] : [[at, example] as const];
    });
    assert.ok(posts.length >= 3);
    const [tool] = (await governed.owner('GET', '/v1/tools')).json.items;
    const [agent] = (await governed.owner('GET', '/v1/agents')).json.items;
    let imported = '';
    const manual = { name: 'Reviewers', kind: 'MANUAL', evidence_kinds: ['security_review'], max_level: 2 };
    const provider = (await governed.owner('POST', '/v1/trust/providers', manual)).json;
    // An example has a fixed date; the limit counts from today.
    const soon = new Date(Date.now() + 30 * 86_400_000).toISOString();
    for (const [path, example] of posts) {
      const at = path
        .replace('{toolId}', tool.id)
        .replace('{agentId}', agent.id)
        .replace('{importId}', imported)
        .replace('{control}', 'isolate-agent');
      const body = JSON.parse(
        JSON.stringify(example)
          .replace(/env_0+/, environment_id)
          .replace(/wsp_0+/, workspace_id)
          .replace(/agt_0+/, agent.id)
          .replace(/trp_0+/, provider.id)
          .replace(/("provider_id".*"expires_at":)"[^"]*"/, `$1${JSON.stringify(soon)}`),
      );
      const { status, text, json } = await governed.owner('POST', at, body);
      if (path === '/v1/developer/code-assist/rewrite') {
        // Its example is valid, and then refused because the feature is off by default.
        assert.deepEqual([status, json.error.message.split('.')[0]], [422, 'Code assist is off'], text);
        continue;
      }
      assert.ok(status === 200 || status === 201, `${at} answered ${status}: ${text}`);
      if (path === '/v1/tool-imports') imported = json.id;
    }
  });
});
