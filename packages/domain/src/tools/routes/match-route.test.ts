import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ToolRoute } from '@svc/contract/tools/tool-routes.ts';
import { matchRoute, routeFault, routeKey } from './match-route.ts';
import { readTarget } from './request-target.ts';

const route = (path: string, method: ToolRoute['method'] = 'GET', mapping = 'orders'): ToolRoute => ({ mapping, method, path });
const tool = (name: string, ...routes: ToolRoute[]) => ({ name, routes });
const TOOLS = [
  tool('orders.read', route('/orders/{order}'), route('/orders/{order}/lines/{line}')),
  tool('orders.export', route('/orders/export')),
  tool('orders.root', route('/')),
];

const find = (target: string, tools = TOOLS, method = 'GET', mapping = 'orders'): unknown => {
  const read = readTarget(target);
  if ('fault' in read) return 'FAULT';
  const match = matchRoute(tools, { mapping, method, segments: read.segments });
  return 'none' in match ? match.none : [match.tool.name, match.parameters];
};

describe('routes of tools', () => {
  test('a request matches the route with its method and segments', () => {
    assert.deepEqual(find('/orders/o-1?expand=lines'), ['orders.read', { order: 'o-1' }]);
    assert.deepEqual(find('/orders/o%201/lines/2'), ['orders.read', { order: 'o 1', line: '2' }]);
    assert.deepEqual(find('/'), ['orders.root', {}]);
    for (const target of ['/orders', '/orders/', '/orders/o-1/', '/orders/o-1/lines', '/other/o-1']) assert.equal(find(target), 'NO_ROUTE');
    assert.equal(find('/orders/o-1', TOOLS, 'DELETE'), 'NO_ROUTE');
    assert.equal(find('/orders/o-1', TOOLS, 'GET', 'other'), 'NO_ROUTE');
  });

  test('a literal segment comes before a parameter, however it is encoded', () => {
    assert.deepEqual(find('/orders/export'), ['orders.export', {}]);
    assert.deepEqual(find('/orders/%65xport'), ['orders.export', {}]);
    assert.deepEqual(find('/orders/exports'), ['orders.read', { order: 'exports' }]);
  });

  test('letters of another case do not reach the wider route', () => {
    for (const target of ['/orders/Export', '/orders/EXPORT', '/Orders/o-1']) assert.equal(find(target), 'NO_ROUTE');
  });

  test('two tools with one route decide nothing', () => {
    const twins = [tool('one', route('/a/{x}')), tool('two', route('/a/{y}'))];
    assert.equal(find('/a/1', twins), 'AMBIGUOUS');
    assert.equal(routeKey(route('/a/{x}')), routeKey(route('/A/{y}')));
    assert.notEqual(routeKey(route('/a/{x}')), routeKey(route('/a/x')));
  });

  for (const target of [
    ...['/orders/../admin', '/orders/%2e%2e/admin', '/orders/.', '//orders/o-1', '/orders//o-1', '/orders/o%2f1', '/orders/o%5c1'],
    ...[
      '/orders/o\\1',
      '/orders;x=1/o-1',
      '/orders/o-1;admin',
      '/orders/o%00',
      '/orders/o%0a',
      '/orders/%252e%252e',
      '/orders/%zz',
      '/orders/%ff',
    ],
    ...[
      'orders/o-1',
      '*',
      '',
      '?a=1',
      '/orders/o-1#x',
      '/orders/o-1, /orders/export',
      '/orders/o-1?a=1;b=2',
      '/orders/o-1?a=%ff',
      `/${'a/'.repeat(80)}`,
      `/${'a'.repeat(9_000)}`,
    ],
    `/orders/o-1?${Array.from({ length: 200 }, (_, index) => `q${index}=1`).join('&')}`,
  ])
    test(`refuses the target ${JSON.stringify(target.slice(0, 40))}, which servers read differently`, () => {
      assert.equal(find(target), 'FAULT');
    });

  test('reads each parameter of a query with all its values', () => {
    const read = readTarget('/a?b=1&c=x+y&b=2&d&e=f=g&__proto__=1');
    assert.ok('query' in read);
    assert.deepEqual(Object.entries(read.query), [
      ['b', ['1', '2']],
      ['c', 'x y'],
      ['d', ''],
      ['e', 'f=g'],
      ['__proto__', '1'],
    ]);
  });

  test('a route that cannot be matched is refused', () => {
    for (const path of ['orders', '/a?b', '/a#b', '/a/../b', '//a', '/a/{b', '/a/x{b}', '/{a}/{a}', '/{A}', '/a;b', '/a%2fb', '/{}'])
      assert.notEqual(routeFault(route(path)), undefined, path);
    for (const path of ['/', '/a', '/a/', '/{a}/b/{c_1}']) assert.equal(routeFault(route(path)), undefined, path);
  });
});
