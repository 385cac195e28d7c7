import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseDocument } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');
const FOLDER = 'deploy/proxies/ext-authz';
const read = (file: string): string => readFileSync(path.join(root, FOLDER, file), 'utf8');

const parse = (file: string) => {
  const document = parseDocument(read(file), { strict: true, uniqueKeys: true });
  assert.deepEqual([...document.errors, ...document.warnings], [], file);
  return document.toJS();
};

const QUESTION = '/gateway/v1/ext-authz/orders-api';

test('the configuration of Envoy queries the gateway, denies when it fails, and keeps the token of the agent', () => {
  const { static_resources } = parse('envoy.yaml');
  const [listener] = static_resources.listeners;
  const { http_filters, route_config } = listener.filter_chains[0].filters[0].typed_config;
  const [authz, router] = http_filters;
  assert.deepEqual([authz.name, router.name], ['envoy.filters.http.ext_authz', 'envoy.filters.http.router']);
  const { failure_mode_allow, http_service, with_request_body } = authz.typed_config;
  assert.deepEqual([failure_mode_allow, http_service.path_prefix, with_request_body.allow_partial_message], [false, QUESTION, false]);
  assert.deepEqual(route_config.virtual_hosts[0].request_headers_to_remove, ['authorization']);
  const clusters = static_resources.clusters.map(({ name }: { name: string }) => name);
  for (const cluster of [http_service.server_uri.cluster, route_config.virtual_hosts[0].routes[0].route.cluster])
    assert.ok(clusters.includes(cluster), cluster);
});

test('the configuration of agentgateway queries the gateway, denies when it fails, and keeps the token of the agent', () => {
  const { binds } = parse('agentgateway.yaml');
  const { policies } = binds[0].listeners[0].routes[0];
  assert.equal(policies.extAuthz.failureMode, 'deny');
  assert.equal(policies.extAuthz.protocol.http.path, `"${QUESTION}" + request.pathAndQuery`);
  assert.equal(policies.extAuthz.includeRequestBody.allowPartialMessage, false);
  assert.ok(policies.extAuthz.includeRequestHeaders.includes('authorization'));
  assert.deepEqual(policies.requestHeaderModifier, { remove: ['authorization'] });
});

test('the configuration of Kong queries the gateway, denies when it fails, and keeps the token of the agent', () => {
  const { _format_version, services } = parse('kong.yaml');
  assert.equal(_format_version, '3.0');
  const [plugin] = services[0].plugins;
  assert.equal(plugin.name, 'pre-function');
  const [program] = plugin.config.access as readonly string[];
  assert.ok(program?.includes(`http://gateway:4100${QUESTION}" .. ngx.var.request_uri`));
  assert.match(program ?? '', /if not answer then\s+return kong\.response\.exit\(503/);
  assert.match(program ?? '', /if answer\.status ~= 200 then\s+return kong\.response\.exit/);
  assert.match(program ?? '', /clear_header\("authorization"\)/);
  // Blocks of Lua that are opened and closed, since no interpreter is at hand.
  const words =
    (program ?? '')
      .replace(/--.*$/gm, '')
      .replace(/"[^"\n]*"/g, '')
      .match(/\b(?:then|else|elseif|function|do|end)\b/g) ?? [];
  const opened = words.filter((word) => word === 'then' || word === 'function' || word === 'do').length;
  const joined = words.filter((word) => word === 'elseif').length;
  assert.equal(words.filter((word) => word === 'end').length, opened - joined);
});
