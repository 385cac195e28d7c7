import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SOURCES } from './build-pages.ts';

const FOLDER = path.resolve(import.meta.dirname, '..');

test('the sources of the pages include all files that they import from other packages', () => {
  const files = readdirSync(path.join(FOLDER, 'web'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const taken = files.flatMap((name) =>
    [...readFileSync(path.join(FOLDER, 'web', name), 'utf8').matchAll(/^import (?!type ).*from '@svc\/([^/']+)\/([^']+)'/gm)].map(
      ([, room, file]) => `../../packages/${room}/src/${file}`,
    ),
  );
  const folders = SOURCES.filter((name) => name.startsWith('../')).map((name) => `${name}/`);
  assert.deepEqual(
    [...new Set(taken)].filter((file) => !folders.some((folder) => file.startsWith(folder))),
    [],
  );
});
