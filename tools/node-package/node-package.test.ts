import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { formatNodePackage, NODE_PACKAGE_FILE } from './node-package-text.ts';

const root = resolve(import.meta.dirname, '../..');

test('the governed node in the bundle is the one that the sources build; run npm run generate -- node-package', () => {
  const dist = mkdtempSync(join(tmpdir(), 'node-package-'));
  try {
    const built = formatNodePackage(dist, readFileSync(join(root, 'sdks/n8n/package.json'), 'utf8'));
    assert.ok(built === readFileSync(join(root, NODE_PACKAGE_FILE), 'utf8'));
  } finally {
    rmSync(dist, { recursive: true });
  }
});
