import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectionTerms } from '../kind.ts';
import { apiPlatform } from './api-platform.ts';

const { reader } = apiPlatform.inspection;
const TERMS: InspectionTerms = {
  ...{
    settings: {},
    admin_access: 'NONE',
    gatewayOrigins: ['https://gateway.example'],
    controlOrigins: [],
    baseUrl: null,
    bundledNodes: null,
  },
};

/** Kinds and routes of the findings of a file. */
const listFindings = (product: string, file: object): string[] => {
  const read = reader.read(product, { path: 'config.json', content: JSON.stringify(file) });
  const { findings } = reader.inspect(product, [{ source: 'UPLOAD', at: '2030-01-01T00:00:00.000Z', files: [read] }], TERMS);
  return findings.map(({ kind, evidence }) => `${kind} ${evidence.route}`).toSorted();
};

const AUTHZ = 'envoy.filters.http.ext_authz';
const disabled = { typed_per_filter_config: { [AUTHZ]: { disabled: true } } };

const listener = (name: string, config: object, routes: object[]) => ({
  name,
  filter_chains: [
    {
      filters: [
        {
          name: 'envoy.filters.network.http_connection_manager',
          typed_config: {
            http_filters: [{ name: AUTHZ, typed_config: config }, { name: 'envoy.filters.http.router' }],
            route_config: { virtual_hosts: [{ name: 'shop', routes }] },
          },
        },
      ],
    },
  ],
});

test('Envoy: one disabled route, one listener that fails open and one weighted cluster are three findings', () => {
  const weighted = { name: 'split', route: { weighted_clusters: { clusters: [{ name: 'old' }, { name: 'new', ...disabled }] } } };
  const listeners = [
    listener('one', {}, [{ name: 'guarded' }, { name: 'open', ...disabled }, weighted]),
    listener('two', { failure_mode_allow: true }, [{ name: 'guarded' }]),
  ];
  assert.deepEqual(listFindings('envoy', { static_resources: { listeners } }), [
    'AUTHZ_DISABLED_ON_ROUTE one / shop / open',
    'AUTHZ_DISABLED_ON_ROUTE one / shop / split / new',
    'AUTHZ_FAIL_OPEN two',
  ]);
});

test('Envoy: a filter behind the router, and one for a part of the requests, are found', () => {
  const behind = listener('one', {}, [{ name: 'all' }]);
  behind.filter_chains[0]?.filters[0]?.typed_config.http_filters.reverse();
  assert.deepEqual(listFindings('envoy', { static_resources: { listeners: [behind] } }), ['ROUTE_AROUND one / shop / all']);
  const half = listener('one', { filter_enabled: { default_value: { numerator: 50 } } }, [{ name: 'all' }]);
  assert.deepEqual(listFindings('envoy', { static_resources: { listeners: [half] } }), ['AUTHZ_FAIL_OPEN one / share']);
});

const kong = (more: object) => ({
  _format_version: '3.0',
  services: [{ name: 'shop', url: 'https://shop.example', routes: [{ name: 'all' }], plugins: [{ name: 'ext-authz' }] }],
  ...more,
});

test('Kong: a consumer for whom the plugin is disabled or fails open is found, wherever the override is', () => {
  assert.deepEqual(listFindings('kong', kong({})), []);
  const off = { name: 'ext-authz', enabled: false };
  const found = ['AUTHZ_DISABLED_ON_ROUTE shop / all'];
  assert.deepEqual(listFindings('kong', kong({ consumers: [{ username: 'partner', plugins: [off] }] })), found);
  assert.deepEqual(listFindings('kong', kong({ consumer_groups: [{ name: 'gold', plugins: [off] }] })), found);
  assert.deepEqual(listFindings('kong', kong({ plugins: [{ ...off, consumer: 'partner' }] })), found);
  const open = { name: 'ext-authz', config: { fail_open: true } };
  assert.deepEqual(listFindings('kong', kong({ consumers: [{ username: 'partner', plugins: [open] }] })), ['AUTHZ_FAIL_OPEN shop / all']);
});
