import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { AREAS } from '@svc/contract/tables/areas.ts';
import { readTree } from '../tree.ts';
import { formatMap, MAP_FILE } from './map-text.ts';
import { formatPicture, PICTURE_FILE } from './picture-text.ts';

const tree = readTree(resolve(import.meta.dirname, '../..'));

test('docs/map.md lists the existing files (npm run generate -- map updates it)', () => {
  assert.equal(tree.text(MAP_FILE), formatMap(tree, ENDPOINTS, AREAS));
});

test('the picture of the README shows the transcript of the README (npm run generate -- map updates it)', () => {
  assert.equal(tree.text(PICTURE_FILE), formatPicture(tree.text('README.md')));
});

test('the map lists a handler, its SQL, its migration and its page under one noun', () => {
  const [, approvals = ''] = /^#### approvals\n(.*?)^#/ms.exec(tree.text(MAP_FILE)) ?? [];
  for (const name of [
    'approve-approval.ts',
    'escalate-approvals.ts',
    '0005_actions_and_approvals.sql',
    'apps/console/web/actions/approvals/',
  ])
    assert.ok(approvals.includes(name), name);
});

test('the index of decisions lists every record below its area, with its status', () => {
  const index = tree.text('docs/decisions/README.md');
  const sections = index.split(/^## /m).slice(1);
  const records = tree.paths.filter((path) => /^docs\/decisions\/\d{4}-/.test(path));
  assert.ok(records.length > 100);
  for (const path of records) {
    const text = tree.text(path);
    const [, status = ''] = /^Status: (.+)$/m.exec(text) ?? [];
    const [, area = ''] = /^Area: ([a-z]+)/m.exec(text) ?? [];
    const name = path.slice('docs/decisions/'.length);
    const section = sections.find((each) => each.includes(`(${name})`)) ?? '';
    assert.ok(section.toLowerCase().startsWith(area) && area !== '', `${name} belongs below ${area}`);
    const line = section.split('\n').find((each) => each.includes(`(${name})`)) ?? '';
    assert.ok(status !== '' && line.endsWith(` | ${status} |`), `${name} has the status ${status}`);
  }
});
