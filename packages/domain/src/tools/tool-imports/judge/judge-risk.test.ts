import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotProposed } from '../draft/proposal.ts';
import { type ParsedDocument, proposeTools } from '../propose-tools.ts';

const judged = (document: ParsedDocument) => {
  const read = proposeTools(document, { source: 'shop', base_url: 'https://a.example' });
  assert.ok(!('fault' in read), JSON.stringify(read));
  const [only] = [...read.proposals()];
  assert.ok(only !== undefined && !isNotProposed(only), JSON.stringify(only));
  const { risk_rating, dangerous, required_capability } = only.declaration;
  return { risk_rating, dangerous, verb: required_capability.split('.').at(-1), reasons: only.risk_reasons.join(' ') };
};
const got = (path: string, operation: object = {}) => judged({ root: { openapi: '3.1.0', paths: { [path]: { get: operation } } } });
const posted = (body: object, header: readonly object[] = []) =>
  judged({
    root: {
      info: { name: 'C', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [{ name: 'It', request: { method: 'POST', url: 'https://a.example/it', body, header } }],
    },
  });
const inQuery = (name: string) => ({ parameters: [{ name, in: 'query', schema: { type: 'string' } }] });

test('rates a GET that ends something, moves money or starts something by its name or parameters as a change', () => {
  for (const [path, operation, rating] of [
    ['/users/{id}/delete', {}, 'HIGH'],
    ['/accounts/{id}/delete', {}, 'CRITICAL'],
    ['/charges/{id}/refund', {}, 'HIGH'],
    ['/machines/{id}/exec', {}, 'HIGH'],
    ['/things/delete-all', {}, 'HIGH'],
    ['/it', { operationId: 'destroyEverything' }, 'HIGH'],
    ['/it', { operationId: 'things_purge' }, 'HIGH'],
    ['/it', { operationId: 'it', summary: 'Cancel the thing' }, 'HIGH'],
    ['/it', inQuery('delete'), 'MEDIUM'],
  ] as const) {
    const { risk_rating, verb, reasons } = got(path, operation);
    assert.deepEqual([risk_rating, verb], [rating, 'write'], `${path} ${JSON.stringify(operation)}: ${reasons}`);
    assert.match(reasons, /The method only reads, but "[a-z]+" in its name or parameters suggests a change/);
  }
});

test('rates a GET that reads about money or endings as reading', () => {
  for (const [path, operation] of [
    ['/refunds', { operationId: 'listRefunds' }],
    ['/refunds/{id}', { operationId: 'getRefund', summary: 'Get a refund' }],
    ['/orders/{id}/cancellations', { operationId: 'list_cancellations' }],
    ['/users/{id}', inQuery('deleted_before')],
    ['/things', { tags: ['Transfer', 'Refund'] }],
    ['/jobs/{id}', { operationId: 'actions/get-workflow-run' }],
    ['/transfer_rules', {}],
  ] as const) {
    const { risk_rating, verb, reasons } = got(path, operation);
    assert.deepEqual([risk_rating, verb], ['LOW', 'read'], `${path}: ${reasons}`);
  }
});

test('rates a call that a header or a field can override by the risk of the other one', () => {
  const header = { parameters: [{ name: 'X-HTTP-Method-Override', in: 'header', schema: { type: 'string' } }] };
  const original = { parameters: [{ name: 'X-Original-URL', in: 'header', schema: { type: 'string' } }] };
  for (const operation of [header, original, inQuery('_method')]) {
    const { risk_rating, dangerous, verb, reasons } = got('/it', operation);
    assert.deepEqual([risk_rating, dangerous, verb], ['HIGH', true, 'write'], reasons);
    assert.match(reasons, /into a different call than declared/);
  }
  const form = { mode: 'urlencoded', urlencoded: [{ key: '_method', value: 'DELETE' }] };
  assert.equal(posted(form).risk_rating, 'HIGH');
  assert.equal(posted({}, [{ key: 'X-HTTP-Method-Override', value: 'DELETE' }]).risk_rating, 'HIGH');
});

test('rates GraphQL by the kind of the operation and the selected names', () => {
  const query = judged({ graphql: 'type Query { deleteAllUsers: Boolean }' });
  assert.deepEqual([query.risk_rating, query.dangerous, query.verb], ['HIGH', true, 'write'], query.reasons);
  assert.equal(judged({ graphql: 'type Query { users: Boolean }' }).risk_rating, 'LOW');
  const graphql = (text: string) => posted({ mode: 'graphql', graphql: { query: text } });
  const mutation = graphql('mutation { deleteThing(id: 1) { id } }');
  assert.deepEqual([mutation.risk_rating, mutation.dangerous], ['HIGH', true], mutation.reasons);
  assert.equal(graphql('query { purgeThings }').risk_rating, 'HIGH');
  assert.equal(graphql('query { things { id } }').risk_rating, 'LOW');
  assert.equal(graphql('query { ...F } fragment F on Query { deleteThing }').risk_rating, 'MEDIUM');
});

test('rates a call that carries others by their risk, at any position', () => {
  const text = { type: 'string' };
  const sent = (schema: object) =>
    judged({
      root: {
        openapi: '3.1.0',
        components: { schemas: { Call: { type: 'object', properties: { method: text, relative_path: text } } } },
        paths: { '/it': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
      },
    });
  const call = { $ref: '#/components/schemas/Call' };
  const list = { type: 'object', properties: { actions: { type: 'array', items: { allOf: [call] } } } };
  const graphql = { type: 'object', properties: { query: text, variables: {} } };
  for (const schema of [call, list, { oneOf: [text, list] }, graphql]) {
    const { risk_rating, dangerous, reasons } = sent(schema);
    assert.deepEqual([risk_rating, dangerous], ['HIGH', true], JSON.stringify(schema));
    assert.match(reasons, /The parameter "(method|query)" lets .* run calls that are not declared/);
  }
  const form = { mode: 'urlencoded', urlencoded: [{ key: 'http_method' }, { key: 'url' }] };
  assert.equal(posted(form).risk_rating, 'HIGH');
  assert.equal(posted({ mode: 'raw', raw: '{"requests":[{"method":"DELETE","url":"/a"}]}' }).risk_rating, 'HIGH');
  const itself = { type: 'object', properties: { method: text, query: text, again: { $ref: '#/paths/~1it/post/requestBody' } } };
  assert.equal(sent(itself).risk_rating, 'MEDIUM');
});

test('recognizes words for emptying, removing members and switching off', () => {
  for (const path of ['/rooms/{id}/prune', '/rooms/{id}/kick', '/servers/{id}/actions/power_off', '/lists/{id}/truncate']) {
    const { risk_rating } = judged({ root: { openapi: '3.1.0', paths: { [path]: { post: {} } } } });
    assert.equal(risk_rating, 'HIGH', path);
  }
});
