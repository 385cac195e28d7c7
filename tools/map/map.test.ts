import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { AREAS } from '@svc/contract/tables/areas.ts';
import { readTree } from '../tree.ts';
import { MAP_FILE, mapText } from './map-text.ts';
import { PICTURE_FILE, pictureText } from './picture-text.ts';

const tree = readTree(resolve(import.meta.dirname, '../..'));

test('docs/map.md lists the files there are (npm run map updates it)', () => {
  assert.equal(tree.text(MAP_FILE), mapText(tree, ENDPOINTS, AREAS));
});

test('the picture of the README shows the transcript of the README (npm run map updates it)', () => {
  assert.equal(tree.text(PICTURE_FILE), pictureText(tree.text('README.md')));
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
