import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATH_PARAMETERS, type PathParameters } from '@svc/contract/tables/path-parameters.ts';
import type { Database } from '../connection/connect.ts';
import { resourcesExist } from './resource-exists.ts';

/** Represents connections that must not be used. */
const asked: string[] = [];
const database = new Proxy({}, { get: (_target, name) => asked.push(String(name)) }) as Database;

test('returns undefined for a parameter without a table', async () => {
  const params = { agentId: 'agt_1', agentNumber: '1' } as PathParameters;
  await assert.rejects(resourcesExist(database, { organization_id: 'org_1' }, params), /agentNumber names no table/);
  await assert.rejects(resourcesExist(database, { organization_id: 'org_1' }, { constructor: 'x' } as PathParameters), /names no table/);
  assert.deepEqual(asked, []);
});

test('knows every parameter of a path', async () => {
  for (const name of Object.keys(PATH_PARAMETERS))
    await assert.rejects(
      resourcesExist(database, { organization_id: 'org_1' }, { [name]: 'x' }),
      (error: Error) => !/names no table/.test(error.message),
    );
});
