import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { getConsoleLayers } from './console-layers.ts';

const web = 'apps/console/web';
const listFindings = (files: Readonly<Record<string, string>>) =>
  getConsoleLayers(buildTree(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${web}/${path}`, text])))).map(
    ({ path, says }) => [path.slice(web.length + 1), says],
  );

test('accepts imports of lower layers, and files next to the layers that join them', () => {
  const files = {
    'data/client.ts': '',
    'design/table.tsx': "import { a } from '../data/client.ts';",
    'layout/shell.tsx': "import { a } from '../design/table.tsx';",
    'people/members/list.tsx': "import { a } from '../../layout/shell.tsx';\nimport { b } from '../invitations/words.ts';",
    'people/invitations/words.ts': '',
    'router.tsx': "import { a } from './people/members/list.tsx';",
  };
  assert.deepEqual(listFindings(files), []);
});

test('rejects imports of higher layers, types included', () => {
  const files = {
    'data/list.ts': "import type { Table } from '../design/table.tsx';",
    'design/table.tsx': "import { a } from '../people/words.ts';",
  };
  assert.deepEqual(listFindings(files), [
    ['data/list.ts', 'data may not import design/table.tsx: layers are data, design, layout, pages'],
    ['design/table.tsx', 'design may not import people/words.ts: layers are data, design, layout, pages'],
  ]);
});

test('rejects requests and the query cache outside of data', () => {
  const text = "import { useQuery } from '@tanstack/react-query';\nvoid fetch('/v1/members');";
  assert.deepEqual(listFindings({ 'data/client.ts': text, 'people/list.tsx': text }), [
    ['people/list.tsx', '@tanstack/react-query outside of apps/console/web/data'],
    ['people/list.tsx', 'fetch outside of apps/console/web/data; use a hook or the client of data'],
  ]);
});
