import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listParameterNames } from '@svc/contract/tables/path-parameters.ts';
import { sample } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { buildPath, EVERY_ROW, getAgentTokenOpening, type NamedRow, newSetting, type RowTestSetting } from '../rows/setting.ts';

let setting: RowTestSetting;
let directoryToken: string;
before(async () => {
  setting = await newSetting();
  const answer = await call(setting.planes.controlUrl, 'POST', '/v1/sso/scim-token', { token: setting.owner, body: {} });
  directoryToken = answer.json.token;
});
after(() => setting.planes.stop());

/** Parameters of pages and of provider returns, which accept any query. */
const OF_PAGES = ['state', 'code', 'iss', 'error', 'return_to', 'email', 'domain', 'connection_id', 'organization_id', 'anything'];

const listParameters = ([, row]: NamedRow): readonly string[] => {
  const { properties = {} } = (row.query ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> };
  return [...new Set([...Object.keys(properties), ...(row.wire === 'page' || row.wire === 'posted-page' ? OF_PAGES : ['anything'])])];
};

const getToken = ([, row]: NamedRow): string | undefined => {
  if (row.credential === 'directory') return directoryToken;
  if (row.credential === 'agent') return getAgentTokenOpening(row, setting);
  return row.credential === 'none' ? undefined : setting.owner;
};

const ask = (row: NamedRow, path: string): Promise<TestResponse> => {
  const base = row[1].plane === 'control' ? setting.planes.controlUrl : setting.planes.gatewayUrl;
  return call(base, row[1].method, path, { token: getToken(row) });
};

/** Text that may reach a filter, a date or a number, and that must not make a handler fail. */
const ODD = ['\u0001', '\u007f', '\r\n', '\u202e', "'", '"', '\\', '\\u0000', '"\\u0000"', '%', '{}', '[', '💥', ' '];

describe('every row of both planes', () => {
  test('refuses a NUL in each parameter of its query', async () => {
    for (const row of EVERY_ROW)
      for (const parameter of listParameters(row))
        for (const value of ['%00', 'a%00b']) {
          const { status, text } = await ask(row, `${buildPath(row[1], setting.resources)}?${parameter}=${value}`);
          assert.ok(status >= 400 && status < 500, `${row[0]} ${parameter}: ${status} ${text.slice(0, 300)}`);
        }
  });

  test('refuses a NUL in the name of a parameter', async () => {
    for (const row of EVERY_ROW) {
      const { status, text } = await ask(row, `${buildPath(row[1], setting.resources)}?a%00b=c`);
      assert.ok(status >= 400 && status < 500, `${row[0]}: ${status} ${text.slice(0, 300)}`);
    }
  });

  test('refuses a NUL in each parameter of its path', async () => {
    for (const row of EVERY_ROW)
      for (const name of listParameterNames(row[1].path)) {
        const { status, text } = await ask(row, buildPath(row[1], { ...setting.resources, [name]: 'a%00b' }));
        assert.ok(status >= 400 && status < 500, `${row[0]} ${name}: ${status} ${text.slice(0, 300)}`);
      }
  });

  test('answers a read with odd text in any parameter, and does not fail', async () => {
    for (const row of EVERY_ROW.filter(([, { method }]) => method === 'GET'))
      for (const parameter of listParameters(row))
        for (const value of sample(ODD, 3, `${row[0]} ${parameter}`)) {
          const { status, text } = await ask(row, `${buildPath(row[1], setting.resources)}?${parameter}=${encodeURIComponent(value)}`);
          assert.notEqual(status, 500, `${row[0]} ${parameter} ${JSON.stringify(value)}: ${text.slice(0, 300)}`);
        }
  });
});
